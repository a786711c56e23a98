#include "format/policies.h"
#include "format/shell.h"
#include "json/write.h"

#include <inttypes.h>
#include <stdio.h>

const char *lq_policy_purpose(enum lq_policy_kind kind)
{
    static const char *const purposes[] = {
        [LQ_POLICY_AT_LEAST_ONCE] =
            "keeps a message until its dead-letter target has it",
        [LQ_POLICY_DLQ] = "says when quorum DLQs drop a message, if ever",
        [LQ_POLICY_DLQ_CLASSIC] = "says when classic DLQs drop a message",
        [LQ_POLICY_NATIVE_RETRY] = "retries by the broker itself"};

    return purposes[kind];
}

/* A text as JSON has it, where a single-quoted word is open. */
static void write_text(struct lq_writer *writer, const char *text)
{
    struct lq_arena arena;
    struct lq_buffer buffer;
    const char *json = NULL;

    lq_arena_init(&arena);
    lq_buffer_init(&buffer, &arena);
    lq_json_quote(&buffer, text);
    json = lq_buffer_text(&buffer);
    if (json) {
        lq_shell_inner(writer, json);
    } else {
        lq_writer_fail(writer, LQ_NOMEM);
    }
    lq_arena_free(&arena);
}

static void write_value(struct lq_writer *writer, const struct lq_argument *key)
{
    char digits[24];

    if (key->type == LQ_LONGSTR) {
        write_text(writer, key->text);
        return;
    }
    (void)snprintf(digits, sizeof(digits), "%" PRId64, key->number);
    lq_write_text(writer, digits);
}

static void write_definition(struct lq_writer *writer,
                             const struct lq_own_policy *policy)
{
    lq_write_text(writer, "'{");
    for (size_t i = 0; i < policy->key_count; ++i) {
        lq_write_texts(writer, i > 0 ? ", \"" : "\"", policy->keys[i].key,
                       "\": ", NULL);
        write_value(writer, &policy->keys[i]);
    }
    lq_write_text(writer, "}'\n");
}

static void write_policy(struct lq_writer *writer,
                         const struct lq_own_policy *policy, const char *vhost)
{
    lq_write_text(writer, "rabbitmqctl set_policy ");
    lq_shell_vhost(writer, vhost);
    lq_write_text(writer, " --apply-to queues --priority ");
    lq_write_number(writer, policy->priority);
    lq_write_text(writer, " \\\n    ");
    lq_shell_word(writer, policy->name);
    lq_write_text(writer, " \\\n    ");
    lq_shell_word(writer, policy->pattern);
    lq_write_text(writer, " \\\n    ");
    write_definition(writer, policy);
}

/* Comments are lines of their own: names have no line breaks. */
static void write_comments(struct lq_writer *writer,
                           const struct lq_policy_set *set, size_t index)
{
    const struct lq_own_policy *const policy = lq_policy_set_at(set, index);

    if (set->is_native) {
        lq_write_native_retry(writer, &set->native.list[index], "# ");
        return;
    }
    lq_write_texts(writer, "# ", lq_policy_purpose(policy->kind), "\n", NULL);
}

enum lq_status lq_policies_shell_render(const struct lq_policy_set *set,
                                        const struct lilyq_sink *sink)
{
    struct lq_writer writer;

    lq_writer_init(&writer, sink);
    for (size_t i = 0; i < lq_policy_set_count(set); ++i) {
        lq_write_text(&writer, i > 0 ? "\n" : "");
        write_comments(&writer, set, i);
        write_policy(&writer, lq_policy_set_at(set, i), set->vhost);
    }
    if (set->is_native && set->native.count > 0) {
        lq_write_text(&writer, "\n");
        lq_write_native_terms(&writer, "# ");
    }
    return lq_writer_end(&writer);
}
