# says when classic DLQs drop a message
rabbitmqctl set_policy -p / --apply-to queues --priority 0 \
    lilyq-dlq-classic \
    '^(1\. list\.dlq\.v2|a"b\\n<c>&lt;&amp;#35;\|\{x\}`y`\\\.dlq\.v2|end\.dlq\.v2)\z' \
    '{"message-ttl": 604800000}'
