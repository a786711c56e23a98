/* What the parts of lq_drift_text_render() share. */
#ifndef LQ_FORMAT_DRIFT_PRINT_H
#define LQ_FORMAT_DRIFT_PRINT_H

#include "base/writer.h"
#include "format/drift_report.h"

#define LQ_BOLD "\033[1m"
#define LQ_PLAIN "\033[0m"

struct lq_drift_printer {
    struct lq_writer writer;
    struct lq_arena *arena;
    const struct lq_drift *drift;
    const struct lilyq_diff_style *style;
};

struct lq_drift_sign {
    const char *text;
    const char *colour;
};

const struct lq_drift_sign *lq_drift_sign_of(const struct lq_finding *finding);

/* Writes a text; NULL is out of memory. */
void lq_drift_write_or_fail(struct lq_drift_printer *printer, const char *text);

/* "  + " */
void lq_drift_write_sign(struct lq_drift_printer *printer,
                         const struct lq_drift_sign *sign);

/* Writes what to do about all findings of a kind that want the same. */
void lq_drift_write_advice(struct lq_drift_printer *printer);

#endif
