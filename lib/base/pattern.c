#include "base/pattern.h"

#include "base/map.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Characters that are special in a regular expression, or may be. */
#define SPECIAL "\\^$.[]|()?*+{}"

/* Digits form pieces together, and so do letters; a sign stands alone. */
enum sort { DIGIT, LETTER, SIGN };

/* Everything beyond ASCII counts as a letter, so that no character is split. */
static enum sort sort_of(char c)
{
    if (c >= '0' && c <= '9') {
        return DIGIT;
    }
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                   ((unsigned char)c & 0x80) != 0
               ? LETTER
               : SIGN;
}

static bool continues_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Whether a piece may end before text[at], which is not its first byte. */
static bool parts_at(const char *text, size_t at, enum lq_grain grain)
{
    const enum sort before = sort_of(text[at - 1]);

    if (grain == LQ_GRAIN_CHARACTERS) {
        return !continues_character(text[at]);
    }
    return !text[at] || before == SIGN || sort_of(text[at]) != before;
}

size_t lq_token_length(const char *text, enum lq_grain grain)
{
    size_t length = *text ? 1 : 0;

    while (length > 0 && !parts_at(text, length, grain)) {
        ++length;
    }
    return length;
}

size_t lq_token_common(const char *a, const char *b, enum lq_grain grain)
{
    size_t common = 0;

    while (a[common] && a[common] == b[common]) {
        ++common;
    }
    while (common > 0 &&
           !(parts_at(a, common, grain) && parts_at(b, common, grain))) {
        --common;
    }
    return common;
}

/* Orders by the first piece that differs; numbers by their size. */
static int compare(const char *a, const char *b, enum lq_grain grain)
{
    const size_t common = lq_token_common(a, b, grain);
    const size_t a_length = lq_token_length(a + common, grain);
    const size_t b_length = lq_token_length(b + common, grain);
    const size_t least = a_length < b_length ? a_length : b_length;
    const int longer = (a_length > b_length) - (a_length < b_length);
    const int order = memcmp(a + common, b + common, least);

    if (longer != 0 && least > 0 && sort_of(a[common]) == DIGIT &&
        sort_of(b[common]) == DIGIT) {
        return longer;
    }
    return order != 0 ? order : longer;
}

static int compare_words(const void *a, const void *b)
{
    const char *const *const first = a;
    const char *const *const second = b;

    return compare(*first, *second, LQ_GRAIN_WORDS);
}

static int compare_characters(const void *a, const void *b)
{
    const char *const *const first = a;
    const char *const *const second = b;

    return compare(*first, *second, LQ_GRAIN_CHARACTERS);
}

void lq_token_sort(const char **names, size_t count, enum lq_grain grain)
{
    if (count > 1) {
        qsort(names, count, sizeof(*names),
              grain == LQ_GRAIN_WORDS ? compare_words : compare_characters);
    }
}

void lq_token_escape(struct lq_buffer *buffer, const char *text, size_t length)
{
    static const char digits[] = "0123456789ABCDEF";

    for (size_t i = 0; i < length; ++i) {
        const unsigned char byte = (unsigned char)text[i];
        const char escape[] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};

        if (byte >= 0x80) {
            lq_buffer_add_bytes(buffer, escape, sizeof(escape));
        } else {
            lq_buffer_add(buffer, strchr(SPECIAL, text[i]) ? "\\" : "");
            lq_buffer_add_bytes(buffer, &text[i], 1);
        }
    }
}

/* Alternative pieces at one position that are followed by the same tail. */
struct branch {
    struct lq_array heads; /* const char *, as in the names */
    const char *tail;      /* a pattern, perhaps empty */
    struct branch *next;
};

/*
 * How names become a pattern. `add_heads` adds the pattern of a branch's heads,
 * of which there are at least two; `grouped` asks for one without a bar outside
 * parentheses.
 */
struct alternation {
    enum lq_grain grain;
    void (*add_heads)(struct lq_buffer *buffer, const struct branch *branch,
                      bool grouped);
};

/* A position where names that share their first `at` bytes diverge. */
struct fork {
    size_t at;
    size_t serial; /* unique */
    bool ends;     /* one of the names ends here */
    struct branch *first;
    struct branch *last;
};

/*
 * Names come in sorted order. The forks along the latest one are open,
 * outermost first; a fork is settled once a name no longer passes through it.
 */
struct builder {
    struct lq_arena *arena;
    const struct alternation *how;
    struct lq_array forks; /* struct fork */
    size_t serial;
    struct lq_map branches; /* struct branch by fork and tail */
    const char *latest;
};

static struct fork *innermost(const struct builder *builder)
{
    return (struct fork *)builder->forks.items + builder->forks.count - 1;
}

static struct fork *open_fork(struct builder *builder, size_t at)
{
    struct fork *const fork = lq_array_push(&builder->forks, builder->arena);

    if (fork) {
        *fork = (struct fork){.at = at, .serial = builder->serial++};
    }
    return fork;
}

