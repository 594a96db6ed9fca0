/* State of the folder memory/, kept for each thread, each execution and the process. */
#ifndef RUNTIME_MEMORY_MEMORY_OWN_H
#define RUNTIME_MEMORY_MEMORY_OWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/board.h"

enum { SHARED_WORDS = 192 }; /* see memory/shared_state.h */

enum { RACES_SEEN = 64 };

struct thread_locks {
    uint32_t held_count, held[LOCKS_HELD_MAX]; /* locks that it holds, by number */
    uint32_t held_shared;                      /* one bit for each of them: to read */
};

/* Of state beside memory that threads share. */
struct shared_pieces {
    uint32_t words[SHARED_WORDS];      /* one for each piece */
    uint64_t named[SHARED_WORDS / 64]; /* those that reports know the name of, a bit each */
};

struct execution_memory {
    struct discipline *discipline;  /* of lockset and atomicity; NULL: nothing yet */
    struct benign *benign;          /* memory whose races the program does not mind; NULL: none */
    struct witnesses *witnesses;    /* of accesses, in a detailed execution; NULL: none yet */
    struct lock_taken *locks_taken; /* while others were held; NULL: none */
    struct file_call *file_calls;   /* that used a mapped file (mapped.h); NULL: none */
    struct {
        bool ignoring;     /* a thread has asked for accesses not to be looked at */
        bool use_on_stack; /* a synchronisation object on a stack was used */
        uint8_t piece;     /* one of struct shared_pieces was accessed; else they are zero */
    } seen;
    bool guarded;         /* the program has taken its own right to read some of its memory */
    bool copies;          /* the access being looked at: what it reads need not be set */
    uint32_t shared_step; /* steps taken when a call on such a piece was announced; 0: it was not */
};

struct runtime_memory {
    bool fault_memory;        /* --fault memory:OPERATION */
    bool uses_quick;          /* the use of a synchronisation object only meets the race detector */
    bool reads_matter;        /* something wants to know of each read */
    bool frees;               /* steps have freed memory, in this execution or before */
    uint64_t site_filter[64]; /* one bit for each hash of a promoted site */
    uint32_t site_count;
    struct race_seen { /* what the execution of that generation has said of a race need not be said
                          again */
        uint64_t site;
        uint32_t earlier, generation; /* the earlier site: its low half */
        bool atomic, earlier_atomic;
    } races_seen[RACES_SEEN];
    size_t undo_count; /* shadow cells kept at UNDO_ADDRESS */
};

#endif
