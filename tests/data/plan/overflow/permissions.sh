# deployer: declares the topology
rabbitmqctl set_permissions -p / lilyq-deployer \
    '^([ab](\.dlq\.v2)?|x(\.dlx\.v2)?)\z' \
    '^([ab](\.dlq\.v2)?|x\.dlx\.v2)\z' \
    '^([ab]|x(\.dlx\.v2)?)\z'

# publisher: publishes to the main exchanges
rabbitmqctl set_permissions -p / lilyq-publisher \
    '^\z' \
    '^(x)\z' \
    '^\z'

# consumer: declares the topology, consumes, hands on what failed
rabbitmqctl set_permissions -p / lilyq-consumer \
    '^([ab](\.dlq\.v2)?|x(\.dlx\.v2)?)\z' \
    '^([ab](\.dlq\.v2)?|x\.dlx\.v2)\z' \
    '^([ab]|x(\.dlx\.v2)?)\z'

# operator: reads dead letters, publishes them again
rabbitmqctl set_permissions -p / lilyq-operator \
    '^\z' \
    '^(x)\z' \
    '^([ab]\.dlq\.v2)\z'
