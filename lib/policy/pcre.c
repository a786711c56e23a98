#include "policy/pcre.h"

#include <stdbool.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#define MATCH_LIMIT 50000
#define LENGTH_LIMIT ((size_t)64 * 1024)

/* The size of a table of PCRE2, all of whose versions lay it out alike. */
#define CLASSES_SIZE ((size_t)1088)

/*
 * A table is four: 256 bytes in lower case, 256 in the other case, ten sets of
 * 256 bits (space, xdigit, digit, upper, lower, word, graph, print, punct,
 * cntrl) and 256 bytes of flags, whose meaning is not the same in all versions.
 */
enum { OTHER_CASE = 256, SETS = 512, SET_SIZE = 32, SET_COUNT = 10 };
enum { FLAGS = SETS + SET_COUNT * SET_SIZE };

/* An ASCII byte of the same classes, which are copied from it. */
static unsigned like(unsigned byte)
{
    if (byte < 0xA0) {
        return 0x01;
    }
    if (byte == 0xAA || byte == 0xB5 || byte == 0xBA) {
        return 'z';
    }
    if (byte < 0xC0 || byte == 0xD7 || byte == 0xF7) {
        return '!';
    }
    return byte < 0xDF ? 'Z' : 'z';
}

/* Some letters have no other case in Latin-1. */
static unsigned other_case(unsigned byte)
{
    const unsigned other = byte ^ 0x20;

    return byte >= 0xC0 && byte != 0xDF && byte != 0xFF && byte != 0xD7 &&
                   byte != 0xF7
               ? other
               : byte;
}

static void copy_sets(uint8_t *sets, unsigned from, unsigned to)
{
    for (size_t i = 0; i < SET_COUNT; ++i) {
        uint8_t *const set = sets + i * SET_SIZE;
        const unsigned bit = ((unsigned)set[from / 8] >> (from % 8)) & 1U;
        const unsigned others = set[to / 8] & ~(1U << (to % 8));

        set[to / 8] = (uint8_t)(others | bit << (to % 8));
    }
}

/* Gives the bytes from hex 80 on the classes that they have in Latin-1. */
static void set_latin1_classes(uint8_t classes[CLASSES_SIZE])
{
    for (unsigned byte = 0x80; byte <= 0xFF; ++byte) {
        const unsigned other = other_case(byte);

        classes[byte] = (uint8_t)(like(byte) == 'Z' ? other : byte);
        classes[OTHER_CASE + byte] = (uint8_t)other;
        copy_sets(classes + SETS, like(byte), byte);
        classes[FLAGS + byte] = classes[FLAGS + like(byte)];
    }
}

/* A compiled pattern. */
struct pattern {
    const char *text;
    pcre2_code *code;
    pcre2_code *latin1; /* the same with Latin-1 classes, once it is needed */
    bool spent;         /* it took too many steps */
};

struct lq_pcre {
    struct lq_arena *arena;
    struct lq_array patterns; /* struct pattern * */
    pcre2_compile_context *plain;
    pcre2_compile_context *latin1;
    pcre2_match_context *limits;
    pcre2_match_data *match;
    uint8_t classes[CLASSES_SIZE];
};

enum lq_status lq_pcre_open(struct lq_arena *arena, struct lq_pcre **out)
{
    struct lq_pcre *const pcre = lq_alloc(arena, sizeof(*pcre));

    *out = pcre;
    if (!pcre) {
        return LQ_NOMEM;
    }
    pcre->arena = arena;
    lq_array_init(&pcre->patterns, sizeof(struct pattern *));
    return LQ_OK;
}

/* Makes what all patterns share, with the first of them. */
static enum lq_status prepare(struct lq_pcre *pcre)
{
    if (!pcre->plain) {
        pcre->plain = pcre2_compile_context_create(NULL);
    }
    if (!pcre->limits) {
        pcre->limits = pcre2_match_context_create(NULL);
    }
    if (!pcre->match) {
        pcre->match = pcre2_match_data_create(1, NULL);
    }
    if (!pcre->plain || !pcre->limits || !pcre->match ||
        pcre2_set_match_limit(pcre->limits, MATCH_LIMIT) ||
        pcre2_set_newline(pcre->plain, PCRE2_NEWLINE_LF) ||
        pcre2_set_bsr(pcre->plain, PCRE2_BSR_UNICODE)) {
        return LQ_NOMEM;
    }
    return LQ_OK;
}

/* Sets `out` to NULL when the pattern is not valid. */
static enum lq_status compile_with(pcre2_compile_context *context,
                                   const char *text, pcre2_code **out)
{
    PCRE2_SIZE offset = 0;
    int error = 0;

    *out = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, 0, &error,
                         &offset, context);
    return !*out && error == PCRE2_ERROR_HEAP_FAILED ? LQ_NOMEM : LQ_OK;
}

/* U+0000 is C0 80 in texts; older brokers end a pattern there. */
static bool is_within_limits(const char *text)
{
    return !strstr(text, "\xC0\x80") && strlen(text) <= LENGTH_LIMIT;
}

