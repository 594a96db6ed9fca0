/* A read and the write that follows it, by one thread and near each other in the code, look like
 * one operation; another thread's write in between splits it. The locks may all be right: they were
 * given up too early (Artho 2003 calls the value stale). */
#ifndef DETECTOR_ATOMICITY_H
#define DETECTOR_ATOMICITY_H

#include "core/thread.h"

enum { ATOMICITY_READERS = 4, ATOMICITY_NEAR = 256 }; /* bytes of code */

struct atomicity_cell {  /* of one place in memory; zeros: nobody has used it */
    uint64_t write_site; /* the last */
    uint32_t version;    /* writes so far */
    thread_id writer;
    uint8_t next; /* where the next reader goes */
    struct atomicity_read {
        uint64_t site; /* 0: nobody */
        uint32_t version;
        thread_id thread;
    } reads[ATOMICITY_READERS]; /* that their threads' writes may follow */
};

/* Notes an access; true: it completes an operation that another thread's write has split. */
bool atomicity_access(struct atomicity_cell *cell, thread_id thread, bool writes, uint64_t site);

#endif
