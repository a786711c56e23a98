#include "watch.h"

#include "interrupt.h"

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
    interrupt_catch();
    progress_begin(&watch->progress, &invocation->reporter);
}

void watch_end(struct watch *watch)
{
    progress_end(&watch->progress);
}
