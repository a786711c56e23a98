#include "letter/replay.h"

#include "letter/letter.h"

#include <string.h>

static const char *const removed[] = {
    LQ_RETRY_COUNT,
    LQ_FAILED_ATTEMPT,
    LQ_REJECTION_CODE,
    "x-death",
    "x-delivery-count",
    "x-acquired-count",
    "CC",
    "BCC",
    LQ_REPLAY_ID,
    LQ_REPLAY_COUNT,
};

static const char *const removed_prefixes[] = {"x-first-death-",
                                               "x-last-death-"};

static bool begins_with(struct lq_bytes name, const char *prefix)
{
    const size_t length = strlen(prefix);

    return name.length >= length && memcmp(name.at, prefix, length) == 0;
}

static bool is_removed(struct lq_bytes name)
{
    for (size_t i = 0; i < sizeof(removed) / sizeof(removed[0]); ++i) {
        if (lq_bytes_equal(name, lq_bytes_of(removed[i]))) {
            return true;
        }
    }
    return begins_with(name, removed_prefixes[0]) ||
           begins_with(name, removed_prefixes[1]);
}

static uint8_t *put_u32(uint8_t *to, size_t value)
{
    *to++ = (uint8_t)(value >> 24);
    *to++ = (uint8_t)(value >> 16);
    *to++ = (uint8_t)(value >> 8);
    *to++ = (uint8_t)value;
    return to;
}

static uint8_t *put_bytes(uint8_t *to, struct lq_bytes bytes)
{
    if (bytes.length > 0) {
        memcpy(to, bytes.at, bytes.length);
    }
    return to + bytes.length;
}

/* A name with its length in front of it, and a type behind it. */
static uint8_t *put_name(uint8_t *to, const char *name, char type)
{
    const struct lq_bytes bytes = lq_bytes_of(name);

    *to++ = (uint8_t)bytes.length;
    to = put_bytes(to, bytes);
    *to++ = (uint8_t)type;
    return to;
}

/* Copies the headers that stay; false when the table is malformed. */
static bool copy_headers(struct lq_bytes headers, uint8_t **to,
                         int64_t *replays)
{
    struct lq_fields fields = lq_fields_of(headers, true);
    struct lq_field field;

    if (headers.length == 0) {
        return true;
    }
    while (lq_fields_next(&fields, &field)) {
        int64_t count = 0;

        if (!is_removed(field.name)) {
            *to = put_bytes(*to, field.whole);
        } else if (lq_bytes_equal(field.name, lq_bytes_of(LQ_REPLAY_COUNT)) &&
                   lq_field_integer(&field, &count) && count > 0 &&
                   count < INT32_MAX) {
            *replays = count;
        }
    }
    return !fields.bad;
}

/* The headers of a replay; no bytes when malformed or out of memory. */
static struct lq_bytes make_headers(const struct lq_replay_how *how,
                                    struct lq_bytes headers,
                                    struct lq_arena *arena)
{
    const struct lq_bytes run = lq_bytes_of(how->run_id);
    const size_t own = 1 + strlen(LQ_REPLAY_ID) + 1 + 4 + run.length + 1 +
                       strlen(LQ_REPLAY_COUNT) + 1 + 4;
    uint8_t *const bytes = lq_alloc(arena, 4 + headers.length + own);
    uint8_t *to = bytes ? bytes + 4 : NULL;
    int64_t replays = 0;

    if (!bytes || !copy_headers(headers, &to, &replays)) {
        return (struct lq_bytes){NULL, 0};
    }
    to = put_name(to, LQ_REPLAY_ID, LQ_FIELD_LONG_STRING);
    to = put_bytes(put_u32(to, run.length), run);
    to = put_name(to, LQ_REPLAY_COUNT, LQ_FIELD_INT32);
    to = put_u32(to, (size_t)replays + 1);
    (void)put_u32(bytes, (size_t)(to - bytes) - 4);
    return (struct lq_bytes){bytes, (size_t)(to - bytes)};
}

static bool is_own(const struct lq_properties *properties, const char *user)
{
    return user && lq_bytes_equal(lq_property_text(properties, LQ_USER_ID),
                                  lq_bytes_of(user));
}

bool lq_replay_message(const struct lq_replay_how *how,
                       const struct lq_message *letter, struct lq_arena *arena,
                       struct lq_message *out)
{
    static const uint8_t persistent = 2;
    struct lq_properties properties;

    if (!lq_properties_read(letter->properties, &properties)) {
        return false;
    }
    properties.parts[LQ_HEADERS] =
        make_headers(how, properties.parts[LQ_HEADERS], arena);
    properties.parts[LQ_DELIVERY_MODE] = (struct lq_bytes){&persistent, 1};
    properties.parts[LQ_EXPIRATION] = (struct lq_bytes){NULL, 0};
    if (!is_own(&properties, how->user)) {
        properties.parts[LQ_USER_ID] = (struct lq_bytes){NULL, 0};
    }
    *out = (struct lq_message){
        lq_bytes_of(how->exchange), lq_bytes_of(how->routing_key),
        lq_properties_write(&properties, arena), letter->body};
    return properties.parts[LQ_HEADERS].length > 0;
}

bool lq_replay_is_of_run(const struct lq_message *message, const char *run_id)
{
    struct lq_properties properties;
    struct lq_field field;

    return lq_properties_read(message->properties, &properties) &&
           lq_fields_find(properties.parts[LQ_HEADERS], LQ_REPLAY_ID, &field) &&
           lq_bytes_equal(lq_field_text(&field), lq_bytes_of(run_id));
}
