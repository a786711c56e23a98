#ifndef LQ_EXPLAIN_EVENT_ID_H
#define LQ_EXPLAIN_EVENT_ID_H

#include <stdbool.h>

/*
 * Whether the text is an event id as the contract has it: a UUID of lower-case
 * hexadecimal digits in groups of 8, 4, 4, 4 and 12, not all of them 0.
 */
bool lq_event_id_valid(const char *text);

#endif
