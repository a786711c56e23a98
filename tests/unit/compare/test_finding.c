#include "compare/finding.h"

#include "../plan/fixture.h"

#define CODE_COUNT LQ_FINDING_CODE_COUNT

static void gives_each_code_a_name_of_its_own(void **state)
{
    (void)state;
    for (int a = 0; a < CODE_COUNT; ++a) {
        for (int b = a + 1; b < CODE_COUNT; ++b) {
            assert_string_not_equal(lq_finding_code((enum lq_finding_code)a),
                                    lq_finding_code((enum lq_finding_code)b));
        }
    }
}

static void keeps_the_names_that_programs_rely_on(void **state)
{
    static const char *const names[CODE_COUNT] = {
        "exchange-missing",
        "queue-missing",
        "binding-missing",
        "external-exchange-missing",
        "external-queue-missing",
        "external-binding-missing",
        "exchange-property-different",
        "exchange-argument-different",
        "queue-property-different",
        "queue-argument-different",
        "exchange-argument-extra",
        "queue-argument-extra",
        "exchange-unverified",
        "queue-unverified",
        "binding-unverified",
        "property-unverified",
        "exchange-created",
        "queue-created",
        "binding-created",
        "external-exchange-wanted",
        "external-queue-wanted",
        "external-binding-wanted",
        "queue-property-changed",
        "queue-argument-changed",
        "owner-enters",
        "owner-leaves",
        "exchange-orphaned",
        "queue-orphaned",
        "binding-orphaned",
        "binding-left",
        "external-exchange-dropped",
        "external-queue-dropped",
        "external-binding-dropped",
        "extras-unverified",
        "queue-of-gone-entry",
        "binding-of-gone-entry",
        "exchange-of-v1",
        "queue-of-v1",
        "main-key-shared",
        "retry-shared",
        "dead-letters-shared",
        "retry-fed",
        "dead-letters-fed",
        "bucket-consumed",
        "queue-near-bound",
        "exchange-shadowed",
        "queue-shadowed",
        "policies-unverified",
        "operator-policies-unverified",
        "policy-unverified",
        "policy-tie-unverified",
        "policy-key-unverified",
        "own-policy-missing",
        "own-policy-different",
        "own-policy-shared",
        "own-policy-orphaned",
        "own-policy-shadowed",
        "own-policy-unverified",
        "own-policy-created",
        "own-policy-changed",
    };

    (void)state;
    for (int i = 0; i < CODE_COUNT; ++i) {
        assert_string_equal(lq_finding_code((enum lq_finding_code)i), names[i]);
    }
}

static void names_the_kinds(void **state)
{
    static const char *const names[LILYQ_FINDING_COUNT] = {
        "missing", "different", "unexpected", "shadowed", "unverified", "note"};

    (void)state;
    for (int i = 0; i < LILYQ_FINDING_COUNT; ++i) {
        assert_string_equal(lq_finding_kind_name((enum lilyq_finding)i),
                            names[i]);
    }
}

static void changes_nothing_that_is_there_in_place(void **state)
{
    (void)state;
    for (int i = 0; i < CODE_COUNT; ++i) {
        const enum lq_finding_code code = (enum lq_finding_code)i;

        assert_int_equal(lq_finding_in_place(code),
                         lq_finding_kind(code) == LILYQ_MISSING ||
                             lq_finding_kind(code) == LILYQ_SHADOWED ||
                             code == LQ_OWNER_ENTERS ||
                             code == LQ_OWNER_LEAVES ||
                             code == LQ_OWN_POLICY_DIFFERENT ||
                             code == LQ_OWN_POLICY_CHANGED);
    }
}

static void has_apply_declare_what_is_missing_and_ours(void **state)
{
    (void)state;
    assert_int_equal(lq_finding_remedy(LQ_QUEUE_MISSING), LQ_REMEDY_APPLY);
    assert_int_equal(lq_finding_remedy(LQ_EXTERNAL_QUEUE_MISSING),
                     LQ_REMEDY_NONE);
    assert_int_equal(lq_finding_remedy(LQ_EXTERNAL_BINDING_MISSING),
                     LQ_REMEDY_LEAVE);
    assert_int_equal(lq_finding_remedy(LQ_QUEUE_ARGUMENT_DIFFERENT),
                     LQ_REMEDY_NONE);
    assert_int_equal(lq_finding_remedy(LQ_QUEUE_NOT_SEEN), LQ_REMEDY_LEAVE);
}

