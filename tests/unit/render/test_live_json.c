#include "live/read.h"

#include "../plan/fixture.h"

typedef enum lq_status reader(struct lq_live *live,
                              const struct lq_json_source *source,
                              struct lq_diags *diags);

static enum lq_status read_into(struct fixture *fixture, struct lq_live *live,
                                reader *read, const char *text)
{
    const struct lq_json_source source = {"doc", text, strlen(text)};

    return read(live, &source, &fixture->diags);
}

/* Reads a text into a new `live` of the virtual host "/". */
static void read_well(struct fixture *fixture, struct lq_live *live,
                      reader *read, const char *text)
{
    restart(fixture, SIZE_MAX);
    lq_live_init(live, "/", &fixture->arena);
    if (read_into(fixture, live, read, text) != LQ_OK) {
        fail_msg("%s", lq_diag_line(&fixture->arena,
                                    lq_diags_at(&fixture->diags, 0)));
    }
}

struct refusal {
    const char *text;
    const char *line;
};

static void assert_refused(struct fixture *fixture, reader *read,
                           const struct refusal *refusals, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        struct lq_live live;

        restart(fixture, SIZE_MAX);
        lq_live_init(&live, "/", &fixture->arena);
        assert_int_equal(read_into(fixture, &live, read, refusals[i].text),
                         LQ_INVALID);
        assert_one_reported(fixture, refusals[i].line);
    }
}

/* As 3.10 exports a cluster: a virtual host on each object. */
#define CLUSTER                                                                \
    "{\"rabbit_version\":\"3.10.8\",\"rabbitmq_version\":\"3.10.8\","          \
    "\"users\":[],\"vhosts\":[{\"name\":\"other\"},{\"name\":\"/\"}],"         \
    "\"parameters\":[],\"policies\":[{\"vhost\":\"/\",\"name\":\"p\","         \
    "\"pattern\":\"^a\",\"apply-to\":\"queues\",\"definition\":"               \
    "{\"message-ttl\":5,\"max-length\":10},\"priority\":3},"                   \
    "{\"vhost\":\"other\",\"name\":\"p\",\"pattern\":\"\",\"definition\":{}}]" \
    ","                                                                        \
    "\"queues\":[{\"name\":\"q\",\"vhost\":\"other\",\"durable\":false,"       \
    "\"auto_delete\":true,\"arguments\":{}},"                                  \
    "{\"name\":\"q\",\"vhost\":\"/\",\"durable\":true,\"auto_delete\":false,"  \
    "\"arguments\":{\"x-message-ttl\":5}}],"                                   \
    "\"exchanges\":[{\"name\":\"x\",\"vhost\":\"/\",\"type\":\"topic\","       \
    "\"durable\":true,\"auto_delete\":false,\"internal\":true,"                \
    "\"arguments\":{}}],"                                                      \
    "\"bindings\":[{\"source\":\"x\",\"vhost\":\"/\",\"destination\":\"q\","   \
    "\"destination_type\":\"queue\",\"routing_key\":\"k\",\"arguments\":{}},"  \
    "{\"source\":\"x\",\"vhost\":\"other\",\"destination\":\"q\","             \
    "\"destination_type\":\"queue\",\"routing_key\":\"l\",\"arguments\":{}}]}"

static void reads_one_virtual_host_of_a_cluster(void **state)
{
    struct lq_live live;
    const struct lq_live_exchange *exchange = NULL;
    const struct lq_live_queue *queue = NULL;

    read_well(*state, &live, lq_live_read_definitions, CLUSTER);
    assert_string_equal(live.version, "3.10.8");
    assert_int_equal(live.parts, LQ_LIVE_HAS_EXCHANGES | LQ_LIVE_HAS_QUEUES |
                                     LQ_LIVE_HAS_BINDINGS |
                                     LQ_LIVE_HAS_POLICIES |
                                     LQ_LIVE_HAS_OPERATOR_POLICIES);
    exchange = lq_live_exchange(&live, "x");
    assert_string_equal(exchange->type, "topic");
    assert_int_equal(exchange->durable, LQ_LIVE_YES);
    assert_int_equal(exchange->auto_delete, LQ_LIVE_NO);
    assert_int_equal(exchange->internal, LQ_LIVE_YES);
    assert_true(exchange->arguments.known);
    assert_int_equal(live.queues.count, 1);
    queue = lq_live_queue(&live, "q");
    assert_int_equal(queue->durable, LQ_LIVE_YES);
    assert_int_equal(queue->auto_delete, LQ_LIVE_NO);
    assert_int_equal(queue->exclusive, LQ_LIVE_NO);
    assert_int_equal(live.bindings.count, 1);
    assert_string_equal(lq_live_bindings_to(&live, "q")->routing_key, "k");
    assert_int_equal(live.policies.count, 1);
}

