#include "render/policies.h"

#include "base/buffer.h"
#include "render/plan.h"
#include "render/text.h"
#include "json/write.h"

#include <inttypes.h>
#include <stdio.h>

size_t lq_policy_set_count(const struct lq_policy_set *set)
{
    return set->is_native ? set->native.count : set->own.count;
}

const struct lq_own_policy *lq_policy_set_at(const struct lq_policy_set *set,
                                             size_t index)
{
    return set->is_native ? &set->native.list[index].policy
                          : &set->own.list[index];
}

/* The members that a policy has in a definitions file. */
static void write_policy(struct lq_json *json,
                         const struct lq_own_policy *policy, const char *vhost)
{
    lq_json_object_begin(json, NULL);
    lq_json_text(json, "vhost", vhost);
    lq_json_text(json, "name", policy->name);
    lq_json_own_policy(json, policy);
    lq_json_object_end(json);
}

void lq_json_policies(struct lq_json *json, const struct lq_policy_set *set)
{
    lq_json_lines_begin(json, "policies");
    for (size_t i = 0; i < lq_policy_set_count(set); ++i) {
        write_policy(json, lq_policy_set_at(set, i), set->vhost);
    }
    lq_json_lines_end(json);
}

static void write_attempt(struct lq_json *json,
                          const struct lq_native_retry *retry, size_t number)
{
    const struct lq_attempt *const attempt =
        &retry->logical->attempts[number - 1];

    lq_json_object_begin(json, NULL);
    lq_json_count(json, "attempt", number);
    lq_json_array_begin(json, "v2_millis");
    for (size_t i = 0; i < attempt->count; ++i) {
        lq_json_count(json, NULL, attempt->delays_millis[i]);
    }
    lq_json_array_end(json);
    lq_json_count(json, "native_millis",
                  lq_native_delay(retry->logical, number));
    lq_json_object_end(json);
}

/* What no policy can say: the arguments to declare the queue with. */
static void write_arguments(struct lq_json *json, const struct lq_entry *entry)
{
    lq_json_object_begin(json, "arguments");
    lq_json_text(json, "x-queue-type", "quorum");
    if (entry->single_active_consumer) {
        lq_json_bool(json, "x-single-active-consumer", true);
    }
    lq_json_object_end(json);
}

static void write_retry(struct lq_json *json,
                        const struct lq_native_retry *retry)
{
    const struct lq_logical *const logical = retry->logical;

    lq_json_object_begin(json, NULL);
    lq_json_text(json, "logical_queue", logical->entry->name);
    lq_json_text(json, "queue", retry->queue);
    write_arguments(json, logical->entry);
    lq_json_text(json, "exchange", logical->entry->exchange_name);
    lq_json_text(json, "routing_key", logical->entry->routing_key);
    lq_json_text(json, "policy", retry->policy.name);
    lq_json_array_begin(json, "attempts");
    for (size_t i = 1; i <= logical->attempt_count; ++i) {
        write_attempt(json, retry, i);
    }
    lq_json_array_end(json);
    lq_json_count(json, "v2_min_wait_millis", logical->min_wait_millis);
    lq_json_count(json, "v2_max_wait_millis", logical->max_wait_millis);
    lq_json_count(json, "native_wait_millis", lq_native_wait(logical));
    lq_json_object_end(json);
}

static void write_retries(struct lq_json *json,
                          const struct lq_native_retries *retries)
{
    lq_json_lines_begin(json, "native_retry");
    for (size_t i = 0; i < retries->count; ++i) {
        write_retry(json, &retries->list[i]);
    }
    lq_json_lines_end(json);
}

enum lq_status lq_policies_json_render(const struct lq_policy_set *set,
                                       const struct lilyq_sink *sink)
{
    struct lq_json json;

    lq_json_begin(&json, sink);
    lq_json_text(&json, "format", "lilyq-policies");
    lq_json_count(&json, "format_version", 1);
    lq_json_text(&json, "topology_version", "v2");
    lq_json_policies(&json, set);
    if (set->is_native) {
        write_retries(&json, &set->native);
    }
    return lq_json_end(&json);
}

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

    lq_arena_init(&arena);
    lq_buffer_init(&buffer, &arena);
    lq_json_quote(&buffer, text);
    if (arena.failed) {
        lq_writer_fail(writer, LQ_NOMEM);
    }
    lq_shell_inner(writer, lq_buffer_text(&buffer));
    lq_arena_free(&arena);
}

static void shell_value(struct lq_writer *writer, const struct lq_argument *key)
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
        shell_value(writer, &policy->keys[i]);
    }
    lq_write_text(writer, "}'\n");
}

static void shell_policy(struct lq_writer *writer,
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
        shell_policy(&writer, lq_policy_set_at(set, i), set->vhost);
    }
    if (set->is_native && set->native.count > 0) {
        lq_write_text(&writer, "\n");
        lq_write_native_terms(&writer, "# ");
    }
    return lq_writer_end(&writer);
}

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
