#include "policy/in_force.h"

#include "base/text.h"

#include "policy_fixture.h"

/* What policy, operator policy and argument set of one key; NULL: nothing. */
struct set {
    const char *policy;
    const char *by_operator;
    const char *argument;
};

static struct lq_winner winner(struct lq_live *live, struct lq_array *policies,
                               const char *key, const char *value)
{
    struct lq_winner out = {.policy = NULL};

    if (value) {
        out.policy = add_policy_to(
            live, policies, "a ", 0,
            lq_format(live->arena, "unrelated=1 %s=%s", key, value));
    }
    return out;
}

/*
 * The one that is in force: "policy", "operator" or "argument" (which may be
 * none) with its value.
 */
static const char *in_force(struct fixture *fixture, enum lq_target target,
                            const char *key, const struct set *set)
{
    struct lq_arena *const arena = &fixture->arena;
    const struct lq_argument argument = {
        .key = lq_format(arena, "x-%s", key),
        .text = set->argument,
        .number = set->argument ? strtoll(set->argument, NULL, 10) : 0};
    struct lq_live live;
    struct lq_in_force found;
    struct lq_effective effective;

    lq_live_init(&live, "/", arena);
    found = (struct lq_in_force){
        winner(&live, &live.policies, key, set->policy),
        winner(&live, &live.operator_policies, key, set->by_operator)};
    effective =
        lq_effective(&found, target, key, set->argument ? &argument : NULL);
    if (!effective.value) {
        assert_null(effective.policy);
        return lq_format(arena, "argument %s",
                         set->argument ? set->argument : "-");
    }
    assert_ptr_equal(effective.policy, effective.by_operator
                                           ? found.operator_policy.policy
                                           : found.policy.policy);
    return lq_format(arena, "%s %s",
                     effective.by_operator ? "operator" : "policy",
                     effective.value->text);
}

struct example {
    const char *key;
    struct set set;
    const char *classic;
    const char *quorum;
};

static void assert_examples(struct fixture *fixture,
                            const struct example *examples, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        assert_string_equal(in_force(fixture, LQ_TARGET_CLASSIC,
                                     examples[i].key, &examples[i].set),
                            examples[i].classic);
        assert_string_equal(in_force(fixture, LQ_TARGET_QUORUM, examples[i].key,
                                     &examples[i].set),
                            examples[i].quorum);
    }
}

static void lets_the_smallest_limit_hold(void **state)
{
    static const struct example examples[] = {
        {"max-length", {"2", NULL, "9"}, "policy 2", "policy 2"},
        {"max-length", {"9", NULL, "2"}, "argument 2", "argument 2"},
        {"max-length", {"2", NULL, "2"}, "argument 2", "argument 2"},
        {"max-length", {"5", "3", "9"}, "operator 3", "operator 3"},
        {"max-length", {"3", "5", "9"}, "policy 3", "policy 3"},
        {"max-length", {"3", "3", "9"}, "policy 3", "policy 3"},
        {"max-length-bytes", {NULL, "3", "9"}, "operator 3", "operator 3"},
        {"message-ttl", {"0", NULL, "9"}, "policy 0", "policy 0"},
        {"message-ttl", {"9", NULL, NULL}, "policy 9", "policy 9"},
        {"expires", {"9", "8", NULL}, "operator 8", "operator 8"},
        {"expires", {NULL, NULL, NULL}, "argument -", "argument -"},
        /* what an int64 does not hold limits nothing */
        {"max-length", {"1e30", NULL, "9"}, "argument 9", "argument 9"},
        {"max-length", {"1e30", NULL, NULL}, "policy 1e30", "policy 1e30"},
    };

    assert_examples(*state, examples, COUNT(examples));
}

static void takes_a_negative_delivery_limit_for_none(void **state)
{
    static const struct example examples[] = {
        {"delivery-limit", {"-1", "5", NULL}, "operator 5", "operator 5"},
        {"delivery-limit", {"5", "-1", NULL}, "policy 5", "policy 5"},
        {"delivery-limit", {"5", "7", "9"}, "policy 5", "policy 5"},
        {"delivery-limit", {"-1", NULL, "9"}, "argument 9", "argument 9"},
        {"delivery-limit", {"9", NULL, "-1"}, "policy 9", "policy 9"},
        {"delivery-limit", {"-1", NULL, NULL}, "policy -1", "policy -1"},
    };

    assert_examples(*state, examples, COUNT(examples));
}

