#include "base/text.h"
#include "base/writer.h"
#include "render/apply.h"
#include "render/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const enum lq_result lq_result_order[LQ_RESULT_COUNT] = {
    LQ_CREATED,  LQ_UPDATED, LQ_EXISTING,  LQ_ENSURED,
    LQ_DECLARED, LQ_PENDING, LQ_VERIFIED,  LQ_UNVERIFIED,
    LQ_CONFLICT, LQ_FAILED,  LQ_UNCERTAIN, LQ_NOT_DONE};

static struct lq_tally count_up(const struct lq_outcome *outcomes, size_t count)
{
    struct lq_tally tally = {{0}};

    for (size_t i = 0; i < count; ++i) {
        ++tally.of[outcomes[i].result];
    }
    return tally;
}

static size_t count_external_unverified(const struct lq_topology *topology,
                                        const struct lq_outcome *outcomes)
{
    size_t count = 0;

    for (size_t i = 0; i < topology->binding_count; ++i) {
        count += outcomes[i].result == LQ_UNVERIFIED &&
                 lq_owner(topology->bindings[i].logical) == LQ_EXTERNAL;
    }
    return count;
}

void lq_tally_report(const struct lq_topology *topology,
                     const struct lq_apply_report *report,
                     struct lq_tallies *out)
{
    out->exchanges = count_up(report->exchanges, topology->exchange_count);
    out->queues = count_up(report->queues, topology->queue_count);
    out->bindings = count_up(report->bindings, topology->binding_count);
    out->policies = count_up(report->policy_outcomes,
                             report->policies ? report->policies->count : 0);
    out->external_unverified =
        count_external_unverified(topology, report->bindings);
}

const char *lq_result_word(enum lq_result result)
{
    static const char *const words[LQ_RESULT_COUNT] = {
        [LQ_NOT_DONE] = "not_done",   [LQ_CREATED] = "created",
        [LQ_EXISTING] = "existing",   [LQ_ENSURED] = "ensured",
        [LQ_DECLARED] = "declared",   [LQ_PENDING] = "pending",
        [LQ_VERIFIED] = "verified",   [LQ_UNVERIFIED] = "unverified",
        [LQ_CONFLICT] = "conflict",   [LQ_FAILED] = "failed",
        [LQ_UNCERTAIN] = "uncertain", [LQ_UPDATED] = "updated"};

    return words[result];
}

const char *lq_result_count_word(enum lq_result result)
{
    return result == LQ_CONFLICT ? "conflicts" : lq_result_word(result);
}

struct printer {
    struct lq_writer writer;
    const struct lq_apply_report *report;
    struct lq_tallies tallies;
};

/* What a run like this is about. */
static bool is_expected(enum lilyq_apply_mode mode, enum lq_result result)
{
    switch (mode) {
    case LILYQ_PREFLIGHT:
        return result == LQ_CREATED || result == LQ_EXISTING;
    case LILYQ_NO_PREFLIGHT:
        return result == LQ_DECLARED;
    case LILYQ_DRY_RUN:
        break;
    }
    return result == LQ_PENDING || result == LQ_EXISTING;
}

/* What is expected always has a column, the rest where it occurs. */
static bool has_column(const struct printer *printer, enum lq_result result)
{
    const struct lq_tallies *const tallies = &printer->tallies;

    return is_expected(printer->report->mode, result) ||
           tallies->exchanges.of[result] || tallies->queues.of[result] ||
           tallies->bindings.of[result] || tallies->policies.of[result];
}

static const char *heading(enum lq_result result)
{
    return result == LQ_NOT_DONE ? "not done" : lq_result_count_word(result);
}

/* What a line about one resource begins with. */
static const char *verdict(enum lq_result result)
{
    switch (result) {
    case LQ_PENDING:
        return "+ ";
    case LQ_CONFLICT:
        return "conflict: ";
    case LQ_FAILED:
        return "failed: ";
    case LQ_UNCERTAIN:
        return "uncertain: ";
    case LQ_NOT_DONE:
    case LQ_CREATED:
    case LQ_EXISTING:
    case LQ_ENSURED:
    case LQ_DECLARED:
    case LQ_VERIFIED:
    case LQ_UNVERIFIED:
    case LQ_UPDATED:
        break;
    }
    return "not done: ";
}

