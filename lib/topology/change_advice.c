#include "topology/change.h"

#define REFUSED                                                                \
    "apply ends with a conflict, exit status 4, and writes nothing: keep the " \
    "old value, or "

/* A queue that is there, but of which the plan changes something. */
static const char *advice_of_changed(enum lq_role role)
{
    switch (role) {
    case LQ_ROLE_MAIN:
        return REFUSED "stop its consumers, move its messages away, delete it "
                       "and apply";
    case LQ_ROLE_RETRY:
        return REFUSED "let it run empty within its delay, delete it and apply";
    case LQ_ROLE_DEAD_LETTER:
        break;
    }
    return REFUSED "save its dead letters, delete it and apply";
}

static const char *advice_of_orphaned_exchange(enum lq_role role)
{
    switch (role) {
    case LQ_ROLE_MAIN:
        return "it stays, and so do its bindings: what is published to it "
               "still reaches the queues bound to it; delete it once nothing "
               "publishes to it";
    case LQ_ROLE_RETRY:
        return "it stays, and so do its bindings: consumers of the old plan "
               "still hand retries to it; delete it once they are gone, unless "
               "another file has it";
    case LQ_ROLE_DEAD_LETTER:
        break;
    }
    return "it stays, and so do its bindings: queues declared with it still "
           "dead-letter to it; delete it once they are gone, unless another "
           "file has it";
}

static const char *advice_of_orphaned_queue(enum lq_role role)
{
    switch (role) {
    case LQ_ROLE_MAIN:
        return "it stays with its messages and its binding, and still fills; "
               "stop its publishers, let its consumers work until it and its "
               "buckets are empty, then delete it, before its buckets and DLQ";
    case LQ_ROLE_RETRY:
        return "it stays, and messages in it still return when their delay is "
               "over; delete it once it is empty and no consumer of the old "
               "plan runs";
    case LQ_ROLE_DEAD_LETTER:
        break;
    }
    return "it stays with its dead letters; last, once its main queue is "
           "deleted, which still sends it more, save what is needed and delete "
           "it";
}

const char *lq_change_advice(const struct lq_finding *finding)
{
    const bool exchange = finding->code == LQ_EXCHANGE_ORPHANED;

    if (exchange || finding->code == LQ_QUEUE_ORPHANED) {
        return exchange ? advice_of_orphaned_exchange(finding->role)
                        : advice_of_orphaned_queue(finding->role);
    }
    return advice_of_changed(finding->role);
}
