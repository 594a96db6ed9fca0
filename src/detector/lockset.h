/* Eraser's lock discipline (Savage 1997): a variable that several threads use and one of them
 * writes has a lock that all of them hold. The discipline is stricter than race freedom, and
 * independent of the order of steps in one execution. */
#ifndef DETECTOR_LOCKSET_H
#define DETECTOR_LOCKSET_H

#include "core/thread.h"

enum { LOCKSET_MAX = 8 };

#define LOCKSET_BROKEN "no lock is held at every access to shared memory"

enum lockset_state { LOCKSET_UNUSED, LOCKSET_EXCLUSIVE, LOCKSET_SHARED, LOCKSET_MODIFIED };

struct lockset_cell { /* One memory location; all zeros: no thread has accessed it. */
    uint64_t site;    /* site of the last access */
    uint8_t state;    /* enum lockset_state */
    /* Number of locks that all accesses had in common since the location became shared. */
    uint8_t count;
    thread_id thread; /* thread of the last access; the only thread while LOCKSET_EXCLUSIVE */
    uint32_t locks[LOCKSET_MAX];
};

/* Notes an access by a thread that holds these locks. Returns true if no lock protects the location
 * any more. */
bool lockset_access(struct lockset_cell *cell, thread_id thread, bool writes, const uint32_t *held,
                    uint32_t count);

#endif
