#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include "command.h"
#include "lilyq.h"
#include "progress.h"

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
