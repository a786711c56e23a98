# deployer: declares the topology
rabbitmqctl set_permissions -p / lilyq-deployer \
    '^(audit(\.(dlq|dlx)\.v2)?)\z' \
    '^(audit(\.(dlq|dlx)\.v2)?)\z' \
    '^(audit(\.dlx\.v2)?)\z'

# publisher: publishes to the main exchanges
rabbitmqctl set_permissions -p / lilyq-publisher \
    '^\z' \
    '^(audit)\z' \
    '^\z'

# consumer: declares the topology, consumes, hands on what failed
rabbitmqctl set_permissions -p / lilyq-consumer \
    '^(audit(\.(dlq|dlx)\.v2)?)\z' \
    '^(audit(\.(dlq|dlx)\.v2)?)\z' \
    '^(audit(\.dlx\.v2)?)\z'

# operator: reads dead letters, publishes them again
rabbitmqctl set_permissions -p / lilyq-operator \
    '^\z' \
    '^(audit)\z' \
    '^(audit\.dlq\.v2)\z'
