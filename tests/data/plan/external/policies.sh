# says when classic DLQs drop a message
rabbitmqctl set_policy -p / --apply-to queues --priority 0 \
    lilyq-dlq-classic \
    '^(orders\.dlq\.v2)\z' \
    '{"message-ttl": 604800000}'
