#include "topology/pattern.h"

#include "base/text.h"
#include "topology/alternation.h"

#include <string.h>

/* PCRE's compiled form, in bytes. */
#define FRAME_BYTES 17 /* of "^()$" */
#define GROUP_BYTES 8
#define BAR_BYTES 3
#define OPTION_BYTES 1
#define CLASS_BYTES 33
#define LITERAL_BYTES 2 /* for each byte */

/* Whether it means nothing in "[...]" either, and has neighbours. */
static bool is_alphanumeric(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}

static const char *head_at(const struct lq_branch *branch, size_t index)
{
    const char *const *const heads = branch->heads.items;

    return heads[index];
}

static bool are_single(const struct lq_branch *branch)
{
    for (size_t i = 0; i < branch->heads.count; ++i) {
        const char *const head = head_at(branch, i);

        if (!is_alphanumeric(head[0]) || head[1]) {
            return false;
        }
    }
    return true;
}

/* The last of the heads from `first` on that follow one another. */
static size_t end_of_run(const struct lq_branch *branch, size_t first)
{
    size_t last = first;

    while (last + 1 < branch->heads.count &&
           *head_at(branch, last + 1) == *head_at(branch, last) + 1) {
        ++last;
    }
    return last;
}

/* Adds heads such as 1, 2, 3 and 5 as "[1-35]". */
static void add_class(struct lq_buffer *buffer, const struct lq_branch *branch)
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

static void add_list(struct lq_buffer *buffer, const struct lq_branch *branch)
{
    for (size_t i = 0; i < branch->heads.count; ++i) {
        const char *const head = head_at(branch, i);

        lq_buffer_add(buffer, i > 0 ? "|" : "");
        lq_token_escape(buffer, head, strlen(head));
    }
}

static void add_plain(struct lq_buffer *buffer, const struct lq_branch *branch,
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

/* Takes the heads apart in turn, character by character. */
static void add_short(struct lq_buffer *buffer, const struct lq_branch *branch,
                      bool grouped)
{
    static const struct lq_alternation characters = {LQ_GRAIN_CHARACTERS,
                                                     add_plain};

    if (are_single(branch)) {
        add_class(buffer, branch);
        return;
    }
    lq_buffer_add(buffer, grouped ? "(" : "");
    lq_alternation_add(buffer, branch->heads.items, branch->heads.count,
                       &characters);
    lq_buffer_add(buffer, grouped ? ")" : "");
}

/* Adds what the construct at `text` is compiled to; returns what follows it. */
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

/* A pattern of what stands between "^(" and ")$". */
static struct lq_pattern measure(const char *text)
{
    struct lq_pattern pattern = {text, strlen(text), FRAME_BYTES};
    const char *at = text + 2;

    while (at < text + pattern.length - 2) {
        at = weigh(at, &pattern.compiled_bytes);
    }
    return pattern;
}

struct lq_pattern lq_pattern_of(const char **names, size_t count,
                                enum lq_pattern_style style,
                                struct lq_arena *arena)
{
    const struct lq_alternation words = {
        LQ_GRAIN_WORDS, style == LQ_PATTERN_PLAIN ? add_plain : add_short};
    struct lq_buffer buffer;

    if (count == 0) {
        return (struct lq_pattern){"^$", 2, FRAME_BYTES};
    }
    lq_buffer_init(&buffer, arena);
    lq_buffer_add(&buffer, "^(");
    lq_alternation_add(&buffer, names, count, &words);
    lq_buffer_add(&buffer, ")$");
    return lq_buffer_text(&buffer) ? measure(lq_buffer_text(&buffer))
                                   : (struct lq_pattern){0};
}
