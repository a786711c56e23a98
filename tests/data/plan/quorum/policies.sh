# keeps a message until its dead-letter target has it
rabbitmqctl set_policy -p / --apply-to queues --priority 0 \
    lilyq-at-least-once \
    '^(K\xC3\xA4se \+ "Brot" \(it'\''s\)(\.retry\.v2\.(1000|2000|4000)ms)?|orders\.created(\.(retry\.v2\.(1000|1200|1600|2000|2400|3200|4000|4800)ms|v2(\.retry\.v2\.(1000|2000|4000)ms)?))?)\z' \
    '{"dead-letter-strategy": "at-least-once"}'

# says when quorum DLQs drop a message, if ever
rabbitmqctl set_policy -p / --apply-to queues --priority 0 \
    lilyq-dlq \
    '^(K\xC3\xA4se \+ "Brot" \(it'\''s\)\.dlq\.v2|orders\.created\.(dlq\.v2|v2\.dlq\.v2))\z' \
    '{"delivery-limit": -1, "message-ttl": 604800000}'

# says when classic DLQs drop a message
rabbitmqctl set_policy -p / --apply-to queues --priority 0 \
    lilyq-dlq-classic \
    '^(audit\.dlq\.v2)\z' \
    '{"message-ttl": 604800000}'
