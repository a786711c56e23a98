#include "model/names.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define BUCKET_INFIX ".retry.v2."
#define BUCKET_UNIT "ms"

/* holds ".retry.v2.18446744073709551615ms" */
#define SUFFIX_SIZE 40

char *lq_name_join(struct lq_arena *arena, const char *root, const char *suffix)
{
    const size_t size = strlen(root) + strlen(suffix) + 1;
    char *const name = lq_alloc(arena, size);

    if (name) {
        (void)snprintf(name, size, "%s%s", root, suffix);
    }
    return name;
}

char *lq_name_bucket_queue(struct lq_arena *arena, const char *name,
                           uint64_t delay_millis)
{
    char suffix[SUFFIX_SIZE];

    (void)snprintf(suffix, sizeof(suffix), ".retry.v2.%" PRIu64 "ms",
                   delay_millis);
    return lq_name_join(arena, name, suffix);
}

char *lq_name_bucket_key(struct lq_arena *arena, const char *name,
                         uint64_t delay_millis)
{
    char suffix[SUFFIX_SIZE];

    (void)snprintf(suffix, sizeof(suffix), ".retry.%" PRIu64 "ms",
                   delay_millis);
    return lq_name_join(arena, name, suffix);
}

bool lq_name_ends(const char *name, const char *suffix, size_t *length)
{
    const size_t all = strlen(name);
    const size_t end = strlen(suffix);

    if (all <= end || strcmp(name + all - end, suffix) != 0) {
        return false;
    }
    *length = all - end;
    return true;
}

/* As written in a name: digits without a leading zero. */
static bool read_delay(const char *digits, size_t count, uint64_t *out)
{
    char text[SUFFIX_SIZE];

    if (count >= sizeof(text) || *digits == '0') {
        return false;
    }
    (void)memcpy(text, digits, count);
    text[count] = '\0';
    return lq_parse_u64(text, out) == LQ_NUMBER_OK;
}

bool lq_name_is_bucket(const char *name, size_t *length, uint64_t *delay)
{
    const size_t infix = strlen(BUCKET_INFIX);
    size_t end = 0;
    size_t start = 0;

    if (!lq_name_ends(name, BUCKET_UNIT, &end)) {
        return false;
    }
    for (start = end; start > 0 && name[start - 1] != '.'; --start) {
    }
    if (start <= infix ||
        strncmp(name + start - infix, BUCKET_INFIX, infix) != 0) {
        return false;
    }
    *length = start - infix;
    return read_delay(name + start, end - start, delay);
}
