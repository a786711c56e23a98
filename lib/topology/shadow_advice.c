#include "topology/shadow.h"

#include "base/text.h"

/* By the role of the queue: main, bucket, DLQ. */
struct row {
    const char *key;
    const char *advice[3];
};

#define KEEP_OFF "keep the policy off the queue, or plan that value"

#define SAME(text)                                                             \
    {                                                                          \
        text, text, text                                                       \
    }

static const struct row rows[] = {
    {"message-ttl",
     {"messages that wait longer are dead-lettered unhandled: " KEEP_OFF,
      "retries come back sooner than planned: keep the policy off the queue",
      "dead letters are lost as they expire: keep the policy off the queue"}},
    {"expires",
     {"the queue is deleted with its messages once it has had no consumer for "
      "so long: keep the policy off the queue",
      "a bucket never has a consumer, so it is deleted with the retries that "
      "wait in it: keep the policy off the queue",
      "the queue is deleted with its dead letters once nobody has looked for "
      "so long: keep the policy off the queue"}},
    {"max-length", SAME("the queue is full sooner than planned: " KEEP_OFF)},
    {"max-length-bytes",
     SAME("the queue is full sooner than planned: " KEEP_OFF)},
    {"overflow",
     SAME("a full queue drops its oldest messages in place of refusing new "
          "ones, and at-least-once dead-lettering is off: keep the policy off "
          "the queue, or have it say reject-publish")},
    {"dead-letter-exchange",
     SAME("what is rejected or expires leaves the DLQ for that exchange: keep "
          "the policy off the queue")},
    {"dead-letter-routing-key", SAME("what leaves the DLQ does so with that "
                                     "key: keep the policy off the queue")},
    {"delivery-limit",
     {"a message that comes back so often is dead-lettered, whatever retries "
      "are left: keep the policy off the queue, or raise it",
      "a message that comes back so often leaves the bucket ahead of its "
      "delay: keep the policy off the queue, or raise it",
      "a dead letter that was looked at so often is dropped: keep the policy "
      "off the queue, or raise it"}},
    {"consumer-timeout",
     SAME("work within delivery_execution_timeout_millis may take longer, and "
          "is then delivered once more: raise the one or lower the other")},
    {"alternate-exchange",
     SAME("what no queue is bound for goes there, and its publisher is told "
          "that all is well: keep the policy off the exchange")},
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
