/* Findings as other programs want them: by case, each with its place. */
#ifndef LQ_RENDER_SUITE_H
#define LQ_RENDER_SUITE_H

#include "base/status.h"
#include "lilyq.h"

#include <stddef.h>

/* How grave a row is to who reads it. */
enum lq_row_level { LQ_ROW_ERROR, LQ_ROW_WARNING, LQ_ROW_NOTICE };

/* What a row means for its case. */
enum lq_row_verdict {
    LQ_ROW_FAILS,
    LQ_ROW_UNKNOWN, /* whether it fails cannot be told */
    LQ_ROW_PASSES   /* worth a word, no more */
};

/* One finding. Texts may hold any bytes. */
struct lq_row {
    enum lq_row_level level;
    enum lq_row_verdict verdict;
    const char *code;  /* "queue-missing", ...: for programs to rely on */
    const char *title; /* the same for all rows of that code */
    const char *text;  /* one sentence or more, without a newline at its end */
    const char *file;  /* NULL: that of the case */
    unsigned line;     /* from 1; 0: not known, or that of the case */
};

/* What the rows are about, such as a logical queue. */
struct lq_case {
    const char *name;
    const char *file; /* NULL: it is in no file */
    unsigned line;    /* from 1; 0: not known */
    const struct lq_row *rows;
    size_t count;
};

struct lq_suite {
    const char *name;       /* "lilyq diff" */
    const char *class_name; /* "lilyq.diff" */
    const struct lq_case *cases;
    size_t count;
};

/*
 * A JUnit report, which is one test suite with a test for each case: failed
 * when a row fails, skipped when there are only rows that cannot tell. XML 1.0
 * in UTF-8; what XML cannot hold becomes \xNN. LQ_OK or LQ_IO (the sink
 * refused).
 */
enum lq_status lq_junit_render(const struct lq_suite *suite,
                               const struct lilyq_sink *sink) LQ_CHECK;

/*
 * Commands of GitHub Actions that put annotations beside the lines of the
 * input. Neighbours of the same case, level, code and place share one, since
 * few are shown. LQ_OK or LQ_IO (the sink refused).
 */
enum lq_status lq_github_render(const struct lq_suite *suite,
                                const struct lilyq_sink *sink) LQ_CHECK;

#endif
