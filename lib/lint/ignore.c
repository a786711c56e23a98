#include "base/arena.h"
#include "base/map.h"
#include "lint/run.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The words of a comment "lilyq:ignore LQ001,LQ002 reason". */
struct words {
    struct lq_array codes; /* const char *, as written */
    const char *reason;    /* "" when there is none */
};

static void add_code(struct words *words, struct lq_arena *arena,
                     const char *text, size_t length)
{
    const char **const slot = lq_array_push(&words->codes, arena);

    if (slot) {
        *slot = lq_strndup(arena, text, length);
    }
}

/*
 * Takes apart what follows "lilyq:ignore": codes with commas between them, and
 * the reason. Blanks around the commas do not matter.
 */
static void read_words(const char *text, struct lq_arena *arena,
                       struct words *out)
{
    bool more = true;

    lq_array_init(&out->codes, sizeof(const char *));
    while (more) {
        size_t length = 0;

        text += strspn(text, " ");
        length = strcspn(text, ", ");
        if (length > 0) {
            add_code(out, arena, text, length);
        }
        text += length;
        text += strspn(text, " ");
        more = *text == ',';
        text += more;
    }
    out->reason = text;
}

/* Stands for the line of an ignore that is for a whole file. */
#define WHOLE_FILE UINT_MAX

/* One code that a comment ignores. */
struct ignore {
    enum lq_lint_code code;
    const struct lq_remark *remark;
    const char *reason;
    bool used;
    struct ignore *first; /* the first of that code and line, maybe itself */
};

struct ignores {
    struct lq_lint_run *run;
    struct lq_array list; /* struct ignore * */
    struct lq_map places; /* the first of each code and line, by key_of() */
};

/* The key to look up an ignore by. */
static const char *key_of(const struct ignores *ignores, unsigned line,
                          const char *file, enum lq_lint_code code)
{
    return lq_format(ignores->run->arena, "%u %u %s", (unsigned)code, line,
                     file);
}

/* Puts an ignore where look_up() finds it. */
static void keep(struct ignores *ignores, struct ignore *ignore)
{
    const struct lq_remark *const remark = ignore->remark;
    struct ignore **const slot =
        lq_array_push(&ignores->list, ignores->run->arena);
    const char *const key =
        key_of(ignores, remark->for_file ? WHOLE_FILE : remark->line,
               remark->place.file, ignore->code);
    void *held = NULL;

    if (slot && lq_map_add(&ignores->places, key, ignore, &held) == LQ_OK) {
        *slot = ignore;
        ignore->first = held;
    }
}

static void add(struct ignores *ignores, const struct lq_remark *remark,
                enum lq_lint_code code, const char *reason)
{
    struct ignore *const ignore =
        lq_alloc(ignores->run->arena, sizeof(*ignore));

    if (ignore) {
        *ignore = (struct ignore){code, remark, reason, false, NULL};
        keep(ignores, ignore);
    }
}

static void read_code(struct ignores *ignores, const struct lq_remark *remark,
                      const char *text, const char *reason)
{
    const enum lq_lint_code code = lq_lint_code_of(text);

    if (code == LQ_LINT_CODE_COUNT) {
        lq_lint_found_at(ignores->run, LQ_LINT_IGNORE_UNKNOWN_CODE,
                         &remark->place, "there is no code '%s'", text);
    } else if (*reason) {
        add(ignores, remark, code, reason);
    }
}

static void read_remark(struct ignores *ignores, const struct lq_remark *remark)
{
    struct words words;
    const char *const *codes = NULL;

    read_words(remark->text, ignores->run->arena, &words);
    codes = words.codes.items;
    if (words.codes.count == 0) {
        lq_lint_found_at(ignores->run, LQ_LINT_IGNORE_UNKNOWN_CODE,
                         &remark->place, "the comment names no code to ignore");
    } else if (!*words.reason) {
        lq_lint_found_at(ignores->run, LQ_LINT_IGNORE_WITHOUT_REASON,
                         &remark->place,
                         "no reason is given, so nothing is ignored");
    }
    for (size_t i = 0; i < words.codes.count; ++i) {
        read_code(ignores, remark, codes[i], words.reason);
    }
}

