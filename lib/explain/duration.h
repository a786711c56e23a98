#ifndef LQ_EXPLAIN_DURATION_H
#define LQ_EXPLAIN_DURATION_H

#include <stdint.h>

/* holds the text of any duration */
struct lq_duration {
    char text[64];
};

/* As people write it, exactly: "250 ms", "1.2 s", "15 min", "1 h 0.5 s". */
struct lq_duration lq_duration_of(uint64_t millis);

/* The same to about three digits: "1.2 s", "15 min 3 s", "2 d 3 h". */
struct lq_duration lq_duration_about(uint64_t millis);

#endif
