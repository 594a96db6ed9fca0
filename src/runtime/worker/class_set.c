#include "runtime/worker/class_set.h"

#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "core/class_table.h"
#include "runtime/engine/runtime.h"

static struct class_entry *table_of(uint32_t level)
{
    return class_table(the_board, level);
}

static struct class_entry *find(uint32_t level, const uint64_t class[2])
{
    struct class_entry *table = table_of(level);
    uint32_t mask = class_table_capacity(level) - 1;
    for (uint32_t at = (uint32_t) class[0] & mask;; at = (at + 1) & mask) {
        struct class_entry *entry = &table[at];
        if (entry->transaction == 0 || (entry->class[0] == class[0] && entry->class[1] == class[1]))
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
        struct class_entry *entry = find(level, class);
        if (entry->transaction == transaction)
            return CLASS_NEW;
        if (entry->again)
            return CLASS_KNOWN;
        if (entry->transaction != 0) {
            journal_save(&the_board->journal, entry, sizeof *entry);
            entry->again = 1;
            return CLASS_SEEN_AGAIN;
        }
    }
    if (levels == 0 ||
        the_board->class_counts[levels - 1] >= class_table_capacity(levels - 1) / 4 * 3) {
        if (!room_left(levels))
            return CLASS_NO_ROOM;
        the_board->class_levels = ++levels;
    }
    struct class_entry *entry = find(levels - 1, class);
    entry->class[0] = class[0];
    entry->class[1] = class[1];
    int32_t bound = the_board->tally.bound;
    entry->bound = (uint64_t)(bound < CLASS_BOUND_MAX ? bound + 1 : CLASS_BOUND_MAX + 1) &
                   (CLASS_BOUND_MAX + 1);
    entry->transaction = transaction;
    the_board->class_counts[levels - 1]++;
    return CLASS_NEW;
}

void classes_forget(uint64_t transaction)
{
    for (uint32_t level = 0; level < the_board->class_levels; level++) {
        struct class_entry *table = table_of(level);
        for (uint32_t i = 0; i < class_table_capacity(level); i++)
            if (table[i].transaction == transaction) /* the last one put in: nothing lies behind */
                table[i] = (struct class_entry){.transaction = 0};
    }
}

bool classes_add_reduced(const uint64_t class[2])
{
    for (uint32_t level = the_board->class_levels; level-- > 0;) {
        struct class_entry *entry = find(level, class);
        if (entry->transaction == 0)
            continue;
        if (entry->reduced)
            return false;
        journal_save(&the_board->journal, entry, sizeof *entry);
        entry->reduced = 1;
        return true;
    }
    return false; /* there was no room for it */
}
