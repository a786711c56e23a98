# deployer: declares the topology
rabbitmqctl set_permissions -p / lilyq-deployer \
    '^(orders(\.((dlq|dlx)\.v2|retry\.v2(\.1000ms)?))?)$' \
    '^(legacy(\.(failed|orders(\.(dlq\.v2|retry\.v2\.1000ms))?|retry\.v2))?|orders(\.((dlq|dlx)\.v2|retry\.v2\.1000ms))?)$' \
    '^(orders(\.(dlx\.v2|retry\.v2(\.1000ms)?))?)$'

# publisher: publishes to the main exchanges
rabbitmqctl set_permissions -p / lilyq-publisher \
    '^$' \
    '^(legacy|orders)$' \
    '^$'

# consumer: declares the topology, consumes, hands on what failed
rabbitmqctl set_permissions -p / lilyq-consumer \
    '^(orders(\.((dlq|dlx)\.v2|retry\.v2(\.1000ms)?))?)$' \
    '^(legacy(\.(failed|orders\.(dlq\.v2|retry\.v2\.1000ms)|retry\.v2))?|orders(\.((dlq|dlx)\.v2|retry\.v2(\.1000ms)?))?)$' \
    '^(legacy\.orders|orders(\.(dlx\.v2|retry\.v2(\.1000ms)?))?)$'

# operator: reads dead letters, publishes them again
rabbitmqctl set_permissions -p / lilyq-operator \
    '^$' \
    '^(legacy|orders)$' \
    '^(legacy\.orders\.dlq\.v2|orders\.dlq\.v2)$'
