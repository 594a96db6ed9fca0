/* Locks of stdio streams. Their state is libc's own, so that its functions and ours agree. */
#ifndef RUNTIME_FILE_STREAM_H
#define RUNTIME_FILE_STREAM_H

#include "runtime/arch/x86_64/local.h"
#include "runtime/engine/runtime.h"

void stream_lock(void *stream, uintptr_t site);
int stream_trylock(void *stream, const struct local *local);
void stream_unlock(void *stream, uintptr_t site);

/* A function of libc is about to take the lock: a step where it has to wait, where output is
 * compared and where the stream is one of a modelled file. NULL: all streams. */
void stream_enter(void *stream, uintptr_t site);
void stream_close(void *stream, uintptr_t site); /* the same, and its descriptor will be closed */
/* The calling thread has read or written the file below in such a function. The thread that takes
 * the lock next comes after it. */
void stream_used(int descriptor);
void *stream_first(void);          /* of all that are open, through _chain */
void *stream_standard(int number); /* stdin, stdout, stderr */
struct still;
void streams_open_up(void); /* the program ends: no lock keeps its output back */

#endif
