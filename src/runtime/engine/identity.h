/* Identities of the process and its threads: the same numbers in every execution. The kernel has
 * others for them, so calls that name a process or a thread are translated. */
#ifndef RUNTIME_ENGINE_IDENTITY_H
#define RUNTIME_ENGINE_IDENTITY_H

#include <pthread.h>

#include "runtime/engine/runtime.h"

int identity_process(void);
int identity_parent(void);
int identity_me(void);                    /* of the calling thread */
int identity_of_thread(pthread_t thread); /* -1: no such thread */
thread_id identity_thread(int id);        /* NO_THREAD: nobody's */
bool identity_is_ours(int process);       /* a number that kill() takes for this process */

#endif
