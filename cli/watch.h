#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include "command.h"
#include "lilyq.h"
#include "progress.h"

/* Watches over what takes long: shows how far it is, and lets it be stopped. */
struct watch {
    struct progress progress;
    const struct reporter *reporter;
    struct lilyq_hooks hooks;
};

/* Begins to catch interrupts too. `watch` must not move afterwards. */
void watch_begin(struct watch *watch, const struct invocation *invocation);

void watch_end(struct watch *watch);

#endif
