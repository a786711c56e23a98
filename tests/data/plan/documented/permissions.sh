# deployer: declares the topology
rabbitmqctl set_permissions -p / lilyq-deployer \
    '^(orders(\.(created(\.(dlq\.v2|retry\.v2\.(1000|2000|4000)ms))?|(dlx|retry)\.v2))?)\z' \
    '^(orders(\.(created(\.(dlq\.v2|retry\.v2\.(1000|2000|4000)ms))?|dlx\.v2))?)\z' \
    '^(orders(\.(created(\.retry\.v2\.(1000|2000|4000)ms)?|(dlx|retry)\.v2))?)\z'

# publisher: publishes to the main exchanges
rabbitmqctl set_permissions -p / lilyq-publisher \
    '^\z' \
    '^(orders)\z' \
    '^\z'

# consumer: declares the topology, consumes, hands on what failed
rabbitmqctl set_permissions -p / lilyq-consumer \
    '^(orders(\.(created(\.(dlq\.v2|retry\.v2\.(1000|2000|4000)ms))?|(dlx|retry)\.v2))?)\z' \
    '^(orders(\.(created(\.(dlq\.v2|retry\.v2\.(1000|2000|4000)ms))?|(dlx|retry)\.v2))?)\z' \
    '^(orders(\.(created(\.retry\.v2\.(1000|2000|4000)ms)?|(dlx|retry)\.v2))?)\z'

# operator: reads dead letters, publishes them again
rabbitmqctl set_permissions -p / lilyq-operator \
    '^\z' \
    '^(orders)\z' \
    '^(orders\.created\.dlq\.v2)\z'
