#include "base/diag.h"

#include "base/map.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void lq_diags_init(struct lq_diags *diags, struct lq_arena *arena)
{
    diags->arena = arena;
    diags->error_count = 0;
    diags->error_told = LQ_ERRORS_MAX;
    lq_array_init(&diags->items, sizeof(struct lq_diag));
    lq_array_init(&diags->files, sizeof(const char *));
    lq_array_init(&diags->logins, sizeof(struct lq_login));
}

void lq_diags_add_file(struct lq_diags *diags, const char *file)
{
    const char **const slot = lq_array_push(&diags->files, diags->arena);

    if (slot) {
        *slot = file;
    }
}

const struct lq_diag *lq_diags_at(const struct lq_diags *diags, size_t index)
{
    return (const struct lq_diag *)diags->items.items + index;
}

static void add(struct lq_diags *diags, enum lq_severity severity,
                const struct lq_place *place, const char *text)
{
    struct lq_diag *const diag = lq_array_push(&diags->items, diags->arena);

    if (diag) {
        diag->severity = severity;
        diag->text = text;
        diag->place = place ? *place : (struct lq_place){0};
    }
}

void lq_diags_hide(struct lq_diags *diags, const struct lq_login *login)
{
    const struct lq_login *const known = diags->logins.items;
    struct lq_login *slot = NULL;

    for (size_t i = 0; i < diags->logins.count; ++i) {
        if (known[i].username == login->username &&
            known[i].password == login->password) {
            return;
        }
    }
    slot = lq_array_push(&diags->logins, diags->arena);
    if (slot) {
        *slot = *login;
    }
}

bool lq_diags_hides(const struct lq_diags *diags)
{
    return diags->logins.count > 0;
}

const char *lq_diags_shown(const struct lq_diags *diags, const char *text,
                           size_t length)
{
    const struct lq_login *const logins = diags->logins.items;
    const char *shown = lq_printable(diags->arena, text, length);

    for (size_t i = 0; i < diags->logins.count; ++i) {
        shown = lq_redact(diags->arena, &logins[i], shown, strlen(shown));
    }
    return shown;
}

/* Quoted input may contain anything; the result is one line, safe to show. */
static const char *make_text(const struct lq_diags *diags, const char *format,
                             va_list args)
    __attribute__((format(printf, 2, 0)));

static const char *make_text(const struct lq_diags *diags, const char *format,
                             va_list args)
{
    const char *const text = lq_vformat(diags->arena, format, args);

    return lq_diags_shown(diags, text, strlen(text));
}

enum lq_status lq_error(struct lq_diags *diags, const struct lq_place *place,
                        const char *format, ...)
{
    va_list args;

    if (diags->error_count++ < LQ_ERRORS_MAX) {
        va_start(args, format);
        add(diags, LQ_ERROR, place, make_text(diags, format, args));
        va_end(args);
    }
    return LQ_INVALID;
}

void lq_warning(struct lq_diags *diags, const struct lq_place *place,
                const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add(diags, LQ_WARNING, place, make_text(diags, format, args));
    va_end(args);
}

void lq_diags_count(struct lq_diags *diags, size_t errors)
{
    diags->error_count += errors;
}

void lq_diags_sum_up(struct lq_diags *diags)
{
    const size_t count = diags->error_count;

    if (count > diags->error_told) {
        const size_t more = count - diags->error_told;

        diags->error_told = count;
        add(diags, LQ_ERROR, NULL,
            lq_format(diags->arena, "\u2026 and %zu more problem%s", more,
                      more == 1 ? "" : "s"));
    }
}

struct lq_trial lq_trial_begin(const struct lq_diags *diags)
{
    return (struct lq_trial){.mark = lq_arena_mark(diags->arena),
                             .error_count = diags->error_count};
}

void lq_trial_end(const struct lq_trial *trial, struct lq_diags *diags)
{
    if (trial->error_count >= LQ_ERRORS_MAX &&
        diags->error_count > trial->error_count) {
        lq_arena_release(diags->arena, &trial->mark);
    }
}

const char *lq_place_text(struct lq_arena *arena, const struct lq_place *place)
{
    if (!place->file) {
        return "";
    }
    if (place->path) {
        return lq_format(arena, "%s: %s", place->file, place->path);
    }
    if (place->line == 0) {
        return place->file;
    }
    if (place->column == 0) {
        return lq_format(arena, "%s:%u", place->file, place->line);
    }
    return lq_format(arena, "%s:%u:%u", place->file, place->line,
                     place->column);
}

const char *lq_diag_line(struct lq_arena *arena, const struct lq_diag *diag)
{
    const char *const place = lq_place_text(arena, &diag->place);
    const char *const kind = diag->severity == LQ_WARNING ? "warning: " : "";

    return lq_format(arena, "%s%s%s%s", place, *place ? ": " : "", kind,
                     diag->text);
}

struct ranked {
    struct lq_diag diag;
    size_t file;  /* in the order noted, then first met; no file: last */
    size_t index; /* keeps the sort stable */
};

static size_t line_rank(const struct lq_diag *diag)
{
    return diag->place.line ? diag->place.line : SIZE_MAX;
}

static int compare_sizes(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

static int compare_ranked(const void *left, const void *right)
{
    const struct ranked *const a = left;
    const struct ranked *const b = right;
    int order = compare_sizes(a->file, b->file);

    if (order == 0) {
        order = compare_sizes(line_rank(&a->diag), line_rank(&b->diag));
    }
    return order ? order : compare_sizes(a->index, b->index);
}

/* Fills `rank` with a file's position among the files met so far. */
static enum lq_status rank_file(struct lq_map *files, const char *name,
                                size_t *rank)
{
    void *const value = lq_alloc(files->arena, sizeof(size_t));
    void *held = NULL;
    const size_t next = files->count;

    if (!value || lq_map_add(files, name, value, &held) != LQ_OK) {
        return LQ_NOMEM;
    }
    if (held == value) {
        *(size_t *)held = next;
    }
    *rank = *(const size_t *)held;
    return LQ_OK;
}

static enum lq_status rank_all(const struct lq_diags *diags,
                               struct ranked *ranked)
{
    const char *const *const noted = diags->files.items;
    struct lq_map files;
    size_t rank = 0;

    lq_map_init(&files, diags->arena);
    for (size_t i = 0; i < diags->files.count; ++i) {
        if (rank_file(&files, noted[i], &rank) != LQ_OK) {
            return LQ_NOMEM;
        }
    }
    for (size_t i = 0; i < diags->items.count; ++i) {
        struct ranked *const item = &ranked[i];

        item->diag = *lq_diags_at(diags, i);
        item->index = i;
        item->file = SIZE_MAX;
        if (item->diag.place.file &&
            rank_file(&files, item->diag.place.file, &item->file) != LQ_OK) {
            return LQ_NOMEM;
        }
    }
    return LQ_OK;
}

void lq_diags_sort(struct lq_diags *diags)
{
    const size_t count = diags->items.count;
    struct lq_diag *const items = diags->items.items;
    struct ranked *ranked = NULL;

    if (count < 2) {
        return;
    }
    ranked = lq_alloc_array(diags->arena, count, sizeof(*ranked));
    if (!ranked || rank_all(diags, ranked) != LQ_OK) {
        return;
    }
    qsort(ranked, count, sizeof(*ranked), compare_ranked);
    for (size_t i = 0; i < count; ++i) {
        items[i] = ranked[i].diag;
    }
}
