#include "format/escape.h"
#include "format/policies.h"

#include <inttypes.h>
#include <stdio.h>

static void write_value(struct lq_writer *writer, const struct lq_argument *key)
{
    char digits[24];

    (void)snprintf(digits, sizeof(digits), "%" PRId64, key->number);
    lq_write_texts(writer, "  ", key->key, " = ", NULL);
    lq_write_shown(writer, key->type == LQ_LONGSTR ? key->text : digits);
    lq_write_text(writer, "\n");
}

static void write_head(struct lq_writer *writer,
                       const struct lq_own_policy *policy)
{
    lq_write_shown(writer, policy->name);
    lq_write_text(writer, " (priority ");
    lq_write_number(writer, policy->priority);
    lq_write_texts(writer, "): ", lq_policy_purpose(policy->kind), "\n", NULL);
    for (size_t i = 0; i < policy->key_count; ++i) {
        write_value(writer, &policy->keys[i]);
    }
    lq_write_text(writer, "  pattern ");
    lq_write_shown(writer, policy->pattern);
    lq_write_text(writer, "\n");
}

static void write_queues(struct lq_writer *writer,
                         const struct lq_own_policy *policy)
{
    lq_write_text(writer, "  for ");
    lq_write_number(writer, policy->queue_count);
    lq_write_text(writer,
                  policy->queue_count == 1 ? " queue:\n" : " queues:\n");
    for (size_t i = 0; i < policy->queue_count; ++i) {
        lq_write_text(writer, "    ");
        lq_write_shown(writer, policy->queues[i]->name);
        lq_write_text(writer, "\n");
    }
}

enum lq_status lq_policies_text_render(const struct lq_policy_set *set,
                                       const struct lilyq_sink *sink)
{
    struct lq_writer writer;

    lq_writer_init(&writer, sink);
    for (size_t i = 0; i < lq_policy_set_count(set); ++i) {
        const struct lq_own_policy *const policy = lq_policy_set_at(set, i);

        lq_write_text(&writer, i > 0 ? "\n" : "");
        write_head(&writer, policy);
        if (set->is_native) {
            lq_write_native_retry(&writer, &set->native.list[i], "  ");
        } else {
            write_queues(&writer, policy);
        }
    }
    if (set->is_native && set->native.count > 0) {
        lq_write_text(&writer, "\n");
        lq_write_native_terms(&writer, "");
    }
    return lq_writer_end(&writer);
}
