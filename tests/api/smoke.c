/*
 * Uses the installed library as a program of its own would: nothing but
 * <lilyq.h>. Exits with 0 when all is as the header says.
 */
#include <lilyq.h>

#include <stdio.h>
#include <string.h>

static const char good[] = "[queue:orders.created]\n"
                           "exchange_name = orders\n"
                           "routing_key = orders.created\n"
                           "retention.main_max_messages = 100000\n"
                           "retention.main_max_bytes = 1073741824\n"
                           "retention.retry_bucket_max_messages = 10000\n"
                           "retention.retry_bucket_max_bytes = 268435456\n"
                           "retention.dead_letter_max_messages = 10000\n"
                           "retention.dead_letter_max_bytes = 268435456\n"
                           "retry_attempts = 3\n";

static const char bad[] = "[queue:orders.created]\n"
                          "exchange_name = orders\n"
                          "retry_attempts = soon\n";

static const char tree[] = "orders.created\n"
                           "  -> orders.retry.v2\n"
                           "     -> orders.created.retry.v2.1000ms\n"
                           "     -> orders.created.retry.v2.2000ms\n"
                           "     -> orders.created.retry.v2.4000ms\n"
                           "  -> orders.dlx.v2\n"
                           "     -> orders.created.dlq.v2\n";

static int failures;

static void expect(int holds, const char *what)
{
    if (!holds) {
        (void)fprintf(stderr, "not so: %s\n", what);
        ++failures;
    }
}

struct text {
    char bytes[4096];
    size_t length;
};

static int append(void *data, const char *bytes, size_t length)
{
    struct text *const text = data;

    if (length >= sizeof(text->bytes) - text->length) {
        return -1;
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    return 0;
}

static void plan_and_render(void)
{
    struct lilyq *const run = lilyq_new();
    struct text text = {{0}, 0};
    const struct lilyq_sink sink = {append, &text};

    expect(run != NULL, "there is a run");
    expect(lilyq_load_text(run, "good.ini", good, strlen(good),
                           LILYQ_INPUT_INI) == LILYQ_OK,
           "a good text loads");
    expect(lilyq_plan(run) == LILYQ_OK, "it plans");
    expect(lilyq_render(run, LILYQ_FORMAT_TREE, NULL, &sink) == LILYQ_OK,
           "it renders");
    expect(strcmp(text.bytes, tree) == 0, "into the tree of the manual");
    expect(lilyq_problem_count(run) == 0, "without a problem");
    lilyq_free(run);
}

static void judge(void)
{
    struct lilyq *const run = lilyq_new();
    const struct lilyq_lint_options options = {.broker_version = "4.3",
                                               .max_disk_bytes = 1};
    struct text text = {{0}, 0};
    const struct lilyq_sink sink = {append, &text};
    struct lilyq_findings findings;

    expect(lilyq_load_text(run, "good.ini", good, strlen(good),
                           LILYQ_INPUT_INI) == LILYQ_OK &&
               lilyq_plan(run) == LILYQ_OK,
           "a good text plans");
    expect(lilyq_lint(run, &options, NULL, &findings) == LILYQ_OK,
           "it is judged");
    expect(findings.errors == 1 && findings.warnings == 1,
           "its disk is too small, and it may lose messages");
    expect(lilyq_render_lint(run, LILYQ_LINT_TEXT, LILYQ_SEVERITY_NOTE,
                             &sink) == LILYQ_OK &&
               strstr(text.bytes, "good.ini:1: warning: LQ001 ") != NULL,
           "which is told, with its place");
    lilyq_free(run);
}

static void show_problems(void)
{
    struct lilyq *const run = lilyq_new();

    expect(lilyq_load_text(run, "bad.ini", bad, strlen(bad), LILYQ_INPUT_INI) ==
               LILYQ_INVALID,
           "a bad text does not load");
    expect(lilyq_plan(run) == LILYQ_INVALID, "nor plan");
    expect(lilyq_problem_count(run) == 3, "it has three problems");
    for (size_t i = 0; i < lilyq_problem_count(run); ++i) {
        (void)puts(lilyq_problem_at(run, i)->message);
    }
    expect(strcmp(lilyq_problem_at(run, 2)->message,
                  "bad.ini:3: [queue:orders.created] 'retry_attempts' must be "
                  "an integer from 0 to 100, not 'soon'") == 0,
           "the last one has its place and what is accepted");
    lilyq_free(run);
}

static void fail_to_apply(void)
{
    struct lilyq *const run = lilyq_new();
    const struct lilyq_connection nowhere = {.url = "amqp://127.0.0.1:1",
                                             .connect_timeout_millis = 1000};
    struct lilyq_report report;

    expect(lilyq_load_text(run, "good.ini", good, strlen(good),
                           LILYQ_INPUT_INI) == LILYQ_OK &&
               lilyq_plan(run) == LILYQ_OK,
           "a good text plans");
    expect(lilyq_apply(run, &nowhere, NULL, NULL, &report) == LILYQ_LOST,
           "a broker that is not there is not reached");
    expect(report.ending == LILYQ_ENDED_UNTOUCHED &&
               report.queues.not_done == 5,
           "and nothing is done");
    expect(lilyq_problem_count(run) == 1, "for one reason");
    lilyq_free(run);
}

static void compare(void)
{
    static const char empty[] =
        "{\"exchanges\": [], \"queues\": [], \"bindings\": []}";
    const struct lilyq_definitions definitions = {"empty.json", empty,
                                                  sizeof(empty) - 1, NULL};
    const struct lilyq_source source = {.definitions = &definitions};
    struct lilyq *const run = lilyq_new();
    struct text text = {{0}, 0};
    const struct lilyq_sink sink = {append, &text};
    struct lilyq_drift drift;

    expect(lilyq_load_text(run, "good.ini", good, strlen(good),
                           LILYQ_INPUT_INI) == LILYQ_OK &&
               lilyq_plan(run) == LILYQ_OK,
           "a good text plans");
    expect(lilyq_diff(run, &source, NULL, &drift) == LILYQ_OK,
           "it is compared with definitions");
    expect(drift.counts[LILYQ_MISSING] == 13, "which lack all of it");
    expect(lilyq_render_diff(run, LILYQ_DIFF_TEXT, NULL, &sink) == LILYQ_OK &&
               strstr(text.bytes, "  + exchange 'orders'\n"),
           "and says so");
    lilyq_free(run);
}

int main(void)
{
    expect(strcmp(lilyq_version(), LILYQ_VERSION) == 0,
           "library and header are of one version");
    plan_and_render();
    judge();
    show_problems();
    fail_to_apply();
    compare();
    return failures > 0;
}
