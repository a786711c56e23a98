#include "base/map.h"
#include "base/text.h"
#include "base/writer.h"
#include "compare/finding.h"
#include "render/diff.h"
#include "render/diff_words.h"

#include <string.h>

#define BOLD "\033[1m"
#define PLAIN "\033[0m"

struct printer {
    struct lq_writer writer;
    struct lq_arena *arena;
    const struct lq_drift *drift;
    const struct lilyq_diff_style *style;
};

struct sign {
    const char *text;
    const char *colour;
};

/* So many findings that are alike still have a line each. */
#define ALONE_MOST 3

/* Findings that say the same of different resources. */
struct line {
    const struct lq_finding *named[ALONE_MOST]; /* the first ones */
    size_t count;
};

/* Findings put together by what they say. */
struct lines {
    struct lq_arena *arena;
    struct lq_map index;
    struct lq_array list; /* struct line *, in order of appearance */
};

static const struct sign *sign_of(const struct lq_finding *finding)
{
    static const struct sign signs[LILYQ_FINDING_COUNT] = {
        [LILYQ_MISSING] = {"+", "\033[32m"},
        [LILYQ_DIFFERENT] = {"~", "\033[33m"},
        [LILYQ_UNEXPECTED] = {"-", "\033[31m"},
        [LILYQ_SHADOWED] = {"!", "\033[35m"},
        [LILYQ_UNVERIFIED] = {"?", "\033[36m"},
        [LILYQ_NOTE] = {"*", "\033[34m"},
    };

    return &signs[lq_finding_kind(finding->code)];
}

/* "  + " */
static void write_sign(struct printer *printer, const struct sign *sign)
{
    const bool colour = printer->style->colour;

    lq_write_texts(&printer->writer, "  ", colour ? sign->colour : "",
                   sign->text, colour ? PLAIN " " : " ", NULL);
}

/* What to do about all findings of a kind that want the same. */
struct advice {
    const struct sign *sign;
    const char *text;
    size_t count;
};

static void count_advice(struct printer *printer,
                         const struct lq_finding *finding, struct lq_map *index,
                         struct lq_array *list)
{
    struct lq_arena *const arena = printer->arena;
    const struct sign *const sign = sign_of(finding);
    const char *const text = lq_finding_advice(finding);
    const char *const key = lq_format(arena, "%s%s", sign->text, text);
    struct advice *advice = lq_map_get(index, key);
    struct advice **slot = NULL;
    void *held = NULL;

    if (!advice) {
        advice = lq_alloc(arena, sizeof(*advice));
        slot = advice ? lq_array_push(list, arena) : NULL;
        if (!slot) {
            return;
        }
        *advice = (struct advice){sign, text, 0};
        *slot = advice;
        if (lq_map_add(index, key, advice, &held) != LQ_OK) {
            return;
        }
    }
    ++advice->count;
}

/* Writes what to do about all findings of a kind that want the same. */
static void write_advice(struct printer *printer)
{
    const struct lq_diff *const diff = &printer->drift->diff;
    struct lq_map index;
    struct lq_array list;

    lq_map_init(&index, printer->arena);
    lq_array_init(&list, sizeof(struct advice *));
    for (size_t i = 0; i < diff->findings.count; ++i) {
        count_advice(printer, lq_diff_at(diff, i), &index, &list);
    }
    for (size_t i = 0; i < list.count; ++i) {
        const struct advice *const advice = ((struct advice **)list.items)[i];

        write_sign(printer, advice->sign);
        lq_write_number(&printer->writer, advice->count);
        lq_write_texts(&printer->writer, ": ", advice->text, "\n", NULL);
    }
}

/* What findings have in common that share a line. */
static const char *likeness(const struct lq_finding *finding,
                            struct lq_arena *arena)
{
    const char *const detail = lq_drift_detail(finding, arena);

    return lq_format(arena, "%d %d %s", (int)finding->code,
                     (int)finding->resource, detail);
}

static void lines_begin(struct lines *lines, struct lq_arena *arena)
{
    lines->arena = arena;
    lq_map_init(&lines->index, arena);
    lq_array_init(&lines->list, sizeof(struct line *));
}

