/* Atomicity violations: a read and the write that follows it, by one thread and near each other in
 * the code, look like one operation. Another thread's write in between splits it. Each access may
 * hold the right lock: the lock was released too early (Artho 2003 calls the value stale). */
#ifndef DETECTOR_ATOMICITY_H
#define DETECTOR_ATOMICITY_H

#include "core/thread.h"

enum { ATOMICITY_READERS = 4, ATOMICITY_NEAR = 256 }; /* ATOMICITY_NEAR is in bytes of code */

struct atomicity_cell {  /* One memory location; all zeros: no thread has accessed it. */
    uint64_t write_site; /* site of the last write */
    uint32_t version;    /* number of writes so far */
    thread_id writer;
    uint8_t next; /* index of the entry that the next new reader overwrites */
    struct atomicity_read {
        uint64_t site; /* 0: the entry is empty */
        uint32_t version;
        thread_id thread;
    } reads[ATOMICITY_READERS]; /* last reads that a write of the same thread may follow */
};

/* Notes an access. Returns true if the access completes an operation that another thread's write
 * has split. */
bool atomicity_access(struct atomicity_cell *cell, thread_id thread, bool writes, uint64_t site);

#endif
