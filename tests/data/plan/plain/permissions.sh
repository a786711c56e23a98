# deployer: declares the topology
rabbitmqctl set_permissions -p / lilyq-deployer \
    '^(audit(\.(dlq|dlx)\.v2)?)$' \
    '^(audit(\.(dlq|dlx)\.v2)?)$' \
    '^(audit(\.dlx\.v2)?)$'

# publisher: publishes to the main exchanges
rabbitmqctl set_permissions -p / lilyq-publisher \
    '^$' \
    '^(audit)$' \
    '^$'

# consumer: declares the topology, consumes, hands on what failed
rabbitmqctl set_permissions -p / lilyq-consumer \
    '^(audit(\.(dlq|dlx)\.v2)?)$' \
    '^(audit(\.(dlq|dlx)\.v2)?)$' \
    '^(audit(\.dlx\.v2)?)$'

# operator: reads dead letters, publishes them again
rabbitmqctl set_permissions -p / lilyq-operator \
    '^$' \
    '^(audit)$' \
    '^(audit\.dlq\.v2)$'
