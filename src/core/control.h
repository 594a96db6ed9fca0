/* How the coordinator steers a worker, and how several workers share one search. */
#ifndef CORE_CONTROL_H
#define CORE_CONTROL_H

#include <stdint.h>

/* Environment variable with the number of the board's descriptor, which the worker inherits. Other
 * descriptors lie below it, see FRESH_BELOW. */
#define BOARD_VARIABLE "BOHR_BOARD"

enum {
    FRESH_BELOW = 1,  /* the image of files to put back, if there is one */
    COMMON_BELOW = 2, /* the page that all workers share, if the search is shared */
    SPILL_BELOW = 3,  /* the file of the arena, if memory is limited */
    LIVE_BELOW = 6,   /* the table of what the program's code still reads (core/live.h), if made */
};

enum { REASON_MAX = 512 };

enum worker_status {
    WORKER_NONE, /* the worker has not come up */
    WORKER_SEARCHING,
    WORKER_DONE,  /* the search ended; tally and progress say how */
    WORKER_AGAIN, /* start another process and go on (exec isolation) */
    /* start another process with options.threads_ready, stack_size or wipes as set here */
    WORKER_GROW,
    WORKER_FALLBACK, /* reset cannot undo what the program does (reason): go on with fork */
    WORKER_REFUSED,  /* the program did something that is not modelled (reason, reason_site) */
    WORKER_BROKEN,   /* internal error (reason) */
    WORKER_STATUSES
};

enum order { /* what the worker does after the execution in flight */
             ORDER_GO_ON,
             ORDER_REST, /* wait for the bell */
             ORDER_LEAVE,
};

enum urge {            /* nothing has moved, though the worker computed or waited */
            URGE_LOOK, /* computed for a moment: is it known what that means? */
            URGE_LATE, /* computed for a moment, and the search is over */
            URGE_HANG, /* for the limit of --hang */
};
enum { BUSY_MAX = 32 };

struct control {
    uint32_t order;  /* enum order, written by the coordinator */
    uint32_t status; /* enum worker_status */
    uint32_t child;  /* process of the execution in flight under fork isolation; 0: none */
    /* Written by the coordinator when the execution in flight has killed its process twice: the
     * worker takes that as a finding. A signal number, or POISON_HANG. */
    uint32_t poison;
    /* written by the coordinator: executions that this worker may run, including those that are
     * cut */
    uint64_t granted;
    uint64_t reason_site; /* where the refused call was made */
    uint32_t tracking;    /* enum tracking in use; 0 unless isolation is reset */
    uint32_t checkpoints; /* checkpoints taken so far */
    uint32_t full; /* no space is left for pending work, and the strategy has not been told yet */
    uint32_t full_again; /* how often in a row the space ran out in the execution `full_at` */
    uint64_t full_at;    /* number of the execution in which the space ran out last */
    /* counted up while the runtime itself waits, so that this is not taken for a hang */
    uint32_t beats;
    uint32_t processes; /* the program has started processes: they may outlive the worker */
    uint32_t urge;      /* enum urge: why the coordinator sends SIGURG */
    /* histories after which a thread came to no operation (runtime/engine/busy.c) */
    uint32_t busy_count;
    uint64_t busy[BUSY_MAX];
    uint64_t verified; /* resets after which memory was compared byte by byte */
    char reason[REASON_MAX];
};
enum { POISON_HANG = 1000 };

/* How several workers share one search. Each worker has a board of its own. The coordinator takes
 * parcels from one board and brings them to another. A worker that has nothing to do rests until
 * the bell rings. */
struct sharing {     /* written by the coordinator, except `rests` */
    uint32_t shared; /* 0: this worker searches alone */
    uint32_t number; /* number of this worker, from 0 */
    uint32_t bell;   /* a futex; it rings by counting up */
    /* written by the worker: nothing has been left to do since this ring; all is sealed */
    uint32_t rests;
    uint32_t search;    /* number of the search to take part in: 1, and one more for each restart */
    int32_t bound;      /* bound of the search to take part in */
    uint32_t asked;     /* the parcel with this number is wanted */
    uint32_t news;      /* of a reduction: the wanted parcel brings news only, no pending work */
    uint32_t delivered; /* the parcel with this number is in the inbox */
    uint32_t size;      /* bytes of the parcel in the inbox */
};

/* what this worker has done for struct sharing; changed only inside a journal transaction */
struct shared {
    /* the search that the worker takes part in; the last parcel that it took in */
    uint32_t search, adopted;
    uint32_t given, size; /* number and bytes of the parcel in the outbox */
};

/* A page that all workers share, so that a finding gets its number among the executions of all of
 * them. Each worker writes to a cache line of its own. */
enum { WORKERS_MAX = 64 };
struct common {
    struct {
        uint64_t executions; /* as in the worker's tally */
        uint64_t reserved[7];
    } workers[WORKERS_MAX];
};

#endif
