#include "explain/decimal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define MOST_DECIMALS 6

struct lq_decimal lq_decimal_of(double number, unsigned decimals)
{
    static const uint64_t scales[MOST_DECIMALS + 1] = {
        1, 10, 100, 1000, 10000, 100000, 1000000};
    const uint64_t scale = scales[decimals];
    const double scaled = fmax(number, 0) * (double)scale;
    struct lq_decimal decimal;
    uint64_t whole = 0;
    int end = 0;

    if (scaled >= 9e18) {
        (void)snprintf(decimal.text, sizeof(decimal.text), "%.0f", number);
        return decimal;
    }
    whole = (uint64_t)round(scaled);
    end = snprintf(decimal.text, sizeof(decimal.text), "%" PRIu64 ".%0*" PRIu64,
                   whole / scale, (int)decimals, whole % scale);
    while (decimal.text[end - 1] == '0' && end > 1 && whole % scale != 0) {
        decimal.text[--end] = '\0';
    }
    if (whole % scale == 0) {
        (void)snprintf(decimal.text, sizeof(decimal.text), "%" PRIu64,
                       whole / scale);
    }
    return decimal;
}

struct lq_decimal lq_decimal_about(double number)
{
    return lq_decimal_of(number, number < 99.995 ? 2 : 0);
}
