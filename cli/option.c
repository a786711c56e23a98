#include "option.h"

#include "base/quantity.h"
#include "base/text.h"
#include "base/version.h"
#include "command.h"

#include <getopt.h>
#include <string.h>

#define MILLIS_PER_DAY UINT64_C(86400000)

/* Long options answer from here on, so that none meets a letter. */
#define LONG_BASE 256

const struct option_row option_quiet = {
    .name = "quiet",
    .letter = 'q',
    .help = "show errors only, no warnings and no summary"};
const struct option_row option_verbose = {
    .name = "verbose", .letter = 'v', .help = "show more of what it does"};
const struct option_row option_no_color = {
    .name = "no-color", .help = "use no colour on a terminal"};
const struct option_row option_help = {
    .name = "help", .letter = 'h', .help = "print this help"};
const struct option_row option_version = {.name = "version",
                                          .help = "print the version"};

static const struct option_row *const common_options[] = {
    &option_quiet, &option_verbose, &option_no_color, &option_help, NULL};

static size_t add_all(const struct option_row *const *table,
                      const struct option_row **out, size_t count)
{
    for (; *table && count < OPTION_MAX; ++table) {
        out[count++] = *table;
    }
    return count;
}

size_t options_of(const struct command *command,
                  const struct option_row *out[OPTION_MAX])
{
    static const struct option_row *const top_options[] = {&option_version,
                                                           NULL};
    size_t count = 0;

    for (size_t i = 0; command && command->options[i]; ++i) {
        count = add_all(command->options[i], out, count);
    }
    count = add_all(common_options, out, count);
    return command ? count : add_all(top_options, out, count);
}

bool option_applies(const struct command *command, const struct option_row *row)
{
    const struct option_row *rows[OPTION_MAX];
    const size_t count = options_of(command, rows);

    for (size_t i = 0; i < count; ++i) {
        if (rows[i] == row) {
            return true;
        }
    }
    return false;
}

bool option_is_file(const struct option_row *row)
{
    return row->kind == OPTION_FILE || row->kind == OPTION_INPUT_FILE;
}

static const struct option_value *find_value(const struct options *options,
                                             const struct option_row *row)
{
    for (size_t i = 0; i < options->count; ++i) {
        if (options->values[i].row == row) {
            return &options->values[i];
        }
    }
    return NULL;
}

const char *option_text(const struct invocation *invocation,
                        const struct option_row *row)
{
    const struct option_value *const value =
        find_value(&invocation->options, row);

    return value ? value->text : NULL;
}

