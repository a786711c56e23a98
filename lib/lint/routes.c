#include "base/map.h"
#include "lint/run.h"

#include <string.h>

/* Queues that get messages meant for others. */

#define ROLE_COUNT 3

/* An exchange and a routing key. */
struct route {
    const struct lq_binding *first[ROLE_COUNT]; /* by enum lq_role */
    bool retries; /* one of its main queues has buckets */
};

/* All routes, by "exchange LF key": neither has a control character. */
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
        "that one of them retries, up to %zu and %zu times, returns to both; "
        "if both retry it, the copies double each time",
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
        "dead letters go to exchange '%s' with key '%s', as do those of %s: "
        "each dead letter of one goes to '%s' and to '%s'",
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
    struct route **const found = lq_alloc_array(
        run->arena, topology->binding_count, sizeof(struct route *));

    lq_map_init(&routes.map, run->arena);
    for (size_t i = 0; found && i < topology->binding_count; ++i) {
        found[i] = route_of(&routes, &topology->bindings[i]);
        if (!found[i]) {
            return;
        }
        note(found[i], &topology->bindings[i]);
    }
    for (size_t i = 0; found && i < topology->binding_count; ++i) {
        check(run, &topology->bindings[i], found[i]);
    }
}

/* Bindings on the broker that bring messages where they do not belong. */

/* What a binding that is not planned leads to; NULL: nothing to report. */
static const char *effect_of(const struct lq_finding *finding)
{
    /* only bindings that are not planned count here */
    if (finding->code == LQ_MAIN_KEY_SHARED) {
        return finding->logical && finding->logical->bucket_count > 0
                   ? "it gets a copy of each retry"
                   : NULL;
    }
    if (finding->code == LQ_RETRY_SHARED) {
        return "it may get what is to wait for a retry";
    }
    if (finding->code == LQ_DEAD_LETTERS_SHARED) {
        return "it may get dead letters";
    }
    if (finding->code == LQ_RETRY_FED) {
        return "what others publish there is retried";
    }
    return finding->code == LQ_DEAD_LETTERS_FED
               ? "what others publish there is a dead letter"
               : NULL;
}

static void report(struct lq_lint_run *run, const struct lq_finding *finding,
                   const char *effect)
{
    const struct lq_binding *const binding = finding->binding;
    const char *const kind = finding->to_exchange ? "exchange" : "queue";
    const char *const name = lq_lint_shown(run, finding->name);
    const char *const source = lq_lint_shown(run, binding->source);
    const char *const key = lq_lint_shown(run, binding->routing_key);

    if (finding->logical) {
        lq_lint_found(run, LQ_LINT_FOREIGN_BINDING,
                      (struct lq_lint_spot){finding->logical, LQ_FIELD_COUNT},
                      "%s '%s' is bound to exchange '%s' with key '%s', which "
                      "is not planned: %s",
                      kind, name, source, key, effect);
    } else {
        lq_lint_found_at(run, LQ_LINT_FOREIGN_BINDING, NULL,
                         "%s '%s' is bound to exchange '%s' with key '%s', "
                         "which is not planned: %s",
                         kind, name, source, key, effect);
    }
}

void lq_lint_bindings(struct lq_lint_run *run)
{
    const struct lq_diff *const drift = run->settings->drift;

    for (size_t i = 0; drift && i < drift->findings.count; ++i) {
        const struct lq_finding *const finding = lq_diff_at(drift, i);
        const char *const effect = effect_of(finding);

        if (effect && finding->binding) {
            report(run, finding, effect);
        }
    }
}

/* Names that the broker refuses, that surprise, or that are nearly too long. */

#define MOST_BYTES 200
#define MANY_BYTES 190

static bool is_reserved(const char *name)
{
    return strncmp(name, "amq.", 4) == 0;
}

/* Every broker has this one, of the type that v2 declares. */
static bool is_built_in(const char *exchange)
{
    return strcmp(exchange, "amq.direct") == 0;
}

static void check_name(struct lq_lint_run *run,
                       const struct lq_logical *logical, enum lq_field field,
                       const char *what, const char *name)
{
    if (is_reserved(name)) {
        lq_lint_found(run, LQ_LINT_RESERVED_NAME,
                      (struct lq_lint_spot){logical, field},
                      "%s '%s' cannot be declared: names that begin with "
                      "'amq.' are the broker's own",
                      what, name);
    }
}

static void check_reserved(struct lq_lint_run *run,
                           const struct lq_logical *logical)
{
    const struct lq_entry *const entry = logical->entry;

    check_name(run, logical, LQ_NAME, "queue", entry->name);
    if (!is_built_in(entry->exchange_name)) {
        check_name(run, logical, LQ_EXCHANGE_NAME, "exchange",
                   entry->exchange_name);
    } else if (logical->retry_exchange) {
        check_name(run, logical, LQ_EXCHANGE_NAME, "exchange",
                   logical->retry_exchange);
    } else if (!entry->dead_letter_exchange) {
        check_name(run, logical, LQ_EXCHANGE_NAME, "exchange",
                   logical->dead_letter_exchange);
    }
    if (entry->dead_letter_exchange &&
        !is_built_in(entry->dead_letter_exchange)) {
        check_name(run, logical, LQ_DEAD_LETTER_EXCHANGE, "exchange",
                   entry->dead_letter_exchange);
    }
}

static void check_key(struct lq_lint_run *run, const struct lq_logical *logical)
{
    const struct lq_entry *const entry = logical->entry;

    if (entry->dead_letter_exchange && !entry->dead_letter_routing_key &&
        strcmp(entry->name, entry->routing_key) != 0) {
        lq_lint_found(run, LQ_LINT_DEFAULT_DLQ_KEY,
                      (struct lq_lint_spot){logical, LQ_DEAD_LETTER_EXCHANGE},
                      "dead letters go to exchange '%s' with the queue's name, "
                      "'%s', as routing key, not with '%s'",
                      entry->dead_letter_exchange, entry->name,
                      entry->routing_key);
    }
}

static const char *longer(const char *a, const char *b)
{
    return strlen(b) > strlen(a) ? b : a;
}

/* The longest of the queues' names. */
static const char *longest_queue(const struct lq_logical *logical)
{
    const char *name = logical->dead_letter_queue;

    for (size_t i = 0; i < logical->bucket_count; ++i) {
        name = longer(name, logical->buckets[i].queue_name);
    }
    return name;
}

static void check_length(struct lq_lint_run *run,
                         const struct lq_logical *logical)
{
    const char *const queue = longest_queue(logical);
    const char *const exchange =
        logical->retry_exchange
            ? longer(logical->dead_letter_exchange, logical->retry_exchange)
            : logical->dead_letter_exchange;
    const char *const name = longer(queue, exchange);
    const size_t length = strlen(name);
    const struct lq_lint_spot spot = {
        logical, name == queue ? LQ_NAME : LQ_EXCHANGE_NAME};

    if (length < MANY_BYTES) {
        return;
    }
    lq_lint_found(run, LQ_LINT_NAME_NEAR_LIMIT, spot,
                  "'%s' has %zu of %d bytes", name, length, MOST_BYTES);
}

void lq_lint_names(struct lq_lint_run *run, const struct lq_logical *logical)
{
    if (lq_owner(logical) == LQ_FRAMEWORK_MANAGED) {
        check_reserved(run, logical);
    }
    check_key(run, logical);
    check_length(run, logical);
}