static void reads_a_policy(void **state)
{
    struct lq_live live;
    const struct lq_live_policy *policy = NULL;

    read_well(*state, &live, lq_live_read_definitions, CLUSTER);
    policy = lq_live_policy_at(&live.policies, 0);
    assert_string_equal(policy->name, "p");
    assert_string_equal(policy->pattern, "^a");
    assert_int_equal(policy->scope, LQ_LIVE_QUEUES);
    assert_true(policy->priority == 3);
    assert_string_equal(policy->definition.items[0].key, "max-length");
    assert_int_equal(policy->definition.items[1].number, 5);
}

static void reads_operator_policies_among_the_parameters(void **state)
{
    struct lq_live live;
    const struct lq_live_policy *policy = NULL;

    read_well(*state, &live, lq_live_read_definitions,
              "{\"parameters\":[{\"component\":\"shovel\",\"name\":\"s\","
              "\"vhost\":\"/\",\"value\":{\"src-queue\":\"q\"}},"
              "{\"component\":\"operator_policy\",\"name\":\"o\",\"vhost\":"
              "\"/\",\"value\":{\"apply-to\":\"quorum_queues\",\"priority\":7,"
              "\"pattern\":\"^q\",\"definition\":{\"expires\":5}}},"
              "{\"component\":\"operator_policy\",\"name\":\"p\",\"vhost\":"
              "\"other\",\"value\":{}}]}");
    assert_int_equal(live.parts, LQ_LIVE_HAS_OPERATOR_POLICIES);
    assert_int_equal(live.operator_policies.count, 1);
    assert_int_equal(live.policies.count, 0);
    policy = lq_live_policy_at(&live.operator_policies, 0);
    assert_string_equal(policy->name, "o");
    assert_string_equal(policy->pattern, "^q");
    assert_int_equal(policy->scope, LQ_LIVE_QUORUM_QUEUES);
    assert_true(policy->priority == 7);
    assert_string_equal(policy->definition.items[0].key, "expires");
}

/* As rabbitmqctl of 3.10 and 4.0 exports them. */
static void reads_a_definition_that_is_a_list_of_pairs(void **state)
{
    struct lq_live live;
    const struct lq_live_policy *policy = NULL;

    read_well(*state, &live, lq_live_read_definitions,
              "{\"parameters\":[{\"component\":\"operator_policy\",\"name\":"
              "\"o\",\"value\":{\"pattern\":\"\",\"definition\":"
              "[[\"max-length\",9],[\"expires\",5],[\"overflow\",\"x\"]]}}]}");
    policy = lq_live_policy_at(&live.operator_policies, 0);
    assert_int_equal(policy->definition.count, 3);
    assert_string_equal(policy->definition.items[0].key, "expires");
    assert_int_equal(policy->definition.items[1].number, 9);
    assert_string_equal(policy->definition.items[2].text, "x");
}

/* As 4.3 exports a virtual host: no virtual host on any object. */
#define VHOST                                                                  \
    "{\"rabbitmq_version\":\"4.3.6\",\"metadata\":{\"default_queue_type\":"    \
    "\"quorum\"},\"exchanges\":[{\"arguments\":{},\"auto_delete\":false,"      \
    "\"durable\":true,\"name\":\"x\",\"type\":\"direct\"}],"                   \
    "\"queues\":[{\"arguments\":{\"x-queue-type\":\"classic\"},"               \
    "\"auto_delete\":false,\"durable\":true,\"name\":\"q\","                   \
    "\"type\":\"classic\"}],\"bindings\":[],\"policies\":[],"                  \
    "\"original_vhost_name\":\"shop\"}"

static void reads_the_export_of_a_virtual_host(void **state)
{
    struct lq_live live;

    read_well(*state, &live, lq_live_read_definitions, VHOST);
    assert_string_equal(live.version, "4.3.6");
    assert_string_equal(live.default_queue_type, "quorum");
    assert_string_equal(lq_live_queue(&live, "q")->type, "classic");
    assert_int_equal(lq_live_exchange(&live, "x")->internal, LQ_LIVE_UNKNOWN);
}