unsigned option_number(const struct invocation *invocation,
                       const struct option_row *row)
{
    const struct option_value *const value =
        find_value(&invocation->options, row);

    return value ? value->number : 0;
}

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
    hint =
        near ? lq_format(invocation->arena, "; did you mean '%s'?", near) : "";
    report_error(&invocation->reporter, "'--%s' must be %s, not '%s'%s",
                 row->name, words_or(invocation->arena, row->choices),
                 words_shown(invocation->arena, value), hint);
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

        if (!read_choice(invocation, row, word, &choice)) {
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

/* Whether the option accepts its text; notes the number that it stands for. */
static bool check_value(const struct invocation *invocation,
                        struct option_value *value)
{
    const struct option_row *const row = value->row;

    switch (row->kind) {
    case OPTION_FLAG:
    case OPTION_ANY_TEXT:
        return true;
    case OPTION_TEXT:
    case OPTION_FILE:
    case OPTION_INPUT_FILE:
    case OPTION_LIST:
        if (!*value->text) {
            report_error(&invocation->reporter, "'--%s' must not be empty",
                         row->name);
        }
        return *value->text != '\0';
    case OPTION_CHOICE:
        return read_choice(invocation, row, value->text, &value->number);
    case OPTION_CHOICES:
        return read_choices(invocation, row, value->text, &value->number);
    case OPTION_SECONDS:
    case OPTION_NUMBER:
        return read_number(invocation, row, value->text, &value->number);
    }
    return false;
}

/* Where the value of the option is, or goes. */
static struct option_value *slot_of(struct options *options,
                                    const struct option_row *row)
{
    for (size_t i = 0; i < options->count; ++i) {
        if (options->values[i].row == row) {
            return &options->values[i];
        }
    }
    return &options->values[options->count++];
}

/* Takes the value of one option; NULL for a flag. */
static enum exit_code read_value(struct invocation *invocation,
                                 const struct option_row *row,
                                 const char *argument)
{
    struct option_value value = {row, argument ? argument : "", 0};
    const char *const before = option_text(invocation, row);

    if (!check_value(invocation, &value)) {
        return EXIT_INVALID;
    }
    if (row->kind == OPTION_LIST && before) {
        value.text = lq_format(invocation->arena, "%s,%s", before, value.text);
        if (invocation->arena->failed) {
            return command_out_of_memory(invocation);
        }
    }
    *slot_of(&invocation->options, row) = value;
    return EXIT_DONE;
}

/* The options of one command, and the same in getopt's own terms. */
struct grammar {
    const struct option_row *rows[OPTION_MAX];
    size_t count;
    char letters[2 * OPTION_MAX + 4]; /* "+:", letters, colons */
    struct option longs[OPTION_MAX + 1];
};

static void fill_grammar(struct grammar *grammar, const struct command *command)
{
    char *letter = grammar->letters;

    grammar->count = options_of(command, grammar->rows);
    if (!command) {
        *letter++ = '+'; /* stop at the command's name */
    }
    *letter++ = ':'; /* tell a missing value from an unknown option */
    for (size_t i = 0; i < grammar->count; ++i) {
        const struct option_row *const row = grammar->rows[i];
        const bool is_flag = row->kind == OPTION_FLAG;

        grammar->longs[i] = (struct option){
            .name = row->name,
            .has_arg = is_flag ? no_argument : required_argument,
            .val = LONG_BASE + (int)i};
        if (row->letter) {
            *letter++ = row->letter;
            if (!is_flag) {
                *letter++ = ':';
            }
        }
    }
}

/* The option that getopt_long() answered; NULL when none. */
static const struct option_row *row_of(const struct grammar *grammar,
                                       int answer)
{
    if (answer >= LONG_BASE) {
        return grammar->rows[answer - LONG_BASE];
    }
    for (size_t i = 0; answer && i < grammar->count; ++i) {
        if (grammar->rows[i]->letter == answer) {
            return grammar->rows[i];
        }
    }
    return NULL;
}

/* The first command that has a long option of that name. */
static const struct command *owner_of(const char *name)
{
    for (size_t c = 0; c < COMMAND_COUNT; ++c) {
        const struct option_row *rows[OPTION_MAX];
        const size_t count = options_of(commands[c], rows);

        for (size_t i = 0; i < count; ++i) {
            if (lq_str_equal(rows[i]->name, name)) {
                return commands[c];
            }
        }
    }
    return NULL;
}

static const char *nearest(const struct grammar *grammar, const char *name)
{
    const char *names[OPTION_MAX];

    for (size_t i = 0; i < grammar->count; ++i) {
        names[i] = grammar->rows[i]->name;
    }
    return lq_suggest(name, names, grammar->count);
}

/* `option` has its dashes, and is printable. */
static void report_unknown(const struct invocation *invocation,
                           const char *option)
{
    const struct reporter *const reporter = &invocation->reporter;
    const struct command *const command = invocation->command;

    if (command) {
        report_error(reporter, "'%s' has no option '%s', see 'lilyq %s --help'",
                     command->name, option, command->name);
    } else {
        report_error(reporter, "unknown option '%s', see 'lilyq --help'",
                     option);
    }
}

static void report_unknown_long(const struct invocation *invocation,
                                const struct grammar *grammar, char *argument)
{
    const struct reporter *const reporter = &invocation->reporter;
    const struct command *const command = invocation->command;
    const struct command *owner = NULL;
    const char *given = NULL;
    const char *near = NULL;

    argument[strcspn(argument, "=")] = '\0';
    given = words_shown(invocation->arena, argument);
    owner = owner_of(argument + 2);
    near = nearest(grammar, argument + 2);
    if (owner && command) {
        report_error(reporter, "'%s' is an option of '%s', not of '%s'", given,
                     owner->name, command->name);
    } else if (owner) {
        report_error(reporter,
                     "'%s' comes after the command, as in 'lilyq %s %s'", given,
                     owner->name, given);
    } else if (near) {
        report_error(reporter, "unknown option '%s'; did you mean '--%s'?",
                     given, near);
    } else {
        report_unknown(invocation, given);
    }
}

/* Says what is wrong with the argument before optind. */
static void report_bad(const struct invocation *invocation,
                       const struct grammar *grammar, int answer, char **argv)
{
    const struct option_row *const row = row_of(grammar, optopt);

    if (answer == ':' && row) {
        report_error(&invocation->reporter, "'--%s' needs a value: %s",
                     row->name, row->metavar);
    } else if (row) {
        report_error(&invocation->reporter, "'--%s' takes no value", row->name);
    } else if (optopt == 0) {
        report_unknown_long(invocation, grammar, argv[optind - 1]);
    } else {
        const char letter[] = {'-', (char)optopt, '\0'};

        report_unknown(invocation, words_shown(invocation->arena, letter));
    }
}

enum exit_code options_read(struct invocation *invocation, int argc,
                            char **argv)
{
    struct grammar grammar = {.count = 0};
    enum exit_code code = EXIT_DONE;
    int answer = 0;

    fill_grammar(&grammar, invocation->command);
    optind = 0; /* start afresh, as glibc has it */
    opterr = 0;
    while (code == EXIT_DONE &&
           (answer = getopt_long(argc, argv, grammar.letters, grammar.longs,
                                 NULL)) != -1) {
        const struct option_row *const row =
            answer == '?' || answer == ':' ? NULL : row_of(&grammar, answer);

        if (!row) {
            report_bad(invocation, &grammar, answer, argv);
            return EXIT_INVALID;
        }
        code = read_value(invocation, row, optarg);
    }
    invocation->options.operands = argv + optind;
    invocation->options.operand_count =
        argc > optind ? (size_t)(argc - optind) : 0;
    return code;
}

bool option_pairs_agree(const struct invocation *invocation,
                        const struct option_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (option_text(invocation, pairs[i].one) &&
            option_text(invocation, pairs[i].other)) {
            report_error(&invocation->reporter,
                         "'--%s' and '--%s' cannot be used together",
                         pairs[i].one->name, pairs[i].other->name);
            return false;
        }
    }
    return true;
}

