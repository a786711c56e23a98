#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t came;

static void remember(int number)
{
    (void)number;
    came = 1;
}

void interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = remember,
                               .sa_flags = (int)SA_RESETHAND};

    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

bool interrupt_came(void)
{
    return came != 0;
}
