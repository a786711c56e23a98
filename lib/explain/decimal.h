#ifndef LQ_EXPLAIN_DECIMAL_H
#define LQ_EXPLAIN_DECIMAL_H

struct lq_decimal {
    char text[40];
};

/*
 * A number from 0 on with at most so many decimals, up to 6, and no more than
 * it takes: "0.25", "12", "0". The locale does not matter.
 */
struct lq_decimal lq_decimal_of(double number, unsigned decimals);

/* As people read it: whole from 100 on, else with at most two decimals. */
struct lq_decimal lq_decimal_about(double number);

#endif
