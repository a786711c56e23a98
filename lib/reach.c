#include "reach.h"

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

/* One try, within what is left of the run's time. */
static enum lq_status try_once(const struct lq_connection *connection,
                               uint64_t spent, struct lq_diags *diags,
                               struct lq_broker **out)
{
    struct lq_connection left = *connection;

    if (connection->timeout_millis) {
        left.timeout_millis = spent < connection->timeout_millis
                                  ? connection->timeout_millis - (unsigned)spent
                                  : 1;
        left.connect_timeout_millis =
            (unsigned)least(left.connect_timeout_millis, left.timeout_millis);
    }
    return lq_amqp_open(&left, diags, out);
}

static void forget_since(struct lq_diags *diags, const struct lq_diags *before)
{
    struct lq_diag *const items = diags->items.items;

    for (size_t i = before->items.count; i < diags->items.count; ++i) {
        items[i] = (struct lq_diag){0}; /* a push expects zeroes */
    }
    diags->items.count = before->items.count;
    diags->error_count = before->error_count;
}

static bool has_time(const struct lq_connection *connection, uint64_t spent)
{
    return !connection->timeout_millis || spent < connection->timeout_millis;
}

enum lq_status lq_reach(const struct lq_connection *connection,
                        unsigned wait_millis, const struct lilyq_hooks *hooks,
                        struct lq_diags *diags, struct lq_broker **out)
{
    const struct lq_diags before = *diags;
    const uint64_t start = lq_now_millis();
    const uint64_t limit = connection->timeout_millis
                               ? least(wait_millis, connection->timeout_millis)
                               : wait_millis;
    uint64_t pause = FIRST_PAUSE_MILLIS;
    enum lq_status status = try_once(connection, 0, diags, out);

    while (status == LQ_LOST && lq_now_millis() - start < limit &&
           !stopped(hooks)) {
        sleep_until(least(lq_now_millis() + pause, start + limit), hooks);
        if (!has_time(connection, lq_now_millis() - start)) {
            return status; /* a try in no time would only hide the reason */
        }
        pause = least(pause * 2, LONGEST_PAUSE_MILLIS);
        forget_since(diags, &before);
        status = try_once(connection, lq_now_millis() - start, diags, out);
    }
    return status;
}
