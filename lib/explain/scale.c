#include "explain/scale.h"

#include <math.h>
#include <stddef.h>

double lq_scale_step(double span, unsigned most)
{
    static const double nice[] = {1, 2, 5, 10};
    const double least = span / most;
    double power = 1;

    if (!(span > 0)) {
        return 1;
    }
    while (power > least) {
        power /= 10;
    }
    while (power * 10 <= least) {
        power *= 10;
    }
    for (size_t i = 0; i < sizeof(nice) / sizeof(nice[0]); ++i) {
        if (nice[i] * power >= least) {
            return nice[i] * power;
        }
    }
    return 10 * power;
}

uint64_t lq_scale_millis(uint64_t span, unsigned most)
{
    static const uint64_t nice[] = {
        1,         2,        5,        10,        20,        50,
        100,       200,      500,      1000,      2000,      5000,
        10000,     15000,    30000,    60000,     120000,    300000,
        600000,    900000,   1800000,  3600000,   7200000,   10800000,
        21600000,  43200000, 86400000, 172800000, 432000000, 864000000,
        2592000000};
    const size_t count = sizeof(nice) / sizeof(nice[0]);

    for (size_t i = 0; i < count; ++i) {
        if (span / nice[i] <= most) {
            return nice[i];
        }
    }
    return nice[count - 1];
}