/* The reason for ignoring that code at that line, or NULL. */
static const char *look_up(struct ignores *ignores, unsigned line,
                           const char *file, enum lq_lint_code code)
{
    const char *const key = key_of(ignores, line, file, code);
    struct ignore *const ignore = lq_map_get(&ignores->places, key);

    if (!ignore) {
        return NULL;
    }
    ignore->used = true;
    return ignore->reason;
}

/* The nearest comment gives the reason; all that match count as used. */
static void apply(struct ignores *ignores, struct lq_lint_finding *finding)
{
    const struct lq_entry *const entry = finding->logical->entry;
    const char *const file = entry->place.file;
    const unsigned lines[] = {
        WHOLE_FILE, entry->place.line,
        finding->field < LQ_FIELD_COUNT ? entry->lines[finding->field] : 0};

    for (size_t i = 0; file && i < sizeof(lines) / sizeof(lines[0]); ++i) {
        const char *const reason =
            lines[i] ? look_up(ignores, lines[i], file, finding->code) : NULL;

        if (reason) {
            finding->reason = reason;
        }
    }
}

/*
 * Whether a finding of this code could have come up: other runs may judge
 * another broker or none, and have other limits.
 */
static bool can_be_found(const struct lq_lint_run *run, enum lq_lint_code code)
{
    const struct lq_lint_rule *const rule = lq_lint_rule(code);
    const struct lq_lint_settings *const settings = run->settings;
    const unsigned has =
        (settings->max_window_millis ? (unsigned)LQ_LINT_NEEDS_WINDOW : 0U) |
        (settings->max_disk_bytes ? (unsigned)LQ_LINT_NEEDS_DISK : 0U);

    return lq_lint_rule_holds(rule, settings->version) &&
           (rule->needs & ~has) == 0 && !(settings->live && rule->policy_mends);
}

static void report_unused(const struct ignores *ignores,
                          const struct ignore *ignore)
{
    const char *const code = lq_lint_rule(ignore->code)->code;

    if (ignore->remark->line == 0) {
        lq_lint_found_at(ignores->run, LQ_LINT_IGNORE_UNUSED,
                         &ignore->remark->place,
                         "%s is ignored, but no line follows", code);
    } else if (can_be_found(ignores->run, ignore->code)) {
        lq_lint_found_at(ignores->run, LQ_LINT_IGNORE_UNUSED,
                         &ignore->remark->place,
                         "%s is ignored, but not found at the line that the "
                         "comment is about",
                         code);
    }
}

/* Applies them to the first findings; those about comments come after these. */
static void apply_all(struct ignores *ignores, size_t count)
{
    struct lq_lint_finding *const findings = ignores->run->findings.items;

    for (size_t i = 0; i < count; ++i) {
        if (findings[i].logical) {
            apply(ignores, &findings[i]);
        }
    }
}

void lq_lint_ignores(struct lq_lint_run *run)
{
    const struct lq_lint_settings *const settings = run->settings;
    const size_t count = run->findings.count;
    struct ignores ignores = {.run = run};
    struct ignore *const *list = NULL;

    if (settings->remark_count == 0 || run->arena->failed) {
        return;
    }
    lq_array_init(&ignores.list, sizeof(struct ignore *));
    lq_map_init(&ignores.places, run->arena);
    for (size_t i = 0; i < settings->remark_count; ++i) {
        read_remark(&ignores, &settings->remarks[i]);
    }
    apply_all(&ignores, count);
    list = ignores.list.items;
    for (size_t i = 0; i < ignores.list.count; ++i) {
        if (list[i] && !list[i]->first->used) {
            report_unused(&ignores, list[i]);
        }
    }
}
