#include "topology/policy_names.h"

#include "base/text.h"

#include <string.h>

#define NAME_MAX_BYTES 100

static const char *const words[LQ_POLICY_KIND_COUNT] = {
    [LQ_POLICY_AT_LEAST_ONCE] = "at-least-once",
    [LQ_POLICY_DLQ] = "dlq",
    [LQ_POLICY_DLQ_CLASSIC] = "dlq-classic"};

/* Whether the policies of this name are told apart from all others. */
static bool is_name(const char *name)
{
    const size_t length = strlen(name);

    if (length == 0 || length > NAME_MAX_BYTES) {
        return false;
    }
    for (const char *at = name; *at; ++at) {
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                    "0123456789._-",
                    *at)) {
            return false;
        }
    }
    return true;
}

enum lq_status lq_policy_name_check(const char *name, struct lq_diags *diags)
{
    const char *const shown =
        name ? lq_printable(diags->arena, name, strlen(name)) : "";

    if (!name || is_name(name)) {
        return LQ_OK;
    }
    return shown ? lq_error(diags, NULL,
                            "the name of policies must be 1 to %d letters, "
                            "digits, '.', '_' and '-', not '%s'",
                            NAME_MAX_BYTES, shown)
                 : LQ_NOMEM;
}

const char *lq_policy_name(struct lq_arena *arena, const char *name,
                           enum lq_policy_kind kind, size_t index)
{
    const char *const base =
        lq_format(arena, LQ_OWN_POLICY_PREFIX "%s%s%s", name ? name : "",
                  name ? "-" : "", words[kind]);

    return base && index > 0 ? lq_format(arena, "%s-%zu", base, index + 1)
                             : base;
}

/* What follows a text at the beginning of another, or NULL. */
static const char *after(const char *start, const char *text)
{
    const size_t length = strlen(start);

    return text && strncmp(text, start, length) == 0 ? text + length : NULL;
}

bool lq_own_policies_had(const struct lq_own_policies *policies,
                         const char *name)
{
    const char *rest = after(LQ_OWN_POLICY_PREFIX, name);

    if (policies->name) {
        rest = after("-", rest ? after(policies->name, rest) : NULL);
    }
    for (size_t i = 0; rest && i < LQ_POLICY_KIND_COUNT; ++i) {
        const char *const number = after(words[i], rest);

        if (number &&
            (!*number || (*number == '-' && number[1] &&
                          !number[1 + strspn(number + 1, "0123456789")]))) {
            return true;
        }
    }
    return false;
}
