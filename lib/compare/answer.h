/* What a broker says in its answers over AMQP. */
#ifndef LQ_COMPARE_ANSWER_H
#define LQ_COMPARE_ANSWER_H

#include "broker/broker.h"
#include "compare/finding.h"

/* One side of a comparison, as a broker words it. */
struct lq_side {
    bool known; /* false: the text was cut before it (255 bytes are allowed) */
    const char *value; /* NULL, when known: not set */
    const char *type;  /* e.g. "longstr", or NULL when it is not said */
};

/*
 * What a 406 says about a declaration that differs from what exists. A broker
 * names the first difference only.
 */
struct lq_mismatch {
    const char *field; /* "x-message-ttl", "durable", "type", ... */
    struct lq_side planned;
    struct lq_side there;
};

/*
 * Reads the reply text of a 406 about the resource `name`, as RabbitMQ 3.x and
 * 4.x write it. LQ_INVALID when it is not about a difference, or of another
 * shape; LQ_NOMEM.
 */
enum lq_status lq_mismatch_parse(const char *text, const char *name,
                                 struct lq_arena *arena,
                                 struct lq_mismatch *out) LQ_CHECK;

/* What a 403 says about who may not do what. */
struct lq_refusal {
    bool exchange;          /* the access refused is to an exchange */
    const char *name;       /* of that exchange or queue */
    const char *vhost;      /* where it would be */
    const char *user;       /* who was refused */
    const char *permission; /* "configure", "write", "read"; NULL before 4.0 */
};

/* The same for the reply text of a 403. */
enum lq_status lq_refusal_parse(const char *text, struct lq_arena *arena,
                                struct lq_refusal *out) LQ_CHECK;

/* Whether a 404 says that the resource does not exist, and not that it cannot
 * be reached at the moment. */
bool lq_is_missing(const char *text);

/* What a denial means for the run. */
enum lq_verdict {
    LQ_VERDICT_MISSING,  /* a check found nothing */
    LQ_VERDICT_CONFLICT, /* it exists, but not as planned */
    LQ_VERDICT_REFUSED   /* permission, limit, node down, ... */
};

enum lq_verdict lq_verdict_of(const struct lq_request *request,
                              const struct lq_answer *answer);

/*
 * What the plan says of a field of the exchange or queue that a request is
 * about: LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_planned_side(const struct lq_request *request,
                               const char *field, struct lq_arena *arena,
                               struct lq_side *out) LQ_CHECK;

enum lq_comparison_kind {
    LQ_COMPARISON_OPEN,    /* not sent, or not answered */
    LQ_COMPARED_EQUAL,     /* as far as the broker compares */
    LQ_COMPARED_DIFFERENT, /* `field`, the first one that differs */
    LQ_COMPARED_UNCLEAR,   /* equal but for `field`, of which it is not said */
    LQ_COMPARED_GONE,      /* it does not exist */
    LQ_COMPARED_REFUSED    /* permission, limit, node down, ... */
};

struct lq_comparison {
    enum lq_comparison_kind kind;
    const char *field;
    struct lq_side_value planned;
    struct lq_side_value actual; /* its type is what its text suggests; "?" of
                                    type "unknown" where the text was cut */
};

/*
 * What the answer to a LQ_COMPARE_... or LQ_CHECK_... request says. LQ_OK or
 * LQ_NOMEM.
 */
enum lq_status lq_comparison_of(const struct lq_request *request,
                                const struct lq_answer *answer,
                                struct lq_arena *arena,
                                struct lq_comparison *out) LQ_CHECK;

/* What a broker says, in words for people. */
/*
 * A difference in words, such as "x-max-length is 1000 there, plan says 2000".
 * Both types are named where they differ; a side whose type is not known is
 * "of another type" when its value cannot be of the other side's.
 */
const char *lq_difference_text(const struct lq_mismatch *difference,
                               struct lq_arena *arena);

/*
 * The denial in one line: which resource, what differs or is not allowed, and
 * what can be done; in the broker's own words where they are not known.
 */
const char *lq_verdict_text(const struct lq_request *request,
                            const struct lq_answer *answer,
                            struct lq_arena *arena);

/* The broker's words as they may be shown; NULL: it has none. */
const char *lq_answer_words(const struct lq_answer *answer);

#endif
