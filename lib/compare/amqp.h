/* What a broker shows over AMQP of what is planned. */
#ifndef LQ_COMPARE_AMQP_H
#define LQ_COMPARE_AMQP_H

#include "broker/broker.h"
#include "compare/compare.h"

enum lq_amqp_scope {
    LQ_AMQP_COMPARED, /* all that is planned; what is managed is compared */
    LQ_AMQP_PASSIVE,  /* all, and only whether it exists */
    LQ_AMQP_EXTERNAL  /* what is external, of which no more is ever asked */
};

/* What the broker denied, in the plan's way. */
struct lq_denial {
    struct lq_request request; /* about an exchange or queue of the plan */
    struct lq_answer answer;
    bool refused; /* nothing is known, and there is no finding about it */
};

struct lq_amqp_look {
    struct lq_diff diff;
    struct lq_array denials; /* struct lq_denial, in the order of the plan: what
                                differs, is external and missing, or refused */
};

/*
 * Compares a plan with a broker, and creates nothing, whatever happens there at
 * the same time. What is missing is found by passive declarations; what is
 * there and managed is compared by declarations that cannot create anything.
 * Of each exchange and queue that differs the first difference is known. What
 * AMQP does not show is unverified: bindings, unless an end of theirs is
 * missing; the "declaration" of what is there, and was not or could not be
 * compared; and what was not asked for. Of what the plan does not have nothing
 * is seen.
 *
 * LQ_OK, with denials too; LQ_REFUSED when the hooks say stop; LQ_LOST;
 * LQ_NOMEM. `out` is filled in each case but the last: what was not answered
 * is unverified.
 */
enum lq_status lq_amqp_look(struct lq_stages *stages,
                            const struct lq_topology *plan,
                            enum lq_amqp_scope scope,
                            struct lq_amqp_look *out) LQ_CHECK;

/*
 * The same for those who want all of it or nothing: everything refused is an
 * error, and LQ_REFUSED. `out` is then empty, as with any status but LQ_OK.
 */
enum lq_status lq_amqp_diff(struct lq_stages *stages,
                            const struct lq_topology *plan,
                            enum lq_amqp_scope scope,
                            struct lq_diff *out) LQ_CHECK;

#endif
