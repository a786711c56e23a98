# deployer: declares the topology
rabbitmqctl set_permissions -p / lilyq-deployer \
    '^(orders(\.((dlq|dlx)\.v2|retry\.v2(\.1000ms)?))?)\z' \
    '^(legacy(\.(failed|orders(\.(dlq\.v2|retry\.v2\.1000ms))?|retry\.v2))?|orders(\.((dlq|dlx)\.v2|retry\.v2\.1000ms))?)\z' \
    '^(orders(\.(dlx\.v2|retry\.v2(\.1000ms)?))?)\z'

# publisher: publishes to the main exchanges
rabbitmqctl set_permissions -p / lilyq-publisher \
    '^\z' \
    '^(legacy|orders)\z' \
    '^\z'

# consumer: declares the topology, consumes, hands on what failed
rabbitmqctl set_permissions -p / lilyq-consumer \
    '^(orders(\.((dlq|dlx)\.v2|retry\.v2(\.1000ms)?))?)\z' \
    '^(legacy(\.(failed|orders\.(dlq\.v2|retry\.v2\.1000ms)|retry\.v2))?|orders(\.((dlq|dlx)\.v2|retry\.v2(\.1000ms)?))?)\z' \
    '^(legacy\.orders|orders(\.(dlx\.v2|retry\.v2(\.1000ms)?))?)\z'

# operator: reads dead letters, publishes them again
rabbitmqctl set_permissions -p / lilyq-operator \
    '^\z' \
    '^(legacy|orders)\z' \
    '^(legacy\.orders\.dlq\.v2|orders\.dlq\.v2)\z'
