#include "explain/event_id.h"

#include <string.h>

#define SHAPE "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"

static bool is_digit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

bool lq_event_id_valid(const char *text)
{
    bool nil = true;

    if (strlen(text) != strlen(SHAPE)) {
        return false;
    }
    for (size_t i = 0; text[i]; ++i) {
        if (SHAPE[i] == '-' ? text[i] != '-' : !is_digit(text[i])) {
            return false;
        }
        nil = nil && (text[i] == '0' || text[i] == '-');
    }
    return !nil;
}
