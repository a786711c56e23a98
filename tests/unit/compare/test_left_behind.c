/*
 * Whatever one plan has and the next one has not is unexpected on a broker that
 * is as the first one says; and nothing else is.
 */
#include "compare/compare.h"
#include "plan/plan.h"

#include "../plan/mirror.h"

#define PAIRS 30000
#define ENTRY_MAX 4

struct pair {
    struct fixture *fixture;
    uint64_t random;
    struct lq_entry entries[2][ENTRY_MAX]; /* before and after */
    size_t counts[2];
    const struct lq_topology *before;
    const struct lq_topology *after;
    struct lq_diff diff;
};

static size_t draw(struct pair *pair, size_t limit)
{
    pair->random =
        pair->random * UINT64_C(6364136223846793005) + UINT64_C(1442695041);
    return (size_t)((pair->random >> 33) % limit);
}

static const char *draw_name(struct pair *pair, const char *const *names,
                             size_t count)
{
    return names[draw(pair, count)];
}

#define DRAW(pair, ...)                                                        \
    draw_name(pair, (const char *const[]){__VA_ARGS__},                        \
              COUNT(((const char *const[]){__VA_ARGS__})))

static struct lq_entry draw_entry(struct pair *pair, unsigned line)
{
    struct lq_entry entry =
        entry_at(line, DRAW(pair, "a", "b", "c", "d", "a.x"));

    entry.exchange_name = DRAW(pair, "x", "y", "x.y");
    entry.routing_key = DRAW(pair, "k", "l", "a", "a.retry.1000ms");
    entry.retry_attempts = (uint32_t)draw(pair, 4);
    entry.dead_letter_exchange = DRAW(pair, NULL, NULL, "chosen", "y.dlx.v2");
    entry.dead_letter_routing_key = DRAW(pair, NULL, NULL, "dead", "a");
    return entry;
}

/* Others declare it from now on, as it is. */
static void hand_over(struct pair *pair, struct lq_entry *entry)
{
    entry->topology_ownership = LQ_EXTERNAL;
    if (!entry->dead_letter_exchange) {
        entry->dead_letter_exchange =
            lq_format(&pair->fixture->arena, "%s.dlx.v2", entry->exchange_name);
    }
    if (!entry->dead_letter_routing_key) {
        entry->dead_letter_routing_key = entry->name;
    }
}

/* What somebody does to a file: one entry, one key. */
static void change_entry(struct pair *pair, struct lq_entry *entry)
{
    const struct lq_entry other = draw_entry(pair, 1);

    switch (draw(pair, 9)) {
    case 0:
        entry->name = other.name;
        break;
    case 1:
        entry->exchange_name = other.exchange_name;
        break;
    case 2:
        entry->routing_key = other.routing_key;
        break;
    case 3:
        entry->retry_attempts = other.retry_attempts;
        break;
    case 4:
        entry->dead_letter_exchange = other.dead_letter_exchange;
        break;
    case 5:
        entry->dead_letter_routing_key = other.dead_letter_routing_key;
        break;
    case 6:
        *entry = other;
        break;
    case 7:
        hand_over(pair, entry);
        break;
    default:
        break;
    }
}

static void draw_pair(struct pair *pair)
{
    pair->counts[0] = 1 + draw(pair, ENTRY_MAX);
    pair->counts[1] = 0;
    for (size_t i = 0; i < pair->counts[0]; ++i) {
        pair->entries[0][i] = draw_entry(pair, (unsigned)i + 1);
        if (draw(pair, 4) > 0) {
            struct lq_entry *const after = &pair->entries[1][pair->counts[1]++];

            *after = pair->entries[0][i];
            change_entry(pair, after);
        }
    }
}

