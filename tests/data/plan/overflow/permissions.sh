# deployer: declares the topology
rabbitmqctl set_permissions -p / lilyq-deployer \
    '^([ab](\.dlq\.v2)?|x(\.dlx\.v2)?)$' \
    '^([ab](\.dlq\.v2)?|x\.dlx\.v2)$' \
    '^([ab]|x(\.dlx\.v2)?)$'

# publisher: publishes to the main exchanges
rabbitmqctl set_permissions -p / lilyq-publisher \
    '^$' \
    '^(x)$' \
    '^$'

# consumer: declares the topology, consumes, hands on what failed
rabbitmqctl set_permissions -p / lilyq-consumer \
    '^([ab](\.dlq\.v2)?|x(\.dlx\.v2)?)$' \
    '^([ab](\.dlq\.v2)?|x\.dlx\.v2)$' \
    '^([ab]|x(\.dlx\.v2)?)$'

# operator: reads dead letters, publishes them again
rabbitmqctl set_permissions -p / lilyq-operator \
    '^$' \
    '^(x)$' \
    '^([ab]\.dlq\.v2)$'
