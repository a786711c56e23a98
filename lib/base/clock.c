#include "base/clock.h"

#include <time.h>

uint64_t lq_now_millis(void)
{
    struct timespec now = {0};

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t lq_millis_until(uint64_t moment)
{
    const uint64_t now = lq_now_millis();

    if (moment == LQ_NEVER) {
        return LQ_NEVER;
    }
    return moment > now ? moment - now : 0;
}
