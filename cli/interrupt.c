#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t came;

static void remember(int number)
{
    (void)number;
    came = 1;
}

static void catch_signal(int number)
{
    struct sigaction action = {.sa_handler = SIG_DFL};

    if (sigaction(number, NULL, &action) || action.sa_handler == SIG_IGN) {
        return; /* whoever started the program wants it so */
    }
    action = (struct sigaction){.sa_handler = remember,
                                .sa_flags = (int)SA_RESETHAND};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(number, &action, NULL);
}

void interrupt_catch(void)
{
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
}

bool interrupt_came(void)
{
    return came != 0;
}
