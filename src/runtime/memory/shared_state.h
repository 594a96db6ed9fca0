/* State of the process, the kernel and libc that calls of several threads access: the working
 * directory, the state of rand(), what is in a file (shared_state.def).
 *
 * Each piece has a word that the race detector knows. Two calls that access it, one of which
 * writes, and that nothing orders are no error, but another thread can tell in which order they
 * came: their places become steps, as those of racing accesses do. All else that such a call
 * accesses belongs to the same step, since the call does its work there. */
#ifndef RUNTIME_MEMORY_SHARED_STATE_H
#define RUNTIME_MEMORY_SHARED_STATE_H

#include "runtime/engine/runtime.h"

enum shared_state {
#define SHARED(name, label) SHARED_STATE_##name,
#include "runtime/memory/shared_state.def"
#undef SHARED
    SHARED_STATES
};

enum {
#define SHARED(name, label) SHARED_##name = 1 << SHARED_STATE_##name,
#include "runtime/memory/shared_state.def"
#undef SHARED
    SHARED_NOTHING = 0,
    SHARED_CONTENTS = 1 << SHARED_STATES, /* of the file that a descriptor means */
    SHARED_POSITION = 2 << SHARED_STATES  /* in it, written only */
};

void shared_state_accessed(uint32_t reads, uint32_t writes, int descriptor, uintptr_t site);
void shared_state_of_file(int descriptor, uint32_t reads, uint32_t writes, uintptr_t site);
/* Calls that make and close descriptors of the kernel's files tell of them, in their step. They
 * return the descriptor or stream. O_TRUNC among the flags, or a mode that begins with "w": the
 * file is emptied. */
int shared_file_opened(int descriptor, int flags, uintptr_t site);
void *shared_stream_opened(void *stream, const char *mode, uintptr_t site);
int shared_file_copied(int from, int to);
bool shared_file_copies(int command, uintptr_t site); /* whether fcntl does so; noted if it does */
void shared_files_closed(unsigned first, unsigned last);
uint32_t shared_file_number(int descriptor); /* 0: none */

/* Later writes to a file are no longer seen in memory that is unmapped. */
void shared_state_of_mapping(const void *address, uintptr_t site);
void shared_state_of_stream(const void *stream, uintptr_t site);
void shared_state_of_thread(uintptr_t thread, bool writes,
                            uintptr_t site); /* its name and the like */
void shared_state_of_key(uint32_t key, bool writes,
                         uintptr_t site); /* of thread-specific data: is it there? */

/* A call at this site begins; masks of what it reads and writes; descriptor: -1: none. */
static inline __attribute__((always_inline)) void shared_state_call(uint32_t reads, uint32_t writes,
                                                                    int descriptor, uintptr_t site)
{
    ex.memory.shared_step = 0;
    if ((reads | writes) != 0)
        shared_state_accessed(reads, writes, descriptor, site);
}

/* The call at this site is a step of its own already: its accesses belong to that. */
static inline bool shared_state_is_step(uintptr_t site)
{
    return ex.memory.shared_step != 0 && ex.memory.shared_step == rt.trace.count &&
           rt.trace.steps[rt.trace.count - 1].thread == ex.current &&
           rt.trace.steps[rt.trace.count - 1].op.site == site;
}

bool shared_state_is_about(const void *address); /* it is the word of a piece */
uint64_t shared_state_digest(void);              /* of the writes so far, in their order */

#endif
