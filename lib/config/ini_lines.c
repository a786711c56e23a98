#include "config/ini_lines.h"

#include "base/text.h"

#include <string.h>

static const char byte_order_mark[] = "\xef\xbb\xbf";

bool lq_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

void lq_lines_init(struct lq_lines *lines, const char *text, size_t length)
{
    const size_t mark = sizeof(byte_order_mark) - 1;
    const bool marked =
        length >= mark && memcmp(text, byte_order_mark, mark) == 0;

    lines->at = marked ? text + mark : text;
    lines->end = text + length;
    lines->number = 0;
}

/* The first byte sequence that may not stand in a line. */
static enum lq_line_fault find_fault(const char *text, size_t length,
                                     size_t *at)
{
    uint32_t code = 0;
    size_t step = 0;

    for (*at = 0; *at < length; *at += step) {
        step = lq_utf8_decode(text + *at, length - *at, &code);
        if (step == 0) {
            return LQ_LINE_ENCODING;
        }
        if (code == 0) {
            return LQ_LINE_NUL;
        }
        if (code == '\r') {
            return LQ_LINE_CR;
        }
    }
    return LQ_LINE_OK;
}

static void check(struct lq_line *line)
{
    size_t at = 0;

    line->full_length = line->length;
    line->column = 0;
    line->fault = find_fault(line->text, line->length, &at);
    if (line->fault != LQ_LINE_OK) {
        line->column = (unsigned)at + 1;
    } else if (line->length > LQ_LINE_MAX_BYTES) {
        line->fault = LQ_LINE_LONG;
    }
}

static void trim(struct lq_line *line)
{
    while (line->length > 0 && lq_is_blank(line->text[0])) {
        ++line->text;
        --line->length;
    }
    while (line->length > 0 && lq_is_blank(line->text[line->length - 1])) {
        --line->length;
    }
}

bool lq_lines_next(struct lq_lines *lines, struct lq_line *out)
{
    const size_t left = (size_t)(lines->end - lines->at);
    const char *const feed = left ? memchr(lines->at, '\n', left) : NULL;

    if (left == 0) {
        return false;
    }
    out->text = lines->at;
    out->length = feed ? (size_t)(feed - lines->at) : left;
    out->number = ++lines->number;
    lines->at = feed ? feed + 1 : lines->end;
    if (feed && out->length > 0 && feed[-1] == '\r') {
        --out->length;
    }
    check(out);
    trim(out);
    return true;
}

const char *lq_line_fault_text(struct lq_arena *arena,
                               const struct lq_line *line)
{
    switch (line->fault) {
    case LQ_LINE_OK:
        break;
    case LQ_LINE_NUL:
        return "line must not contain a NUL byte";
    case LQ_LINE_CR:
        return "line must end in LF or CR LF, not in CR alone";
    case LQ_LINE_ENCODING:
        return "line must be UTF-8";
    case LQ_LINE_LONG:
        return lq_format(arena, "line must be at most %d bytes, not %zu",
                         LQ_LINE_MAX_BYTES, line->full_length);
    }
    return "";
}

static const char queue_prefix[] = "queue:";

/* Whether a header may end in front of this: blanks, then a comment or none. */
static bool is_tail(const char *text, size_t length)
{
    size_t at = 0;

    while (at < length && lq_is_blank(text[at])) {
        ++at;
    }
    return at == length || (at > 0 && (text[at] == ';' || text[at] == '#'));
}

/* Where the bracket stands that ends the title; the length when none does. */
static size_t find_end(const struct lq_line *line)
{
    size_t last = line->length;

    for (size_t i = 1; i < line->length; ++i) {
        if (line->text[i] != ']') {
            continue;
        }
        last = i;
        if (is_tail(line->text + i + 1, line->length - i - 1)) {
            break;
        }
    }
    return last;
}

static bool is_title(const struct lq_slice *title, const char *text)
{
    return title->length == strlen(text) &&
           memcmp(title->text, text, title->length) == 0;
}

static void classify(struct lq_header *header)
{
    const size_t skip = sizeof(queue_prefix) - 1;
    const struct lq_slice title = header->title;

    header->kind = LQ_HEADER_UNKNOWN;
    if (is_title(&title, "broker")) {
        header->kind = LQ_HEADER_BROKER;
    } else if (is_title(&title, "defaults")) {
        header->kind = LQ_HEADER_DEFAULTS;
    } else if (title.length >= skip &&
               memcmp(title.text, queue_prefix, skip) == 0) {
        header->kind = LQ_HEADER_QUEUE;
        header->name.text = title.text + skip;
        header->name.length = title.length - skip;
    }
}

static void find_junk(const struct lq_line *line, size_t end,
                      struct lq_slice *out)
{
    size_t at = end + 1;

    if (is_tail(line->text + at, line->length - at)) {
        return;
    }
    while (lq_is_blank(line->text[at])) {
        ++at;
    }
    out->text = line->text + at;
    out->length = line->length - at;
}

void lq_header_read(const struct lq_line *line, struct lq_header *out)
{
    const size_t end = find_end(line);

    *out = (struct lq_header){.closed = end < line->length};
    out->title.text = line->text + 1;
    out->title.length = end - 1;
    if (out->closed) {
        find_junk(line, end, &out->junk);
    }
    classify(out);
}

static bool separates(char c)
{
    return lq_is_blank(c) || strchr(":.=/\"'", c) != NULL;
}

static char lower(char c)
{
    if (c >= 'A' && c <= 'Z') {
        return (char)(c - 'A' + 'a');
    }
    return c;
}

static struct lq_slice strip(struct lq_slice slice)
{
    while (slice.length > 0 && separates(slice.text[0])) {
        ++slice.text;
        --slice.length;
    }
    while (slice.length > 0 && separates(slice.text[slice.length - 1])) {
        --slice.length;
    }
    return slice;
}

/* Cuts off and returns the first word, in lower case. */
static const char *take_word(struct lq_slice *slice, struct lq_arena *arena)
{
    size_t length = 0;
    char *word = NULL;

    while (length < slice->length && !separates(slice->text[length])) {
        ++length;
    }
    word = lq_copy(arena, slice->text, length);
    for (size_t i = 0; word && i < length; ++i) {
        word[i] = lower(word[i]);
    }
    slice->text += length;
    slice->length -= length;
    return word ? word : "";
}

const char *lq_header_suggest(const struct lq_header *header,
                              struct lq_arena *arena)
{
    static const char *const words[] = {"broker", "defaults", "queue"};
    struct lq_slice rest = strip(header->title);
    const char *const word = take_word(&rest, arena);
    const char *const near =
        lq_suggest(word, words, sizeof(words) / sizeof(words[0]));

    if (!near || !lq_str_equal(near, "queue")) {
        return near;
    }
    rest = strip(rest);
    return lq_format(arena, "queue:%s",
                     rest.length ? lq_printable(arena, rest.text, rest.length)
                                 : "NAME");
}
