#include "explain/bucket.h"

size_t lq_bucket_index(const struct lq_logical *logical, uint64_t delay_millis)
{
    size_t low = 0;
    size_t high = logical->bucket_count - 1;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (logical->buckets[middle].delay_millis < delay_millis) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}
