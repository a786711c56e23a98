#include "model/names.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

#define BUCKET_INFIX ".retry.v2."
#define BUCKET_UNIT "ms"

/* holds "18446744073709551615" */
#define DIGITS_SIZE 24

const char *lq_name_join(struct lq_arena *arena, const char *root,
                         const char *suffix)
{
    return lq_format(arena, "%s%s", root, suffix);
}

const char *lq_name_bucket_queue(struct lq_arena *arena, const char *name,
                                 uint64_t delay_millis)
{
    return lq_format(arena, "%s" BUCKET_INFIX "%" PRIu64 BUCKET_UNIT, name,
                     delay_millis);
}

const char *lq_name_bucket_key(struct lq_arena *arena, const char *name,
                               uint64_t delay_millis)
{
    return lq_format(arena, "%s.retry.%" PRIu64 BUCKET_UNIT, name,
                     delay_millis);
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
    char text[DIGITS_SIZE];

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
