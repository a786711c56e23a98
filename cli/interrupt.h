#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

/*
 * From here on the first SIGINT or SIGTERM is remembered instead of ending
 * the program; the second one ends it. Only for commands that wait for a broker
 * and poll interrupt_came(): those that only compute should end at once.
 */
void interrupt_catch(void);

/* Whether such a signal has arrived. */
bool interrupt_came(void);

#endif
