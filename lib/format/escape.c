#include "format/escape.h"

#include "base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool is_plain(uint32_t code)
{
    return lq_is_shown(code) && (code & 0xfffe) != 0xfffe;
}

static void write_hex(struct lq_writer *writer, const char *bytes,
                      size_t length)
{
    for (size_t i = 0; i < length; ++i) {
        char escape[8];

        (void)snprintf(escape, sizeof(escape), "\\x%02x",
                       (unsigned)(unsigned char)bytes[i]);
        lq_write_text(writer, escape);
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
        } else if (known && is_plain(code)) {
            lq_write_bytes(writer, text + at, step);
        } else {
            write_hex(writer, text + at, step);
        }
    }
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
