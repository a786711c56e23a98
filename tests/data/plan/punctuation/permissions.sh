# deployer: declares the topology
rabbitmqctl set_permissions -p / lilyq-deployer \
    '^("quoted"(\.(dlx|retry)\.v2)?|- x(\.(dlx|retry)\.v2)?|1\. list(\.(dlq\.v2|retry\.v2\.1000ms))?|a"b\\n<c>&lt;&amp;#35;\|\{x\}`y`\\(\.(dlq\.v2|retry\.v2\.1000ms))?|end(\.(dlq\.v2|retry\.v2\.1000ms))?|style: "x" classDef: #y; end %%\{init\}%% \\G(\.(dlx|retry)\.v2)?)\z' \
    '^("quoted"(\.dlx\.v2)?|- x(\.dlx\.v2)?|1\. list(\.(dlq\.v2|retry\.v2\.1000ms))?|a"b\\n<c>&lt;&amp;#35;\|\{x\}`y`\\(\.(dlq\.v2|retry\.v2\.1000ms))?|end(\.(dlq\.v2|retry\.v2\.1000ms))?|style: "x" classDef: #y; end %%\{init\}%% \\G(\.dlx\.v2)?)\z' \
    '^("quoted"(\.(dlx|retry)\.v2)?|- x(\.(dlx|retry)\.v2)?|1\. list(\.retry\.v2\.1000ms)?|a"b\\n<c>&lt;&amp;#35;\|\{x\}`y`\\(\.retry\.v2\.1000ms)?|end(\.retry\.v2\.1000ms)?|style: "x" classDef: #y; end %%\{init\}%% \\G(\.(dlx|retry)\.v2)?)\z'

# publisher: publishes to the main exchanges
rabbitmqctl set_permissions -p / lilyq-publisher \
    '^\z' \
    '^("quoted"|- x|style: "x" classDef: #y; end %%\{init\}%% \\G)\z' \
    '^\z'

# consumer: declares the topology, consumes, hands on what failed
rabbitmqctl set_permissions -p / lilyq-consumer \
    '^("quoted"(\.(dlx|retry)\.v2)?|- x(\.(dlx|retry)\.v2)?|1\. list(\.(dlq\.v2|retry\.v2\.1000ms))?|a"b\\n<c>&lt;&amp;#35;\|\{x\}`y`\\(\.(dlq\.v2|retry\.v2\.1000ms))?|end(\.(dlq\.v2|retry\.v2\.1000ms))?|style: "x" classDef: #y; end %%\{init\}%% \\G(\.(dlx|retry)\.v2)?)\z' \
    '^("quoted"(\.(dlx|retry)\.v2)?|- x(\.(dlx|retry)\.v2)?|1\. list(\.(dlq\.v2|retry\.v2\.1000ms))?|a"b\\n<c>&lt;&amp;#35;\|\{x\}`y`\\(\.(dlq\.v2|retry\.v2\.1000ms))?|end(\.(dlq\.v2|retry\.v2\.1000ms))?|style: "x" classDef: #y; end %%\{init\}%% \\G(\.(dlx|retry)\.v2)?)\z' \
    '^("quoted"(\.(dlx|retry)\.v2)?|- x(\.(dlx|retry)\.v2)?|1\. list(\.retry\.v2\.1000ms)?|a"b\\n<c>&lt;&amp;#35;\|\{x\}`y`\\(\.retry\.v2\.1000ms)?|end(\.retry\.v2\.1000ms)?|style: "x" classDef: #y; end %%\{init\}%% \\G(\.(dlx|retry)\.v2)?)\z'

# operator: reads dead letters, publishes them again
rabbitmqctl set_permissions -p / lilyq-operator \
    '^\z' \
    '^("quoted"|- x|style: "x" classDef: #y; end %%\{init\}%% \\G)\z' \
    '^(1\. list\.dlq\.v2|a"b\\n<c>&lt;&amp;#35;\|\{x\}`y`\\\.dlq\.v2|end\.dlq\.v2)\z'
