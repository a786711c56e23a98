#include "report.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BOLD "\033[1m"
#define RED "\033[1;31m"
#define YELLOW "\033[1;33m"
#define PLAIN "\033[0m"
#define CLEAR_LINE "\r\033[K"

/* Whether colour is wanted and understood where a descriptor leads. */
static bool has_colour(int descriptor, bool no_colour)
{
    const char *const unwanted = getenv("NO_COLOR");
    const char *const term = getenv("TERM");

    return isatty(descriptor) && !no_colour && !(unwanted && *unwanted) &&
           term && !lq_str_equal(term, "dumb");
}

void report_init(struct reporter *reporter, bool no_colour)
{
    reporter->terminal = isatty(STDERR_FILENO) != 0;
    reporter->colour = has_colour(STDERR_FILENO, no_colour);
    reporter->output_colour = has_colour(STDOUT_FILENO, no_colour);
}

static void say(const struct reporter *reporter, const char *colour,
                const char *kind, const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));

static void say(const struct reporter *reporter, const char *colour,
                const char *kind, const char *format, va_list args)
{
    const char *const start = reporter->colour ? colour : "";
    const char *const end = reporter->colour ? PLAIN : "";

    (void)fprintf(stderr, "%slilyq: %s%s", start, kind, end);
    (void)vfprintf(stderr, format, args);
    (void)fputc('\n', stderr);
}

void report_error(const struct reporter *reporter, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(reporter, RED, "", format, args);
    va_end(args);
}

void report_warning(const struct reporter *reporter, const char *format, ...)
{
    va_list args;

    if (!reporter->quiet) {
        va_start(args, format);
        say(reporter, YELLOW, "warning: ", format, args);
        va_end(args);
    }
}

void report_note(const struct reporter *reporter, const char *format, ...)
{
    va_list args;

    if (!reporter->quiet) {
        va_start(args, format);
        say(reporter, BOLD, "", format, args);
        va_end(args);
    }
}

void report_detail(const struct reporter *reporter, const char *format, ...)
{
    va_list args;

    if (reporter->verbose) {
        va_start(args, format);
        say(reporter, BOLD, "", format, args);
        va_end(args);
    }
}

void report_problem(const struct reporter *reporter,
                    const struct lilyq_problem *problem)
{
    const char *const colour = problem->warning ? YELLOW : RED;
    const char *const owner = problem->file ? "" : "lilyq: ";
    const int lead = (int)(strlen(problem->message) - strlen(problem->text));

    if (problem->warning && reporter->quiet) {
        return;
    }
    (void)fprintf(stderr, "%s%s%.*s%s%s\n", reporter->colour ? colour : "",
                  owner, lead, problem->message, reporter->colour ? PLAIN : "",
                  problem->text);
}

void report_transient(const struct reporter *reporter, const char *text)
{
    if (reporter->terminal && !reporter->quiet) {
        (void)fprintf(stderr, "%s%s", CLEAR_LINE, text);
        (void)fflush(stderr);
    }
}

const char *words_shown(struct lq_arena *arena, const char *text)
{
    return lq_printable(arena, text, strlen(text));
}

const char *words_or(struct lq_arena *arena, const char *const *list)
{
    const char *text = list[0];

    for (size_t i = 1; list[i]; ++i) {
        const char *const link = list[i + 1] ? ", " : " or ";

        text = lq_format(arena, "%s%s%s", text, link, list[i]);
    }
    return text;
}

const char *words_count(struct lq_arena *arena, size_t count, const char *noun)
{
    const size_t length = strlen(noun);

    if (count == 1) {
        return lq_format(arena, "1 %s", noun);
    }
    if (length > 0 && noun[length - 1] == 'y') {
        return lq_format(arena, "%zu %.*sies", count, (int)length - 1, noun);
    }
    return lq_format(arena, "%zu %ss", count, noun);
}
