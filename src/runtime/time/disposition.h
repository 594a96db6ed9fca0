/* Dispositions of signals: sigaction and the default actions. */
#ifndef RUNTIME_TIME_DISPOSITION_H
#define RUNTIME_TIME_DISPOSITION_H

#include <signal.h>

enum { SIGNAL_REAL_TIME = 32 }; /* from here on they queue */
#define SIGNALS_BLOCKABLE (~(1ul << (SIGKILL - 1) | 1ul << (SIGSTOP - 1)))

enum signal_default { DEFAULT_END, DEFAULT_IGNORE, DEFAULT_STOP };

void disposition_reset(int number); /* as SA_RESETHAND asks */
enum signal_default disposition_default(int number);
const char *signal_message(int number); /* for the report: the program ended by it */

#endif
