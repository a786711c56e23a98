#ifndef CLI_OPTION_VALUE_H
#define CLI_OPTION_VALUE_H

#include "command.h"

#include <stdbool.h>

/*
 * Whether an option accepts a value; notes the number or the choices that it
 * stands for. Says so if it does not.
 */
bool option_value_check(struct invocation *invocation, enum option_id id,
                        const char *value);

#endif
