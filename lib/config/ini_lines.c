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

char *lq_line_fault_text(struct lq_arena *arena, const struct lq_line *line)
{
    switch (line->fault) {
    case LQ_LINE_OK:
        break;
    case LQ_LINE_NUL:
        return lq_strdup(arena, "line must not contain a NUL byte");
    case LQ_LINE_CR:
        return lq_strdup(arena,
                         "line must end in LF or CR LF, not in CR alone");
    case LQ_LINE_ENCODING:
        return lq_strdup(arena, "line must be UTF-8");
    case LQ_LINE_LONG:
        return lq_format(arena, "line must be at most %d bytes, not %zu",
                         LQ_LINE_MAX_BYTES, line->full_length);
    }
    return lq_strdup(arena, "");
}
