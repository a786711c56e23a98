#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "report.h"

#include <stddef.h>
#include <stdint.h>

/* A bar on standard error for what takes over a second, on terminals. */
struct progress {
    const struct reporter *reporter;
    uint64_t start;   /* millis */
    unsigned percent; /* shown; 101: nothing yet */
};

void progress_begin(struct progress *progress, const struct reporter *reporter);

void progress_step(struct progress *progress, size_t done, size_t total);

/* Takes the bar away. */
void progress_end(struct progress *progress);

#endif
