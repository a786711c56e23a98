/* Names that the broker refuses, that surprise, or that are nearly too long. */
#include "lint/run.h"

#include <string.h>

#define MOST_BYTES 200
#define MANY_BYTES 190

static bool is_reserved(const char *name)
{
    return strncmp(name, "amq.", 4) == 0;
}

/* The broker has it from the start, of the type that v2 declares. */
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
