# keeps a message until its dead-letter target has it
rabbitmqctl set_policy -p / --apply-to queues --priority 0 \
    lilyq-at-least-once \
    '^(audit)\z' \
    '{"dead-letter-strategy": "at-least-once"}'

# says when quorum DLQs drop a message, if ever
rabbitmqctl set_policy -p / --apply-to queues --priority 0 \
    lilyq-dlq \
    '^(audit\.dlq\.v2)\z' \
    '{"delivery-limit": -1, "message-ttl": 604800000}'
