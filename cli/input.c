#include "input.h"

#include "base/file.h"
#include "base/map.h"
#include "base/text.h"
#include "connection.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_FILE "lilyq.ini"
#define FIRST_CAPACITY ((size_t)64 * 1024)

/* From LILYQ_INPUT_INI on. */
static const char *const input_forms[] = {"ini", "json", NULL};

const struct option_row option_input = {.name = "input",
                                        .letter = 'i',
                                        .kind = OPTION_CHOICE,
                                        .metavar = "FORMAT",
                                        .choices = input_forms,
                                        .preset = "by each file's name",
                                        .help = "form of the input"};
const struct option_row option_definitions = {
    .name = "definitions",
    .kind = OPTION_INPUT_FILE,
    .metavar = "FILE",
    .help = "read definitions that a broker exported, instead of asking a "
            "broker; '-' is standard input"};

static bool is_stdin(const char *file)
{
    return lq_str_equal(file, "-");
}

static char *grow(struct lq_arena *arena, const char *text, size_t *capacity)
{
    char *const larger = lq_alloc_array(arena, *capacity, 2);

    if (larger) {
        memcpy(larger, text, *capacity);
        *capacity *= 2;
    }
    return larger;
}

/* Reads standard input to its end; NULL and errno when that fails. */
static char *read_stdin(struct lq_arena *arena, size_t *length)
{
    size_t capacity = FIRST_CAPACITY;
    char *text = lq_alloc(arena, capacity);

    *length = 0;
    while (text) {
        errno = 0;
        *length += fread(text + *length, 1, capacity - *length, stdin);
        if (ferror(stdin)) {
            return NULL;
        }
        if (*length < capacity) {
            return text;
        }
        if (*length > LQ_FILE_MAX_BYTES) {
            return text; /* too long, which is for the caller to say */
        }
        text = grow(arena, text, &capacity);
    }
    errno = ENOMEM;
    return NULL;
}

/* What came of loading files. */
struct loading {
    size_t unreadable;        /* problems of files that cannot be read */
    const char *stdin_fault;  /* why standard input cannot; NULL: it can */
    enum lilyq_status status; /* LILYQ_OK or LILYQ_NOMEM */
};

static void load_stdin(const struct invocation *invocation, struct lilyq *run,
                       enum lilyq_input input, struct loading *loading)
{
    size_t length = 0;
    const char *const text = read_stdin(invocation->arena, &length);

    if (text) {
        loading->status = lilyq_load_text(run, STDIN_NAME, text, length, input);
    } else if (errno == ENOMEM) {
        loading->status = LILYQ_NOMEM;
    } else {
        loading->status = LILYQ_OK;
        loading->stdin_fault = strerror(errno);
    }
}

static void load_file(struct lilyq *run, const char *file,
                      enum lilyq_input input, struct loading *loading)
{
    const size_t before = lilyq_problem_count(run);

    loading->status = lilyq_load_file(run, file, input);
    if (loading->status == LILYQ_IO) {
        loading->unreadable += lilyq_problem_count(run) - before;
    }
}

/* Loads every file, whatever is wrong with others. */
static struct loading load_all(const struct invocation *invocation,
                               struct lilyq *run, char *const *files,
                               size_t count)
{
    const enum lilyq_input input =
        option_text(invocation, &option_input)
            ? (enum lilyq_input)(option_number(invocation, &option_input) +
                                 LILYQ_INPUT_INI)
            : LILYQ_INPUT_AUTO;
    struct loading loading = {.status = LILYQ_OK};

    for (size_t i = 0; i < count && loading.status != LILYQ_NOMEM; ++i) {
        if (is_stdin(files[i])) {
            load_stdin(invocation, run, input, &loading);
        } else {
            load_file(run, files[i], input, &loading);
        }
    }
    return loading;
}

static void report_stdin(const struct invocation *invocation, const char *fault)
{
    report_error(&invocation->reporter, "cannot read standard input: %s",
                 fault);
}

void input_show_problems(const struct invocation *invocation,
                         const struct lilyq *run, size_t first)
{
    for (size_t i = first; i < lilyq_problem_count(run); ++i) {
        report_problem(&invocation->reporter, lilyq_problem_at(run, i));
    }
}

enum exit_code input_file(const struct invocation *invocation,
                          const struct option_row *option,
                          struct input_file *out)
{
    *out = (struct input_file){.name = option_text(invocation, option)};
    if (!is_stdin(out->name)) {
        return EXIT_DONE;
    }
    out->name = STDIN_NAME;
    out->text = read_stdin(invocation->arena, &out->length);
    if (out->text && out->length > LQ_FILE_MAX_BYTES) {
        report_error(&invocation->reporter,
                     "standard input must be at most %zu MiB",
                     LQ_FILE_MAX_BYTES / 1024 / 1024);
        return EXIT_INVALID;
    }
    if (out->text) {
        return EXIT_DONE;
    }
    if (errno == ENOMEM) {
        return command_out_of_memory(invocation);
    }
    report_stdin(invocation, strerror(errno));
    return EXIT_FAILED;
}

