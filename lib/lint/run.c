#include "lint/run.h"

#include "base/text.h"
#include "model/entry.h"

#include <inttypes.h>
#include <string.h>

/* Adds a finding for the caller to complete; NULL: there is none. */
static struct lq_lint_finding *add(struct lq_lint_run *run,
                                   enum lq_lint_code code, const char *format,
                                   va_list args)
    __attribute__((format(printf, 3, 0)));

static struct lq_lint_finding *add(struct lq_lint_run *run,
                                   enum lq_lint_code code, const char *format,
                                   va_list args)
{
    const struct lq_lint_rule *const rule = lq_lint_rule(code);
    struct lq_lint_finding *finding = NULL;
    const char *text = NULL;

    if (!lq_lint_rule_holds(rule, run->settings->version)) {
        return NULL;
    }
    text = lq_vformat(run->arena, format, args);
    finding = lq_array_push(&run->findings, run->arena);
    if (!finding) {
        return NULL;
    }
    finding->order = run->findings.count;
    finding->code = code;
    finding->field = LQ_FIELD_COUNT;
    finding->text = text;
    finding->advice = rule->advice;
    return finding;
}

/* The field's line if the entry itself has it; else the entry's. */
static struct lq_place find_place(const struct lq_lint_spot *spot,
                                  struct lq_arena *arena)
{
    const struct lq_entry *const entry = spot->logical->entry;

    return spot->field == LQ_FIELD_COUNT ||
                   (entry->inherited & lq_field_bit(spot->field)) != 0
               ? entry->place
               : lq_field_place(entry, spot->field, arena);
}

void lq_lint_found(struct lq_lint_run *run, enum lq_lint_code code,
                   struct lq_lint_spot spot, const char *format, ...)
{
    struct lq_lint_finding *finding = NULL;
    va_list args;

    va_start(args, format);
    finding = add(run, code, format, args);
    va_end(args);
    if (finding) {
        finding->logical = spot.logical;
        finding->field = spot.field;
        finding->place = find_place(&spot, run->arena);
    }
}

void lq_lint_found_at(struct lq_lint_run *run, enum lq_lint_code code,
                      const struct lq_place *place, const char *format, ...)
{
    struct lq_lint_finding *finding = NULL;
    va_list args;

    va_start(args, format);
    finding = add(run, code, format, args);
    va_end(args);
    if (finding && place) {
        finding->place = *place;
    }
}

const char *lq_lint_format(struct lq_lint_run *run, const char *format, ...)
{
    const char *text = NULL;
    va_list args;

    va_start(args, format);
    text = lq_vformat(run->arena, format, args);
    va_end(args);
    return text;
}

const char *lq_lint_shown(struct lq_lint_run *run, const char *text)
{
    return lq_printable(run->arena, text, strlen(text));
}

const char *lq_lint_entry_text(struct lq_lint_run *run,
                               const struct lq_logical *logical)
{
    return lq_format(run->arena, "%s (%s)",
                     lq_entry_label(run->arena, logical->entry),
                     lq_place_text(run->arena, &logical->entry->place));
}

const char *lq_lint_number_text(struct lq_lint_run *run, enum lq_field field,
                                uint64_t number)
{
    return lq_lint_format(run, "%s = %" PRIu64, lq_field_name(field), number);
}

static const char *text_of(const struct lq_live_argument *value)
{
    return value && value->type == LQ_LIVE_STRING ? value->text : "";
}

/* The policy by which a queue keeps what it cannot deliver, or NULL. */
static const struct lq_live_policy *keeper(const struct lq_in_force *in_force)
{
    const struct lq_effective strategy =
        lq_effective(in_force, LQ_TARGET_QUORUM, "dead-letter-strategy", NULL);
    const struct lq_effective overflow =
        lq_effective(in_force, LQ_TARGET_QUORUM, "overflow", NULL);

    if (strcmp(text_of(strategy.value), "at-least-once") != 0 ||
        (overflow.value &&
         strcmp(text_of(overflow.value), "reject-publish") != 0)) {
        return NULL;
    }
    return strategy.policy;
}

/* The delivery limit that a policy sets; without a value when none does. */
static struct lq_effective limit_of(const struct lq_in_force *in_force)
{
    static const struct lq_effective none;
    const struct lq_effective limit =
        lq_effective(in_force, LQ_TARGET_QUORUM, "delivery-limit", NULL);

    return limit.value && limit.value->type == LQ_LIVE_INTEGER ? limit : none;
}

static void note(struct lq_lint_guard *guard, enum lq_role role,
                 const struct lq_in_force *in_force)
{
    const struct lq_live_policy *policy = NULL;

    switch (role) {
    case LQ_ROLE_MAIN:
        guard->main_limit = limit_of(in_force);
        guard->main_keeper = keeper(in_force);
        break;
    case LQ_ROLE_DEAD_LETTER:
        guard->dead_limit = limit_of(in_force);
        break;
    case LQ_ROLE_RETRY:
        policy = keeper(in_force);
        guard->bare |= !policy;
        guard->at_least_once = guard->bare ? NULL : policy;
        break;
    }
}

static enum lq_status find(const struct lq_lint_run *run,
                           const struct lq_policies *policies,
                           struct lq_lint_guard *guards)
{
    const struct lq_topology *const topology = run->topology;
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < topology->queue_count && status == LQ_OK; ++i) {
        const struct lq_queue *const queue = &topology->queues[i];
        struct lq_in_force in_force;

        if (!lq_lint_is_quorum(queue->logical)) {
            continue;
        }
        status = lq_policies_find(policies, LQ_TARGET_QUORUM, queue->name,
                                  &in_force);
        if (status == LQ_OK) {
            note(&guards[queue->logical - topology->logicals], queue->role,
                 &in_force);
        }
    }
    return status;
}

void lq_lint_find_guards(struct lq_lint_run *run)
{
    const struct lq_lint_settings *const settings = run->settings;
    struct lq_lint_guard *guards = NULL;
    struct lq_policies policies;
    enum lq_status status = LQ_NOMEM;

    if (!settings->live) {
        return;
    }
    guards = lq_alloc_array(run->arena, run->topology->logical_count,
                            sizeof(*guards));
    if (guards) {
        status = lq_policies_init(&policies, settings->live, settings->matcher,
                                  run->arena);
    }
    if (status == LQ_OK) {
        status = find(run, &policies, guards);
    }
    lq_arena_note(run->arena, status);
    run->guards = status == LQ_OK ? guards : NULL;
}

const struct lq_lint_guard *lq_lint_guard(const struct lq_lint_run *run,
                                          const struct lq_logical *logical)
{
    static const struct lq_lint_guard none;

    return run->guards ? &run->guards[logical - run->topology->logicals]
                       : &none;
}
