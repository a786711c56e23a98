#include "progress.h"

#include "base/clock.h"
#include "interrupt.h"

#include <stdio.h>
#include <string.h>

#define PATIENCE_MILLIS 1000
#define BAR_WIDTH 40U
#define NOTHING_SHOWN 101U

static void progress_begin(struct progress *progress,
                           const struct reporter *reporter)
{
    *progress = (struct progress){reporter, lq_now_millis(), NOTHING_SHOWN};
}

static void progress_step(struct progress *progress, size_t done, size_t total)
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

static void progress_end(struct progress *progress)
{
    if (progress->percent != NOTHING_SHOWN) {
        report_transient(progress->reporter, "");
    }
}

static void show_progress(void *data, size_t done, size_t total)
{
    struct watch *const watch = data;

    progress_step(&watch->progress, done, total);
}

static void show_notice(void *data, const char *text)
{
    struct watch *const watch = data;

    progress_end(&watch->progress);
    report_warning(watch->reporter, "%s", text);
}

static bool is_stopped(void *data)
{
    (void)data;
    return interrupt_came();
}

void watch_begin(struct watch *watch, const struct invocation *invocation)
{
    *watch = (struct watch){
        .reporter = &invocation->reporter,
        .hooks = {.progress = show_progress,
                  .stop = is_stopped,
                  .notice = show_notice,
                  .data = watch},
    };
    progress_begin(&watch->progress, &invocation->reporter);
}

void watch_end(struct watch *watch)
{
    progress_end(&watch->progress);
}

enum exit_code watch_outcome(const struct invocation *invocation,
                             enum lilyq_status status, const char *done)
{
    switch (status) {
    case LILYQ_OK:
        return EXIT_DONE;
    case LILYQ_NOMEM:
        return command_out_of_memory(invocation);
    case LILYQ_INVALID:
        report_error(&invocation->reporter, "nothing %s", done);
        return EXIT_INVALID;
    case LILYQ_IO:
    case LILYQ_REFUSED:
    case LILYQ_LOST:
        break;
    }
    report_error(&invocation->reporter, "%snothing %s",
                 interrupt_came() ? "interrupted, " : "", done);
    return EXIT_FAILED;
}