bool option_excludes(const struct invocation *invocation,
                     const struct option_row *row,
                     const struct option_row *const *table)
{
    for (; *table; ++table) {
        const struct option_pair pair = {row, *table};

        if (!option_pairs_agree(invocation, &pair, 1)) {
            return false;
        }
    }
    return true;
}

bool options_absent(const struct invocation *invocation,
                    const struct option_row *const *table, const char *why)
{
    for (; *table; ++table) {
        if (option_text(invocation, *table)) {
            report_error(&invocation->reporter, "'--%s' %s", (*table)->name,
                         why);
            return false;
        }
    }
    return true;
}

bool option_refuse(const struct invocation *invocation,
                   const struct option_row *row, const char *wanted)
{
    report_error(&invocation->reporter, "'--%s' must be %s, not '%s'",
                 row->name, wanted,
                 words_shown(invocation->arena, option_text(invocation, row)));
    return false;
}

bool option_duration(const struct invocation *invocation,
                     const struct option_row *row, unsigned most_days,
                     uint64_t *out)
{
    const char *const text = option_text(invocation, row);
    const char *wanted = NULL;

    if (!text || lq_parse_span(text, most_days * MILLIS_PER_DAY, out)) {
        return true;
    }
    wanted = lq_format(invocation->arena,
                       "a whole number of ms, s, m, h, d or w, such as 90s, "
                       "15m or 2h, up to %ud",
                       most_days);
    return option_refuse(invocation, row, wanted);
}

bool option_bytes(const struct invocation *invocation,
                  const struct option_row *row, uint64_t *out)
{
    const char *const text = option_text(invocation, row);

    return !text || lq_parse_bytes(text, out) ||
           option_refuse(invocation, row,
                         "a number of bytes, or one with K, M, G or T such as "
                         "64K or 50G");
}

bool option_version_text(const struct invocation *invocation,
                         const struct option_row *row, const char **out)
{
    const char *const text = option_text(invocation, row);
    struct lq_version version;

    *out = text;
    return !text || lq_version_read(text, &version) ||
           option_refuse(invocation, row, "a version such as 4.3 or 3.10.8");
}
