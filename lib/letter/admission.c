#include "letter/admission.h"

#include "base/text.h"
#include "letter/letter.h"
#include "model/identity.h"

#include <string.h>

#define HEADERS_MOST 64
#define NAME_MOST 128
#define VALUE_MOST 8192     /* bytes */
#define ENVELOPE_MOST 32768 /* bytes */
#define ELEMENTS_MOST 256
#define DEPTH_MOST 4
#define KIND_MOST 64
#define RETRIES_MOST 100

static const struct {
    const char *code;
    const char *words;
} rows[] = {
    [LQ_ADMITTED] = {"admitted", "would be admitted"},
    [LQ_REFUSED_MALFORMED] = {"malformed",
                              "refused again: its headers cannot be read"},
    [LQ_REFUSED_EVENT_ID] = {"event_id_missing",
                             "refused again: " LQ_EVENT_ID " is missing"},
    [LQ_REFUSED_BAD_EVENT_ID] = {"event_id_invalid",
                                 "refused again: " LQ_EVENT_ID
                                 " is no lower-case UUID"},
    [LQ_REFUSED_VERSION] = {"schema_version",
                            "refused again: " LQ_SCHEMA_VERSION
                            " is no number from 1 to 65535"},
    [LQ_REFUSED_KIND] = {"content_kind", "refused again: " LQ_CONTENT_KIND
                                         " is missing or not well-formed"},
    [LQ_REFUSED_RETRY_COUNT] = {"retry_count", "refused again: " LQ_RETRY_COUNT
                                               " is no int32 from 0 to 100"},
    [LQ_REFUSED_ROUTE] = {"route",
                          "refused again: its exchange or routing key is "
                          "empty, too long or padded"},
    [LQ_REFUSED_HEADER_COUNT] = {"header_count",
                                 "refused again: more than 64 headers"},
    [LQ_REFUSED_HEADER_NAME] = {"header_name",
                                "refused again: a header's name is not 1 to "
                                "128 visible ASCII characters"},
    [LQ_REFUSED_HEADER_VALUE] = {"header_value",
                                 "refused again: a header is over 8 KiB"},
    [LQ_REFUSED_ENVELOPE_SIZE] = {"envelope_size",
                                  "refused again: properties and headers are "
                                  "over 32 KiB"},
    [LQ_REFUSED_ELEMENTS] = {"nested_elements",
                             "refused again: headers have over 256 nested "
                             "elements"},
    [LQ_REFUSED_DEPTH] = {"depth",
                          "refused again: headers are nested deeper than 4"},
    [LQ_REFUSED_BODY] = {"body_size", "refused again: its body is larger than "
                                      "max_message_size_bytes"},
};

const char *lq_admission_words(enum lq_admission admission)
{
    return rows[admission].words;
}

const char *lq_admission_code(enum lq_admission admission)
{
    return rows[admission].code;
}

static bool is_version(struct lq_bytes text)
{
    unsigned value = 0;

    if (text.length == 0 || text.length > 5 || text.at[0] == '0') {
        return false;
    }
    for (size_t i = 0; i < text.length; ++i) {
        if (text.at[i] < '0' || text.at[i] > '9') {
            return false;
        }
        value = value * 10 + (text.at[i] - '0');
    }
    return value <= 65535;
}

static bool is_kind_letter(uint8_t byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9');
}

static bool is_kind(struct lq_bytes text)
{
    if (text.length == 0 || text.length > KIND_MOST ||
        !is_kind_letter(text.at[0])) {
        return false;
    }
    for (size_t i = 1; i < text.length; ++i) {
        if (!is_kind_letter(text.at[i]) &&
            !(text.at[i] && strchr("._+-", text.at[i]))) {
            return false;
        }
    }
    return true;
}

static bool is_route(struct lq_bytes name)
{
    return lq_identity_check((const char *)name.at, name.length) ==
           LQ_IDENTITY_OK;
}

static enum lq_admission judge_identity(struct lq_bytes headers)
{
    struct lq_field field;
    int64_t count = 0;

    if (!lq_fields_find(headers, LQ_EVENT_ID, &field)) {
        return LQ_REFUSED_EVENT_ID;
    }
    if (!lq_event_id_valid((const char *)lq_field_text(&field).at,
                           lq_field_text(&field).length)) {
        return LQ_REFUSED_BAD_EVENT_ID;
    }
    if (!lq_fields_find(headers, LQ_SCHEMA_VERSION, &field) ||
        !is_version(lq_field_text(&field))) {
        return LQ_REFUSED_VERSION;
    }
    if (!lq_fields_find(headers, LQ_CONTENT_KIND, &field) ||
        !is_kind(lq_field_text(&field))) {
        return LQ_REFUSED_KIND;
    }
    return !lq_fields_find(headers, LQ_RETRY_COUNT, &field) ||
                   (field.type == LQ_FIELD_INT32 &&
                    lq_field_integer(&field, &count) && count >= 0 &&
                    count <= RETRIES_MOST)
               ? LQ_ADMITTED
               : LQ_REFUSED_RETRY_COUNT;
}

/* How many headers a hand-off adds to these. */
static size_t added(struct lq_bytes headers)
{
    static const char *const names[] = {LQ_RETRY_COUNT, LQ_FAILED_ATTEMPT,
                                        LQ_REJECTION_CODE, "traceparent",
                                        "tracestate"};
    struct lq_field field;
    size_t count = 0;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
        count += !lq_fields_find(headers, names[i], &field);
    }
    return count;
}

static enum lq_admission judge_bounds(const struct lq_message *message,
                                      struct lq_bytes headers)
{
    struct lq_extent extent = {.depth = 1};

    if (headers.length > 0 && !lq_table_measure(headers, &extent)) {
        return LQ_REFUSED_MALFORMED;
    }
    if (extent.fields + added(headers) > HEADERS_MOST) {
        return LQ_REFUSED_HEADER_COUNT;
    }
    if (extent.longest_name > NAME_MOST || extent.odd_name) {
        return LQ_REFUSED_HEADER_NAME;
    }
    if (extent.longest_value > VALUE_MOST) {
        return LQ_REFUSED_HEADER_VALUE;
    }
    if (message->properties.length > ENVELOPE_MOST) {
        return LQ_REFUSED_ENVELOPE_SIZE;
    }
    if (extent.elements > ELEMENTS_MOST) {
        return LQ_REFUSED_ELEMENTS;
    }
    return extent.depth > DEPTH_MOST ? LQ_REFUSED_DEPTH : LQ_ADMITTED;
}

enum lq_admission lq_admission_judge(const struct lq_message *message,
                                     uint64_t max_body)
{
    struct lq_properties properties;
    enum lq_admission admission = LQ_ADMITTED;

    if (!lq_properties_read(message->properties, &properties)) {
        return LQ_REFUSED_MALFORMED;
    }
    if (!is_route(message->exchange) || !is_route(message->routing_key)) {
        return LQ_REFUSED_ROUTE;
    }
    admission = judge_bounds(message, properties.parts[LQ_HEADERS]);
    if (admission == LQ_ADMITTED) {
        admission = judge_identity(properties.parts[LQ_HEADERS]);
    }
    if (admission == LQ_ADMITTED && max_body > 0 &&
        message->body.length > max_body) {
        return LQ_REFUSED_BODY;
    }
    return admission;
}
