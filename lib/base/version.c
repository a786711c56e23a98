#include "base/version.h"

#include <string.h>

#define DIGITS "0123456789"
#define MAX_DIGITS 4

/* Reads digits; returns what follows them, or NULL. */
static const char *read_number(const char *text, unsigned *out)
{
    const size_t length = strspn(text, DIGITS);

    if (length == 0 || length > MAX_DIGITS) {
        return NULL;
    }
    *out = 0;
    for (size_t i = 0; i < length; ++i) {
        *out = *out * 10 + (unsigned)(text[i] - '0');
    }
    return text + length;
}

bool lq_version_read(const char *text, struct lq_version *out)
{
    struct lq_version version = {.known = true};
    const char *rest = read_number(text, &version.major);

    *out = (struct lq_version){0};
    if (rest && *rest == '.') {
        rest = read_number(rest + 1, &version.minor);
    }
    if (!rest || (*rest && !strchr(".-+", *rest))) {
        return false;
    }
    *out = version;
    return true;
}

bool lq_version_is_before(struct lq_version version, unsigned major,
                          unsigned minor)
{
    return version.known && (version.major < major ||
                             (version.major == major && version.minor < minor));
}

bool lq_version_is_from(struct lq_version version, unsigned major,
                        unsigned minor)
{
    return version.known && !lq_version_is_before(version, major, minor);
}
