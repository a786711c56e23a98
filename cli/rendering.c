#include "rendering.h"

#include "input.h"

enum exit_code rendering_end(const struct invocation *invocation,
                             const struct lilyq *run, size_t first,
                             enum lilyq_status status, struct output *output)
{
    if (status == LILYQ_NOMEM) {
        return command_out_of_memory(invocation);
    }
    input_show_problems(invocation, run, first);
    if (status == LILYQ_INVALID) {
        return EXIT_INVALID;
    }
    return output_close(output, &invocation->reporter) ? EXIT_DONE
                                                       : EXIT_FAILED;
}