static void adds_the_exchanges_that_every_virtual_host_has(void **state)
{
    static const char *const names[] = {"",           "amq.direct",
                                        "amq.fanout", "amq.headers",
                                        "amq.match",  "amq.topic"};
    struct lq_live live;

    read_well(*state, &live, lq_live_read_definitions,
              "{\"exchanges\":[{\"name\":\"amq.topic\",\"type\":\"topic\","
              "\"durable\":true}]}");
    for (size_t i = 0; i < COUNT(names); ++i) {
        assert_non_null(lq_live_exchange(&live, names[i]));
    }
    assert_int_equal(live.exchanges.count, COUNT(names));
    assert_false(lq_live_has(&live, LQ_LIVE_HAS_RESERVED));
}

static void leaves_unseen_what_a_document_lacks(void **state)
{
    struct lq_live live;

    read_well(*state, &live, lq_live_read_definitions, "{\"queues\":[]}");
    assert_int_equal(live.parts, LQ_LIVE_HAS_QUEUES);
    assert_null(live.version);
    assert_null(live.default_queue_type);
    assert_null(lq_live_exchange(&live, "amq.direct"));
}

static void passes_over_a_part_that_was_read_already(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_live live;

    read_well(fixture, &live, lq_live_read_exchanges,
              "[{\"name\":\"x\",\"vhost\":\"/\",\"type\":\"direct\","
              "\"internal\":false}]");
    assert_true(lq_live_has(&live, LQ_LIVE_HAS_RESERVED));
    assert_int_equal(read_into(fixture, &live, lq_live_read_definitions, VHOST),
                     LQ_OK);
    assert_int_equal(lq_live_exchange(&live, "x")->internal, LQ_LIVE_NO);
    assert_int_equal(live.exchanges.count, 1);
    assert_int_equal(live.queues.count, 1);
}

static void keeps_the_type_of_every_value(void **state)
{
    static const struct {
        const char *key;
        enum lq_live_type type;
        const char *text;
        int64_t number;
    } rows[] = {
        {"a", LQ_LIVE_STRING, "60000", 0},
        {"b", LQ_LIVE_INTEGER, "60000", 60000},
        {"c", LQ_LIVE_INTEGER, "9223372036854775807", INT64_MAX},
        {"d", LQ_LIVE_INTEGER, "-9223372036854775808", INT64_MIN},
        {"e", LQ_LIVE_NUMBER, "9223372036854775808", 0},
        {"f", LQ_LIVE_NUMBER, "-9223372036854775809", 0},
        {"g", LQ_LIVE_NUMBER, "1.0", 0},
        {"h", LQ_LIVE_NUMBER, "1e3", 0},
        {"i", LQ_LIVE_BOOL, "true", 1},
        {"j", LQ_LIVE_BOOL, "false", 0},
        {"k", LQ_LIVE_NULL, "null", 0},
        {"l", LQ_LIVE_LIST, "[1,\"z\"]", 0},
        {"m", LQ_LIVE_TABLE, "{\"a\":true,\"b\":1}", 0},
        {"n", LQ_LIVE_INTEGER, "-0", 0},
    };
    struct lq_live live;
    const struct lq_live_arguments *arguments = NULL;

    read_well(*state, &live, lq_live_read_queues,
              "[{\"name\":\"q\",\"arguments\":{\"n\":-0,"
              "\"m\":{\"b\":1,\"a\":true},\"l\":[1, \"z\"],\"k\":null,"
              "\"j\":false,\"i\":true,\"h\":1e3,\"g\":1.0,"
              "\"f\":-9223372036854775809,\"e\":9223372036854775808,"
              "\"d\":-9223372036854775808,\"c\":9223372036854775807,"
              "\"b\":60000,\"a\":\"60000\"}}]");
    arguments = &lq_live_queue(&live, "q")->arguments;
    assert_int_equal(arguments->count, COUNT(rows));
    for (size_t i = 0; i < COUNT(rows); ++i) {
        assert_string_equal(arguments->items[i].key, rows[i].key);
        assert_int_equal(arguments->items[i].type, rows[i].type);
        assert_string_equal(arguments->items[i].text, rows[i].text);
        assert_true(arguments->items[i].number == rows[i].number);
    }
}

