#include "format/lint.h"

#include "topology/field.h"

const char *lq_lint_message(const struct lq_lint_report *report,
                            const struct lq_lint_finding *finding,
                            struct lq_arena *arena)
{
    const bool owned = finding->logical != NULL;
    const char *const label =
        owned ? lq_entry_label(arena, finding->logical->entry) : "";
    const char *const versions =
        report->version.known
            ? ""
            : lq_lint_rule_versions(lq_lint_rule(finding->code), arena);

    if (!label || !versions) {
        return NULL;
    }
    return lq_format(arena, "%s%s%s%s%s%s", label, owned ? " " : "",
                     finding->text, *versions ? " (" : "", versions,
                     *versions ? ")" : "");
}
