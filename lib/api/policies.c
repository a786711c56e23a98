#include "api/session.h"

#include "compare/policies.h"
#include "render/plan.h"
#include "render/policies.h"

/* What a policy's message-ttl may be, as x-message-ttl of v2. */
#define RETENTION_MAX_SECONDS 4294967U

enum lq_status
lq_session_policy_wants(const struct lilyq_policy_options *options,
                        struct lq_diags *diags, struct lq_policy_wants *out)
{
    *out = (struct lq_policy_wants){
        .name = options->name,
        .priority = options->priority,
        .dlq_delivery_limit = options->dlq_delivery_limit,
        .dlq_retention_millis =
            (uint64_t)options->dlq_retention_seconds * 1000};
    if (options->dlq_retention_seconds > RETENTION_MAX_SECONDS) {
        return lq_error(diags, NULL,
                        "DLQs cannot keep messages for %u s: %u s are the most",
                        options->dlq_retention_seconds, RETENTION_MAX_SECONDS);
    }
    return lq_session_version(options->broker_version, diags, &out->broker);
}

static enum lq_status build(struct lilyq *run, const char *vhost,
                            const struct lilyq_policy_options *options,
                            struct lq_policy_set *out)
{
    struct lq_policy_wants wants;
    enum lq_status status =
        lq_session_policy_wants(options, &run->diags, &wants);

    *out = (struct lq_policy_set){.is_native = options->native_retry};
    if (status == LQ_OK) {
        status = lq_session_vhost(vhost, &run->diags, &out->vhost);
    }
    if (status != LQ_OK) {
        return status;
    }
    return options->native_retry
               ? lq_native_retries_build(run->topology, &wants, &run->diags,
                                         &out->native)
               : lq_own_policies_build(run->topology, &wants, &run->diags,
                                       &out->own);
}

enum lq_status
lq_session_own_policies(const struct lq_topology *plan, const char *version,
                        const struct lilyq_policy_options *options,
                        struct lq_diags *diags,
                        const struct lq_own_policies **out)
{
    struct lilyq_policy_options learnt = {.name = NULL};
    struct lq_own_policies *found = NULL;
    struct lq_policy_wants wants;
    enum lq_status status = LQ_OK;

    *out = NULL;
    if (!options) {
        return LQ_OK;
    }
    if (options->native_retry) {
        return lq_error(diags, NULL, "native retry cannot be combined with v2");
    }
    learnt = *options;
    learnt.broker_version = NULL;
    found = lq_alloc(diags->arena, sizeof(*found));
    status = found ? lq_session_policy_wants(&learnt, diags, &wants) : LQ_NOMEM;
    if (status != LQ_OK) {
        return status;
    }
    wants.broker = lq_own_policy_version(version);
    *out = found;
    return lq_own_policies_build(plan, &wants, diags, found);
}

static enum lq_status find(struct lilyq *run, const char *vhost,
                           const struct lilyq_policy_options *options,
                           struct lq_policy_set *out)
{
    static const struct lilyq_policy_options no_options;

    if (!run->topology) {
        return lq_error(&run->diags, NULL, "there is no plan to render");
    }
    return build(run, vhost, options ? options : &no_options, out);
}

static enum lq_status render(struct lilyq *run,
                             enum lilyq_policies_format format,
                             const struct lq_policy_set *set,
                             const struct lilyq_sink *sink)
{
    switch (format) {
    case LILYQ_POLICIES_JSON:
        return lq_policies_json_render(set, sink);
    case LILYQ_POLICIES_RABBITMQCTL:
        return lq_policies_shell_render(set, sink);
    case LILYQ_POLICIES_TEXT:
        return lq_policies_text_render(set, sink);
    }
    return lq_error(&run->diags, NULL, "no format of policies has number %d",
                    (int)format);
}

enum lilyq_status lilyq_render_policies(
    struct lilyq *run, enum lilyq_policies_format format, const char *vhost,
    const struct lilyq_policy_options *options, const struct lilyq_sink *sink)
{
    const size_t first = run->diags.items.count;
    struct lq_policy_set set;
    enum lq_status status = find(run, vhost, options, &set);

    if (status == LQ_OK) {
        status = render(run, format, &set, lq_session_sink(run, sink));
    }
    return lq_session_end(run, first, status);
}

enum lilyq_status
lilyq_render_definitions(struct lilyq *run, const char *vhost,
                         const struct lilyq_policy_options *options,
                         const struct lilyq_sink *sink)
{
    const size_t first = run->diags.items.count;
    struct lq_policy_set set = {.vhost = NULL};
    enum lq_status status = find(run, vhost, options, &set);

    if (status == LQ_OK && set.is_native) {
        status =
            lq_error(&run->diags, NULL,
                     "native retry cannot be combined with v2 definitions");
    }
    if (status == LQ_OK) {
        status = lq_definitions_render(run->topology, set.vhost, &set,
                                       lq_session_sink(run, sink));
    }
    return lq_session_end(run, first, status);
}