static void keeps_names_with_nul_apart(void **state)
{
    struct lq_live live;

    read_well(*state, &live, lq_live_read_queues,
              "[{\"name\":\"q\"},{\"name\":\"q\\u0000\"}]");
    assert_int_equal(live.queues.count, 2);
    assert_non_null(lq_live_queue(&live, "q\xc0\x80"));
}

static void knows_nothing_of_fields_that_are_left_out(void **state)
{
    struct lq_live live;
    const struct lq_live_queue *queue = NULL;

    read_well(*state, &live, lq_live_read_queues, "[{\"name\":\"q\"}]");
    queue = lq_live_queue(&live, "q");
    assert_int_equal(queue->durable, LQ_LIVE_UNKNOWN);
    assert_int_equal(queue->auto_delete, LQ_LIVE_UNKNOWN);
    assert_false(queue->arguments.known);
    assert_false(queue->counted);
    assert_null(queue->type);
}

static void takes_an_empty_list_of_arguments_for_none(void **state)
{
    struct lq_live live;

    read_well(*state, &live, lq_live_read_queues,
              "[{\"name\":\"q\",\"arguments\":[]}]");
    assert_true(lq_live_queue(&live, "q")->arguments.known);
}

static void finds_out_the_type_of_a_queue(void **state)
{
    static const struct {
        const char *text;
        const char *type;
    } rows[] = {
        {"{\"queues\":[{\"name\":\"q\",\"arguments\":{}}]}", "classic"},
        {"{\"queues\":[{\"name\":\"q\",\"arguments\":{},\"type\":\"stream\"}]}",
         "stream"},
        {"{\"queues\":[{\"name\":\"q\",\"arguments\":{\"x-queue-type\":"
         "\"quorum\"},\"type\":\"classic\"}]}",
         "quorum"},
        {"{\"default_queue_type\":\"classic\",\"queues\":[{\"name\":\"q\","
         "\"arguments\":{}}]}",
         "classic"},
        {"{\"default_queue_type\":\"undefined\",\"queues\":[{\"name\":\"q\","
         "\"arguments\":{}}]}",
         "classic"},
        {"{\"queues\":[{\"name\":\"q\",\"arguments\":{}}],"
         "\"default_queue_type\":\"quorum\"}",
         NULL},
        {"{\"vhosts\":[{\"name\":\"/\",\"metadata\":{\"default_queue_type\":"
         "\"quorum\"}}],\"queues\":[{\"name\":\"q\",\"vhost\":\"/\","
         "\"arguments\":{}}]}",
         NULL},
        {"{\"vhosts\":[{\"name\":\"/\"},{\"name\":\"a\","
         "\"default_queue_type\":\"quorum\"}],\"queues\":[{\"name\":\"q\","
         "\"vhost\":\"/\",\"arguments\":{}}]}",
         "classic"},
    };

    for (size_t i = 0; i < COUNT(rows); ++i) {
        struct lq_live live;
        const char *type = NULL;

        read_well(*state, &live, lq_live_read_definitions, rows[i].text);
        type = lq_live_queue(&live, "q")->type;
        assert_string_equal(type ? type : "?",
                            rows[i].type ? rows[i].type : "?");
    }
}

static void reads_bindings_to_queues_and_to_exchanges(void **state)
{
    struct lq_live live;

    read_well(*state, &live, lq_live_read_bindings,
              "[{\"source\":\"\",\"vhost\":\"/\",\"destination\":\"q\","
              "\"destination_type\":\"queue\",\"routing_key\":\"q\","
              "\"arguments\":{},\"properties_key\":\"q\"},"
              "{\"source\":\"x\",\"vhost\":\"/\",\"destination\":\"q\","
              "\"destination_type\":\"exchange\",\"routing_key\":\"k\","
              "\"arguments\":{\"a\":1},\"properties_key\":\"k~1\"}]");
    assert_int_equal(live.parts, LQ_LIVE_HAS_BINDINGS);
    assert_string_equal(lq_live_bindings_to(&live, "q")->source, "");
    assert_null(lq_live_bindings_to(&live, "q")->next);
    assert_true(lq_live_binding_at(&live, 1)->to_exchange);
    assert_int_equal(lq_live_binding_at(&live, 1)->arguments.count, 1);
}

