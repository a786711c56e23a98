#include "letter/properties.h"

/* The first flag; each property has the one below that before it. */
#define FIRST_FLAG 0x8000U
#define ALL_FLAGS 0xfffcU /* of the 14 that there are */

enum kind { SHORT_STRING, TABLE, OCTET, LONG_LONG };

static const struct {
    const char *name;
    enum kind kind;
} rows[LQ_PROPERTY_COUNT] = {
    [LQ_CONTENT_TYPE] = {"content_type", SHORT_STRING},
    [LQ_CONTENT_ENCODING] = {"content_encoding", SHORT_STRING},
    [LQ_HEADERS] = {"headers", TABLE},
    [LQ_DELIVERY_MODE] = {"delivery_mode", OCTET},
    [LQ_PRIORITY] = {"priority", OCTET},
    [LQ_CORRELATION_ID] = {"correlation_id", SHORT_STRING},
    [LQ_REPLY_TO] = {"reply_to", SHORT_STRING},
    [LQ_EXPIRATION] = {"expiration", SHORT_STRING},
    [LQ_MESSAGE_ID] = {"message_id", SHORT_STRING},
    [LQ_TIMESTAMP] = {"timestamp", LONG_LONG},
    [LQ_TYPE] = {"type", SHORT_STRING},
    [LQ_USER_ID] = {"user_id", SHORT_STRING},
    [LQ_APP_ID] = {"app_id", SHORT_STRING},
    [LQ_CLUSTER_ID] = {"cluster_id", SHORT_STRING},
};

const char *lq_property_name(enum lq_property property)
{
    return rows[property].name;
}

static unsigned flag_of(size_t property)
{
    return FIRST_FLAG >> property;
}

/* The bytes that a value takes; 0: more than there are. */
static size_t length_of(enum kind kind, struct lq_bytes rest)
{
    size_t length = 0;

    switch (kind) {
    case SHORT_STRING:
        length = rest.length < 1 ? 1 : 1 + (size_t)rest.at[0];
        break;
    case TABLE:
        length = rest.length < 4 ? 4
                                 : 4 + ((size_t)rest.at[0] << 24 |
                                        (size_t)rest.at[1] << 16 |
                                        (size_t)rest.at[2] << 8 | rest.at[3]);
        break;
    case OCTET:
        length = 1;
        break;
    case LONG_LONG:
        length = 8;
        break;
    }
    return length <= rest.length ? length : 0;
}

bool lq_properties_read(struct lq_bytes from, struct lq_properties *out)
{
    unsigned flags = 0;

    *out = (struct lq_properties){.parts = {{NULL, 0}}};
    if (from.length < 2) {
        return false;
    }
    flags = (unsigned)from.at[0] << 8 | from.at[1];
    from = (struct lq_bytes){from.at + 2, from.length - 2};
    for (size_t i = 0; i < LQ_PROPERTY_COUNT; ++i) {
        if ((flags & flag_of(i)) != 0) {
            const size_t length = length_of(rows[i].kind, from);

            if (length == 0) {
                return false;
            }
            out->parts[i] = (struct lq_bytes){from.at, length};
            from = (struct lq_bytes){from.at + length, from.length - length};
        }
    }
    return from.length == 0 && (flags & ~ALL_FLAGS) == 0;
}

struct lq_bytes lq_properties_write(const struct lq_properties *properties,
                                    struct lq_arena *arena)
{
    size_t length = 2;
    unsigned flags = 0;
    uint8_t *bytes = NULL;
    uint8_t *to = NULL;

    for (size_t i = 0; i < LQ_PROPERTY_COUNT; ++i) {
        length += properties->parts[i].length;
        flags |= properties->parts[i].length > 0 ? flag_of(i) : 0;
    }
    bytes = lq_alloc(arena, length);
    if (!bytes) {
        return (struct lq_bytes){NULL, 0};
    }
    bytes[0] = (uint8_t)(flags >> 8);
    bytes[1] = (uint8_t)flags;
    to = bytes + 2;
    for (size_t i = 0; i < LQ_PROPERTY_COUNT; ++i) {
        const struct lq_bytes part = properties->parts[i];

        if (part.length > 0) {
            memcpy(to, part.at, part.length);
            to += part.length;
        }
    }
    return (struct lq_bytes){bytes, length};
}

struct lq_bytes lq_property_text(const struct lq_properties *properties,
                                 enum lq_property property)
{
    const struct lq_bytes part = properties->parts[property];

    return part.length > 0 ? (struct lq_bytes){part.at + 1, part.length - 1}
                           : part;
}
