#include "duration.h"

#include <stddef.h>

/* Seconds of a unit; 0 for what is none. */
static uint64_t seconds_of(char unit)
{
    static const struct {
        char unit;
        uint64_t seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 604800}};

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); ++i) {
        if (units[i].unit == unit) {
            return units[i].seconds;
        }
    }
    return 0;
}

bool duration_read(const char *text, uint64_t most, uint64_t *out)
{
    uint64_t number = 0;
    uint64_t unit = 0;

    if (*text < '0' || *text > '9') {
        return false;
    }
    for (; *text >= '0' && *text <= '9'; ++text) {
        number = number * 10 + (uint64_t)(*text - '0');
        if (number > most) {
            return false;
        }
    }
    unit = seconds_of(*text);
    if (unit == 0 || text[1] || number > most / unit) {
        return false;
    }
    *out = number * unit;
    return true;
}
