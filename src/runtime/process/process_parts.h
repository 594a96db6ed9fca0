/* Shared by the files of processes. process.c starts children and knows of their end,
 * process_wait.c is about waiting for them; shell.c and exec.c do both. */
#ifndef RUNTIME_PROCESS_PROCESS_PARTS_H
#define RUNTIME_PROCESS_PROCESS_PARTS_H

#include <errno.h>

#include "runtime/process/child.h"

static inline int process_fails(int error)
{
    errno = error;
    return -1;
}

/* POSIX: fork and the functions that wait for a child synchronise memory between threads. */
void process_synchronise(uint32_t object);
void process_announce_start(const char *call, bool (*shares)(void), uintptr_t site);
void signals_hand_over(void); /* in the child */
struct child *child_add(int process);
struct child *child_add_watched(int process, uintptr_t site);
void child_share_until_end(struct child *child, const char *call, uintptr_t site);

/* The child that the step is about; NULL: none has ended (*error 0), or there is none. `mine` ends
 * with the call if that is cancelled. */
struct child *process_wait_step(uint32_t which, bool polls, struct child *mine, const char *call,
                                uintptr_t site, int *error);

#endif
