#include "explain/figure.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define SECOND ((uint64_t)1000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

static void append(struct lq_duration *duration, uint64_t count,
                   const char *unit)
{
    const size_t length = strlen(duration->text);

    if (count > 0) {
        (void)snprintf(duration->text + length, sizeof(duration->text) - length,
                       "%s%" PRIu64 " %s", length ? " " : "", count, unit);
    }
}

/* Appends under a minute as seconds with as many decimals as it takes. */
static void append_seconds(struct lq_duration *duration, uint64_t millis)
{
    const size_t length = strlen(duration->text);
    char digits[16];
    size_t end = 0;

    if (millis % SECOND == 0) {
        append(duration, millis / SECOND, "s");
        return;
    }
    end = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64 ".%03" PRIu64,
                           millis / SECOND, millis % SECOND);
    while (digits[end - 1] == '0') {
        digits[--end] = '\0';
    }
    (void)snprintf(duration->text + length, sizeof(duration->text) - length,
                   "%s%s s", length ? " " : "", digits);
}

struct lq_duration lq_duration_of(uint64_t millis)
{
    struct lq_duration duration = {""};

    if (millis == 0) {
        return (struct lq_duration){"0 s"};
    }
    if (millis < SECOND) {
        append(&duration, millis, "ms");
        return duration;
    }
    append(&duration, millis / DAY, "d");
    append(&duration, millis % DAY / HOUR, "h");
    append(&duration, millis % HOUR / MINUTE, "min");
    append_seconds(&duration, millis % MINUTE);
    return duration;
}

static uint64_t round_to(uint64_t millis, uint64_t step)
{
    return millis > UINT64_MAX - step ? millis
                                      : (millis + step / 2) / step * step;
}

struct lq_duration lq_duration_about(uint64_t millis)
{
    if (millis < 10 * SECOND) {
        return lq_duration_of(round_to(millis, 10));
    }
    if (millis < MINUTE) {
        return lq_duration_of(round_to(millis, SECOND / 10));
    }
    if (millis < HOUR) {
        return lq_duration_of(round_to(millis, SECOND));
    }
    if (millis < DAY) {
        return lq_duration_of(round_to(millis, MINUTE));
    }
    return lq_duration_of(round_to(millis, millis < 100 * DAY ? HOUR : DAY));
}

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
