#include "broker/route.h"

#include "base/clock.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define FIRST_PAUSE_MILLIS 50
#define LONGEST_PAUSE_MILLIS 1000
#define SLICE_MILLIS 50 /* how soon a stop is noticed */

static bool stopped(const struct lilyq_hooks *hooks)
{
    return hooks->stop && hooks->stop(hooks->data);
}

/* Sleeps until the moment comes or the hooks say stop. */
static void sleep_until(uint64_t moment, const struct lilyq_hooks *hooks)
{
    const struct timespec slice = {0, SLICE_MILLIS * 1000000L};

    while (lq_now_millis() < moment && !stopped(hooks)) {
        (void)nanosleep(&slice, NULL);
    }
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t spent(const struct lq_route *route)
{
    return lq_now_millis() - route->begun;
}

/* An attempt without time would only hide why the earlier ones failed. */
static bool has_time(const struct lq_route *route)
{
    const unsigned limit = route->ways[0].timeout_millis;

    return !limit || spent(route) < limit;
}

uint64_t lq_route_deadline(const struct lq_route *route)
{
    return route->begun + route->ways[0].timeout_millis;
}

static void forget_since(struct lq_diags *diags, const struct lq_diags *before)
{
    struct lq_diag *const items = diags->items.items;

    for (size_t i = before->items.count; i < diags->items.count; ++i) {
        items[i] = (struct lq_diag){0}; /* a push expects zeros */
    }
    diags->items.count = before->items.count;
    diags->error_count = before->error_count;
}

/* Makes warnings of the errors since, about ways that are not needed. */
static void excuse_since(struct lq_diags *diags, const struct lq_diags *before)
{
    struct lq_diag *const items = diags->items.items;

    for (size_t i = before->items.count; i < diags->items.count; ++i) {
        items[i].severity = LQ_WARNING;
    }
    diags->error_count = before->error_count;
}

enum lq_status lq_persist(const struct lq_route *route,
                          const struct lilyq_hooks *hooks,
                          struct lq_diags *diags,
                          enum lq_status (*attempt)(void *data), void *data)
{
    const struct lq_diags before = *diags;
    const unsigned whole = route->ways[0].timeout_millis;
    const uint64_t limit =
        whole ? least(route->wait_millis, whole) : route->wait_millis;
    uint64_t pause = FIRST_PAUSE_MILLIS;
    enum lq_status status = attempt(data);

    while (status == LQ_LOST && spent(route) < limit && !stopped(hooks)) {
        sleep_until(least(lq_now_millis() + pause, route->begun + limit),
                    hooks);
        if (!has_time(route) || stopped(hooks)) {
            return status;
        }
        pause = least(pause * 2, LONGEST_PAUSE_MILLIS);
        forget_since(diags, &before);
        status = attempt(data);
    }
    return status;
}

/* A search for a way, under way. */
struct search {
    const struct lq_route *route;
    const struct lilyq_hooks *hooks;
    struct lq_diags *diags;
    const struct lq_connection *used;
    struct lq_broker *broker;
};

/* One attempt, within what is left of the run's time. */
static enum lq_status try_once(struct search *search)
{
    struct lq_connection limited = *search->used;

    limited.deadline = lq_route_deadline(search->route);
    return lq_amqp_open(&limited, search->diags, &search->broker);
}

/* Tries each way once. */
static enum lq_status try_all(void *data)
{
    struct search *const search = data;
    const struct lq_diags before = *search->diags;
    const struct lq_route *const route = search->route;
    enum lq_status status = LQ_LOST;

    for (size_t i = 0; i < route->count && status == LQ_LOST; ++i) {
        if (i > 0 && (!has_time(route) || stopped(search->hooks))) {
            break;
        }
        search->used = &route->ways[i];
        status = try_once(search);
    }
    if (status == LQ_OK) {
        excuse_since(search->diags, &before);
    }
    return status;
}

enum lq_status lq_route_open(const struct lq_route *route,
                             const struct lilyq_hooks *hooks,
                             struct lq_diags *diags,
                             const struct lq_connection **used,
                             struct lq_broker **out)
{
    struct search search = {route, hooks, diags, NULL, NULL};
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < route->count; ++i) {
        route->ways[i].stop = hooks->stop;
        route->ways[i].stop_data = hooks->data;
    }
    status = lq_persist(route, hooks, diags, try_all, &search);
    *used = search.used;
    *out = search.broker;
    return status;
}

enum lq_status lq_route_go_on(const struct lq_route *route,
                              const struct lilyq_hooks *hooks,
                              const struct lq_said *said,
                              const struct lq_connection **used,
                              struct lq_broker **out)
{
    const size_t first = (size_t)(*used - route->ways) + 1;
    const struct lq_route rest = {.ways = route->ways + first,
                                  .count = route->count - first,
                                  .begun = route->begun};
    enum lq_status status = LQ_LOST;

    if (rest.count > 0 && has_time(route) && !stopped(hooks)) {
        status = lq_route_open(&rest, hooks, said->diags, used, out);
    }
    if (status == LQ_OK) {
        excuse_since(said->diags, &said->before);
    }
    return status;
}

/* A batch that only looks finds the same through any node. */
static enum lq_status run_anywhere(struct lq_lazy *lazy,
                                   const struct lq_batch *batch)
{
    const struct lq_said said = {lazy->diags, *lazy->diags};
    enum lq_status status = lazy->inner->run(lazy->inner, batch);

    while (status == LQ_LOST && !lazy->inner->refused && !lazy->wrote) {
        const struct lq_connection *used = lazy->used;
        struct lq_broker *inner = NULL;

        status = lq_route_go_on(lazy->route, lazy->hooks, &said, &used, &inner);
        if (status != LQ_OK) {
            return status;
        }
        lq_amqp_close(lazy->inner);
        lazy->inner = inner;
        lazy->used = used;
        status = inner->run(inner, batch);
    }
    return status;
}

static enum lq_status connect_and_run(struct lq_broker *broker,
                                      const struct lq_batch *batch)
{
    struct lq_lazy *const lazy = (struct lq_lazy *)broker;
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < batch->count; ++i) {
        batch->answers[i] = (struct lq_answer){.kind = LQ_UNSENT};
    }
    status = lq_lazy_connect(lazy);
    if (status == LQ_OK) {
        lazy->wrote = lazy->wrote || batch->writes;
        status = run_anywhere(lazy, batch);
        broker->refused = lazy->inner->refused;
    }
    return status;
}

void lq_lazy_init(struct lq_lazy *lazy, const struct lq_route *route,
                  const struct lilyq_hooks *hooks, struct lq_diags *diags)
{
    *lazy = (struct lq_lazy){
        .broker = {.run = connect_and_run},
        .route = route,
        .hooks = hooks,
        .diags = diags,
    };
}

enum lq_status lq_lazy_connect(struct lq_lazy *lazy)
{
    const struct lq_connection *used = NULL;
    enum lq_status status = LQ_OK;

    if (lazy->inner) {
        return LQ_OK;
    }
    status = lq_route_open(lazy->route, lazy->hooks, lazy->diags, &used,
                           &lazy->inner);
    if (status == LQ_OK) {
        lazy->used = used;
    }
    return status;
}

void lq_lazy_close(struct lq_lazy *lazy)
{
    if (lazy->used) {
        lq_amqp_close(lazy->inner);
    }
}
