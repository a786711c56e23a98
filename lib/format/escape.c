#include "format/escape.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

void lq_write_hex(struct lq_writer *writer, const char *bytes, size_t length,
                  const char *backslash)
{
    for (size_t i = 0; i < length; ++i) {
        char hex[8];

        (void)snprintf(hex, sizeof(hex), "x%02x",
                       (unsigned)(unsigned char)bytes[i]);
        lq_write_texts(writer, backslash, hex, NULL);
    }
}

void lq_write_escaped(struct lq_writer *writer, const char *text,
                      const char *(*replace)(uint32_t code))
{
    const size_t length = strlen(text);
    size_t step = 0;

    for (size_t at = 0; at < length; at += step) {
        uint32_t code = 0;
        const size_t known = lq_utf8_decode(text + at, length - at, &code);
        const char *const other = known ? replace(code) : NULL;

        step = known ? known : 1;
        if (other) {
            lq_write_text(writer, other);
        } else if (known && lq_is_shown(code)) {
            lq_write_bytes(writer, text + at, step);
        } else {
            lq_write_hex(writer, text + at, step, "\\");
        }
    }
}

static const char *replace_none(uint32_t code)
{
    (void)code;
    return NULL;
}

void lq_write_shown(struct lq_writer *writer, const char *text)
{
    lq_write_escaped(writer, text, replace_none);
}

const char *lq_xml_entity(uint32_t code)
{
    switch (code) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    default:
        return NULL;
    }
}