/* The line of that likeness, a new one if there is none; NULL: no memory. */
static struct line *line_of(struct lines *lines, const char *key)
{
    struct line *line = lq_map_get(&lines->index, key);
    struct line **slot = NULL;
    void *held = NULL;

    if (line) {
        return line;
    }
    line = lq_alloc(lines->arena, sizeof(*line));
    slot = line ? lq_array_push(&lines->list, lines->arena) : NULL;
    if (!slot) {
        return NULL;
    }
    *slot = line;
    return lq_map_add(&lines->index, key, line, &held) == LQ_OK ? line : NULL;
}

/* Adds a finding to those that are like it. */
static void lines_add(struct lines *lines, const struct lq_finding *finding)
{
    struct line *const line = line_of(lines, likeness(finding, lines->arena));

    if (!line) {
        return;
    }
    if (line->count < ALONE_MOST) {
        line->named[line->count] = finding;
    }
    ++line->count;
}

/* How many are like a finding. */
static size_t lines_like(const struct lines *lines,
                         const struct lq_finding *finding)
{
    const char *const key = likeness(finding, lines->arena);
    const struct line *const line = lq_map_get(&lines->index, key);

    return line ? line->count : 0;
}

/* So many of those that share a line have their names on it. */
#define MOST_NAMED 2

static void write_detail(struct printer *printer,
                         const struct lq_finding *finding)
{
    const char *const detail = lq_drift_detail(finding, printer->arena);

    if (*detail) {
        lq_write_text(&printer->writer, ": ");
        lq_write_text(&printer->writer, detail);
    }
    lq_write_text(&printer->writer, "\n");
}

static void write_alone(struct printer *printer,
                        const struct lq_finding *finding)
{
    write_sign(printer, sign_of(finding));
    if (finding->resource == LQ_VHOST) { /* the heading names it */
        lq_write_text(&printer->writer,
                      lq_drift_detail(finding, printer->arena));
        lq_write_text(&printer->writer, "\n");
        return;
    }
    lq_write_text(&printer->writer, lq_drift_subject(finding, printer->arena));
    write_detail(printer, finding);
}

/* "17 queues, 'a', 'b' and 15 more" */
static void write_together(struct printer *printer, const struct line *line)
{
    struct lq_writer *const writer = &printer->writer;
    const struct lq_finding *const first = line->named[0];

    write_sign(printer, sign_of(first));
    lq_write_number(writer, line->count);
    lq_write_texts(writer, " ", lq_resource_words(first->resource),
                   first->binding ? " to" : "", NULL);
    for (size_t i = 0; i < MOST_NAMED; ++i) {
        const char *const name = line->named[i]->name;

        lq_write_text(writer, i ? ", '" : " '");
        lq_write_text(&printer->writer,
                      lq_printable(printer->arena, name, strlen(name)));
        lq_write_text(writer, "'");
    }
    lq_write_text(writer, " and ");
    lq_write_number(writer, line->count - MOST_NAMED);
    lq_write_text(writer, " more");
    write_detail(printer, first);
}

static void write_line(struct printer *printer, const struct line *line)
{
    if (line->count > ALONE_MOST) {
        write_together(printer, line);
        return;
    }
    for (size_t i = 0; i < line->count; ++i) {
        write_alone(printer, line->named[i]);
    }
}

static void write_lines(struct printer *printer, const struct lines *lines,
                        size_t least)
{
    struct line *const *const list = lines->list.items;

    for (size_t i = 0; i < lines->list.count; ++i) {
        if (list[i]->count >= least) {
            write_line(printer, list[i]);
        }
    }
}

/* What is not shown, of all logical queues. */
static void gather_unseen(struct printer *printer, struct lines *out)
{
    const struct lq_diff *const diff = &printer->drift->diff;

    lines_begin(out, printer->arena);
    for (size_t i = 0; i < diff->findings.count; ++i) {
        const struct lq_finding *const finding = lq_diff_at(diff, i);

        if (lq_finding_kind(finding->code) == LILYQ_UNVERIFIED) {
            lines_add(out, finding);
        }
    }
}

