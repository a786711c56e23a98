# deployer: declares the topology
rabbitmqctl set_permissions -p / lilyq-deployer \
    '^(K\xC3\xA4se \+ "Brot" \(it'\''s\)(\.(dlq\.v2|retry\.v2\.(1000|2000|4000)ms))?|audit(\.(dlq\.v2|retry\.v2\.(1000|2000|4000)ms))?|it'\''s "dead"|orders(\.(created(\.(dlq\.v2|retry\.v2\.(1000|1200|1600|2000|2400|3200|4000|4800)ms|v2(\.(dlq\.v2|retry\.v2\.(1000|2000|4000)ms))?))?|(dlx|retry)\.v2))?)\z' \
    '^(K\xC3\xA4se \+ "Brot" \(it'\''s\)(\.(dlq\.v2|retry\.v2\.(1000|2000|4000)ms))?|audit(\.(dlq\.v2|retry\.v2\.(1000|2000|4000)ms))?|it'\''s "dead"|orders(\.(created(\.(dlq\.v2|retry\.v2\.(1000|1200|1600|2000|2400|3200|4000|4800)ms|v2(\.(dlq\.v2|retry\.v2\.(1000|2000|4000)ms))?))?|dlx\.v2))?)\z' \
    '^(K\xC3\xA4se \+ "Brot" \(it'\''s\)(\.retry\.v2\.(1000|2000|4000)ms)?|audit(\.retry\.v2\.(1000|2000|4000)ms)?|it'\''s "dead"|orders(\.(created(\.(retry\.v2\.(1000|1200|1600|2000|2400|3200|4000|4800)ms|v2(\.retry\.v2\.(1000|2000|4000)ms)?))?|(dlx|retry)\.v2))?)\z'

# publisher: publishes to the main exchanges
rabbitmqctl set_permissions -p / lilyq-publisher \
    '^\z' \
    '^(orders)\z' \
    '^\z'

# consumer: declares the topology, consumes, hands on what failed
rabbitmqctl set_permissions -p / lilyq-consumer \
    '^(K\xC3\xA4se \+ "Brot" \(it'\''s\)(\.(dlq\.v2|retry\.v2\.(1000|2000|4000)ms))?|audit(\.(dlq\.v2|retry\.v2\.(1000|2000|4000)ms))?|it'\''s "dead"|orders(\.(created(\.(dlq\.v2|retry\.v2\.(1000|1200|1600|2000|2400|3200|4000|4800)ms|v2(\.(dlq\.v2|retry\.v2\.(1000|2000|4000)ms))?))?|(dlx|retry)\.v2))?)\z' \
    '^(K\xC3\xA4se \+ "Brot" \(it'\''s\)(\.(dlq\.v2|retry\.v2\.(1000|2000|4000)ms))?|audit(\.(dlq\.v2|retry\.v2\.(1000|2000|4000)ms))?|it'\''s "dead"|orders(\.(created(\.(dlq\.v2|retry\.v2\.(1000|1200|1600|2000|2400|3200|4000|4800)ms|v2(\.(dlq\.v2|retry\.v2\.(1000|2000|4000)ms))?))?|(dlx|retry)\.v2))?)\z' \
    '^(K\xC3\xA4se \+ "Brot" \(it'\''s\)(\.retry\.v2\.(1000|2000|4000)ms)?|audit(\.retry\.v2\.(1000|2000|4000)ms)?|it'\''s "dead"|orders(\.(created(\.(retry\.v2\.(1000|1200|1600|2000|2400|3200|4000|4800)ms|v2(\.retry\.v2\.(1000|2000|4000)ms)?))?|(dlx|retry)\.v2))?)\z'

# operator: reads dead letters, publishes them again
rabbitmqctl set_permissions -p / lilyq-operator \
    '^\z' \
    '^(orders)\z' \
    '^(K\xC3\xA4se \+ "Brot" \(it'\''s\)\.dlq\.v2|audit\.dlq\.v2|orders\.created\.(dlq\.v2|v2\.dlq\.v2))\z'
