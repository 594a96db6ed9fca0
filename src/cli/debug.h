/* bohr replay --gdb: the recorded execution in gdb, on kernel threads. */
#ifndef CLI_DEBUG_H
#define CLI_DEBUG_H

#include "coordinator/minimise/confirm.h"

/* Starts gdb and waits for its end. `told` describes the execution as it was when run again.
 * `arguments` are for gdb, ended by NULL. Returns the exit status. */
int debug(const struct job *job, const struct recording *recording, const struct reported *told,
          uint32_t threads, char **arguments);

#endif
