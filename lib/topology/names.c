#include "topology/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
