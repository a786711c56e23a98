/* Bindings on the broker that bring messages where they do not belong. */
#include "lint/run.h"

/* What a binding that is not planned leads to; NULL: nothing to tell. */
static const char *effect_of(const struct lq_finding *finding)
{
    /* only what is not planned is told apart here */
    if (finding->code == LQ_MAIN_KEY_SHARED) {
        return finding->logical && finding->logical->bucket_count > 0
                   ? "it gets a copy of each retry"
                   : NULL;
    }
    if (finding->code == LQ_RETRY_SHARED) {
        return "it may get what is to wait for a retry";
    }
    if (finding->code == LQ_DEAD_LETTERS_SHARED) {
        return "it may get dead letters";
    }
    if (finding->code == LQ_RETRY_FED) {
        return "what others publish there is retried";
    }
    return finding->code == LQ_DEAD_LETTERS_FED
               ? "what others publish there is a dead letter"
               : NULL;
}

static void report(struct lq_lint_run *run, const struct lq_finding *finding,
                   const char *effect)
{
    const struct lq_binding *const binding = finding->binding;
    const char *const kind = finding->to_exchange ? "exchange" : "queue";
    const char *const name = lq_lint_shown(run, finding->name);
    const char *const source = lq_lint_shown(run, binding->source);
    const char *const key = lq_lint_shown(run, binding->routing_key);

    if (finding->logical) {
        lq_lint_found(run, LQ_LINT_FOREIGN_BINDING,
                      (struct lq_lint_spot){finding->logical, LQ_FIELD_COUNT},
                      "%s '%s' is bound to exchange '%s' with key '%s', which "
                      "is not planned: %s",
                      kind, name, source, key, effect);
    } else {
        lq_lint_found_at(run, LQ_LINT_FOREIGN_BINDING, NULL,
                         "%s '%s' is bound to exchange '%s' with key '%s', "
                         "which is not planned: %s",
                         kind, name, source, key, effect);
    }
}

void lq_lint_bindings(struct lq_lint_run *run)
{
    const struct lq_diff *const drift = run->settings->drift;

    for (size_t i = 0; drift && i < drift->findings.count; ++i) {
        const struct lq_finding *const finding = lq_diff_at(drift, i);
        const char *const effect = effect_of(finding);

        if (effect && finding->binding) {
            report(run, finding, effect);
        }
    }
}
