#include "format/drift_lines.h"

#include "format/drift_words.h"

/* What findings have in common that share a line; NULL when out of memory. */
static const char *likeness(const struct lq_finding *finding,
                            struct lq_arena *arena)
{
    const char *const detail = lq_drift_detail(finding, arena);

    return detail ? lq_format(arena, "%d %d %s", (int)finding->code,
                              (int)finding->resource, detail)
                  : NULL;
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
    if (!slot || lq_map_add(&lines->index, key, line, &held) != LQ_OK) {
        return NULL;
    }
    *slot = line;
    return line;
}

enum lq_status lq_drift_lines_add(struct lq_drift_lines *lines,
                                  const struct lq_finding *finding)
{
    const char *const key = likeness(finding, lines->arena);
    struct lq_drift_line *const line = key ? line_of(lines, key) : NULL;

    if (!line) {
        return LQ_NOMEM;
    }
    if (line->count < LQ_DRIFT_ALONE) {
        line->named[line->count] = finding;
    }
    ++line->count;
    return LQ_OK;
}

size_t lq_drift_lines_like(const struct lq_drift_lines *lines,
                           const struct lq_finding *finding)
{
    const char *const key = likeness(finding, lines->arena);
    const struct lq_drift_line *const line =
        key ? lq_map_get(&lines->index, key) : NULL;

    return line ? line->count : 0;
}
