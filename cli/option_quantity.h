#ifndef CLI_OPTION_QUANTITY_H
#define CLI_OPTION_QUANTITY_H

#include "command.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Each reads the text of an option, and leaves *out as it is when the option
 * is not given. False when the text is not what it must be, which it then
 * says.
 */

/* A time up to so many days, in millis. */
bool option_duration(const struct invocation *invocation, enum option_id id,
                     unsigned most_days, uint64_t *out);

bool option_bytes(const struct invocation *invocation, enum option_id id,
                  uint64_t *out);

/* A version of the broker, of which the text is kept. */
bool option_version(const struct invocation *invocation, enum option_id id,
                    const char **out);

/* Says what the option must be, and returns false. */
bool option_refuse(const struct invocation *invocation, enum option_id id,
                   const char *wanted);

#endif
