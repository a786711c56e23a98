#include "explain/duration.h"

#include <inttypes.h>
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
