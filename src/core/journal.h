/* Undo log for state that must survive the death of the process that changes it.
 *
 * Invariant: between journal_begin and journal_seal, journal_save keeps the old bytes of lasting
 * memory before any change of them. The worker that finds the journal open rolls it back. Memory
 * beyond a count that is itself saved needs no saving. */
#ifndef CORE_JOURNAL_H
#define CORE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { JOURNAL_BYTES = 1 << 20 };

struct journal {
    uint64_t sequence; /* number of the last sealed transaction */
    /* number of the last transaction begun; it is open until `sequence` reaches it */
    uint64_t begun;
    uint64_t used; /* bytes of log in use */
    /* saved addresses are relative to this: the memory may be mapped elsewhere next time */
    char *origin;
    char log[JOURNAL_BYTES];
};

static inline bool journal_is_open(const struct journal *journal)
{
    return journal->begun > journal->sequence;
}

void journal_begin(struct journal *journal);

/* A place for the old bytes. journal_keep makes them part of the log. */
char *journal_room(struct journal *journal, const void *bytes, size_t size);
void journal_keep(struct journal *journal, const char *room);

/* If the compiler knows the size, memcpy needs no string instruction, which is slow to start. */
static inline void journal_save(struct journal *journal, void *bytes, size_t size)
{
    char *room = journal_room(journal, bytes, size);
    memcpy(room, bytes, size);
    journal_keep(journal, room);
}

void journal_seal(struct journal *journal);
void journal_roll_back(struct journal *journal);

#endif
