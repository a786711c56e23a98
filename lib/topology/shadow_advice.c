#include "topology/shadow.h"

#include "base/text.h"

/* What a key does to a queue, and the same with what to do about it. */
struct words {
    const char *effect;
    const char *advice;
};

/* By the role of the queue: main, bucket, DLQ. */
struct row {
    const char *key;
    bool removes; /* a row for when it does; behind the other one of its key */
    struct words words[3];
};

#define WORDS(effect, remedy)                                                  \
    {                                                                          \
        effect, effect ": " remedy                                             \
    }

#define SAME(effect, remedy)                                                   \
    {                                                                          \
        WORDS(effect, remedy), WORDS(effect, remedy), WORDS(effect, remedy)    \
    }

#define KEEP_OFF "keep the policy off the queue"
#define KEEP_OFF_OR_PLAN KEEP_OFF ", or plan that value"
#define KEEP_OFF_OR_RAISE KEEP_OFF ", or raise it"
#define KEEP_OFF_OR_REFUSE KEEP_OFF ", or have it say reject-publish"

#define DROPS                                                                  \
    {                                                                          \
        WORDS("the broker drops the oldest messages above that bound, which "  \
              "become dead letters untried",                                   \
              KEEP_OFF_OR_REFUSE),                                             \
            WORDS("the broker drops the oldest messages above that bound, "    \
                  "which return at once",                                      \
                  KEEP_OFF_OR_REFUSE),                                         \
            WORDS("the broker deletes the oldest dead letters above that "     \
                  "bound",                                                     \
                  KEEP_OFF_OR_REFUSE)                                          \
    }

static const struct row rows[] = {
    {"message-ttl",
     false,
     {WORDS("messages that wait longer are dead-lettered unhandled, and a "
            "classic queue deletes those that the DLQ has no room for",
            KEEP_OFF_OR_PLAN),
      WORDS("retries come back sooner than planned, and a classic bucket "
            "deletes those that the main queue has no room for",
            KEEP_OFF),
      WORDS("the broker deletes dead letters that wait longer", KEEP_OFF)}},
    {"expires",
     false,
     {WORDS("the broker deletes the queue with its messages once it has had no "
            "consumer for so long",
            KEEP_OFF),
      WORDS("a bucket never has a consumer, so the broker deletes it with the "
            "retries that wait in it",
            KEEP_OFF),
      WORDS("the broker deletes the queue with its dead letters once nobody "
            "has looked for so long",
            KEEP_OFF)}},
    {"max-length", false,
     SAME("the queue is full sooner than planned", KEEP_OFF_OR_PLAN)},
    {"max-length", true, DROPS},
    {"max-length-bytes", false,
     SAME("the queue is full sooner than planned", KEEP_OFF_OR_PLAN)},
    {"max-length-bytes", true, DROPS},
    {"overflow",
     false,
     {WORDS("a full queue drops its oldest messages, which become dead letters "
            "untried, in place of refusing new ones, and at-least-once "
            "dead-lettering is off",
            KEEP_OFF_OR_REFUSE),
      WORDS("a full bucket drops its oldest messages, which return at once, in "
            "place of refusing new ones, and at-least-once dead-lettering is "
            "off",
            KEEP_OFF_OR_REFUSE),
      WORDS("a full DLQ deletes its oldest dead letters in place of refusing "
            "new ones",
            KEEP_OFF_OR_REFUSE)}},
    {"dead-letter-exchange", false,
     SAME("what is rejected or expires leaves the DLQ for that exchange",
          KEEP_OFF)},
    {"dead-letter-routing-key", false,
     SAME("what leaves the DLQ does so with that key", KEEP_OFF)},
    {"delivery-limit",
     false,
     {WORDS("a message that comes back so often is dead-lettered, whatever "
            "retries are left",
            KEEP_OFF_OR_RAISE),
      WORDS("a message that comes back so often leaves the bucket ahead of its "
            "delay",
            KEEP_OFF_OR_RAISE),
      WORDS("the broker deletes a dead letter that was looked at so often",
            KEEP_OFF_OR_RAISE)}},
    {"consumer-timeout", false,
     SAME("work within delivery_execution_timeout_millis may take longer, and "
          "is then delivered once more",
          "raise the one or lower the other")},
    {"alternate-exchange", false,
     SAME("what no queue is bound for goes there, and its publisher is told "
          "that all is well",
          "keep the policy off the exchange")},
};

static const struct words *words_of(const struct lq_finding *finding)
{
    static const struct words other = WORDS("it is not as planned", KEEP_OFF);
    const struct words *found = &other;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        if (finding->field && lq_str_equal(rows[i].key, finding->field) &&
            (finding->removes || !rows[i].removes)) {
            found = &rows[i].words[finding->role];
        }
    }
    return found;
}

const char *lq_shadow_effect(const struct lq_finding *finding)
{
    return words_of(finding)->effect;
}

const char *lq_shadow_advice(const struct lq_finding *finding)
{
    return words_of(finding)->advice;
}