/* The branch of a fork with this tail; NULL when out of memory. */
static struct branch *branch_with(struct builder *builder, struct fork *fork,
                                  const char *tail)
{
    struct branch *const fresh = lq_alloc(builder->arena, sizeof(*fresh));
    const char *const key =
        lq_format(builder->arena, "%zu %s", fork->serial, tail);
    void *held = NULL;

    if (!fresh || !key ||
        lq_map_add(&builder->branches, key, fresh, &held) != LQ_OK) {
        return NULL;
    }
    if (held == fresh) {
        lq_array_init(&fresh->heads, sizeof(const char *));
        fresh->tail = tail;
        *(fork->last ? &fork->last->next : &fork->first) = fresh;
        fork->last = fresh;
    }
    return held;
}

/*
 * Adds the path of the latest name to the innermost fork. The pattern `rest`
 * stands for everything after its first `to` bytes.
 */
static enum lq_status add_way(struct builder *builder, size_t to,
                              const char *rest)
{
    struct fork *const fork = innermost(builder);
    const char *const way = builder->latest + fork->at;
    const size_t length = lq_token_length(way, builder->how->grain);
    const char *const head = lq_strndup(builder->arena, way, length);
    struct branch *branch = NULL;
    const char **slot = NULL;
    struct lq_buffer tail;

    if (length == 0) {
        fork->ends = true;
        return LQ_OK;
    }
    lq_buffer_init(&tail, builder->arena);
    lq_token_escape(&tail, way + length, to - fork->at - length);
    lq_buffer_add(&tail, rest);
    branch = branch_with(builder, fork, lq_buffer_text(&tail));
    slot = branch ? lq_array_push(&branch->heads, builder->arena) : NULL;
    if (!slot) {
        return LQ_NOMEM;
    }
    *slot = head;
    return LQ_OK;
}

static void add_branch(const struct builder *builder, struct lq_buffer *buffer,
                       const struct branch *branch, bool grouped)
{
    const char *const *const heads = branch->heads.items;

    if (branch->heads.count > 1) {
        builder->how->add_heads(buffer, branch, grouped || *branch->tail);
    } else {
        lq_token_escape(buffer, heads[0], strlen(heads[0]));
    }
    lq_buffer_add(buffer, branch->tail);
}

/* Adds every branch of a fork, with bars between them. */
static void add_branches(const struct builder *builder,
                         struct lq_buffer *buffer, const struct fork *fork)
{
    for (const struct branch *at = fork->first; at; at = at->next) {
        lq_buffer_add(buffer, at == fork->first ? "" : "|");
        add_branch(builder, buffer, at, false);
    }
}

/* The pattern of what follows at a fork. */
static const char *settle(const struct builder *builder,
                          const struct fork *fork)
{
    const bool grouped = fork->ends || fork->first != fork->last;
    struct lq_buffer buffer;

    lq_buffer_init(&buffer, builder->arena);
    if (grouped) {
        lq_buffer_add(&buffer, "(");
        add_branches(builder, &buffer, fork);
        lq_buffer_add(&buffer, fork->ends ? ")?" : ")");
    } else {
        add_branch(builder, &buffer, fork->first, true);
    }
    return lq_buffer_text(&buffer);
}

/*
 * Adds the path of the latest name and settles its forks beyond the first
 * `shared` bytes, which the next name shares.
 */
static enum lq_status end_way(struct builder *builder, size_t shared)
{
    const char *rest = "";
    size_t to = strlen(builder->latest);

    while (innermost(builder)->at > shared) {
        const struct fork *const fork = innermost(builder);

        if (add_way(builder, to, rest) != LQ_OK) {
            return LQ_NOMEM;
        }
        to = fork->at;
        rest = settle(builder, fork);
        --builder->forks.count;
    }
    if (innermost(builder)->at < shared && !open_fork(builder, shared)) {
        return LQ_NOMEM;
    }
    return add_way(builder, to, rest);
}

static enum lq_status take_names(struct builder *builder, const char **names,
                                 size_t count)
{
    const enum lq_grain grain = builder->how->grain;
    enum lq_status status = open_fork(builder, 0) ? LQ_OK : LQ_NOMEM;

    builder->latest = names[0];
    for (size_t i = 1; i < count && status == LQ_OK; ++i) {
        if (strcmp(names[i], builder->latest) != 0) {
            status = end_way(builder,
                             lq_token_common(builder->latest, names[i], grain));
            builder->latest = names[i];
        }
    }
    return status == LQ_OK ? end_way(builder, 0) : LQ_NOMEM;
}

/*
 * Adds a pattern that matches these names and nothing else, with bars between
 * alternatives: "a|b(c|d)?". Common prefixes, and what follows equal pieces,
 * are written once. `names` has at least one name, none empty, perhaps repeats;
 * it is sorted in place. Allocates from the buffer's arena; a failure marks the
 * buffer.
 */
static void add_alternation(struct lq_buffer *buffer, const char **names,
                            size_t count, const struct alternation *how)
{
    struct builder builder = {.arena = buffer->arena, .how = how};

    lq_token_sort(names, count, how->grain);
    lq_array_init(&builder.forks, sizeof(struct fork));
    lq_map_init(&builder.branches, buffer->arena);
    if (take_names(&builder, names, count) == LQ_OK) {
        add_branches(&builder, buffer, innermost(&builder));
    } else {
        buffer->failed = true;
    }
}

