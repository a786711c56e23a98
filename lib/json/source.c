#include "json/source.h"

#include "base/text.h"

#include <string.h>

struct lq_place lq_json_source_place(const struct lq_json_source *source,
                                     size_t offset)
{
    struct lq_place place = {.file = source->file, .line = 1, .column = 1};

    for (size_t i = 0; i < offset; ++i) {
        ++place.column;
        if (source->text[i] == '\n') {
            ++place.line;
            place.column = 1;
        }
    }
    return place;
}

static void skip_byte_order_mark(struct lq_json_source *source)
{
    static const char mark[] = "\xef\xbb\xbf";
    const size_t size = sizeof(mark) - 1;

    if (source->length >= size && memcmp(source->text, mark, size) == 0) {
        source->text += size;
        source->length -= size;
    }
}

enum lq_status lq_json_source_check(struct lq_json_source *source,
                                    struct lq_diags *diags)
{
    uint32_t code = 0;
    size_t step = 0;

    skip_byte_order_mark(source);
    for (size_t at = 0; at < source->length; at += step) {
        const unsigned char byte = (unsigned char)source->text[at];

        step = byte < 0x80 ? 1
                           : lq_utf8_decode(source->text + at,
                                            source->length - at, &code);
        if (step == 0 || byte == 0) {
            const struct lq_place place = lq_json_source_place(source, at);

            return lq_error(diags, &place, "%s",
                            step == 0 ? "document must be UTF-8"
                                      : "document must not contain a NUL byte");
        }
    }
    return LQ_OK;
}
