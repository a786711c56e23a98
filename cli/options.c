#include "options.h"

#include "base/text.h"
#include "command.h"
#include "option_value.h"
#include "words.h"

#include <getopt.h>
#include <string.h>

/* Long options answer from here on, so that none meets a letter. */
#define LONG_BASE 256

bool option_applies(const struct option_row *row, enum command_id command)
{
    return (row->commands >> command & 1U) != 0;
}

enum command_id option_command(const struct invocation *invocation)
{
    return invocation->command
               ? (enum command_id)(invocation->command - commands)
               : COMMAND_NONE;
}

/* A command, other than the invocation's, that has this long option. */
static const struct command *owner_of(const char *name)
{
    for (unsigned i = 0; i < OPTION_COUNT; ++i) {
        for (unsigned c = 0; c < COMMAND_COUNT; ++c) {
            if (lq_str_equal(option_rows[i].name, name) &&
                option_applies(&option_rows[i], (enum command_id)c)) {
                return &commands[c];
            }
        }
    }
    return NULL;
}

static const char *nearest(const struct invocation *invocation,
                           const char *name)
{
    const char *names[OPTION_COUNT];
    size_t count = 0;

    for (unsigned i = 0; i < OPTION_COUNT; ++i) {
        if (option_applies(&option_rows[i], option_command(invocation))) {
            names[count++] = option_rows[i].name;
        }
    }
    return lq_suggest(name, names, count);
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
                                char *argument)
{
    const struct reporter *const reporter = &invocation->reporter;
    const struct command *const command = invocation->command;
    const struct command *owner = NULL;
    const char *given = NULL;
    const char *near = NULL;

    argument[strcspn(argument, "=")] = '\0';
    given = words_shown(invocation->arena, argument);
    owner = owner_of(argument + 2);
    near = nearest(invocation, argument + 2);
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

/* Adds a value to those that were given already. */
static enum exit_code append(struct invocation *invocation, enum option_id id,
                             const char *value)
{
    const char **const text = &invocation->options.text[id];

    *text = *text ? lq_format(invocation->arena, "%s,%s", *text, value) : value;
    return *text ? EXIT_DONE : command_out_of_memory(invocation);
}

/* Takes the value of one option; NULL for a flag. */
static enum exit_code read_value(struct invocation *invocation,
                                 enum option_id id, const char *argument)
{
    const char *const value = argument ? argument : "";

    if (!option_value_check(invocation, id, value)) {
        return EXIT_INVALID;
    }
    if (option_rows[id].kind == OPTION_LIST) {
        return append(invocation, id, value);
    }
    invocation->options.text[id] = value;
    return EXIT_DONE;
}

/* The options of one command in getopt's own terms. */
struct grammar {
    char letters[2 * OPTION_COUNT + 4]; /* "+:", letters, colons */
    struct option longs[OPTION_COUNT + 1];
    enum command_id command;
};

/* Fills in the options of the grammar's command. */
static void fill_grammar(struct grammar *grammar)
{
    char *letter = grammar->letters;
    struct option *next = grammar->longs;

    if (grammar->command == COMMAND_NONE) {
        *letter++ = '+'; /* stop at the command's name */
    }
    *letter++ = ':'; /* tell a missing value from an unknown option */
    for (int id = 0; id < OPTION_COUNT; ++id) {
        const struct option_row *const row = &option_rows[id];

        if (!option_applies(row, grammar->command)) {
            continue;
        }
        *next++ = (struct option){.name = row->name,
                                  .has_arg = row->kind == OPTION_FLAG
                                                 ? no_argument
                                                 : required_argument,
                                  .val = LONG_BASE + id};
        if (row->letter) {
            *letter++ = row->letter;
            if (row->kind != OPTION_FLAG) {
                *letter++ = ':';
            }
        }
    }
}

/* The option that getopt_long() answered; OPTION_COUNT when none. */
static enum option_id option_of(const struct grammar *grammar, int answer)
{
    int id = 0;

    if (answer >= LONG_BASE) {
        return (enum option_id)(answer - LONG_BASE);
    }
    while (id < OPTION_COUNT &&
           (answer == 0 || option_rows[id].letter != answer ||
            !option_applies(&option_rows[id], grammar->command))) {
        ++id;
    }
    return (enum option_id)id;
}

/* Says what is wrong with the argument before optind. */
static void report_bad(const struct invocation *invocation,
                       const struct grammar *grammar, int answer, char **argv)
{
    const enum option_id id = option_of(grammar, optopt);

    if (answer == ':') {
        report_error(&invocation->reporter, "'--%s' needs a value: %s",
                     option_rows[id].name, option_rows[id].metavar);
    } else if (id < OPTION_COUNT) {
        report_error(&invocation->reporter, "'--%s' takes no value",
                     option_rows[id].name);
    } else if (optopt == 0) {
        report_unknown_long(invocation, argv[optind - 1]);
    } else {
        const char letter[] = {'-', (char)optopt, '\0'};

        report_unknown(invocation, words_shown(invocation->arena, letter));
    }
}

enum exit_code options_read(struct invocation *invocation, int argc,
                            char **argv)
{
    struct grammar grammar = {.command = option_command(invocation)};
    enum exit_code code = EXIT_DONE;
    int answer = 0;

    fill_grammar(&grammar);
    optind = 0; /* start afresh, as glibc has it */
    opterr = 0;
    while (code == EXIT_DONE &&
           (answer = getopt_long(argc, argv, grammar.letters, grammar.longs,
                                 NULL)) != -1) {
        if (answer == '?' || answer == ':') {
            report_bad(invocation, &grammar, answer, argv);
            return EXIT_INVALID;
        }
        code = read_value(invocation, option_of(&grammar, answer), optarg);
    }
    invocation->options.operands = argv + optind;
    invocation->options.operand_count =
        argc > optind ? (size_t)(argc - optind) : 0;
    return code;
}
