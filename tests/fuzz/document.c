#include "document.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static int check_bytes(void *data, const char *bytes, size_t length)
{
    (void)data;
    require(lq_utf8_valid(bytes, length));
    return 0;
}

bool fuzz_is_one_line(const char *text)
{
    for (const char *c = text; *c; ++c) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            return false;
        }
    }
    return *text && lq_utf8_valid(text, strlen(text));
}

/* How many of the problems are errors. */
static size_t check_problems(const struct lilyq *run)
{
    size_t errors = 0;

    for (size_t i = 0; i < lilyq_problem_count(run); ++i) {
        const struct lilyq_problem *const problem = lilyq_problem_at(run, i);

        require(fuzz_is_one_line(problem->text) &&
                fuzz_is_one_line(problem->message));
        errors += !problem->warning;
    }
    return errors;
}

static void render_all(struct lilyq *run)
{
    const struct lilyq_sink sink = {check_bytes, NULL};

    for (int format = LILYQ_FORMAT_JSON; format <= LILYQ_FORMAT_MERMAID;
         ++format) {
        require(lilyq_render(run, (enum lilyq_format)format, NULL, &sink) ==
                LILYQ_OK);
    }
}

static void judge(struct lilyq *run)
{
    static const struct lilyq_lint_options strict = {.max_window_millis = 1,
                                                     .max_disk_bytes = 1};
    const struct lilyq_sink sink = {check_bytes, NULL};
    struct lilyq_findings findings;

    require(lilyq_lint(run, &strict, NULL, &findings) == LILYQ_OK);
    for (int format = LILYQ_LINT_TEXT; format <= LILYQ_LINT_GITHUB; ++format) {
        require(lilyq_render_lint(run, (enum lilyq_lint_format)format,
                                  LILYQ_SEVERITY_NOTE, &sink) == LILYQ_OK);
    }
}

void fuzz_document(const uint8_t *bytes, size_t size, enum lilyq_input input)
{
    struct lilyq *const run = lilyq_new();
    enum lilyq_status loaded;
    enum lilyq_status planned;

    require(run != NULL);
    loaded = lilyq_load_text(run, "fuzz", (const char *)bytes, size, input);
    planned = lilyq_plan(run);
    require(loaded == LILYQ_OK || loaded == LILYQ_INVALID);
    require(planned == LILYQ_OK || planned == LILYQ_INVALID);
    require((planned == LILYQ_OK) == (check_problems(run) == 0));
    if (planned == LILYQ_OK) {
        render_all(run);
        judge(run);
    }
    lilyq_free(run);
}
