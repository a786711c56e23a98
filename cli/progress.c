#include "progress.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>

#define PATIENCE_MILLIS 1000
#define BAR_WIDTH 40U
#define NOTHING_SHOWN 101U

void progress_begin(struct progress *progress, const struct reporter *reporter)
{
    *progress = (struct progress){reporter, lq_now_millis(), NOTHING_SHOWN};
}

void progress_step(struct progress *progress, size_t done, size_t total)
{
    const unsigned percent = total ? (unsigned)(done * 100 / total) : 100;
    char bar[BAR_WIDTH + 1] = {0};
    char line[BAR_WIDTH + 64];

    if (percent == progress->percent ||
        lq_now_millis() - progress->start < PATIENCE_MILLIS) {
        return;
    }
    memset(bar, '-', BAR_WIDTH);
    memset(bar, '#', (size_t)percent * BAR_WIDTH / 100);
    (void)snprintf(line, sizeof(line), "[%s] %3u %% of %zu", bar, percent,
                   total);
    report_transient(progress->reporter, line);
    progress->percent = percent;
}

void progress_end(struct progress *progress)
{
    if (progress->percent != NOTHING_SHOWN) {
        report_transient(progress->reporter, "");
    }
}
