#include "topology/shadow.h"

#include "base/text.h"

/* By the role of the queue: main, bucket, DLQ. */
struct row {
    const char *key;
    const char *advice[3];
};

#define KEEP_OUT "keep the queue out of it, or plan that value"

#define SAME(text)                                                             \
    {                                                                          \
        text, text, text                                                       \
    }

static const struct row rows[] = {
    {"message-ttl",
     {"messages that wait longer are dead-lettered unhandled: " KEEP_OUT,
      "retries come back sooner than planned: keep the queue out of it",
      "dead letters are lost as they expire: keep the queue out of it"}},
    {"expires",
     {"the queue is deleted with its messages once it has had no consumer for "
      "so long: keep the queue out of it",
      "a bucket never has a consumer, so it is deleted with the retries that "
      "wait in it: keep the queue out of it",
      "the queue is deleted with its dead letters once nobody has looked for "
      "so long: keep the queue out of it"}},
    {"max-length", SAME("the queue is full sooner than planned: " KEEP_OUT)},
    {"max-length-bytes",
     SAME("the queue is full sooner than planned: " KEEP_OUT)},
    {"overflow",
     SAME("a full queue drops its oldest messages in place of refusing new "
          "ones, and at-least-once dead-lettering is off: keep the queue out "
          "of it, or have it say reject-publish")},
    {"dead-letter-exchange",
     SAME("what is rejected or expires leaves the DLQ for that exchange: keep "
          "the queue out of it")},
    {"dead-letter-routing-key",
     SAME("what leaves the DLQ does so with that key: keep the queue out of "
          "it")},
    {"delivery-limit",
     {"a message that comes back so often is dead-lettered, whatever retries "
      "are left: keep the queue out of it, or raise it",
      "a message that comes back so often leaves the bucket ahead of its "
      "delay: keep the queue out of it, or raise it",
      "a dead letter that was looked at so often is dropped: keep the queue "
      "out of it, or raise it"}},
    {"consumer-timeout",
     SAME("work within delivery_execution_timeout_millis may take longer, and "
          "is then delivered once more: raise the one or lower the other")},
    {"alternate-exchange",
     SAME("what no queue is bound for goes there, and its publisher is told "
          "that all is well: keep the exchange out of it")},
};

const char *lq_shadow_advice(const struct lq_finding *finding)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        if (finding->field && lq_str_equal(rows[i].key, finding->field)) {
            return rows[i].advice[finding->role];
        }
    }
    return "it is not as planned: keep it out of the policy";
}
