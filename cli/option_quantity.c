#include "option_quantity.h"

#include "words.h"

#include "base/quantity.h"
#include "base/version.h"

#define MILLIS_PER_DAY UINT64_C(86400000)

bool option_refuse(const struct invocation *invocation, enum option_id id,
                   const char *wanted)
{
    report_error(&invocation->reporter, "'--%s' must be %s, not '%s'",
                 option_rows[id].name, wanted,
                 words_shown(invocation->arena, invocation->options.text[id]));
    return false;
}

bool option_duration(const struct invocation *invocation, enum option_id id,
                     unsigned most_days, uint64_t *out)
{
    const char *const text = invocation->options.text[id];
    const char *wanted = NULL;

    if (!text || lq_parse_span(text, most_days * MILLIS_PER_DAY, out)) {
        return true;
    }
    wanted = lq_format(invocation->arena,
                       "a whole number of ms, s, m, h, d or w, such as 90s, "
                       "15m or 2h, up to %ud",
                       most_days);
    return option_refuse(invocation, id, wanted ? wanted : "?");
}

bool option_bytes(const struct invocation *invocation, enum option_id id,
                  uint64_t *out)
{
    const char *const text = invocation->options.text[id];

    return !text || lq_parse_bytes(text, out) ||
           option_refuse(invocation, id,
                         "a number of bytes, or one with K, M, G or T such as "
                         "64K or 50G");
}

bool option_version(const struct invocation *invocation, enum option_id id,
                    const char **out)
{
    const char *const text = invocation->options.text[id];
    struct lq_version version;

    *out = text;
    return !text || lq_version_read(text, &version) ||
           option_refuse(invocation, id, "a version such as 4.3 or 3.10.8");
}
