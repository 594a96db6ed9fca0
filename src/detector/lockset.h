/* Eraser's discipline (Savage 1997): what several threads use and one of them writes has a lock
 * that all of them hold. Stricter than race freedom, and independent of the order in one
 * execution. */
#ifndef DETECTOR_LOCKSET_H
#define DETECTOR_LOCKSET_H

#include "core/thread.h"

enum { LOCKSET_MAX = 8 };

enum lockset_state { LOCKSET_UNUSED, LOCKSET_EXCLUSIVE, LOCKSET_SHARED, LOCKSET_MODIFIED };

struct lockset_cell { /* of one place in memory; zeros: nobody has used it */
    uint64_t site;    /* the last access */
    uint8_t state;    /* enum lockset_state */
    uint8_t count;    /* locks that all accesses since it was shared had in common */
    thread_id thread; /* the last access; the only one, while exclusive */
    uint32_t locks[LOCKSET_MAX];
};

/* Notes an access by a thread that holds these locks; true: no lock is left that protects it. */
bool lockset_access(struct lockset_cell *cell, thread_id thread, bool writes, const uint32_t *held,
                    uint32_t count);

#endif
