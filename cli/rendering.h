#ifndef CLI_RENDERING_H
#define CLI_RENDERING_H

#include "command.h"
#include "lilyq.h"
#include "output.h"

/*
 * What a command exits with once the library rendered into `output`: shows the
 * problems from `first` on, closes the output, and says what is wrong with it.
 */
enum exit_code rendering_end(const struct invocation *invocation,
                             const struct lilyq *run, size_t first,
                             enum lilyq_status status, struct output *output);

#endif
