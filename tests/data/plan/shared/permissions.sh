# deployer: declares the topology
rabbitmqctl set_permissions -p / lilyq-deployer \
    '^(complaints(\.((dlq|dlx)\.v2|retry\.v2(\.(1000|1200|1600|2000|2400)ms)?))?|orders(\.(created(\.(dlq\.v2|retry\.v2\.(1000|1200|1600|2000|2400)ms))?|(dlx|retry)\.v2|paid(\.(dlq\.v2|retry\.v2\.(1000|1200|1600|2000|2400|3200|4000|4800|5000)ms))?))?)\z' \
    '^(complaints(\.((dlq|dlx)\.v2|retry\.v2\.(1000|1200|1600|2000|2400)ms))?|orders(\.(created(\.(dlq\.v2|retry\.v2\.(1000|1200|1600|2000|2400)ms))?|dlx\.v2|paid(\.(dlq\.v2|retry\.v2\.(1000|1200|1600|2000|2400|3200|4000|4800|5000)ms))?))?)\z' \
    '^(complaints(\.(dlx\.v2|retry\.v2(\.(1000|1200|1600|2000|2400)ms)?))?|orders(\.(created(\.retry\.v2\.(1000|1200|1600|2000|2400)ms)?|(dlx|retry)\.v2|paid(\.retry\.v2\.(1000|1200|1600|2000|2400|3200|4000|4800|5000)ms)?))?)\z'

# publisher: publishes to the main exchanges
rabbitmqctl set_permissions -p / lilyq-publisher \
    '^\z' \
    '^(complaints|orders)\z' \
    '^\z'

# consumer: declares the topology, consumes, hands on what failed
rabbitmqctl set_permissions -p / lilyq-consumer \
    '^(complaints(\.((dlq|dlx)\.v2|retry\.v2(\.(1000|1200|1600|2000|2400)ms)?))?|orders(\.(created(\.(dlq\.v2|retry\.v2\.(1000|1200|1600|2000|2400)ms))?|(dlx|retry)\.v2|paid(\.(dlq\.v2|retry\.v2\.(1000|1200|1600|2000|2400|3200|4000|4800|5000)ms))?))?)\z' \
    '^(complaints(\.((dlq|dlx)\.v2|retry\.v2(\.(1000|1200|1600|2000|2400)ms)?))?|orders(\.(created(\.(dlq\.v2|retry\.v2\.(1000|1200|1600|2000|2400)ms))?|(dlx|retry)\.v2|paid(\.(dlq\.v2|retry\.v2\.(1000|1200|1600|2000|2400|3200|4000|4800|5000)ms))?))?)\z' \
    '^(complaints(\.(dlx\.v2|retry\.v2(\.(1000|1200|1600|2000|2400)ms)?))?|orders(\.(created(\.retry\.v2\.(1000|1200|1600|2000|2400)ms)?|(dlx|retry)\.v2|paid(\.retry\.v2\.(1000|1200|1600|2000|2400|3200|4000|4800|5000)ms)?))?)\z'

# operator: reads dead letters, publishes them again
rabbitmqctl set_permissions -p / lilyq-operator \
    '^\z' \
    '^(complaints|orders)\z' \
    '^(complaints\.dlq\.v2|orders\.(created|paid)\.dlq\.v2)\z'