static bool has_exchange(const struct lq_topology *plan, const char *name)
{
    for (size_t i = 0; i < plan->exchange_count; ++i) {
        if (strcmp(plan->exchanges[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_queue(const struct lq_topology *plan, const char *name)
{
    for (size_t i = 0; i < plan->queue_count; ++i) {
        if (strcmp(plan->queues[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_same(const struct lq_binding *a, const struct lq_binding *b)
{
    return strcmp(a->source, b->source) == 0 &&
           strcmp(a->routing_key, b->routing_key) == 0 &&
           strcmp(a->destination, b->destination) == 0;
}

static bool has_binding(const struct lq_topology *plan,
                        const struct lq_binding *binding)
{
    for (size_t i = 0; i < plan->binding_count; ++i) {
        if (is_same(&plan->bindings[i], binding)) {
            return true;
        }
    }
    return false;
}

static const struct lq_finding *find(const struct pair *pair,
                                     enum lq_resource resource,
                                     const char *name,
                                     const struct lq_binding *binding)
{
    for (size_t i = 0; i < pair->diff.findings.count; ++i) {
        const struct lq_finding *const finding = lq_diff_at(&pair->diff, i);

        if (finding->resource == resource && strcmp(finding->name, name) == 0 &&
            (!binding || is_same(finding->binding, binding))) {
            return finding;
        }
    }
    return NULL;
}

static const struct lq_entry *entry_of(const struct pair *pair, size_t side,
                                       const char *name)
{
    for (size_t i = 0; i < pair->counts[side]; ++i) {
        if (strcmp(pair->entries[side][i].name, name) == 0) {
            return &pair->entries[side][i];
        }
    }
    return NULL;
}

/*
 * An entry that had an exchange of its own choice for dead letters, and no
 * retries, leaves no trace of what its main exchange was when that changes.
 */
static bool is_untold(const struct pair *pair, const char *exchange)
{
    for (size_t i = 0; i < pair->counts[0]; ++i) {
        const struct lq_entry *const before = &pair->entries[0][i];
        const struct lq_entry *const after = entry_of(pair, 1, before->name);

        if (after && strcmp(before->exchange_name, exchange) == 0 &&
            strcmp(after->exchange_name, exchange) != 0 &&
            before->dead_letter_exchange && before->retry_attempts == 0) {
            return true;
        }
    }
    return false;
}

static void say(const struct pair *pair, const char *what, const char *name)
{
    for (size_t side = 0; side < 2; ++side) {
        for (size_t i = 0; i < pair->counts[side]; ++i) {
            const struct lq_entry *const entry = &pair->entries[side][i];

            print_error(
                "%s [%s] %s %s, %u retries, %s %s\n", side ? "after" : "before",
                entry->name, entry->exchange_name, entry->routing_key,
                (unsigned)entry->retry_attempts,
                entry->dead_letter_exchange ? entry->dead_letter_exchange : "-",
                entry->dead_letter_routing_key ? entry->dead_letter_routing_key
                                               : "-");
        }
    }
    fail_msg("%s: %s", what, name);
}

static void check_all_named(const struct pair *pair)
{
    const struct lq_topology *const before = pair->before;

    for (size_t i = 0; i < before->exchange_count; ++i) {
        const char *const name = before->exchanges[i].name;

        if (!has_exchange(pair->after, name) && !is_untold(pair, name) &&
            !find(pair, LQ_EXCHANGE, name, NULL)) {
            say(pair, "exchange not named", name);
        }
    }
    for (size_t i = 0; i < before->queue_count; ++i) {
        const char *const name = before->queues[i].name;

        if (!has_queue(pair->after, name) &&
            !find(pair, LQ_QUEUE, name, NULL)) {
            say(pair, "queue not named", name);
        }
    }
    for (size_t i = 0; i < before->binding_count; ++i) {
        const struct lq_binding *const binding = &before->bindings[i];

        if (!has_binding(pair->after, binding) &&
            !(binding->role == LQ_ROLE_MAIN &&
              is_untold(pair, binding->source)) &&
            !find(pair, LQ_BINDING, binding->destination, binding)) {
            say(pair, "binding not named", binding->destination);
        }
    }
}

static void check_nothing_else(const struct pair *pair)
{
    for (size_t i = 0; i < pair->diff.findings.count; ++i) {
        const struct lq_finding *const finding = lq_diff_at(&pair->diff, i);
        const char *const name = finding->name;
        bool is_left = false;

        assert_int_equal(lq_finding_kind(finding->code), LILYQ_UNEXPECTED);
        switch (finding->resource) {
        case LQ_EXCHANGE:
            is_left = has_exchange(pair->before, name) &&
                      !has_exchange(pair->after, name);
            break;
        case LQ_QUEUE:
            is_left =
                has_queue(pair->before, name) && !has_queue(pair->after, name);
            break;
        case LQ_BINDING:
            is_left = has_binding(pair->before, finding->binding) &&
                      !has_binding(pair->after, finding->binding);
            break;
        case LQ_VHOST:
        case LQ_POLICY:
            break;
        }
        if (!is_left) {
            say(pair, lq_finding_code(finding->code), name);
        }
    }
}

/* Whether both are plans. */
static bool plan_pair(struct pair *pair)
{
    struct lq_diags *const diags = &pair->fixture->diags;

    return lq_plan_build(pair->entries[0], pair->counts[0], diags,
                         &pair->before) == LQ_OK &&
           lq_plan_build(pair->entries[1], pair->counts[1], diags,
                         &pair->after) == LQ_OK;
}

static void compare(struct pair *pair)
{
    struct lq_arena *const arena = &pair->fixture->arena;
    struct lq_live live;

    mirror(&live, pair->before, arena);
    pair->diff = (struct lq_diff){.counts = {0}};
    lq_array_init(&pair->diff.findings, sizeof(struct lq_finding));
    assert_int_equal(lq_diff_unexpected(pair->after, &live, arena, &pair->diff),
                     LQ_OK);
}

static void names_all_that_a_change_leaves_and_nothing_else(void **state)
{
    struct pair pair = {.fixture = *state};
    size_t planned = 0;
    size_t found = 0;

    for (uint64_t i = 0; i < PAIRS; ++i) {
        pair.random = i;
        restart(pair.fixture, SIZE_MAX);
        draw_pair(&pair);
        if (plan_pair(&pair)) {
            ++planned;
            compare(&pair);
            check_all_named(&pair);
            check_nothing_else(&pair);
            found += pair.diff.findings.count;
        }
    }
    assert_true(planned > PAIRS / 4);
    assert_true(found > PAIRS);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(names_all_that_a_change_leaves_and_nothing_else),
    };

    return cmocka_run_group_tests_name("left_behind", tests, NULL, NULL);
}