static enum lq_status add(struct lq_pcre *pcre, const char *text,
                          pcre2_code *code, struct pattern **out)
{
    struct pattern *const item = lq_alloc(pcre->arena, sizeof(*item));
    struct pattern **const place =
        item ? lq_array_push(&pcre->patterns, pcre->arena) : NULL;

    if (!place) {
        pcre2_code_free(code);
        return LQ_NOMEM;
    }
    *item = (struct pattern){.text = text, .code = code};
    *place = item;
    *out = item;
    return LQ_OK;
}

static enum lq_status compile(void *context, const char *text, void **out)
{
    struct lq_pcre *const pcre = context;
    struct pattern *item = NULL;
    pcre2_code *code = NULL;
    enum lq_status status = LQ_OK;

    if (is_within_limits(text)) {
        status = prepare(pcre);
        if (status == LQ_OK) {
            status = compile_with(pcre->plain, text, &code);
        }
    }
    if (code) {
        status = add(pcre, text, code, &item);
    }
    *out = item;
    return status;
}

/* Leaves `latin1` NULL when this PCRE2 has tables of another layout. */
static enum lq_status prepare_latin1(struct lq_pcre *pcre)
{
    const uint8_t *tables = NULL;
    uint32_t size = 0;

    if (pcre->latin1 || pcre2_config(PCRE2_CONFIG_TABLES_LENGTH, &size) < 0 ||
        size != CLASSES_SIZE) {
        return LQ_OK;
    }
    tables = pcre2_maketables(NULL);
    if (!tables) {
        return LQ_NOMEM;
    }
    memcpy(pcre->classes, tables, sizeof(pcre->classes));
    pcre2_maketables_free(NULL, tables);
    set_latin1_classes(pcre->classes);
    pcre->latin1 = pcre2_compile_context_copy(pcre->plain);
    return pcre->latin1 &&
                   !pcre2_set_character_tables(pcre->latin1, pcre->classes)
               ? LQ_OK
               : LQ_NOMEM;
}

static enum lq_status match_with(const struct lq_pcre *pcre,
                                 const pcre2_code *code, const char *name,
                                 enum lq_match *out)
{
    const int found = pcre2_match(code, (PCRE2_SPTR)name, strlen(name), 0, 0,
                                  pcre->match, pcre->limits);

    if (found >= 0) {
        *out = LQ_MATCH_YES;
    } else {
        *out = found == PCRE2_ERROR_NOMATCH ? LQ_MATCH_NO : LQ_MATCH_UNKNOWN;
    }
    return found == PCRE2_ERROR_NOMEMORY ? LQ_NOMEM : LQ_OK;
}

/* Makes an answer unknown if brokers that take bytes for Latin-1 differ. */
static enum lq_status match_latin1(struct lq_pcre *pcre, struct pattern *item,
                                   const char *name, enum lq_match *answer)
{
    enum lq_match other = LQ_MATCH_UNKNOWN;
    enum lq_status status = prepare_latin1(pcre);

    if (status == LQ_OK && pcre->latin1 && !item->latin1) {
        status = compile_with(pcre->latin1, item->text, &item->latin1);
    }
    if (status == LQ_OK && item->latin1) {
        status = match_with(pcre, item->latin1, name, &other);
    }
    if (other != *answer) {
        *answer = LQ_MATCH_UNKNOWN;
    }
    return status;
}

static bool is_ascii(const char *name)
{
    for (; *name; ++name) {
        if ((unsigned char)*name >= 0x80) {
            return false;
        }
    }
    return true;
}

static enum lq_status match(void *context, void *pattern, const char *name,
                            enum lq_match *out)
{
    struct lq_pcre *const pcre = context;
    struct pattern *const item = pattern;
    enum lq_status status = LQ_OK;

    *out = LQ_MATCH_UNKNOWN;
    if (item->spent) {
        return LQ_OK;
    }
    status = match_with(pcre, item->code, name, out);
    item->spent = *out == LQ_MATCH_UNKNOWN;
    if (status != LQ_OK || item->spent || is_ascii(name)) {
        return status;
    }
    return match_latin1(pcre, item, name, out);
}

struct lq_matcher lq_pcre_matcher(struct lq_pcre *pcre)
{
    return (struct lq_matcher){pcre, compile, match};
}

void lq_pcre_close(struct lq_pcre *pcre)
{
    if (!pcre) {
        return;
    }
    for (size_t i = 0; i < pcre->patterns.count; ++i) {
        const struct pattern *const item =
            ((struct pattern **)pcre->patterns.items)[i];

        pcre2_code_free(item->code);
        pcre2_code_free(item->latin1);
    }
    pcre2_match_data_free(pcre->match);
    pcre2_match_context_free(pcre->limits);
    pcre2_compile_context_free(pcre->plain);
    pcre2_compile_context_free(pcre->latin1);
}
