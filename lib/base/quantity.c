#include "base/quantity.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

/* No number that makes sense is longer. */
#define NUMBER_SIZE 32

struct unit {
    const char *name;
    uint64_t millis;
};

static const struct unit units[] = {
    {"ms", 1},
    {"s", 1000},
    {"m", UINT64_C(60000)},
    {"h", UINT64_C(3600000)},
    {"d", UINT64_C(86400000)},
    {"w", UINT64_C(604800000)},
};

/* Milliseconds in a unit; 0: there is no such unit. */
static uint64_t find_unit(const char *name)
{
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); ++i) {
        if (lq_str_equal(units[i].name, name)) {
            return units[i].millis;
        }
    }
    return 0;
}

/*
 * Copies the leading bytes that are in `of`; returns the rest, or NULL when
 * there are too many.
 */
static const char *take_number(const char *text, const char *of,
                               char out[NUMBER_SIZE])
{
    const size_t length = strspn(text, of);

    if (length >= NUMBER_SIZE) {
        return NULL;
    }
    memcpy(out, text, length);
    out[length] = '\0';
    return text + length;
}

bool lq_parse_rate(const char *text, double *per_second)
{
    char digits[NUMBER_SIZE];
    const char *const rest = take_number(text, "0123456789.", digits);
    const uint64_t unit = rest && *rest == '/' ? find_unit(rest + 1) : 0;
    double number = 0;

    if (unit < 1000 || lq_parse_double(digits, &number) != LQ_NUMBER_OK) {
        return false;
    }
    *per_second = number * 1000 / (double)unit;
    return *per_second > 0 && *per_second <= LQ_MAX_RATE;
}

bool lq_parse_span(const char *text, uint64_t most_millis, uint64_t *millis)
{
    char digits[NUMBER_SIZE];
    const char *const rest = take_number(text, "0123456789", digits);
    const uint64_t unit = rest ? find_unit(rest) : 0;
    uint64_t number = 0;

    if (unit == 0 || lq_parse_u64(digits, &number) != LQ_NUMBER_OK ||
        number == 0 || number > most_millis / unit) {
        return false;
    }
    *millis = number * unit;
    return true;
}

bool lq_parse_bytes(const char *text, uint64_t *bytes)
{
    static const char letters[] = "KMGT";
    char digits[NUMBER_SIZE];
    const char *const rest = take_number(text, "0123456789", digits);
    const char *const letter = rest && *rest ? strchr(letters, *rest) : NULL;
    const unsigned shift = letter ? (unsigned)(letter - letters + 1) * 10 : 0;
    uint64_t number = 0;

    if (!rest || rest[letter != NULL] ||
        lq_parse_u64(digits, &number) != LQ_NUMBER_OK || number == 0 ||
        number > (uint64_t)INT64_MAX >> shift) {
        return false;
    }
    *bytes = number << shift;
    return true;
}

bool lq_parse_ratio(const char *text, double *out)
{
    if (lq_parse_double(text, out) != LQ_NUMBER_OK) {
        return false;
    }
    *out += 0.0; /* minus zero is zero */
    return *out >= 0 && *out <= 1;
}