static void write_headings(struct printer *printer)
{
    lq_write_text(&printer->writer, "         ");
    for (size_t i = 0; i < LQ_RESULT_COUNT; ++i) {
        if (has_column(printer, lq_result_order[i])) {
            lq_write_texts(&printer->writer, "  ", heading(lq_result_order[i]),
                           NULL);
        }
    }
    lq_write_text(&printer->writer, "\n");
}

static void write_row(struct printer *printer, const char *kind,
                      const struct lq_tally *tally)
{
    lq_write_text(&printer->writer, kind);
    for (size_t i = 0; i < LQ_RESULT_COUNT; ++i) {
        const enum lq_result result = lq_result_order[i];
        char cell[32];

        if (has_column(printer, result)) {
            (void)snprintf(cell, sizeof(cell), "  %*zu",
                           (int)strlen(heading(result)), tally->of[result]);
            lq_write_text(&printer->writer, cell);
        }
    }
    lq_write_text(&printer->writer, "\n");
}

/* When nothing was written, that alone says that nothing else was done. */
static bool is_told(const struct printer *printer, enum lq_result result)
{
    return result == LQ_CONFLICT || result == LQ_FAILED ||
           result == LQ_UNCERTAIN || result == LQ_PENDING ||
           (result == LQ_NOT_DONE &&
            printer->report->ending == LILYQ_ENDED_PARTLY);
}

static void write_reason(struct printer *printer,
                         const struct lq_outcome *outcome)
{
    if (outcome->text) {
        lq_write_text(&printer->writer, ": ");
        lq_write_shown(&printer->writer, outcome->text);
    }
    lq_write_text(&printer->writer, "\n");
}

static void write_named(struct printer *printer,
                        const struct lq_outcome *outcome, const char *kind,
                        const char *name)
{
    if (is_told(printer, outcome->result)) {
        lq_write_texts(&printer->writer, verdict(outcome->result), kind, " '",
                       NULL);
        lq_write_shown(&printer->writer, name);
        lq_write_text(&printer->writer, "'");
        write_reason(printer, outcome);
    }
}

static void write_binding(struct printer *printer,
                          const struct lq_outcome *outcome,
                          const struct lq_binding *binding)
{
    struct lq_writer *const writer = &printer->writer;

    if (is_told(printer, outcome->result)) {
        lq_write_texts(writer, verdict(outcome->result),
                       "binding from exchange '", NULL);
        lq_write_shown(writer, binding->source);
        lq_write_text(writer, "' to queue '");
        lq_write_shown(writer, binding->destination);
        lq_write_text(writer, "' with key '");
        lq_write_shown(writer, binding->routing_key);
        lq_write_text(writer, "'");
        write_reason(printer, outcome);
    }
}

static void write_resources(struct printer *printer,
                            const struct lq_topology *topology)
{
    const struct lq_apply_report *const report = printer->report;

    for (size_t i = 0; report->policies && i < report->policies->count; ++i) {
        write_named(printer, &report->policy_outcomes[i], "policy",
                    report->policies->list[i].name);
    }
    for (size_t i = 0; i < topology->exchange_count; ++i) {
        write_named(printer, &report->exchanges[i], "exchange",
                    topology->exchanges[i].name);
    }
    for (size_t i = 0; i < topology->queue_count; ++i) {
        write_named(printer, &report->queues[i], "queue",
                    topology->queues[i].name);
    }
    for (size_t i = 0; i < topology->binding_count; ++i) {
        write_binding(printer, &report->bindings[i], &topology->bindings[i]);
    }
}

enum lq_status lq_apply_text_render(const struct lq_topology *topology,
                                    const struct lq_apply_report *report,
                                    const struct lilyq_sink *sink)
{
    struct printer printer = {.report = report};

    lq_writer_init(&printer.writer, sink);
    lq_tally_report(topology, report, &printer.tallies);
    write_headings(&printer);
    write_row(&printer, "exchanges", &printer.tallies.exchanges);
    write_row(&printer, "queues   ", &printer.tallies.queues);
    write_row(&printer, "bindings ", &printer.tallies.bindings);
    if (report->policies) {
        write_row(&printer, "policies ", &printer.tallies.policies);
    }
    write_resources(&printer, topology);
    return lq_writer_end(&printer.writer);
}
