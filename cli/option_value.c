#include "option_value.h"

#include "base/text.h"
#include "words.h"

#include <stdint.h>
#include <string.h>

static bool read_choice(const struct invocation *invocation,
                        const struct option_row *row, const char *value,
                        unsigned *out)
{
    size_t count = 0;
    const char *near = NULL;
    const char *hint = NULL;

    for (; row->choices[count]; ++count) {
        if (lq_str_equal(row->choices[count], value)) {
            *out = (unsigned)count;
            return true;
        }
    }
    near = lq_suggest(value, row->choices, count);
    hint = near ? lq_format(invocation->arena, "; did you mean '%s'?", near)
                : NULL;
    report_error(&invocation->reporter, "'--%s' must be %s, not '%s'%s",
                 row->name, words_or(invocation->arena, row->choices),
                 words_shown(invocation->arena, value), hint ? hint : "");
    return false;
}

/* Commas stand between the choices; each sets its bit. */
static bool read_choices(const struct invocation *invocation,
                         const struct option_row *row, const char *value,
                         unsigned *out)
{
    unsigned bits = 0;

    for (const char *at = value; at;) {
        const size_t length = strcspn(at, ",");
        const char *const word = lq_strndup(invocation->arena, at, length);
        unsigned choice = 0;

        if (!read_choice(invocation, row, word ? word : "?", &choice)) {
            return false;
        }
        bits |= 1U << choice;
        at = at[length] ? at + length + 1 : NULL;
    }
    *out = bits;
    return true;
}

static bool read_number(const struct invocation *invocation,
                        const struct option_row *row, const char *value,
                        unsigned *out)
{
    const bool timed = row->kind == OPTION_SECONDS;
    const unsigned most = timed ? MAX_SECONDS : MAX_NUMBER;
    uint64_t number = 0;

    if (lq_parse_u64(value, &number) != LQ_NUMBER_OK || number < row->least ||
        number > most) {
        report_error(&invocation->reporter,
                     "'--%s' must be a whole number %sfrom %u to %u, not '%s'",
                     row->name, timed ? "of seconds " : "", row->least, most,
                     words_shown(invocation->arena, value));
        return false;
    }
    *out = (unsigned)number;
    return true;
}

bool option_value_check(struct invocation *invocation, enum option_id id,
                        const char *value)
{
    const struct option_row *const row = &option_rows[id];
    unsigned *const number = &invocation->options.number[id];

    switch (row->kind) {
    case OPTION_FLAG:
    case OPTION_ANY_TEXT:
        return true;
    case OPTION_TEXT:
    case OPTION_FILE:
    case OPTION_LIST:
        if (!*value) {
            report_error(&invocation->reporter, "'--%s' must not be empty",
                         row->name);
        }
        return *value != '\0';
    case OPTION_CHOICE:
        return read_choice(invocation, row, value, number);
    case OPTION_CHOICES:
        return read_choices(invocation, row, value, number);
    case OPTION_SECONDS:
    case OPTION_NUMBER:
        return read_number(invocation, row, value, number);
    }
    return false;
}