enum exit_code input_definitions(const struct invocation *invocation,
                                 struct lilyq_definitions *out)
{
    struct input_file file;
    const enum exit_code code =
        input_file(invocation, &option_definitions, &file);

    *out = (struct lilyq_definitions){file.name, file.text, file.length,
                                      option_text(invocation, &option_vhost)};
    return code;
}

/* "3 problems in 2 files, nothing done" */
static enum exit_code close_problems(const struct invocation *invocation,
                                     const struct lilyq *run,
                                     const struct loading *loading)
{
    struct lq_arena *const arena = invocation->arena;
    struct lq_map files;
    const size_t errors =
        lilyq_error_count(run) + (loading->stdin_fault != NULL);

    lq_map_init(&files, arena);
    for (size_t i = 0; i < lilyq_problem_count(run); ++i) {
        const struct lilyq_problem *const problem = lilyq_problem_at(run, i);
        void *held = NULL;

        if (!problem->warning && problem->file &&
            lq_map_add(&files, problem->file, &files, &held) != LQ_OK) {
            return command_out_of_memory(invocation);
        }
    }
    report_error(&invocation->reporter, "%s%s%s, nothing done",
                 words_count(arena, errors, "problem"),
                 files.count ? " in " : "",
                 files.count ? words_count(arena, files.count, "file") : "");
    return errors > loading->unreadable + (loading->stdin_fault != NULL)
               ? EXIT_INVALID
               : EXIT_FAILED;
}

/* Every name but that of standard input may be given again. */
static bool stdin_is_named_once(const struct invocation *invocation)
{
    const struct options *const options = &invocation->options;
    size_t times = 0;

    for (size_t i = 0; i < options->count; ++i) {
        times += options->values[i].row->kind == OPTION_INPUT_FILE &&
                 is_stdin(options->values[i].text);
    }
    for (size_t i = 0; i < options->operand_count; ++i) {
        times += is_stdin(options->operands[i]);
    }
    if (times > 1) {
        report_error(&invocation->reporter,
                     "'-', standard input, can be named only once");
    }
    return times < 2;
}

static bool default_exists(const struct invocation *invocation)
{
    if (access(DEFAULT_FILE, F_OK) == 0 || errno != ENOENT) {
        return true;
    }
    report_error(&invocation->reporter,
                 "no " DEFAULT_FILE " here: name a file, or start with "
                 "'lilyq init > " DEFAULT_FILE "'");
    return false;
}

static void report_plan(const struct invocation *invocation,
                        const struct lilyq *run)
{
    const struct reporter *const reporter = &invocation->reporter;
    struct lq_arena *const arena = invocation->arena;
    struct lilyq_planned planned;

    lilyq_count_planned(run, &planned);
    if (planned.logical_queues == 0) {
        report_warning(reporter, "the input has no queue entry");
    }
    report_detail(reporter, "planned %s: %s, %s, %s",
                  words_count(arena, planned.logical_queues, "logical queue"),
                  words_count(arena, planned.exchanges, "exchange"),
                  words_count(arena, planned.queues, "queue"),
                  words_count(arena, planned.bindings, "binding"));
}

static enum exit_code load_and_plan(const struct invocation *invocation,
                                    struct lilyq *run)
{
    static char default_file[] = DEFAULT_FILE;
    char *const defaults[] = {default_file};
    const struct options *const options = &invocation->options;
    const bool named = options->operand_count > 0;
    struct loading loading;
    enum lilyq_status status = LILYQ_OK;

    if (!stdin_is_named_once(invocation) ||
        (!named && !default_exists(invocation))) {
        return EXIT_INVALID;
    }
    loading = load_all(invocation, run, named ? options->operands : defaults,
                       named ? options->operand_count : 1);
    status = loading.status == LILYQ_NOMEM ? LILYQ_NOMEM : lilyq_plan(run);
    if (status == LILYQ_NOMEM) {
        return command_out_of_memory(invocation);
    }
    input_show_problems(invocation, run, 0);
    if (loading.stdin_fault) {
        report_stdin(invocation, loading.stdin_fault);
    }
    if (status != LILYQ_OK || loading.stdin_fault) {
        return close_problems(invocation, run, &loading);
    }
    report_plan(invocation, run);
    return EXIT_DONE;
}

enum exit_code input_plan(const struct invocation *invocation,
                          struct lilyq **out)
{
    *out = lilyq_new();
    return *out ? load_and_plan(invocation, *out)
                : command_out_of_memory(invocation);
}