static void advises_in_one_sentence_on_everything(void **state)
{
    (void)state;
    for (int i = 0; i < CODE_COUNT; ++i) {
        for (int role = LQ_ROLE_MAIN; role <= LQ_ROLE_DEAD_LETTER; ++role) {
            const struct lq_finding finding = {.code = (enum lq_finding_code)i,
                                               .role = (enum lq_role)role};
            const char *const advice = lq_finding_advice(&finding);

            assert_true(strlen(advice) > 10);
            assert_null(strstr(advice, ". "));
            assert_true(advice[strlen(advice) - 1] != '.');
        }
    }
}

static void advises_on_a_queue_by_its_role(void **state)
{
    const struct lq_finding main_queue = {.code = LQ_QUEUE_ARGUMENT_DIFFERENT,
                                          .role = LQ_ROLE_MAIN};
    const struct lq_finding bucket = {.code = LQ_QUEUE_ARGUMENT_DIFFERENT,
                                      .role = LQ_ROLE_RETRY};
    const struct lq_finding letters = {.code = LQ_QUEUE_ARGUMENT_DIFFERENT,
                                       .role = LQ_ROLE_DEAD_LETTER};

    (void)state;
    assert_non_null(strstr(lq_finding_advice(&main_queue), "messages away"));
    assert_non_null(strstr(lq_finding_advice(&bucket), "within its delay"));
    assert_non_null(strstr(lq_finding_advice(&letters), "dead letters"));
}

static void leaves_what_is_not_planned_alone(void **state)
{
    (void)state;
    for (int i = 0; i < CODE_COUNT; ++i) {
        const enum lq_finding_code code = (enum lq_finding_code)i;
        const enum lilyq_finding kind = lq_finding_kind(code);

        if (kind == LILYQ_UNEXPECTED || kind == LILYQ_NOTE) {
            assert_int_equal(lq_finding_remedy(code), LQ_REMEDY_LEAVE);
        }
    }
}

/* What is lost by following it depends on what the queue is for. */
static void advises_on_leftovers_and_full_queues_by_their_role(void **state)
{
    static const enum lq_finding_code codes[] = {
        LQ_QUEUE_OF_GONE_ENTRY, LQ_QUEUE_OF_V1, LQ_QUEUE_NEAR_BOUND};

    (void)state;
    for (size_t i = 0; i < COUNT(codes); ++i) {
        const struct lq_finding bucket = {.code = codes[i],
                                          .role = LQ_ROLE_RETRY};
        const struct lq_finding letters = {.code = codes[i],
                                           .role = LQ_ROLE_DEAD_LETTER};

        assert_null(strstr(lq_finding_advice(&bucket), "dead letters"));
        assert_non_null(strstr(lq_finding_advice(&letters), "dead letters"));
    }
}

/* What a queue still sends to another one must find it there. */
static void has_a_main_queue_deleted_before_what_it_needs(void **state)
{
    static const enum lq_finding_code codes[] = {LQ_QUEUE_OF_GONE_ENTRY,
                                                 LQ_QUEUE_ORPHANED};

    (void)state;
    for (size_t i = 0; i < COUNT(codes); ++i) {
        const struct lq_finding main = {.code = codes[i], .role = LQ_ROLE_MAIN};
        const struct lq_finding letters = {.code = codes[i],
                                           .role = LQ_ROLE_DEAD_LETTER};

        assert_non_null(strstr(lq_finding_advice(&main),
                               "until it and its buckets are empty, then "
                               "delete it, before its buckets and DLQ"));
        assert_non_null(strstr(lq_finding_advice(&letters),
                               "once its main queue is deleted"));
    }
}

static void never_has_the_binding_of_a_dlq_or_bucket_undone(void **state)
{
    static const enum lq_role roles[] = {LQ_ROLE_RETRY, LQ_ROLE_DEAD_LETTER};

    (void)state;
    for (size_t i = 0; i < COUNT(roles); ++i) {
        const struct lq_finding binding = {.code = LQ_BINDING_OF_GONE_ENTRY,
                                           .role = roles[i]};

        assert_null(strstr(lq_finding_advice(&binding), "unbind"));
        assert_non_null(strstr(lq_finding_advice(&binding), "let it be"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(gives_each_code_a_name_of_its_own),
        TEST(keeps_the_names_that_programs_rely_on),
        TEST(names_the_kinds),
        TEST(changes_nothing_that_is_there_in_place),
        TEST(has_apply_declare_what_is_missing_and_ours),
        TEST(advises_in_one_sentence_on_everything),
        TEST(advises_on_a_queue_by_its_role),
        TEST(leaves_what_is_not_planned_alone),
        TEST(advises_on_leftovers_and_full_queues_by_their_role),
        TEST(has_a_main_queue_deleted_before_what_it_needs),
        TEST(never_has_the_binding_of_a_dlq_or_bucket_undone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
