#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "command.h"
#include "lilyq.h"

#include <stddef.h>
#include <stdint.h>

/* A bar on standard error for what takes over a second, on terminals. */
struct progress {
    const struct reporter *reporter;
    uint64_t start;   /* millis */
    unsigned percent; /* shown; 101: nothing yet */
};

/*
 * Watches over what takes long: shows how far it is, and lets it be stopped by
 * what interrupt_catch() catches.
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
 * What a look that ended so exits with. Says "nothing `done`", with "compared"
 * for one, unless it is LILYQ_OK.
 */
enum exit_code watch_outcome(const struct invocation *invocation,
                             enum lilyq_status status, const char *done);

#endif
