#ifndef LQ_RENDER_POLICIES_H
#define LQ_RENDER_POLICIES_H

#include "lilyq.h"
#include "policy/native_retry.h"
#include "json/write.h"

/*
 * Policies of one kind or the other in a virtual host: those for v2 queues, or
 * with `is_native` those for queues beside them.
 */
struct lq_policy_set {
    const char *vhost; /* UTF-8 */
    bool is_native;
    struct lq_own_policies own;
    struct lq_native_retries native;
};

size_t lq_policy_set_count(const struct lq_policy_set *set);
const struct lq_own_policy *lq_policy_set_at(const struct lq_policy_set *set,
                                             size_t index);

/* What the policies of a kind do, in a few words; a constant. */
const char *lq_policy_purpose(enum lq_policy_kind kind);

/*
 * The lilyq-policies document, format_version 1
 * (man/lilyq-policies.schema.json). It is a definitions file as well. LQ_OK,
 * LQ_IO (the sink refused) or LQ_NOMEM; so the others.
 */
enum lq_status lq_policies_json_render(const struct lq_policy_set *set,
                                       const struct lilyq_sink *sink) LQ_CHECK;

/* The member "policies" of a definitions file. */
void lq_json_policies(struct lq_json *json, const struct lq_policy_set *set);

/* A rabbitmqctl command for each policy, to be run by a POSIX shell. */
enum lq_status lq_policies_shell_render(const struct lq_policy_set *set,
                                        const struct lilyq_sink *sink) LQ_CHECK;

/* What each policy holds and which queues it is for, for people. */
enum lq_status lq_policies_text_render(const struct lq_policy_set *set,
                                       const struct lilyq_sink *sink) LQ_CHECK;

/*
 * The retries of both ways, attempt by attempt, and what the broker's way
 * lacks and has; each line begins with `margin`.
 */
void lq_write_native_retry(struct lq_writer *writer,
                           const struct lq_native_retry *retry,
                           const char *margin);
void lq_write_native_terms(struct lq_writer *writer, const char *margin);

#endif
