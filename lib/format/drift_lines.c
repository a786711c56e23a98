#include "format/drift_lines.h"

#include "base/map.h"
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

/* The line of that likeness, a new one if there is none; NULL: no memory. */
static struct lq_drift_line *line_of(const char *key, struct lq_map *index,
                                     struct lq_array *lines)
{
    struct lq_drift_line *line = lq_map_get(index, key);
    struct lq_drift_line **slot = NULL;
    void *held = NULL;

    if (line) {
        return line;
    }
    line = lq_alloc(index->arena, sizeof(*line));
    slot = line ? lq_array_push(lines, index->arena) : NULL;
    if (!slot || lq_map_add(index, key, line, &held) != LQ_OK) {
        return NULL;
    }
    *slot = line;
    return line;
}

enum lq_status lq_drift_lines(const struct lq_finding *findings, size_t count,
                              struct lq_arena *arena, struct lq_array *out)
{
    struct lq_map index;

    lq_map_init(&index, arena);
    lq_array_init(out, sizeof(struct lq_drift_line *));
    for (size_t i = 0; i < count; ++i) {
        const char *const key = likeness(&findings[i], arena);
        struct lq_drift_line *const line =
            key ? line_of(key, &index, out) : NULL;

        if (!line) {
            return LQ_NOMEM;
        }
        if (line->count < LQ_DRIFT_ALONE) {
            line->named[line->count] = &findings[i];
        }
        ++line->count;
    }
    return LQ_OK;
}