static void reads_every_scope_and_priority_of_policies(void **state)
{
    static const struct {
        const char *rest;
        enum lq_live_scope scope;
        double priority;
    } rows[] = {
        {"", LQ_LIVE_ALL, 0},
        {",\"apply-to\":\"all\",\"priority\":-1", LQ_LIVE_ALL, -1},
        {",\"apply-to\":\"exchanges\"", LQ_LIVE_EXCHANGES, 0},
        {",\"apply-to\":\"queues\",\"priority\":1.5", LQ_LIVE_QUEUES, 1.5},
        {",\"apply-to\":\"classic_queues\"", LQ_LIVE_CLASSIC_QUEUES, 0},
        {",\"apply-to\":\"quorum_queues\"", LQ_LIVE_QUORUM_QUEUES, 0},
        {",\"apply-to\":\"streams\",\"priority\":1e3", LQ_LIVE_STREAMS, 1000},
        {",\"apply-to\":\"topics\"", LQ_LIVE_OTHERS, 0},
    };
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(rows); ++i) {
        struct lq_live live;
        const struct lq_live_policy *policy = NULL;

        read_well(fixture, &live, lq_live_read_operator_policies, "[]");
        assert_int_equal(
            read_into(fixture, &live, lq_live_read_operator_policies,
                      lq_format(&fixture->arena,
                                "[{\"name\":\"p\",\"pattern\":\"\","
                                "\"definition\":{}%s}]",
                                rows[i].rest)),
            LQ_OK);
        policy = lq_live_policy_at(&live.operator_policies, 0);
        assert_int_equal(policy->scope, rows[i].scope);
        assert_true(policy->priority == rows[i].priority);
        assert_int_equal(live.policies.count, 0);
        assert_int_equal(live.parts, LQ_LIVE_HAS_OPERATOR_POLICIES);
    }
}

static void counts_messages_and_consumers_where_they_are_given(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_live live;

    read_well(fixture, &live, lq_live_read_queues,
              "[{\"name\":\"a\"},{\"name\":\"b\"}]");
    assert_int_equal(
        read_into(fixture, &live, lq_live_read_figures,
                  "[{\"name\":\"a\",\"vhost\":\"/\",\"messages\":7,"
                  "\"consumers\":2},{\"name\":\"b\",\"vhost\":\"/\"},"
                  "{\"name\":\"c\",\"messages\":1,\"consumers\":1}]"),
        LQ_OK);
    assert_true(lq_live_has(&live, LQ_LIVE_HAS_FIGURES));
    assert_true(lq_live_queue(&live, "a")->counted);
    assert_int_equal(lq_live_queue(&live, "a")->messages, 7);
    assert_int_equal(lq_live_queue(&live, "a")->consumers, 2);
    assert_false(lq_live_queue(&live, "b")->counted);
    assert_null(lq_live_queue(&live, "c"));
}

static void reads_the_version_of_an_overview(void **state)
{
    struct lq_live live;

    read_well(
        *state, &live, lq_live_read_overview,
        "{\"management_version\":\"3.9\",\"rabbitmq_version\":\"4.0.5\"}");
    assert_string_equal(live.version, "4.0.5");
    assert_int_equal(live.parts, 0);
    read_well(*state, &live, lq_live_read_overview, "{}");
    assert_null(live.version);
}

static void refuses_what_are_no_definitions(void **state)
{
    static const struct refusal refusals[] = {
        {"[]", "doc: document must be an object, not an array"},
        {"7", "doc: document must be an object, not 7"},
        {"\"x\"", "doc: document must be an object, not 'x'"},
        {"{}", "doc: document must be a broker's definitions, with "
               "'exchanges', 'queues' and 'bindings'"},
        {"{\"error\":\"not_authorised\",\"reason\":\"no\"}",
         "doc: document must be a broker's definitions, with 'exchanges', "
         "'queues' and 'bindings'"},
        {"{\"queues\":{}}", "doc: queues: must be an array, not an object"},
        {"{\"queues\":null}", "doc: queues: must be an array, not null"},
        {"{\"exchanges\":[7]}", "doc: exchanges[0]: must be an object, not 7"},
        {"{\"queues\":[],\"rabbit_version\":3}",
         "doc: rabbit_version: must be a string, not 3"},
        {"<html>", "doc:1:1: invalid token near '<'"},
        {"{\"parameters\":[{\"component\":\"operator_policy\",\"name\":\"o\"}]"
         "}",
         "doc: parameters[0]: must have 'value'"},
        {"{\"parameters\":[{\"component\":\"operator_policy\",\"name\":\"o\","
         "\"value\":[]}]}",
         "doc: parameters[0].value: must be an object, not an array"},
        {"{\"parameters\":[{\"component\":\"operator_policy\",\"name\":\"o\","
         "\"value\":{\"definition\":{}}}]}",
         "doc: parameters[0].value: must have 'pattern'"},
        {"{\"policies\":[{\"name\":\"p\",\"pattern\":\"\",\"definition\":"
         "[[\"a\",1],[\"b\"]]}]}",
         "doc: policies[0].definition: must be an object, not an array"},
        {"{\"policies\":[{\"name\":\"p\",\"pattern\":\"\",\"definition\":"
         "[[1,1]]}]}",
         "doc: policies[0].definition: must be an object, not an array"},
        {"{\"policies\":[{\"name\":\"p\",\"pattern\":\"\",\"definition\":"
         "[[\"a\",1,2]]}]}",
         "doc: policies[0].definition: must be an object, not an array"},
    };

    assert_refused(*state, lq_live_read_definitions, refusals, COUNT(refusals));
}

