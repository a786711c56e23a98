#include "lint/rule_rows.h"

#include "base/text.h"

const struct lq_lint_rule *lq_lint_rule(enum lq_lint_code code)
{
    if ((int)code >= LQ_LINT_FIRST_BROKER) {
        return &lq_lint_broker_rules[(int)code - LQ_LINT_FIRST_BROKER];
    }
    return (int)code >= LQ_LINT_FIRST_INPUT
               ? &lq_lint_input_rules[(int)code - LQ_LINT_FIRST_INPUT]
               : &lq_lint_flow_rules[(int)code - LQ_LINT_FIRST_FLOW];
}

enum lq_lint_code lq_lint_code_of(const char *text)
{
    unsigned code = 0;

    while (code < LQ_LINT_CODE_COUNT &&
           !lq_str_equal(lq_lint_rule(code)->code, text)) {
        ++code;
    }
    return (enum lq_lint_code)code;
}

const char *lq_lint_severity_word(enum lilyq_severity severity)
{
    static const char *const words[LQ_LINT_SEVERITY_COUNT] = {
        [LILYQ_SEVERITY_NOTE] = "note",
        [LILYQ_SEVERITY_WARNING] = "warning",
        [LILYQ_SEVERITY_ERROR] = "error",
    };

    return words[severity];
}

bool lq_lint_rule_holds(const struct lq_lint_rule *rule,
                        struct lq_version version)
{
    static const struct lq_version oldest = {true, 3, 10};
    const struct lq_version *const since = &rule->since;
    const struct lq_version *const before = &rule->before;

    return !lq_version_is_before(version, since->major, since->minor) &&
           (!before->known ||
            lq_version_is_before(version.known ? version : oldest,
                                 before->major, before->minor));
}

const char *lq_lint_rule_versions(const struct lq_lint_rule *rule,
                                  struct lq_arena *arena)
{
    if (rule->since.known) {
        return lq_format(arena, "RabbitMQ %u.%u and later", rule->since.major,
                         rule->since.minor);
    }
    if (rule->before.known) {
        return lq_format(arena, "RabbitMQ before %u.%u", rule->before.major,
                         rule->before.minor);
    }
    return "";
}
