#ifndef LQ_TOPOLOGY_REMARK_H
#define LQ_TOPOLOGY_REMARK_H

#include "base/diag.h"

#include <stdbool.h>

/* A comment of the input that begins with "lilyq:ignore". */
struct lq_remark {
    struct lq_place place; /* of the comment itself */
    unsigned line;         /* that it is about: its own, or the next one that
                              is no comment; 0: none */
    bool for_file;         /* that line is the header of [defaults] */
    const char *text;      /* what follows "lilyq:ignore", printable and with
                              spaces as its only blanks */
};

#endif