static void refuses_a_document_about_other_virtual_hosts(void **state)
{
    static const struct refusal refusals[] = {
        {"{\"queues\":[{\"name\":\"q\",\"vhost\":\"a\\u001b\"},"
         "{\"name\":\"q\",\"vhost\":\"b\"}]}",
         "doc: document must have the virtual host '/', but is about others, "
         "such as 'a\\x1b'"},
        {"{\"vhosts\":[{\"name\":\"a\"}],\"queues\":[]}",
         "doc: document must have the virtual host '/', but is about others, "
         "such as 'a'"},
        {"{\"vhosts\":[],\"queues\":[]}",
         "doc: document must have the virtual host '/', but has none"},
        {"{\"vhosts\":[{}],\"queues\":[]}", "doc: vhosts[0]: must have 'name'"},
        {"{\"vhosts\":7,\"queues\":[]}",
         "doc: vhosts: must be an array, not 7"},
        {"{\"vhosts\":[\"/\"],\"queues\":[]}",
         "doc: vhosts[0]: must be an object, not '/'"},
        {"{\"queues\":[{\"name\":\"q\",\"vhost\":1}]}",
         "doc: queues[0].vhost: must be a string, not 1"},
    };

    assert_refused(*state, lq_live_read_definitions, refusals, COUNT(refusals));
}

static void reads_a_cluster_in_which_the_virtual_host_is_empty(void **state)
{
    struct lq_live live;

    read_well(*state, &live, lq_live_read_definitions,
              "{\"vhosts\":[{\"name\":\"/\"},{\"name\":\"a\"}],"
              "\"queues\":[{\"name\":\"q\",\"vhost\":\"a\"}]}");
    assert_int_equal(live.queues.count, 0);
    assert_true(lq_live_has(&live, LQ_LIVE_HAS_QUEUES));
}

/* Reads a text without a virtual host that was chosen. */
static enum lq_status read_any(struct fixture *fixture, const char *text,
                               struct lq_live *live)
{
    restart(fixture, SIZE_MAX);
    lq_live_init(live, NULL, &fixture->arena);
    return read_into(fixture, live, lq_live_read_definitions, text);
}

static void finds_the_only_virtual_host_of_a_document(void **state)
{
    static const struct {
        const char *text;
        const char *vhost;
        size_t queues;
    } rows[] = {
        {"{\"vhosts\":[{\"name\":\"a\"}],\"queues\":[]}", "a", 0},
        {"{\"queues\":[{\"name\":\"q\",\"vhost\":\"b\"}],\"bindings\":[]}", "b",
         1},
        {"{\"policies\":[{\"name\":\"p\",\"vhost\":\"c\",\"pattern\":\"\","
         "\"definition\":{}}],\"queues\":[]}",
         "c", 0},
        {"{\"queues\":[{\"name\":\"q\"}],\"original_vhost_name\":\"d\"}", "d",
         1},
        {"{\"queues\":[{\"name\":\"q\"}],\"original_vhost_name\":4}", "/", 1},
        {"{\"queues\":[{\"name\":\"q\"}]}", "/", 1},
    };

    for (size_t i = 0; i < COUNT(rows); ++i) {
        struct lq_live live;

        assert_int_equal(read_any(*state, rows[i].text, &live), LQ_OK);
        assert_string_equal(live.vhost, rows[i].vhost);
        assert_int_equal(live.queues.count, rows[i].queues);
    }
}

