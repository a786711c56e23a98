#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

/*
 * From here on the first SIGINT or SIGTERM is remembered instead of ending
 * the program; the second one ends it. It is for what waits for a broker and
 * asks: what only computes should end at once.
 */
void interrupt_catch(void);

/* Whether one has come. */
bool interrupt_came(void);

#endif
