/* Tables that double in size: one is filled to three quarters, then the next is begun. Nothing moves,
 * so a worker may die at any instruction. */
#include "runtime/classes.h"

#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "runtime/runtime.h"

enum { FIRST_LOG = 14 };
#define SEEN_AGAIN (1ul << 63) /* with the transaction that put it in */

struct entry {
    uint64_t class[2];
    uint64_t transaction; /* that put it in, plus 1; 0: free */
};

static struct entry *table_of(uint32_t level)
{
    struct entry *first = board_at(the_board, the_board->layout.classes);
    return first + (((1ul << level) - 1) << FIRST_LOG);
}

static uint32_t capacity_of(uint32_t level)
{
    return 1u << (FIRST_LOG + level);
}

static struct entry *find(uint32_t level, const uint64_t class[2])
{
    struct entry *table = table_of(level);
    uint32_t mask = capacity_of(level) - 1;
    for (uint32_t at = (uint32_t)class[0] & mask;; at = (at + 1) & mask) {
        struct entry *entry = &table[at];
        if (entry->transaction == 0 ||
            (entry->class[0] == class[0] && entry->class[1] == class[1]))
            return entry;
    }
}

void classes_clear(void)
{
    uint32_t levels = the_board->class_levels;
    if (levels == 0)
        return;
    size_t size = (size_t)((char *)table_of(levels) - (char *)table_of(0));
    os_call(SYS_madvise, (long)table_of(0), (long)((size + PAGE - 1) & ~(PAGE - 1)), MADV_REMOVE, 0,
            0, 0);
    the_board->class_levels = 0;
    for (int i = 0; i < CLASS_LEVELS_MAX; i++)
        the_board->class_counts[i] = 0;
}

static bool room_left(uint32_t levels)
{
    size_t size = (size_t)((char *)table_of(levels + 1) - (char *)table_of(0));
    return levels < CLASS_LEVELS_MAX && size <= the_board->layout.classes_size;
}

enum class_seen classes_add(const uint64_t class[2])
{
    uint64_t transaction = the_board->journal.begun;
    uint32_t levels = the_board->class_levels;
    for (uint32_t level = levels; level-- > 0;) {
        struct entry *entry = find(level, class);
        if (entry->transaction == transaction)
            return CLASS_NEW;
        if (entry->transaction & SEEN_AGAIN)
            return CLASS_KNOWN;
        if (entry->transaction != 0) {
            journal_save(&the_board->journal, &entry->transaction, sizeof entry->transaction);
            entry->transaction |= SEEN_AGAIN;
            return CLASS_SEEN_AGAIN;
        }
    }
    if (levels == 0 || the_board->class_counts[levels - 1] >= capacity_of(levels - 1) / 4 * 3) {
        if (!room_left(levels))
            return CLASS_NO_ROOM;
        the_board->class_levels = ++levels;
    }
    struct entry *entry = find(levels - 1, class);
    entry->class[0] = class[0];
    entry->class[1] = class[1];
    entry->transaction = transaction;
    the_board->class_counts[levels - 1]++;
    return CLASS_NEW;
}
