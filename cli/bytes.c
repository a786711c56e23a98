#include "bytes.h"

#include "base/text.h"

#include <string.h>

#define MAX_DIGITS 19
#define BITS_A_UNIT 10

bool bytes_read(const char *text, uint64_t *out)
{
    static const char units[] = "KMGT";
    const size_t length = strspn(text, "0123456789");
    const char *const unit = text[length] ? strchr(units, text[length]) : NULL;
    const unsigned shift =
        unit ? (unsigned)(unit - units + 1) * BITS_A_UNIT : 0;
    char digits[MAX_DIGITS + 1] = "";

    if (length > MAX_DIGITS || text[length + (unit != NULL)]) {
        return false;
    }
    memcpy(digits, text, length);
    if (lq_parse_u64(digits, out) != LQ_NUMBER_OK ||
        *out > (uint64_t)INT64_MAX >> shift) {
        return false;
    }
    *out <<= shift;
    return true;
}
