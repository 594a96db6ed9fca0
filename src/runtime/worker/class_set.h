/* The set of classes seen by a search, on the board. */
#ifndef RUNTIME_WORKER_CLASS_SET_H
#define RUNTIME_WORKER_CLASS_SET_H

#include <stdbool.h>
#include <stdint.h>

void classes_clear(void);
/* Inside a journal transaction: was this class new? A class that the same transaction put in before
 * it was killed is new again. */
enum class_seen {
    CLASS_NEW,
    CLASS_SEEN_AGAIN /* for the first time */,
    CLASS_KNOWN,
    CLASS_NO_ROOM
};
enum class_seen classes_add(const uint64_t class[2]);
/* Forgets classes of the last transaction, which was not sealed and is not run again. */
void classes_forget(uint64_t transaction);
/* After that: it is one of those that the reducing part of a search has run. Was that new? */
bool classes_add_reduced(const uint64_t class[2]);

#endif
