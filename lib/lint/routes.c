/* Queues that get messages that are meant for others. */
#include "lint/run.h"

#include "base/map.h"

#include <string.h>

#define ROLE_COUNT 3

/* One exchange and routing key. */
struct route {
    const struct lq_binding *first[ROLE_COUNT]; /* by enum lq_role */
    bool retries; /* a main queue that has it has buckets */
};

/* The route of a binding. */
struct place {
    struct route *route;
};

/* All routes by "exchange LF key": neither has a control character. */
struct routes {
    struct lq_lint_run *run;
    struct lq_map map;
};

/* Adds the binding to its route, or finds what is there already. */
static struct route *route_of(struct routes *routes,
                              const struct lq_binding *binding)
{
    struct lq_arena *const arena = routes->run->arena;
    const char *const key =
        lq_format(arena, "%s\n%s", binding->source, binding->routing_key);
    struct route *const fresh = lq_alloc(arena, sizeof(*fresh));
    void *held = NULL;

    if (!key || !fresh ||
        lq_map_add(&routes->map, key, fresh, &held) != LQ_OK) {
        routes->run->failed = true;
        return NULL;
    }
    return held;
}

static void note(struct route *route, const struct lq_binding *binding)
{
    if (!route->first[binding->role]) {
        route->first[binding->role] = binding;
    }
    if (binding->role == LQ_ROLE_MAIN) {
        route->retries |= binding->logical->bucket_count > 0;
    }
}

static void report_shared_key(struct lq_lint_run *run,
                              const struct lq_binding *binding,
                              const struct lq_binding *first)
{
    const struct lq_logical *const logical = binding->logical;

    lq_lint_found(
        run, LQ_LINT_SHARED_ROUTING_KEY,
        (struct lq_lint_spot){logical, LQ_ROUTING_KEY},
        "exchange '%s' and routing key '%s' are also those of %s: a message "
        "that "
        "one of them retries, up to %zu and %zu times, returns to both; if "
        "both retry it, there are twice as many each time",
        binding->source, binding->routing_key,
        lq_lint_entry_text(run, first->logical), logical->attempt_count,
        first->logical->attempt_count);
}

static void report_shared_letters(struct lq_lint_run *run,
                                  const struct lq_binding *binding,
                                  const struct lq_binding *first)
{
    lq_lint_found(
        run, LQ_LINT_SHARED_DEAD_LETTER_KEY,
        (struct lq_lint_spot){binding->logical, LQ_DEAD_LETTER_ROUTING_KEY},
        "dead letters go to exchange '%s' with key '%s', as do those "
        "of %s: each dead letter of one goes to '%s' and to '%s'",
        binding->source, binding->routing_key,
        lq_lint_entry_text(run, first->logical), first->destination,
        binding->destination);
}

static void report_bucket(struct lq_lint_run *run,
                          const struct lq_binding *binding,
                          const struct lq_binding *bucket)
{
    const bool main = binding->role == LQ_ROLE_MAIN;

    lq_lint_found(
        run, LQ_LINT_RETRY_EXCHANGE_LOOP,
        (struct lq_lint_spot){binding->logical, main ? LQ_EXCHANGE_NAME
                                                     : LQ_DEAD_LETTER_EXCHANGE},
        "'%s' and bucket '%s' are both bound to '%s' with key '%s': %s",
        binding->destination, bucket->destination, binding->source,
        binding->routing_key,
        main ? "each retry that waits there is delivered here at once"
             : "each dead letter is sent to the main queue again, and each "
               "retry lands among the dead letters");
}

static bool is_own_main(const struct lq_binding *binding)
{
    const struct lq_entry *const entry = binding->logical->entry;

    return strcmp(binding->source, entry->exchange_name) == 0 &&
           strcmp(binding->routing_key, entry->routing_key) == 0;
}

static void report_main(struct lq_lint_run *run,
                        const struct lq_binding *binding,
                        const struct lq_binding *main)
{
    const struct lq_lint_spot spot = {binding->logical,
                                      LQ_DEAD_LETTER_EXCHANGE};

    if (is_own_main(binding)) {
        lq_lint_found(run, LQ_LINT_DEAD_LETTER_LOOP, spot,
                      "dead letters go to exchange '%s' with key '%s', like "
                      "the messages themselves: each one published also lands "
                      "in '%s', and each dead letter comes back without end",
                      binding->source, binding->routing_key,
                      binding->destination);
        return;
    }
    lq_lint_found(run, LQ_LINT_DEAD_LETTER_CROSSING, spot,
                  "dead letters go to exchange '%s' with key '%s', where %s "
                  "gets its messages: its consumer gets them, and '%s' gets "
                  "all that is published there",
                  binding->source, binding->routing_key,
                  lq_lint_entry_text(run, main->logical), binding->destination);
}

static void check_main(struct lq_lint_run *run,
                       const struct lq_binding *binding,
                       const struct route *route)
{
    const struct lq_binding *const first = route->first[LQ_ROLE_MAIN];

    if (first != binding && route->retries) {
        report_shared_key(run, binding, first);
    }
}

static void check_letters(struct lq_lint_run *run,
                          const struct lq_binding *binding,
                          const struct route *route)
{
    if (route->first[LQ_ROLE_DEAD_LETTER] != binding) {
        report_shared_letters(run, binding, route->first[LQ_ROLE_DEAD_LETTER]);
    }
    if (route->first[LQ_ROLE_MAIN]) {
        report_main(run, binding, route->first[LQ_ROLE_MAIN]);
    }
}

static void check(struct lq_lint_run *run, const struct lq_binding *binding,
                  const struct route *route)
{
    if (binding->role == LQ_ROLE_RETRY) {
        return;
    }
    if (route->first[LQ_ROLE_RETRY]) {
        report_bucket(run, binding, route->first[LQ_ROLE_RETRY]);
    }
    (binding->role == LQ_ROLE_MAIN ? check_main : check_letters)(run, binding,
                                                                 route);
}

void lq_lint_routes(struct lq_lint_run *run)
{
    const struct lq_topology *const topology = run->topology;
    struct routes routes = {.run = run};
    struct place *const places =
        lq_alloc_array(run->arena, topology->binding_count, sizeof(*places));

    lq_map_init(&routes.map, run->arena);
    run->failed |= !places;
    for (size_t i = 0; i < topology->binding_count && !run->failed; ++i) {
        places[i].route = route_of(&routes, &topology->bindings[i]);
        run->failed |= !places[i].route;
        if (!run->failed) {
            note(places[i].route, &topology->bindings[i]);
        }
    }
    for (size_t i = 0; i < topology->binding_count && !run->failed; ++i) {
        check(run, &topology->bindings[i], places[i].route);
    }
}
