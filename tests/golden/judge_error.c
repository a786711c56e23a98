#include "judge.h"

#include "base/text.h"

#include <string.h>

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* How our messages name what the framework calls so. */
static const char *our_words(const char *field)
{
    static const char *const words[][2] = {
        {"retry_backoff", "retry_backoff_millis'"},
        {"retry_exchange_name", "the retry exchange"},
        {"retry_bucket.queue_name", "the retry bucket"},
        {"dead_letter_queue_name", "the dead-letter queue"},
    };

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); ++i) {
        if (strcmp(words[i][0], field) == 0) {
            return words[i][1];
        }
    }
    return field;
}

/* What a message has to say besides the field, by the kind of the error. */
static const char *kind_words(const char *kind)
{
    static const char *const words[][2] = {
        {"DuplicateQueueName", "already defined"},
        {"ExternalDestinationRequired", "is required when"},
        {"MissingRetention", "'retention"},
        {"InvalidRetention", "'retention."},
        {"InvalidDerivedIdentity", "is too long"},
        {"RetryBucketLimitExceeded", "over the limit of 32"},
        {"TopologyRetryBucketLimitExceeded", "over the limit of 4096"},
        {"ExchangeContractConflict", "cannot be"},
        {"PhysicalQueueNameCollision", "has the name of"},
    };

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); ++i) {
        if (strcmp(words[i][0], kind) == 0) {
            return words[i][1];
        }
    }
    return "must";
}

static const char *queue_label(struct lq_arena *arena, const json_t *error)
{
    const json_t *const queue = json_object_get(error, "queue");
    const char *const field = text_of(error, "field");

    if (!queue || (field && strcmp(field, "name") == 0)) {
        return "";
    }
    return lq_format(arena, "[queue:%s]",
                     lq_printable(arena, json_string_value(queue),
                                  json_string_length(queue)));
}

const char *judge_error(struct lq_arena *arena, const struct lq_diags *diags,
                        const json_t *error)
{
    const json_t *const count = json_object_get(error, "count");
    const char *const field = text_of(error, "field");
    const char *const name = text_of(error, "name");
    const char *const wanted[] = {
        queue_label(arena, error),
        kind_words(text_of(error, "kind")),
        field ? our_words(field) : "",
        name ? lq_format(arena, "'%s'", name) : "",
        count ? lq_format(arena, " %" JSON_INTEGER_FORMAT " ",
                          json_integer_value(count))
              : "",
    };

    for (size_t i = 0; i < diags->items.count; ++i) {
        const char *const text = lq_diags_at(diags, i)->text;
        size_t found = 0;

        for (size_t j = 0; j < sizeof(wanted) / sizeof(wanted[0]); ++j) {
            found += strstr(text, wanted[j]) != NULL;
        }
        if (found == sizeof(wanted) / sizeof(wanted[0])) {
            return NULL;
        }
    }
    return lq_format(arena, "no problem says %s %s %s %s %s", wanted[0],
                     wanted[1], wanted[2], wanted[3], wanted[4]);
}
