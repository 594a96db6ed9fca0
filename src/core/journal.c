#include "core/journal.h"

#include <string.h>

#include "base/assert.h"

struct entry {
    int64_t offset; /* from the journal's origin */
    uint32_t size;
    uint32_t total; /* bytes of this entry with its padding; also stored behind it */
};

/* The log must be in memory before the change is, and the change before the seal. A processor sees
 * its own stores in order, so only the compiler must be held back. */
static void in_order(void)
{
    __asm__ volatile("" ::: "memory");
}

void journal_begin(struct journal *journal)
{
    CHECK(!journal_is_open(journal));
    journal->used = 0;
    in_order();
    journal->begun = journal->sequence + 1;
}

char *journal_room(struct journal *journal, const void *bytes, size_t size)
{
    CHECK(journal_is_open(journal));
    uint32_t total = (uint32_t)(sizeof(struct entry) + ((size + 7) & ~7ul) + 8);
    CHECK(journal->used + total <= JOURNAL_BYTES);
    char *at = journal->log + journal->used;
    struct entry *entry = (struct entry *)at;
    entry->offset = (const char *)bytes - journal->origin;
    entry->size = (uint32_t)size;
    entry->total = total;
    *(uint64_t *)(at + total - 8) = total;
    return (char *)(entry + 1);
}

void journal_keep(struct journal *journal, const char *room)
{
    in_order();
    journal->used += ((const struct entry *)room)[-1].total;
    in_order();
}

void journal_seal(struct journal *journal)
{
    CHECK(journal_is_open(journal));
    in_order();
    /* one store: the transaction is open before it and sealed after it */
    journal->sequence = journal->begun;
    in_order();
}

void journal_roll_back(struct journal *journal)
{
    if (!journal_is_open(journal))
        return;
    while (journal->used > 0) {
        CHECK(journal->used <= JOURNAL_BYTES);
        uint64_t total = *(uint64_t *)(journal->log + journal->used - 8);
        CHECK(total <= journal->used);
        struct entry *entry = (struct entry *)(journal->log + journal->used - total);
        CHECK(entry->total == total);
        memcpy(journal->origin + entry->offset, entry + 1, entry->size);
        in_order();
        journal->used -= total;
    }
    in_order();
    journal->begun = journal->sequence;
}
