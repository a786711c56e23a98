#include "output.h"

#include "input.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define COLUMNS ((size_t)80)

static void note_failure(struct output *output)
{
    if (output->error == 0) {
        output->error = errno ? errno : EIO;
    }
}

void output_bytes(struct output *output, const char *bytes, size_t length)
{
    errno = 0;
    if (output->error == 0 && fwrite(bytes, 1, length, stdout) != length) {
        note_failure(output);
    }
}

void output_text(struct output *output, const char *text)
{
    output_bytes(output, text, strlen(text));
}

void output_format(struct output *output, const char *format, ...)
{
    va_list args;

    errno = 0;
    if (output->error == 0) {
        va_start(args, format);
        if (vprintf(format, args) < 0) {
            note_failure(output);
        }
        va_end(args);
    }
}

/* Bytes that stand for one column each; bytes that go on a character none. */
static size_t columns_of(const char *text, size_t length)
{
    size_t columns = 0;

    for (size_t i = 0; i < length; ++i) {
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    }
    return columns;
}

void output_wrapped(struct output *output, const char *first, const char *rest,
                    const char *text)
{
    size_t at = columns_of(first, strlen(first));
    bool line_has_word = false;

    output_text(output, first);
    while (*text) {
        const size_t length = strcspn(text, " ");
        const size_t columns = columns_of(text, length);

        if (line_has_word && at + 1 + columns > COLUMNS) {
            output_format(output, "\n%s", rest);
            at = columns_of(rest, strlen(rest));
            line_has_word = false;
        }
        output_text(output, line_has_word ? " " : "");
        at += line_has_word + columns;
        output_bytes(output, text, length);
        line_has_word = true;
        text += length;
        text += strspn(text, " ");
    }
    output_text(output, "\n");
}

static int write_output(void *data, const char *bytes, size_t length)
{
    struct output *const output = data;

    output_bytes(output, bytes, length);
    return output->error ? -1 : 0;
}

struct lilyq_sink output_sink(struct output *output)
{
    return (struct lilyq_sink){write_output, output};
}

bool output_close(struct output *output, const struct reporter *reporter)
{
    errno = 0;
    if (fflush(stdout) || ferror(stdout)) {
        note_failure(output);
    }
    errno = 0;
    if (fclose(stdout)) {
        note_failure(output);
    }
    if (output->error) {
        report_error(reporter, "cannot write to standard output: %s",
                     strerror(output->error));
    }
    return output->error == 0;
}

enum exit_code rendering_end(const struct invocation *invocation,
                             const struct lilyq *run, size_t first,
                             enum lilyq_status status, struct output *output)
{
    if (status == LILYQ_NOMEM) {
        return command_out_of_memory(invocation);
    }
    input_show_problems(invocation, run, first);
    if (status == LILYQ_INVALID) {
        return EXIT_INVALID;
    }
    return output_close(output, &invocation->reporter) ? EXIT_DONE
                                                       : EXIT_FAILED;
}
