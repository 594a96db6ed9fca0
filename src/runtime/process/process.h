/* Other processes: a child runs on its own, without us, to its end; starting it and waiting for it
 * are operations. Children have the same numbers in every execution. */
#ifndef RUNTIME_PROCESS_PROCESS_H
#define RUNTIME_PROCESS_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/engine/runtime.h"

void processes_open(void); /* before all constructors: what happens in a new child comes first */

int process_kernel(int number);   /* the kernel's number of a child; -1: it is none */
bool process_is_gone(int number); /* it was a child, and the program has been told of its end */

/* Memory that the last process could write, too; NULL: none. The claim falls. */
void process_shares(const void *address);
int process_fork(uintptr_t site);
int process_spawn(int *process, int (*spawn)(void *context, int *process), void *context,
                  uintptr_t site);
int process_shell(const char *command, uintptr_t site);                    /* system() */
void *process_pipe(const char *command, const char *mode, uintptr_t site); /* popen() */
int process_unpipe(void *stream, uintptr_t site);

int process_wait(int which, int *status, int options, void *usage, uintptr_t site);
int process_waitid(int kind, int id, void *info, int options, uintptr_t site);

/* exec: the new program runs to its end in a child, and its status is the program's. True: this is
 * the child, which is to call libc's function; should that return, exec_failed. */
bool exec_begin(uintptr_t site);
_Noreturn void exec_failed(int error);
int exec_end(void); /* returns only if it failed */

#endif
