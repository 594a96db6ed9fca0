/* Undo log for state that must survive the death of the process that changes it.
 *
 * Between journal_begin and journal_seal every change of lasting memory is announced by
 * journal_save, which keeps the old bytes. Who finds the journal open rolls it back. Memory beyond
 * a count that is itself saved needs no saving. */
#ifndef CORE_JOURNAL_H
#define CORE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { JOURNAL_BYTES = 1 << 20 };

struct journal {
    uint64_t sequence; /* transactions sealed */
    uint64_t begun;    /* the last transaction begun: open until sequence has reached it */
    uint64_t used;     /* bytes of log */
    char *origin;      /* saved addresses are kept relative to this: maps may move */
    char log[JOURNAL_BYTES];
};

static inline bool journal_is_open(const struct journal *journal)
{
    return journal->begun > journal->sequence;
}

void journal_begin(struct journal *journal);

/* A place for the old bytes; they belong to the log once they are kept. */
char *journal_room(struct journal *journal, const void *bytes, size_t size);
void journal_keep(struct journal *journal, const char *room);

/* Where the size is known to the compiler it copies without a string instruction, which takes long
 * to begin. */
static inline void journal_save(struct journal *journal, void *bytes, size_t size)
{
    char *room = journal_room(journal, bytes, size);
    memcpy(room, bytes, size);
    journal_keep(journal, room);
}

void journal_seal(struct journal *journal);
void journal_roll_back(struct journal *journal);

#endif
