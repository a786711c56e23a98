#include "topology/differ.h"

#include "base/text.h"
#include "topology/equivalence.h"

/* A queue without the argument has a type all the same. */
static enum lq_status compare_unset(const struct lq_differ *differ,
                                    const struct lq_argument *planned,
                                    const struct lq_live_queue *actual)
{
    const enum lq_finding_code code = LQ_QUEUE_ARGUMENT_DIFFERENT;
    struct lq_side_value wanted = lq_no_value;

    if (lq_str_equal(planned->key, "x-queue-type")) {
        return lq_differ_compare_text(differ, code, planned->key, planned->text,
                                      actual->type);
    }
    wanted = lq_planned_value(planned, differ->arena);
    return wanted.text ? lq_differ_add_field(differ, code, planned->key,
                                             &wanted, &lq_no_value)
                       : LQ_NOMEM;
}

static enum lq_status compare_argument(const struct lq_differ *differ,
                                       const struct lq_argument *planned,
                                       const struct lq_live_queue *actual)
{
    const struct lq_live_argument *const value =
        lq_live_argument(&actual->arguments, planned->key);
    struct lq_side_value wanted = lq_no_value;
    struct lq_side_value found = lq_no_value;

    if (!value) {
        return compare_unset(differ, planned, actual);
    }
    if (lq_is_same_value(planned, value)) {
        return LQ_OK;
    }
    wanted = lq_planned_value(planned, differ->arena);
    found = lq_actual_value(value);
    return wanted.text
               ? lq_differ_add_field(differ, LQ_QUEUE_ARGUMENT_DIFFERENT,
                                     planned->key, &wanted, &found)
               : LQ_NOMEM;
}

static bool is_planned(const struct lq_queue *queue, const char *key)
{
    for (size_t i = 0; i < queue->argument_count; ++i) {
        if (lq_str_equal(queue->arguments[i].key, key)) {
            return true;
        }
    }
    return false;
}

static enum lq_status find_extra(const struct lq_differ *differ,
                                 const struct lq_queue *planned,
                                 const struct lq_live_queue *actual)
{
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < actual->arguments.count && status == LQ_OK; ++i) {
        const struct lq_live_argument *const argument =
            &actual->arguments.items[i];

        if (!is_planned(planned, argument->key)) {
            status = lq_differ_add_extra(
                differ,
                lq_is_compared(differ->live, actual, argument->key)
                    ? LQ_QUEUE_ARGUMENT_DIFFERENT
                    : LQ_QUEUE_ARGUMENT_EXTRA,
                argument);
        }
    }
    return status;
}

static enum lq_status compare_arguments(const struct lq_differ *differ,
                                        const struct lq_queue *planned,
                                        const struct lq_live_queue *actual)
{
    enum lq_status status = LQ_OK;

    if (!actual->arguments.known) {
        return lq_differ_add_field(differ, LQ_PROPERTY_NOT_SEEN, "arguments",
                                   &lq_no_value, &lq_no_value);
    }
    for (size_t i = 0; i < planned->argument_count && status == LQ_OK; ++i) {
        status = compare_argument(differ, &planned->arguments[i], actual);
    }
    return status == LQ_OK ? find_extra(differ, planned, actual) : status;
}

static enum lq_status compare_queue(const struct lq_differ *differ,
                                    const struct lq_queue *planned,
                                    const struct lq_live_queue *actual)
{
    const enum lq_finding_code code = LQ_QUEUE_PROPERTY_DIFFERENT;

    if (lq_differ_compare_flag(differ, code, "durable", planned->durable,
                               actual->durable) != LQ_OK ||
        lq_differ_compare_flag(differ, code, "auto_delete",
                               planned->auto_delete,
                               actual->auto_delete) != LQ_OK ||
        lq_differ_compare_flag(differ, code, "exclusive", false,
                               actual->exclusive) != LQ_OK) {
        return LQ_NOMEM;
    }
    return compare_arguments(differ, planned, actual);
}

enum lq_status lq_differ_check_queue(struct lq_differ *differ,
                                     const struct lq_queue *queue)
{
    const struct lq_live_queue *const actual =
        lq_live_queue(differ->live, queue->name);
    const bool external = lq_owner(queue->logical) == LQ_EXTERNAL;

    differ->about = (struct lq_finding){.resource = LQ_QUEUE,
                                        .name = queue->name,
                                        .logical = queue->logical,
                                        .role = queue->role};
    if (actual) {
        return external ? LQ_OK : compare_queue(differ, queue, actual);
    }
    if (!lq_live_has(differ->live, LQ_LIVE_HAS_QUEUES)) {
        return lq_differ_add(differ, LQ_QUEUE_NOT_SEEN);
    }
    return lq_differ_add(differ, external ? LQ_EXTERNAL_QUEUE_MISSING
                                          : LQ_QUEUE_MISSING);
}
