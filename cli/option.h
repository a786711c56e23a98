/* The options of a command: their tables, and what a command line says. */
#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include "exit_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct command;
struct invocation;

enum option_kind {
    OPTION_FLAG,
    OPTION_TEXT,
    OPTION_ANY_TEXT, /* may be empty */
    OPTION_LIST,     /* may be repeated: commas then join the values */
    OPTION_FILE,
    OPTION_INPUT_FILE, /* read as an operand is: '-' is standard input */
    OPTION_CHOICE,
    OPTION_CHOICES, /* several with commas between them */
    OPTION_SECONDS, /* `least` to MAX_SECONDS */
    OPTION_NUMBER   /* `least` to MAX_NUMBER */
};

#define MAX_SECONDS 86400U
#define MAX_NUMBER 65535U

/*
 * One option: the single source for parsing, --help and the completion
 * scripts. Its address is what it is known by; options of different commands
 * may have the same name.
 */
struct option_row {
    const char *name;           /* without the dashes */
    const char *metavar;        /* NULL for a flag */
    const char *const *choices; /* OPTION_CHOICE(S): NULL-terminated */
    const char *preset;         /* shown as the default, or NULL */
    const char *help;           /* one sentence, no full stop */
    enum option_kind kind;
    unsigned least; /* OPTION_SECONDS, OPTION_NUMBER */
    char letter;    /* short form, or 0 */
};

/* The --output of a command: what it is the form of, its choices, the first. */
#define OPTION_FORM(what, list, first)                                         \
    {                                                                          \
        .name = "output", .letter = 'o', .kind = OPTION_CHOICE,                \
        .metavar = "FORMAT", .choices = (list), .preset = (first),             \
        .help = "form of the " what                                            \
    }

/*
 * A table of options is an array of pointers to rows with NULL at its end: what
 * a command has of its own, or what several commands share.
 */

/* Options of every command. */
extern const struct option_row option_quiet;
extern const struct option_row option_verbose;
extern const struct option_row option_no_color;
extern const struct option_row option_help;

/* Before a command's name only. */
extern const struct option_row option_version;

/* More than any command has. */
#define OPTION_MAX 64

/*
 * All options of a command, in the order of --help; NULL: those that stand
 * before a command's name. Returns how many there are.
 */
size_t options_of(const struct command *command,
                  const struct option_row *out[OPTION_MAX]);

/* Whether the command has that option. */
bool option_applies(const struct command *command,
                    const struct option_row *row);

/* Whether its value is the name of a file. */
bool option_is_file(const struct option_row *row);

/* An option that is given. */
struct option_value {
    const struct option_row *row;
    const char *text; /* "" for a flag */
    unsigned number;  /* the number, the index of the choice, or bits 1 << index
                         of the choices */
};

/* What a command line says. */
struct options {
    struct option_value values[OPTION_MAX];
    size_t count;
    char *const *operands;
    size_t operand_count;
};

/*
 * Reads the options of the invocation's command from argv[1] on; later ones
 * win, but for lists. What is left are the operands: without a command all from
 * the first non-option on, else those between options as well. Not EXIT_DONE
 * after saying what is wrong.
 */
enum exit_code options_read(struct invocation *invocation, int argc,
                            char **argv);

/* What is given, or NULL: nothing. */
const char *option_text(const struct invocation *invocation,
                        const struct option_row *row);

/* The number or choices given, or 0. */
unsigned option_number(const struct invocation *invocation,
                       const struct option_row *row);

/* Two options that say the opposite of each other. */
struct option_pair {
    const struct option_row *one;
    const struct option_row *other;
};

/* False, after saying so, when both of a pair are given. */
bool option_pairs_agree(const struct invocation *invocation,
                        const struct option_pair *pairs, size_t count);

/* The same for an option and each of a table. */
bool option_excludes(const struct invocation *invocation,
                     const struct option_row *row,
                     const struct option_row *const *table);

/*
 * False, after saying so, when one of a table is given: "'--NAME' WHY", with
 * "needs '--rate'" for one.
 */
bool options_absent(const struct invocation *invocation,
                    const struct option_row *const *table, const char *why);

/*
 * Each reads the text of an option, and leaves *out as it is when the option
 * is not given. False when the text is not what it must be, which it then
 * says.
 */

/* A time up to so many days, in millis. */
bool option_duration(const struct invocation *invocation,
                     const struct option_row *row, unsigned most_days,
                     uint64_t *out);

bool option_bytes(const struct invocation *invocation,
                  const struct option_row *row, uint64_t *out);

/* A version of the broker, of which the text is kept. */
bool option_version_text(const struct invocation *invocation,
                         const struct option_row *row, const char **out);

/* Says what the option must be, and returns false. */
bool option_refuse(const struct invocation *invocation,
                   const struct option_row *row, const char *wanted);

#endif
