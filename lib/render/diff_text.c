#include "base/map.h"
#include "base/text.h"
#include "base/writer.h"
#include "compare/finding.h"
#include "render/diff.h"
#include "render/diff_words.h"

#include <string.h>

/* What the parts of lq_drift_text_render() share. */
#define LQ_BOLD "\033[1m"
#define LQ_PLAIN "\033[0m"

struct lq_drift_printer {
    struct lq_writer writer;
    struct lq_arena *arena;
    const struct lq_drift *drift;
    const struct lilyq_diff_style *style;
};

struct lq_drift_sign {
    const char *text;
    const char *colour;
};

const struct lq_drift_sign *lq_drift_sign_of(const struct lq_finding *finding);

/* "  + " */
void lq_drift_write_sign(struct lq_drift_printer *printer,
                         const struct lq_drift_sign *sign);

/* Writes what to do about all findings of a kind that want the same. */
void lq_drift_write_advice(struct lq_drift_printer *printer);

/* So many findings that are alike still have a line each. */
#define LQ_DRIFT_ALONE 3

/* Findings that say the same of different resources. */
struct lq_drift_line {
    const struct lq_finding *named[LQ_DRIFT_ALONE]; /* the first ones */
    size_t count;
};

/* Findings put together by what they say. */
struct lq_drift_lines {
    struct lq_arena *arena;
    struct lq_map index;
    struct lq_array list; /* struct lq_drift_line *, in order of appearance */
};

void lq_drift_lines_begin(struct lq_drift_lines *lines, struct lq_arena *arena);

/* Adds a finding to those that are like it. */
void lq_drift_lines_add(struct lq_drift_lines *lines,
                        const struct lq_finding *finding);

/* How many are like a finding. */
size_t lq_drift_lines_like(const struct lq_drift_lines *lines,
                           const struct lq_finding *finding);

const struct lq_drift_sign *lq_drift_sign_of(const struct lq_finding *finding)
{
    static const struct lq_drift_sign signs[LILYQ_FINDING_COUNT] = {
        [LILYQ_MISSING] = {"+", "\033[32m"},
        [LILYQ_DIFFERENT] = {"~", "\033[33m"},
        [LILYQ_UNEXPECTED] = {"-", "\033[31m"},
        [LILYQ_SHADOWED] = {"!", "\033[35m"},
        [LILYQ_UNVERIFIED] = {"?", "\033[36m"},
        [LILYQ_NOTE] = {"*", "\033[34m"},
    };

    return &signs[lq_finding_kind(finding->code)];
}

void lq_drift_write_sign(struct lq_drift_printer *printer,
                         const struct lq_drift_sign *sign)
{
    const bool colour = printer->style->colour;

    lq_write_texts(&printer->writer, "  ", colour ? sign->colour : "",
                   sign->text, colour ? LQ_PLAIN " " : " ", NULL);
}

/* What to do about all findings of a kind that want the same. */
struct advice {
    const struct lq_drift_sign *sign;
    const char *text;
    size_t count;
};

static void count_advice(struct lq_drift_printer *printer,
                         const struct lq_finding *finding, struct lq_map *index,
                         struct lq_array *list)
{
    struct lq_arena *const arena = printer->arena;
    const struct lq_drift_sign *const sign = lq_drift_sign_of(finding);
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

void lq_drift_write_advice(struct lq_drift_printer *printer)
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

