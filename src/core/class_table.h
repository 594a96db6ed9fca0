/* The set of classes that a search has seen, as hash tables on the board. When a table is three
 * quarters full, the next one, twice as large, is begun. Entries never move, so that a worker may
 * die at any instruction. */
#ifndef CORE_CLASS_TABLE_H
#define CORE_CLASS_TABLE_H

#include "core/board.h"

enum {
    CLASSES_FIRST_LOG = 14,
    CLASS_BOUND_BITS = 20,
    CLASS_BOUND_MAX = (1 << CLASS_BOUND_BITS) - 2
};

struct class_entry {
    uint64_t class[2];
    /* journal transaction that added the entry; 0: free. The entry counts once that is sealed */
    uint64_t transaction : 42;
    uint64_t again : 1;   /* more than one execution had this class */
    uint64_t reduced : 1; /* a reduction that is part of a portfolio has run this class */
    uint64_t bound : CLASS_BOUND_BITS; /* the bound being searched then, plus 1 */
};
_Static_assert(sizeof(struct class_entry) == 24, "there are millions of them");

static inline struct class_entry *class_table(const struct board *board, uint32_t level)
{
    struct class_entry *first = board_at(board, board->layout.classes);
    return first + (((1ul << level) - 1) << CLASSES_FIRST_LOG);
}

static inline uint32_t class_table_capacity(uint32_t level)
{
    return 1u << (CLASSES_FIRST_LOG + level);
}

#endif
