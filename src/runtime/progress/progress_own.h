/* State of the folder progress/, kept for each thread, each execution and the process. */
#ifndef RUNTIME_PROGRESS_PROGRESS_OWN_H
#define RUNTIME_PROGRESS_PROGRESS_OWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/assert.h"

/* Why a thread runs again only after the others. */
enum yielding {
    YIELDS_NOT,
    YIELDS_IN_LOOP, /* an iteration had no effect: to go on at once leads nowhere else */
    YIELDS_BY_CALL /* to go on at once is another interleaving, unless an iteration had no effect */
};

enum { AWAIT_READS_MAX = 16 };

/* The reads of a thread since it last wrote: if it comes back to one of them in the same local
 * state and nothing that it read since has changed, it waits. */
struct await {
    uint32_t count;
    uint32_t wrote;    /* enum wrote: something that lasts, since each of these was cleared */
    uint32_t turn;     /* the pending read waits for a change in reads[turn..count); NOT_AWAITING */
    uint32_t step;     /* of the last read, from 1 */
    uint64_t chain[2]; /* its thread's history before that step */
    uint64_t object_write[2],
        object_reads[2]; /* if that read was a write, too: its object's history before it */
    struct await_read {
        uint64_t state; /* hash of registers, stack, site and address */
        uint64_t value;
        const volatile void *address;
        uint32_t object, version;
        uint16_t size;
        uint16_t site; /* the last bits of it */
        uint32_t step; /* of it, from 0 */
    } reads[AWAIT_READS_MAX];
};
enum { NOT_AWAITING = AWAIT_READS_MAX };
#define NOT_AGAIN UINT32_MAX

/* Beside these there is a number, times WROTE_POLL: locks that were taken since, see
 * progress/lock_poll.c. */
enum wrote {
    WROTE_IN_CYCLE = 1,
    WROTE_IN_ROUND = 2,
    WROTE_IN_TURN = 4,
    WROTE_ALL = 7,
    WROTE_POLL = 8,
};

/* The thread has written: it does not merely wait. Clears two words at once, since every
 * write comes here. */
static inline void await_wrote(struct await *await)
{
    uint64_t words = (uint64_t)WROTE_ALL << 32;
    __builtin_memcpy(&await->count, &words, sizeof words);
}

static inline void await_clear(struct await *await, enum wrote which)
{
    await->wrote &= ~(uint32_t)which;
}

/* The thread has written to a file of the kernel's: reads of it say so (watch_outside). */
static inline void await_wrote_out(struct await *await)
{
    bool wrote = await->wrote & WROTE_IN_ROUND;
    await_wrote(await);
    if (!wrote)
        await_clear(await, WROTE_IN_ROUND);
}
_Static_assert(offsetof(struct await, wrote) == offsetof(struct await, count) + 4,
               "written at once");

struct thread_progress {
    bool doubted;          /* its await was tried once more before a livelock was reported */
    uint32_t vain_from;    /* first step of its futile iteration, if `vain` */
    uint32_t sleeps_again; /* it is about to sleep as it did from this step on, in the same local
                              state; NOT_AGAIN */
    struct race_kept *before_read; /* of the last read that a loop may have to forget; NULL: none */
    struct poll *polls;   /* locks that it has taken since it last wrote; NULL: none so far */
    uintptr_t yield_site; /* of its last yield or sleep */
    uint32_t yields; /* how often it has yielded there before, without a turn that did nothing */
    uint64_t anchor; /* hash of the local state at its last read that may wait; 0: unknown */
    uint64_t
        position;   /* where it is, for the cycle detector: its last anchor and its steps since */
    uint64_t place; /* hash of the local state at its last call that was watched; 0: unknown */
    uintptr_t place_site, frame; /* where that call was, and where its stack begins */
};

struct execution_progress {
    bool doubts;          /* threads that wait have had another turn */
    uint32_t doubts_from; /* the step from which on they had it */
    uint32_t left_out;    /* how often a thread that gave way was not let run */
    struct turns *turns;  /* the cycle detector's; NULL until something was tried without success */
    struct watch *watch;  /* that of long executions; NULL until this is one */
    struct wander *wander; /* of loops whose steps could come in another order; NULL the same */
    struct busy *busy;     /* threads that come to no operation (engine/busy.c); NULL: none */
};

struct runtime_progress {
    bool wipes; /* the program waits for values: local states are compared, and what we leave on
                   stacks, which depends on where executions begin, is wiped */
    uint32_t patience; /* plain accesses left before this step is suspected to spin */
    struct {
        uint64_t hash; /* of the local state at a suspected access */
        uintptr_t site;
        uint32_t left;         /* accesses to watch; 0: not suspected */
        uint32_t rounds, step; /* false suspicions in this step */
        bool due;              /* so often that its next access becomes a step */
    } spin;
    uint32_t busy_tries; /* to stop a thread outside of the runtime, in this execution */
};

#endif
