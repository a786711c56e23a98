#include "command.h"
#include "key_words.h"
#include "output.h"

#include <string.h>

/* One key as it is shown. */
struct line {
    const char *name;
    const char *accepts;
    const char *preset;
    const char *help;
};

static const struct line heading = {"KEY", "ACCEPTS", "DEFAULT", "MEANING"};

/* The widest texts of the first three columns. */
struct widths {
    int name;
    int accepts;
    int preset;
};

static int wider(int width, const char *text)
{
    const int length = (int)strlen(text);

    return length > width ? length : width;
}

static void widen(struct widths *widths, const struct line *line)
{
    widths->name = wider(widths->name, line->name);
    widths->accepts = wider(widths->accepts, line->accepts);
    widths->preset = wider(widths->preset, line->preset);
}

/* A line for each row of the schema; NULL when out of memory. */
static const struct line *make_lines(struct lq_arena *arena,
                                     struct widths *widths)
{
    struct line *const lines =
        lq_alloc_array(arena, lq_key_count, sizeof(*lines));

    widen(widths, &heading);
    for (size_t i = 0; lines && i < lq_key_count; ++i) {
        const struct lq_key *const key = &lq_keys[i];

        lines[i] = (struct line){key->name, key_accepts(arena, key),
                                 key_default(key), key->help};
        widen(widths, &lines[i]);
    }
    return lines;
}

static void print_line(struct output *output, const struct widths *widths,
                       const struct line *line)
{
    output_format(output, "  %-*s  %-*s  %-*s  %s\n", widths->name, line->name,
                  widths->accepts, line->accepts, widths->preset, line->preset,
                  line->help);
}

static void print_section(struct output *output, const struct widths *widths,
                          const struct line *lines, enum lq_section section)
{
    print_line(output, widths, &heading);
    for (size_t i = 0; i < lq_key_count; ++i) {
        if (lq_keys[i].section == section) {
            print_line(output, widths, &lines[i]);
        }
    }
}

static enum exit_code run_command(struct invocation *invocation)
{
    struct output output = {0};
    struct widths widths = {0};
    const struct line *const lines = make_lines(invocation->arena, &widths);

    if (!lines) {
        return command_out_of_memory(invocation);
    }
    output_text(&output, "[broker]\n");
    print_section(&output, &widths, lines, LQ_SECTION_BROKER);
    output_text(&output, "\n[queue:NAME], and [defaults] for all queues of a "
                         "file\n");
    print_section(&output, &widths, lines, LQ_SECTION_QUEUE);
    return output_close(&output, &invocation->reporter) ? EXIT_DONE
                                                        : EXIT_FAILED;
}

const struct command cmd_keys = {
    .name = "keys",
    .synopsis = "",
    .summary = "list the keys of the configuration",
    .about = "Prints every key with what it accepts, its default and its "
             "meaning. Key names are the same in INI and JSON; a dot "
             "stands for a nested object.",
    .run = run_command,
};
