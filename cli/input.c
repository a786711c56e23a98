#include "input.h"

#include "api/session.h"
#include "base/file.h"
#include "base/map.h"
#include "base/text.h"
#include "words.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_FILE "lilyq.ini"
#define FIRST_CAPACITY ((size_t)64 * 1024)

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
            errno = EFBIG;
            return NULL;
        }
        text = grow(arena, text, &capacity);
    }
    errno = ENOMEM;
    return NULL;
}

static enum lilyq_status take_stdin(struct lilyq *run, const char **text,
                                    size_t *length)
{
    const size_t first = run->diags.items.count;
    enum lq_status status = LQ_IO;

    *text = read_stdin(&run->arena, length);
    if (*text) {
        return LILYQ_OK;
    }
    if (errno == ENOMEM ||
        lq_error(&run->diags, NULL, "cannot read standard input: %s",
                 strerror(errno)) == LQ_NOMEM) {
        status = LQ_NOMEM;
    }
    return lq_session_end(run, first, status);
}

static enum lilyq_status load_stdin(struct lilyq *run, enum lilyq_input input)
{
    const char *text = NULL;
    size_t length = 0;
    const enum lilyq_status status = take_stdin(run, &text, &length);

    return status == LILYQ_OK
               ? lilyq_load_text(run, STDIN_NAME, text, length, input)
               : status;
}

/* Loads every file. Adds the problems of unreadable ones to `unreadable`. */
static enum lilyq_status load_all(struct lilyq *run, char *const *files,
                                  size_t count, enum lilyq_input input,
                                  size_t *unreadable)
{
    for (size_t i = 0; i < count; ++i) {
        const size_t before = lilyq_problem_count(run);
        const enum lilyq_status status =
            is_stdin(files[i]) ? load_stdin(run, input)
                               : lilyq_load_file(run, files[i], input);

        if (status == LILYQ_NOMEM) {
            return status;
        }
        if (status == LILYQ_IO) {
            *unreadable += lilyq_problem_count(run) - before;
        }
    }
    return LILYQ_OK;
}

void input_show_problems(const struct invocation *invocation,
                         const struct lilyq *run, size_t first)
{
    for (size_t i = first; i < lilyq_problem_count(run); ++i) {
        report_problem(&invocation->reporter, lilyq_problem_at(run, i));
    }
}

enum exit_code input_file(const struct invocation *invocation,
                          struct lilyq *run, enum option_id option,
                          struct input_file *out)
{
    const size_t first = lilyq_problem_count(run);
    enum lilyq_status status = LILYQ_OK;

    *out = (struct input_file){.name = invocation->options.text[option]};
    if (is_stdin(out->name)) {
        out->name = STDIN_NAME;
        status = take_stdin(run, &out->text, &out->length);
    }
    if (status == LILYQ_NOMEM) {
        return command_out_of_memory(invocation);
    }
    input_show_problems(invocation, run, first);
    return status == LILYQ_OK ? EXIT_DONE : EXIT_FAILED;
}

enum exit_code input_definitions(const struct invocation *invocation,
                                 struct lilyq *run,
                                 struct lilyq_definitions *out)
{
    struct input_file file;
    const enum exit_code code =
        input_file(invocation, run, OPTION_DEFINITIONS, &file);

    *out = (struct lilyq_definitions){file.name, file.text, file.length,
                                      invocation->options.text[OPTION_VHOST]};
    return code;
}

/* "3 problems in 2 files, nothing done" */
static enum exit_code close_problems(const struct invocation *invocation,
                                     const struct lilyq *run, size_t unreadable)
{
    struct lq_arena *const arena = invocation->arena;
    struct lq_map files;
    size_t errors = 0;

    lq_map_init(&files, arena);
    for (size_t i = 0; i < lilyq_problem_count(run); ++i) {
        const struct lilyq_problem *const problem = lilyq_problem_at(run, i);
        void *held = NULL;

        errors += !problem->warning;
        if (!problem->warning && problem->file &&
            lq_map_add(&files, problem->file, run->problems.items, &held) !=
                LQ_OK) {
            return command_out_of_memory(invocation);
        }
    }
    report_error(&invocation->reporter, "%s%s%s, nothing done",
                 words_count(arena, errors, "problem"),
                 files.count ? " in " : "",
                 files.count ? words_count(arena, files.count, "file") : "");
    return errors > unreadable ? EXIT_INVALID : EXIT_FAILED;
}

/* Every name but that of standard input may be given again. */
static bool stdin_is_named_once(const struct invocation *invocation)
{
    static const enum option_id files[] = {OPTION_DEFINITIONS, OPTION_AGAINST};
    size_t times = 0;

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); ++i) {
        const char *const file = invocation->options.text[files[i]];

        times += file && is_stdin(file);
    }

    for (size_t i = 0; i < invocation->options.operand_count; ++i) {
        times += is_stdin(invocation->options.operands[i]);
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
                        const struct lq_topology *topology)
{
    const struct reporter *const reporter = &invocation->reporter;
    struct lq_arena *const arena = invocation->arena;

    if (topology->logical_count == 0) {
        report_warning(reporter, "the input has no queue entry");
    }
    report_detail(reporter, "planned %s: %s, %s, %s",
                  words_count(arena, topology->logical_count, "logical queue"),
                  words_count(arena, topology->exchange_count, "exchange"),
                  words_count(arena, topology->queue_count, "queue"),
                  words_count(arena, topology->binding_count, "binding"));
}

static enum exit_code load_and_plan(const struct invocation *invocation,
                                    struct lilyq *run)
{
    static char default_file[] = DEFAULT_FILE;
    char *const defaults[] = {default_file};
    const struct options *const options = &invocation->options;
    const bool named = options->operand_count > 0;
    const enum lilyq_input input =
        options->text[OPTION_INPUT]
            ? (enum lilyq_input)(options->number[OPTION_INPUT] + 1)
            : LILYQ_INPUT_AUTO;
    size_t unreadable = 0;
    enum lilyq_status status = LILYQ_OK;

    if (!stdin_is_named_once(invocation) ||
        (!named && !default_exists(invocation))) {
        return EXIT_INVALID;
    }
    status = load_all(run, named ? options->operands : defaults,
                      named ? options->operand_count : 1, input, &unreadable);
    if (status == LILYQ_OK) {
        status = lilyq_plan(run);
    }
    if (status == LILYQ_NOMEM) {
        return command_out_of_memory(invocation);
    }
    input_show_problems(invocation, run, 0);
    if (status != LILYQ_OK) {
        return close_problems(invocation, run, unreadable);
    }
    report_plan(invocation, run->topology);
    return EXIT_DONE;
}

enum exit_code input_plan(const struct invocation *invocation,
                          struct lilyq **out)
{
    *out = lilyq_new();
    return *out ? load_and_plan(invocation, *out)
                : command_out_of_memory(invocation);
}