static void refuses_to_choose_among_virtual_hosts(void **state)
{
    static const struct refusal refusals[] = {
        {CLUSTER, "doc: document has several virtual hosts, such as 'other' "
                  "and '/': one must be chosen"},
        {"{\"queues\":[{\"name\":\"q\",\"vhost\":\"a\"}],\"bindings\":["
         "{\"vhost\":\"b\\u0007\"}]}",
         "doc: document has several virtual hosts, such as 'a' and 'b\\x07': "
         "one must be chosen"},
        {"{\"vhosts\":3,\"queues\":[]}",
         "doc: vhosts: must be an array, not 3"},
        {"{\"vhosts\":[{\"name\":1}],\"queues\":[]}",
         "doc: vhosts[0].name: must be a string, not 1"},
        {"{\"queues\":[{\"name\":\"q\",\"vhost\":1}]}",
         "doc: queues[0].vhost: must be a string, not 1"},
    };

    for (size_t i = 0; i < COUNT(refusals); ++i) {
        struct lq_live live;

        assert_int_equal(read_any(*state, refusals[i].text, &live), LQ_INVALID);
        assert_one_reported(*state, refusals[i].line);
    }
}

static void refuses_other_shapes_of_queues(void **state)
{
    static const struct refusal refusals[] = {
        {"{}", "doc: document must be an array, not an object"},
        {"[{}]", "doc: [0]: must have 'name'"},
        {"[{\"name\":null}]", "doc: [0].name: must be a string, not null"},
        {"[{\"name\":\"q\"},{\"name\":\"q\"}]",
         "doc: [1]: has a name that is there already"},
        {"[{\"name\":\"q\",\"durable\":\"true\"}]",
         "doc: [0].durable: must be true or false, not 'true'"},
        {"[{\"name\":\"q\",\"exclusive\":0}]",
         "doc: [0].exclusive: must be true or false, not 0"},
        {"[{\"name\":\"q\",\"auto_delete\":[]}]",
         "doc: [0].auto_delete: must be true or false, not an array"},
        {"[{\"name\":\"q\",\"type\":false}]",
         "doc: [0].type: must be a string, not false"},
        {"[{\"name\":\"q\",\"arguments\":[1]}]",
         "doc: [0].arguments: must be an object, not an array"},
        {"[{\"name\":\"q\",\"arguments\":{\"a\":1,\"a\":2}}]",
         "doc:1:33: duplicate object key near '\"a\"'"},
    };

    assert_refused(*state, lq_live_read_queues, refusals, COUNT(refusals));
}

static void refuses_other_shapes_of_exchanges(void **state)
{
    static const struct refusal refusals[] = {
        {"[{\"type\":\"direct\"}]", "doc: [0]: must have 'name'"},
        {"[{\"name\":\"x\"}]", "doc: [0]: must have 'type'"},
        {"[{\"name\":\"x\",\"type\":1}]",
         "doc: [0].type: must be a string, not 1"},
        {"[{\"name\":\"x\",\"type\":\"direct\",\"internal\":1}]",
         "doc: [0].internal: must be true or false, not 1"},
        {"[{\"name\":\"x\",\"type\":\"a\"},{\"name\":\"x\",\"type\":\"b\"}]",
         "doc: [1]: has a name that is there already"},
    };

    assert_refused(*state, lq_live_read_exchanges, refusals, COUNT(refusals));
}

static void refuses_other_shapes_of_bindings(void **state)
{
    static const struct refusal refusals[] = {
        {"[{\"destination\":\"q\"}]", "doc: [0]: must have 'source'"},
        {"[{\"source\":\"x\",\"destination\":\"q\"}]",
         "doc: [0]: must have 'destination_type'"},
        {"[{\"source\":\"x\",\"destination\":\"q\","
         "\"destination_type\":\"stream\",\"routing_key\":\"\"}]",
         "doc: [0].destination_type: must be 'queue' or 'exchange', not "
         "'stream'"},
        {"[{\"source\":\"x\",\"destination\":\"q\","
         "\"destination_type\":\"queue\",\"routing_key\":{}}]",
         "doc: [0].routing_key: must be a string, not an object"},
    };

    assert_refused(*state, lq_live_read_bindings, refusals, COUNT(refusals));
}

