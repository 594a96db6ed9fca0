/* Signals. */
#include "oracle.h"

void signals_open(void) {}

bool signal_deliverable(struct thread *thread)
{
    (void)thread;
    return false;
}

void broken_pipe(void)
{
    exceeded("signals");
}