/* The very end: "$" also matches before a line feed that ends the name. */
#define END_OF_NAME "\\z"
#define END ")" END_OF_NAME

/* PCRE's compiled form, in bytes. */
#define FRAME_BYTES 17 /* of "^()\z" */
#define GROUP_BYTES 8
#define BAR_BYTES 3
#define OPTION_BYTES 1
#define CLASS_BYTES 33
#define LITERAL_BYTES 2 /* for each byte */

/* Whether it is plain inside "[...]" too, and may begin or end a range. */
static bool is_alphanumeric(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}

static const char *head_at(const struct branch *branch, size_t index)
{
    const char *const *const heads = branch->heads.items;

    return heads[index];
}

static bool are_single(const struct branch *branch)
{
    for (size_t i = 0; i < branch->heads.count; ++i) {
        const char *const head = head_at(branch, i);

        if (!is_alphanumeric(head[0]) || head[1]) {
            return false;
        }
    }
    return true;
}

/* The last head of the run of consecutive characters that starts at `first`. */
static size_t end_of_run(const struct branch *branch, size_t first)
{
    size_t last = first;

    while (last + 1 < branch->heads.count &&
           *head_at(branch, last + 1) == *head_at(branch, last) + 1) {
        ++last;
    }
    return last;
}

/* Adds heads such as 1, 2, 3 and 5 as "[1-35]". */
static void add_class(struct lq_buffer *buffer, const struct branch *branch)
{
    size_t last = 0;

    lq_buffer_add(buffer, "[");
    for (size_t i = 0; i < branch->heads.count; i = last + 1) {
        last = end_of_run(branch, i);
        lq_buffer_add(buffer, head_at(branch, i));
        lq_buffer_add(buffer, last > i + 1 ? "-" : "");
        lq_buffer_add(buffer, last > i ? head_at(branch, last) : "");
    }
    lq_buffer_add(buffer, "]");
}

static void add_list(struct lq_buffer *buffer, const struct branch *branch)
{
    for (size_t i = 0; i < branch->heads.count; ++i) {
        const char *const head = head_at(branch, i);

        lq_buffer_add(buffer, i > 0 ? "|" : "");
        lq_token_escape(buffer, head, strlen(head));
    }
}

static void add_plain(struct lq_buffer *buffer, const struct branch *branch,
                      bool grouped)
{
    if (are_single(branch)) {
        add_class(buffer, branch);
        return;
    }
    lq_buffer_add(buffer, grouped ? "(" : "");
    add_list(buffer, branch);
    lq_buffer_add(buffer, grouped ? ")" : "");
}

/* Splits the heads again, character by character. */
static void add_short(struct lq_buffer *buffer, const struct branch *branch,
                      bool grouped)
{
    static const struct alternation characters = {LQ_GRAIN_CHARACTERS,
                                                  add_plain};

    if (are_single(branch)) {
        add_class(buffer, branch);
        return;
    }
    lq_buffer_add(buffer, grouped ? "(" : "");
    add_alternation(buffer, branch->heads.items, branch->heads.count,
                    &characters);
    lq_buffer_add(buffer, grouped ? ")" : "");
}

/*
 * Adds the compiled size of the construct at `text`; returns what follows it.
 */
static const char *weigh(const char *text, size_t *bytes)
{
    switch (*text) {
    case '(':
        *bytes += GROUP_BYTES;
        break;
    case ')':
        break;
    case '|':
        *bytes += BAR_BYTES;
        break;
    case '?':
        *bytes += OPTION_BYTES;
        break;
    case '[':
        *bytes += CLASS_BYTES;
        return strchr(text, ']') + 1;
    case '\\':
        *bytes += LITERAL_BYTES;
        return text + (text[1] == 'x' ? 4 : 2);
    default:
        *bytes += LITERAL_BYTES;
    }
    return text + 1;
}

/* A pattern with the compiled size of what stands between "^(" and ")\z". */
static struct lq_pattern measure(const char *text)
{
    struct lq_pattern pattern = {text, strlen(text), FRAME_BYTES};
    const char *at = text + 2;

    while (at < text + pattern.length - strlen(END)) {
        at = weigh(at, &pattern.compiled_bytes);
    }
    return pattern;
}

struct lq_pattern lq_pattern_of(const char **names, size_t count,
                                enum lq_pattern_style style,
                                struct lq_arena *arena)
{
    const struct alternation words = {
        LQ_GRAIN_WORDS, style == LQ_PATTERN_PLAIN ? add_plain : add_short};
    struct lq_buffer buffer;

    if (count == 0) {
        return (struct lq_pattern){"^" END_OF_NAME, 3, FRAME_BYTES};
    }
    lq_buffer_init(&buffer, arena);
    lq_buffer_add(&buffer, "^(");
    add_alternation(&buffer, names, count, &words);
    lq_buffer_add(&buffer, END);
    return arena->failed ? (struct lq_pattern){.text = ""}
                         : measure(lq_buffer_text(&buffer));
}
