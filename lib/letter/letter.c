#include "letter/letter.h"

#include "model/identity.h"

#include <string.h>

#define VERSION_AT 14 /* of a UUID's text */

const char *lq_age_source_word(enum lq_age_source source)
{
    static const char *const words[] = {[LQ_AGE_UNKNOWN] = "unknown",
                                        [LQ_AGE_X_DEATH] = "x-death",
                                        [LQ_AGE_TIMESTAMP] = "timestamp",
                                        [LQ_AGE_EVENT_ID] = "event id"};

    return words[source];
}

/* A header that is a short or long text. */
static struct lq_bytes text_of(struct lq_bytes headers, const char *name)
{
    struct lq_field field;

    return lq_fields_find(headers, name, &field) ? lq_field_text(&field)
                                                 : (struct lq_bytes){NULL, 0};
}

/* A header that is an integer from 0 on; 0 for anything else. */
static int64_t count_of(struct lq_bytes headers, const char *name)
{
    struct lq_field field;
    int64_t count = 0;

    return lq_fields_find(headers, name, &field) &&
                   lq_field_integer(&field, &count) && count > 0
               ? count
               : 0;
}

static uint64_t read_u64(const uint8_t *at)
{
    uint64_t value = 0;

    for (size_t i = 0; i < 8; ++i) {
        value = value << 8 | at[i];
    }
    return value;
}

/* Seconds since 1970 as millis; false when an int64 does not hold them. */
static bool millis_of(uint64_t seconds, int64_t *out)
{
    if (seconds > (uint64_t)INT64_MAX / 1000) {
        return false;
    }
    *out = (int64_t)seconds * 1000;
    return true;
}

static void note_death(struct lq_letter *letter, int64_t millis)
{
    if (letter->age_source != LQ_AGE_X_DEATH || millis > letter->died_millis) {
        letter->age_source = LQ_AGE_X_DEATH;
        letter->died_millis = millis;
    }
}

/* Takes one entry of x-death. The newest comes first. */
static void take_death(struct lq_letter *letter, const struct lq_field *entry,
                       bool newest, const char *main_queue)
{
    struct lq_field field;
    int64_t millis = 0;

    if (lq_fields_find(entry->value, "time", &field) &&
        field.type == LQ_FIELD_TIMESTAMP &&
        millis_of(read_u64(field.value.at), &millis)) {
        note_death(letter, millis);
    }
    if (newest && lq_bytes_equal(text_of(entry->value, "queue"),
                                 lq_bytes_of(main_queue))) {
        letter->reason = text_of(entry->value, "reason");
    }
}

static void take_deaths(struct lq_letter *letter, struct lq_bytes headers,
                        const char *main_queue)
{
    struct lq_field deaths;
    struct lq_field entry;
    struct lq_fields list;
    bool newest = true;

    if (!lq_fields_find(headers, "x-death", &deaths) ||
        deaths.type != LQ_FIELD_ARRAY) {
        return;
    }
    list = lq_fields_of(deaths.value, false);
    while (lq_fields_next(&list, &entry)) {
        if (entry.type == LQ_FIELD_TABLE) {
            take_death(letter, &entry, newest, main_queue);
        }
        newest = false;
    }
}

static int hex_value(uint8_t digit)
{
    static const char digits[] = "0123456789abcdef";
    const char *const at = digit ? strchr(digits, digit) : NULL;

    return at ? (int)(at - digits) : -1;
}

/* The time in a UUID of version 7: its first 48 bits, in millis. */
static bool time_of_event(struct lq_bytes id, int64_t *out)
{
    int64_t millis = 0;
    size_t digits = 0;

    if (!id.at || !lq_event_id_valid((const char *)id.at, id.length) ||
        id.at[VERSION_AT] != '7') {
        return false;
    }
    for (size_t i = 0; digits < 12; ++i) {
        if (id.at[i] != '-') {
            millis = millis * 16 + hex_value(id.at[i]);
            ++digits;
        }
    }
    *out = millis;
    return true;
}

/* What tells the age where x-death does not. */
static void find_age(struct lq_letter *letter)
{
    const struct lq_bytes stamp = letter->properties.parts[LQ_TIMESTAMP];

    if (letter->age_source != LQ_AGE_UNKNOWN) {
        return;
    }
    if (stamp.length > 0 &&
        millis_of(read_u64(stamp.at), &letter->died_millis)) {
        letter->age_source = LQ_AGE_TIMESTAMP;
    } else if (time_of_event(letter->event_id, &letter->died_millis)) {
        letter->age_source = LQ_AGE_EVENT_ID;
    }
}

void lq_letter_read(const struct lq_message *message, const char *main_queue,
                    struct lq_letter *out)
{
    struct lq_bytes headers = {NULL, 0};

    *out = (struct lq_letter){.message = *message};
    if (!lq_properties_read(message->properties, &out->properties)) {
        out->malformed = true;
        return;
    }
    headers = out->properties.parts[LQ_HEADERS];
    out->event_id = text_of(headers, LQ_EVENT_ID);
    out->schema_version = text_of(headers, LQ_SCHEMA_VERSION);
    out->content_kind = text_of(headers, LQ_CONTENT_KIND);
    out->code = text_of(headers, LQ_REJECTION_CODE);
    out->replay_id = text_of(headers, LQ_REPLAY_ID);
    out->attempt = count_of(headers, LQ_FAILED_ATTEMPT);
    out->replays = count_of(headers, LQ_REPLAY_COUNT);
    out->expires = out->properties.parts[LQ_EXPIRATION].length > 0;
    take_deaths(out, headers, main_queue);
    if (out->reason.length == 0) {
        out->reason = out->code;
    }
    find_age(out);
}
