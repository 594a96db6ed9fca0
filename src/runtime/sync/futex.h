/* The arguments of one futex call, under names. */
#ifndef RUNTIME_SYNC_FUTEX_H
#define RUNTIME_SYNC_FUTEX_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct futex_call {
    uint32_t *word, *other; /* other: where requeued sleepers go */
    uint32_t value;         /* expected by a wait; how many to wake */
    uint32_t compared;      /* expected by a requeue */
    uint32_t moves;         /* how many to requeue */
    uint32_t bits, count;
    const struct timespec *time; /* NULL: no timeout */
    clockid_t clock;
    bool absolute;
    const struct local *local;
};

/* The kernel's result: a negative errno for an error. */
long futex_syscall(const long arguments[6], const struct local *local);

#endif
