#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "command.h"
#include "lilyq.h"

#include <stddef.h>
#include <stdint.h>

/* A bar on a terminal's standard error for calls that take over a second. */
struct progress {
    const struct reporter *reporter;
    uint64_t start;   /* millis */
    unsigned percent; /* shown; 101: nothing yet */
};

/*
 * Watches a call that takes long: shows its progress, and stops it on a signal
 * that interrupt_catch() catches.
 */
struct watch {
    struct progress progress;
    const struct reporter *reporter;
    struct lilyq_hooks hooks;
};

/* `watch` must not move afterwards. */
void watch_begin(struct watch *watch, const struct invocation *invocation);

void watch_end(struct watch *watch);

/*
 * The exit code of a watched call that ended with `status`. Unless that is
 * LILYQ_OK, reports "nothing `done`", such as "nothing compared".
 */
enum exit_code watch_outcome(const struct invocation *invocation,
                             enum lilyq_status status, const char *done);

#endif