/*
 * Whether a finding is among many of `unseen` that are alike, which are told
 * once and for all behind the logical queues.
 */
static bool is_told_once(const struct lines *unseen,
                         const struct lq_finding *finding)
{
    return lq_finding_kind(finding->code) == LILYQ_UNVERIFIED &&
           lines_like(unseen, finding) > ALONE_MOST;
}

static void write_heading(struct printer *printer, const char *name)
{
    const bool colour = printer->style->colour;

    lq_write_text(&printer->writer, colour ? BOLD : "");
    lq_write_text(&printer->writer, name);
    lq_write_texts(&printer->writer, colour ? PLAIN : "", "\n", NULL);
}

/* A logical queue's name, or what its findings are about instead. */
static const char *heading(const struct printer *printer,
                           const struct lq_finding *finding)
{
    const struct lq_logical *const logical = finding->logical;
    const char *const name =
        logical ? logical->entry->name : printer->drift->vhost;
    const char *shown = NULL;

    if (finding->resource == LQ_POLICY) {
        return "policies";
    }
    if (!name) {
        return "no longer planned";
    }
    shown = lq_printable(printer->arena, name, strlen(name));
    return logical ? shown
                   : lq_format(printer->arena, "virtual host '%s'", shown);
}

/* The findings of one logical queue. */
static void write_group(struct printer *printer, const struct lq_finding *first,
                        size_t count, const struct lines *unseen)
{
    struct lines lines;

    lines_begin(&lines, printer->arena);
    for (size_t i = 0; i < count; ++i) {
        if (!is_told_once(unseen, &first[i])) {
            lines_add(&lines, &first[i]);
        }
    }
    if (lines.list.count > 0) {
        write_heading(printer, heading(printer, first));
        write_lines(printer, &lines, 1);
        lq_write_text(&printer->writer, "\n");
    }
}

/* The same with a line for each. */
static void write_whole_group(struct printer *printer,
                              const struct lq_finding *first, size_t count)
{
    write_heading(printer, heading(printer, first));
    for (size_t i = 0; i < count; ++i) {
        write_alone(printer, &first[i]);
    }
    lq_write_text(&printer->writer, "\n");
}

static void write_unseen(struct printer *printer, const struct lines *unseen)
{
    struct line *const *const list = unseen->list.items;
    size_t most = 0;

    for (size_t i = 0; i < unseen->list.count; ++i) {
        most = list[i]->count > most ? list[i]->count : most;
    }
    if (most > ALONE_MOST) {
        write_heading(printer, "out of sight");
        write_lines(printer, unseen, ALONE_MOST + 1);
        lq_write_text(&printer->writer, "\n");
    }
}

static void write_groups(struct printer *printer)
{
    const struct lq_finding *const findings =
        printer->drift->diff.findings.items;
    const size_t count = printer->drift->diff.findings.count;
    struct lines unseen;
    size_t end = 0;

    gather_unseen(printer, &unseen);
    for (size_t start = 0; start < count; start = end) {
        const struct lq_finding *const first = &findings[start];

        while (end < count && findings[end].logical == first->logical &&
               (findings[end].resource == LQ_POLICY) ==
                   (first->resource == LQ_POLICY)) {
            ++end;
        }
        if (printer->style->whole) {
            write_whole_group(printer, first, end - start);
        } else {
            write_group(printer, first, end - start, &unseen);
        }
    }
    if (!printer->style->whole) {
        write_unseen(printer, &unseen);
    }
}

enum lq_status lq_drift_text_render(const struct lq_drift *drift,
                                    const struct lilyq_diff_style *style,
                                    struct lq_arena *arena,
                                    const struct lilyq_sink *sink)
{
    struct printer printer = {.arena = arena, .drift = drift, .style = style};

    lq_writer_init(&printer.writer, sink);
    if (drift->diff.findings.count > 0) {
        write_groups(&printer);
        lq_write_texts(&printer.writer, style->colour ? BOLD : "", "What to do",
                       style->colour ? PLAIN : "", "\n", NULL);
        write_advice(&printer);
    }
    return lq_writer_end(&printer.writer);
}