        lq_drift_write_sign(printer, advice->sign);
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

void lq_drift_lines_begin(struct lq_drift_lines *lines, struct lq_arena *arena)
{
    lines->arena = arena;
    lq_map_init(&lines->index, arena);
    lq_array_init(&lines->list, sizeof(struct lq_drift_line *));
}

/* The line of that likeness, a new one if there is none; NULL: no memory. */
static struct lq_drift_line *line_of(struct lq_drift_lines *lines,
                                     const char *key)
{
    struct lq_drift_line *line = lq_map_get(&lines->index, key);
    struct lq_drift_line **slot = NULL;
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

void lq_drift_lines_add(struct lq_drift_lines *lines,
                        const struct lq_finding *finding)
{
    struct lq_drift_line *const line =
        line_of(lines, likeness(finding, lines->arena));

    if (!line) {
        return;
    }
    if (line->count < LQ_DRIFT_ALONE) {
        line->named[line->count] = finding;
    }
    ++line->count;
}

size_t lq_drift_lines_like(const struct lq_drift_lines *lines,
                           const struct lq_finding *finding)
{
    const char *const key = likeness(finding, lines->arena);
    const struct lq_drift_line *const line = lq_map_get(&lines->index, key);

    return line ? line->count : 0;
}

/* So many of those that share a line have their names on it. */
#define MOST_NAMED 2

static void write_detail(struct lq_drift_printer *printer,
                         const struct lq_finding *finding)
{
    const char *const detail = lq_drift_detail(finding, printer->arena);

    if (*detail) {
        lq_write_text(&printer->writer, ": ");
        lq_write_text(&printer->writer, detail);
    }
    lq_write_text(&printer->writer, "\n");
}

static void write_alone(struct lq_drift_printer *printer,
                        const struct lq_finding *finding)
{
    lq_drift_write_sign(printer, lq_drift_sign_of(finding));
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
static void write_together(struct lq_drift_printer *printer,
                           const struct lq_drift_line *line)
{
    struct lq_writer *const writer = &printer->writer;
    const struct lq_finding *const first = line->named[0];

    lq_drift_write_sign(printer, lq_drift_sign_of(first));
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

static void write_line(struct lq_drift_printer *printer,
                       const struct lq_drift_line *line)
{
    if (line->count > LQ_DRIFT_ALONE) {
        write_together(printer, line);
        return;
    }
    for (size_t i = 0; i < line->count; ++i) {
        write_alone(printer, line->named[i]);
    }
}

static void write_lines(struct lq_drift_printer *printer,
                        const struct lq_drift_lines *lines, size_t least)
{
    struct lq_drift_line *const *const list = lines->list.items;

    for (size_t i = 0; i < lines->list.count; ++i) {
        if (list[i]->count >= least) {
            write_line(printer, list[i]);
        }
    }
}

/* What is not shown, of all logical queues. */
static void gather_unseen(struct lq_drift_printer *printer,
                          struct lq_drift_lines *out)
{
    const struct lq_diff *const diff = &printer->drift->diff;

    lq_drift_lines_begin(out, printer->arena);
    for (size_t i = 0; i < diff->findings.count; ++i) {
        const struct lq_finding *const finding = lq_diff_at(diff, i);

        if (lq_finding_kind(finding->code) == LILYQ_UNVERIFIED) {
            lq_drift_lines_add(out, finding);
        }
    }
}

/*
 * Whether a finding is among many of `unseen` that are alike, which are told
 * once and for all behind the logical queues.
 */
static bool is_told_once(const struct lq_drift_lines *unseen,
                         const struct lq_finding *finding)
{
    return lq_finding_kind(finding->code) == LILYQ_UNVERIFIED &&
           lq_drift_lines_like(unseen, finding) > LQ_DRIFT_ALONE;
}

static void write_heading(struct lq_drift_printer *printer, const char *name)
{
    const bool colour = printer->style->colour;

    lq_write_text(&printer->writer, colour ? LQ_BOLD : "");
    lq_write_text(&printer->writer, name);
    lq_write_texts(&printer->writer, colour ? LQ_PLAIN : "", "\n", NULL);
}

/* A logical queue's name, or what its findings are about instead. */
static const char *heading(const struct lq_drift_printer *printer,
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
static void write_group(struct lq_drift_printer *printer,
                        const struct lq_finding *first, size_t count,
                        const struct lq_drift_lines *unseen)
{
    struct lq_drift_lines lines;

    lq_drift_lines_begin(&lines, printer->arena);
    for (size_t i = 0; i < count; ++i) {
        if (!is_told_once(unseen, &first[i])) {
            lq_drift_lines_add(&lines, &first[i]);
        }
    }
    if (lines.list.count > 0) {
        write_heading(printer, heading(printer, first));
        write_lines(printer, &lines, 1);
        lq_write_text(&printer->writer, "\n");
    }
}

/* The same with a line for each. */
static void write_whole_group(struct lq_drift_printer *printer,
                              const struct lq_finding *first, size_t count)
{
    write_heading(printer, heading(printer, first));
    for (size_t i = 0; i < count; ++i) {
        write_alone(printer, &first[i]);
    }
    lq_write_text(&printer->writer, "\n");
}

static void write_unseen(struct lq_drift_printer *printer,
                         const struct lq_drift_lines *unseen)
{
    struct lq_drift_line *const *const list = unseen->list.items;
    size_t most = 0;

    for (size_t i = 0; i < unseen->list.count; ++i) {
        most = list[i]->count > most ? list[i]->count : most;
    }
    if (most > LQ_DRIFT_ALONE) {
        write_heading(printer, "out of sight");
        write_lines(printer, unseen, LQ_DRIFT_ALONE + 1);
        lq_write_text(&printer->writer, "\n");
    }
}

static void write_groups(struct lq_drift_printer *printer)
{
    const struct lq_finding *const findings =
        printer->drift->diff.findings.items;
    const size_t count = printer->drift->diff.findings.count;
    struct lq_drift_lines unseen;
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
    struct lq_drift_printer printer = {
        .arena = arena, .drift = drift, .style = style};

    lq_writer_init(&printer.writer, sink);
    if (drift->diff.findings.count > 0) {
        write_groups(&printer);
        lq_write_texts(&printer.writer, style->colour ? LQ_BOLD : "",
                       "What to do", style->colour ? LQ_PLAIN : "", "\n", NULL);
        lq_drift_write_advice(&printer);
    }
    return lq_writer_end(&printer.writer);
}