static void lets_a_policy_have_the_overflow_of_quorum_queues_only(void **state)
{
    static const struct example examples[] = {
        {"overflow",
         {"drop-head", NULL, "reject-publish"},
         "argument reject-publish",
         "policy drop-head"},
        {"overflow",
         {"reject-publish", "drop-head", "reject-publish"},
         "argument reject-publish",
         "operator drop-head"},
        {"overflow",
         {"drop-head", NULL, NULL},
         "policy drop-head",
         "policy drop-head"},
    };

    assert_examples(*state, examples, COUNT(examples));
}

static void lets_the_argument_hold_of_all_else(void **state)
{
    static const struct example examples[] = {
        {"dead-letter-exchange", {"x", NULL, "y"}, "argument y", "argument y"},
        {"dead-letter-exchange", {"x", NULL, NULL}, "policy x", "policy x"},
        {"dead-letter-routing-key", {"", NULL, NULL}, "policy ", "policy "},
        {"dead-letter-strategy", {"x", NULL, "y"}, "argument y", "argument y"},
        {"queue-version", {"1", "2", NULL}, "operator 2", "operator 2"},
    };

    assert_examples(*state, examples, COUNT(examples));
}

static const char *first_of(const char *a, const char *b, const char *c)
{
    return a ? a : b ? b : c;
}

/* The least of what is set, where a negative is more than any other. */
static const char *least_of(const struct set *set)
{
    const char *const all[] = {set->policy, set->by_operator, set->argument};
    const char *least = NULL;

    for (size_t i = 0; i < COUNT(all); ++i) {
        const long long value = all[i] ? strtoll(all[i], NULL, 10) : 0;
        const long long other = least ? strtoll(least, NULL, 10) : 0;

        if (all[i] && (!least || (value >= 0 && (other < 0 || value < other)) ||
                       (value < 0 && other < value))) {
            least = all[i];
        }
    }
    return least;
}

static const char *expected(enum lq_target target, const char *key,
                            const struct set *set)
{
    if (lq_str_equal(key, "overflow") && target == LQ_TARGET_QUORUM) {
        return first_of(set->by_operator, set->policy, set->argument);
    }
    if (lq_str_equal(key, "overflow") || strstr(key, "dead")) {
        return first_of(set->argument, set->by_operator, set->policy);
    }
    return least_of(set);
}

/* Whoever of the three sets what. */
static void settles_every_combination_as_brokers_do(void **state)
{
    static const char *const keys[] = {
        "max-length",     "max-length-bytes", "message-ttl",         "expires",
        "delivery-limit", "overflow",         "dead-letter-exchange"};
    static const char *const numbers[] = {NULL, "0", "1", "7", "20", "-1"};
    static const char *const texts[] = {NULL, "drop-head", "a",
                                        "b",  "drop-tail", ""};
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(keys) * 216; ++i) {
        const char *const key = keys[i / 216];
        const bool is_text =
            strcmp(key, "overflow") == 0 || strstr(key, "dead");
        const char *const *const values = is_text ? texts : numbers;
        const size_t count = is_text || strstr(key, "delivery") ? 6 : 5;
        const size_t at[] = {i % 6, i / 6 % 6, i / 36 % 6};
        const struct set set = {values[at[0]], values[at[1]], values[at[2]]};

        if (at[0] >= count || at[1] >= count || at[2] >= count) {
            continue;
        }
        for (int target = LQ_TARGET_CLASSIC; target <= LQ_TARGET_QUORUM;
             ++target) {
            const char *const wanted =
                expected((enum lq_target)target, key, &set);
            const char *const found =
                in_force(fixture, (enum lq_target)target, key, &set);

            assert_string_equal(strchr(found, ' ') + 1, wanted ? wanted : "-");
        }
    }
}

static void finds_the_argument_of_a_key(void **state)
{
    static const struct lq_argument arguments[] = {
        {.key = "x-max-length"}, {.key = "x-max-length-bytes"}, {.key = "y"}};
    const struct lq_queue queue = {.arguments = arguments, .argument_count = 3};

    (void)state;
    assert_ptr_equal(lq_argument_of_key(&queue, "max-length-bytes"),
                     &arguments[1]);
    assert_null(lq_argument_of_key(&queue, "x-max-length"));
    assert_null(lq_argument_of_key(&queue, "expires"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(lets_the_smallest_limit_hold),
        TEST(takes_a_negative_delivery_limit_for_none),
        TEST(lets_a_policy_have_the_overflow_of_quorum_queues_only),
        TEST(lets_the_argument_hold_of_all_else),
        TEST(settles_every_combination_as_brokers_do),
        TEST(finds_the_argument_of_a_key),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