static void refuses_other_shapes_of_policies(void **state)
{
    static const struct refusal refusals[] = {
        {"[{\"pattern\":\"\"}]", "doc: [0]: must have 'name'"},
        {"[{\"name\":\"p\"}]", "doc: [0]: must have 'pattern'"},
        {"[{\"name\":\"p\",\"pattern\":\"\",\"apply-to\":1}]",
         "doc: [0].apply-to: must be a string, not 1"},
        {"[{\"name\":\"p\",\"pattern\":\"\",\"priority\":\"1\"}]",
         "doc: [0].priority: must be a number, not '1'"},
        {"[{\"name\":\"p\",\"pattern\":\"\",\"priority\":1e999}]",
         "doc: [0].priority: must be a number, not 1e999"},
        {"[{\"name\":\"p\",\"pattern\":\"\",\"definition\":\"x\"}]",
         "doc: [0].definition: must be an object, not 'x'"},
    };

    assert_refused(*state, lq_live_read_policies, refusals, COUNT(refusals));
}

static void refuses_figures_that_are_none(void **state)
{
    static const char *const texts[] = {
        "[{\"name\":\"q\",\"messages\":-1,\"consumers\":0}]",
        "[{\"name\":\"q\",\"messages\":0,\"consumers\":\"many\"}]",
    };
    static const char *const lines[] = {
        "doc: [0].messages: must be a count, not -1",
        "doc: [0].consumers: must be a count, not 'many'"};
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(texts); ++i) {
        struct lq_live live;

        read_well(fixture, &live, lq_live_read_queues, "[{\"name\":\"q\"}]");
        assert_int_equal(
            read_into(fixture, &live, lq_live_read_figures, texts[i]),
            LQ_INVALID);
        assert_one_reported(fixture, lines[i]);
    }
}

static void survives_any_failed_allocation(void **state)
{
    static const char wrong[] =
        "{\"queues\":[{\"name\":\"q\",\"arguments\":{\"a\":[1],\"b\":{}},"
        "\"durable\":7}]}";
    static const char *const texts[] = {
        CLUSTER, VHOST, "{\"vhosts\":[{\"name\":\"a\"}],\"queues\":[]}", wrong};
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(texts); ++i) {
        enum lq_status status = LQ_NOMEM;
        size_t limit = 0;

        for (; status == LQ_NOMEM && limit < 1000; ++limit) {
            struct lq_live live;

            restart(fixture, limit);
            lq_live_init(&live, "/", &fixture->arena);
            status =
                read_into(fixture, &live, lq_live_read_definitions, texts[i]);
            status = lq_arena_status(&fixture->arena, status);
        }
        assert_int_equal(status, i < 2 ? LQ_OK : LQ_INVALID);
        assert_int_equal(fixture->diags.error_count, i < 2 ? 0 : 1);
        assert_in_range(limit, 6, 999);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reads_one_virtual_host_of_a_cluster),
        TEST(reads_a_policy),
        TEST(reads_operator_policies_among_the_parameters),
        TEST(reads_a_definition_that_is_a_list_of_pairs),
        TEST(reads_the_export_of_a_virtual_host),
        TEST(adds_the_exchanges_that_every_virtual_host_has),
        TEST(leaves_unseen_what_a_document_lacks),
        TEST(passes_over_a_part_that_was_read_already),
        TEST(keeps_the_type_of_every_value),
        TEST(keeps_names_with_nul_apart),
        TEST(knows_nothing_of_fields_that_are_left_out),
        TEST(takes_an_empty_list_of_arguments_for_none),
        TEST(finds_out_the_type_of_a_queue),
        TEST(reads_bindings_to_queues_and_to_exchanges),
        TEST(reads_every_scope_and_priority_of_policies),
        TEST(counts_messages_and_consumers_where_they_are_given),
        TEST(reads_the_version_of_an_overview),
        TEST(refuses_what_are_no_definitions),
        TEST(refuses_a_document_about_other_virtual_hosts),
        TEST(reads_a_cluster_in_which_the_virtual_host_is_empty),
        TEST(finds_the_only_virtual_host_of_a_document),
        TEST(refuses_to_choose_among_virtual_hosts),
        TEST(refuses_other_shapes_of_queues),
        TEST(refuses_other_shapes_of_exchanges),
        TEST(refuses_other_shapes_of_bindings),
        TEST(refuses_other_shapes_of_policies),
        TEST(refuses_figures_that_are_none),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
