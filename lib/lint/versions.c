/* What a version of the broker lacks. */
#include "lint/run.h"

static void check_quorum(struct lq_lint_run *run,
                         const struct lq_logical *logical)
{
    if (lq_lint_is_quorum(logical) && logical->bucket_count > 0) {
        lq_lint_found(run, LQ_LINT_QUORUM_TTL_VERSION,
                      (struct lq_lint_spot){logical, LQ_QUEUE_TYPE},
                      "the %zu buckets are quorum queues with a message TTL, "
                      "which RabbitMQ has from 3.10 on",
                      logical->bucket_count);
    }
}

/* The versions that the findings were shown on lie between 3.10 and 4.3. */
static bool is_shown(struct lq_version version)
{
    return lq_version_is_from(version, 3, 10) &&
           lq_version_is_before(version, 4, 4);
}

void lq_lint_versions(struct lq_lint_run *run)
{
    const struct lq_version version = run->settings->version;

    if (!version.known || run->topology->logical_count == 0) {
        return;
    }
    for (size_t i = 0; i < run->topology->logical_count; ++i) {
        check_quorum(run, &run->topology->logicals[i]);
    }
    if (!is_shown(version)) {
        lq_lint_found_at(run, LQ_LINT_VERSION_NOT_SHOWN, NULL,
                         "what is said here was shown on RabbitMQ 3.10, 4.0 "
                         "and 4.3, and may not be so on %u.%u",
                         version.major, version.minor);
    }
}
