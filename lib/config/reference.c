#include "config/reference.h"

#include <stdbool.h>
#include <string.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_variable(const char *name, size_t length)
{
    if (length == 0 || !is_letter(name[0])) {
        return false;
    }
    for (size_t i = 1; i < length; ++i) {
        if (!is_letter(name[i]) && (name[i] < '0' || name[i] > '9')) {
            return false;
        }
    }
    return true;
}

/* What stands between `prefix` and the '}' that ends the value, or NULL. */
static const char *inside(const char *value, const char *prefix, size_t *length)
{
    const size_t skip = strlen(prefix);
    const char *const name = value + skip;

    if (strncmp(value, prefix, skip) != 0) {
        return NULL;
    }
    *length = strcspn(name, "}");
    return name[*length] == '}' && !name[*length + 1] ? name : NULL;
}

struct lq_reference lq_reference_read(const char *value)
{
    struct lq_reference reference = {.kind = LQ_REFERENCE_NONE};

    if (!strstr(value, "${")) {
        return reference;
    }
    reference.name = inside(value, "${env:", &reference.length);
    if (reference.name && is_variable(reference.name, reference.length)) {
        reference.kind = LQ_REFERENCE_ENV;
        return reference;
    }
    reference.name = inside(value, "${file:", &reference.length);
    if (reference.name && reference.length > 0) {
        reference.kind = LQ_REFERENCE_FILE;
        return reference;
    }
    return (struct lq_reference){.kind = LQ_REFERENCE_BAD};
}
