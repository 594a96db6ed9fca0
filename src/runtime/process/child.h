/* A child process, and the SIGCHLD that tells the program of its end.
 *
 * Where it could notice the signal, the child's end stands among the threads until it has happened:
 * one step, always possible, that waits for the real end and sends the signal; before it the child
 * runs, for every thread that asks. Otherwise a child has ended whenever it is waited for. */
#ifndef RUNTIME_PROCESS_CHILD_H
#define RUNTIME_PROCESS_CHILD_H

#include <signal.h>

#include "runtime/engine/runtime.h"

struct child {
    struct child *next;  /* in the order in which they were started */
    void *stream;        /* of popen */
    int number, process; /* ours, the kernel's */
    int status;
    bool ended;   /* status is known, the kernel has forgotten it */
    bool reaped;  /* the program has been told of its end */
    bool looked;  /* the program was told once that it still runs */
    bool watched; /* its end stands among the threads */
    bool told;    /* its end has happened */
    bool late;    /* no thread watched when it was started */
    bool seen;    /* it was seen running since a thread watches */
};

void child_must_end(struct child *child, const char *call, uintptr_t site);
void child_describe(const struct child *child, siginfo_t *info);

void child_watch(struct child *child, uintptr_t site); /* if SIGCHLD could be noticed */
bool children_are_discarded(void);                     /* nobody can wait for them */

#endif
