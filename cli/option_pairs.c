#include "option_pairs.h"

bool option_pairs_agree(const struct invocation *invocation,
                        const struct option_pair *pairs, size_t count)
{
    const char *const *const text = invocation->options.text;

    for (size_t i = 0; i < count; ++i) {
        if (text[pairs[i].one] && text[pairs[i].other]) {
            report_error(&invocation->reporter,
                         "'--%s' and '--%s' exclude each other",
                         option_rows[pairs[i].one].name,
                         option_rows[pairs[i].other].name);
            return false;
        }
    }
    return true;
}

bool options_absent(const struct invocation *invocation,
                    const enum option_id *ids, size_t count, const char *why)
{
    for (size_t i = 0; i < count; ++i) {
        if (invocation->options.text[ids[i]]) {
            report_error(&invocation->reporter, "'--%s' %s",
                         option_rows[ids[i]].name, why);
            return false;
        }
    }
    return true;
}
