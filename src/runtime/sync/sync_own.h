/* State of the folder sync/, kept for each thread and each execution. */
#ifndef RUNTIME_SYNC_SYNC_OWN_H
#define RUNTIME_SYNC_SYNC_OWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/thread.h"

struct destructor { /* of a thread_local object */
    void (*run)(void *);
    void *object;
    struct destructor *next;
};

struct thread_sync {
    bool detached, joined, exiting;
    uint32_t guard_size; /* below its stack, as it was asked for */
    void *(*start)(void *);
    void *argument, *result;
    struct destructor *destructors;
    void *cleanups;          /* __pthread_unwind_buf_t of pthread_cleanup_push, innermost first */
    void *robust;            /* the robust mutex that it took last; NULL */
    struct reading *reading; /* read-write locks that it has had to read */
    const struct sync *barrier_arrived; /* what those did that arrived with it at a barrier */
    uint32_t depth;                     /* how often a waiter held its recursive mutex */
    struct {
        uint32_t bits;  /* of a wait or a wake */
        uint32_t count; /* how many a wake wakes */
        bool timed;
    } futex;
};

struct execution_sync {
    thread_id found_last; /* by its handle */
    uint32_t spurious;    /* wake-ups of condition variables without a signal so far */
};

#endif
