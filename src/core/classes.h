/* The set of classes seen by a search, as it lies on the board: tables that double in size. One is
 * filled to three quarters, then the next is begun. Nothing moves, so a worker may die at any
 * instruction. */
#ifndef CORE_CLASSES_H
#define CORE_CLASSES_H

#include "core/wire.h"

enum {
    CLASSES_FIRST_LOG = 14,
    CLASS_BOUND_BITS = 20,
    CLASS_BOUND_MAX = (1 << CLASS_BOUND_BITS) - 2
};

struct class_entry {
    uint64_t class[2];
    uint64_t transaction : 42; /* that put it in; 0: free. Not in the set before that is sealed */
    uint64_t again : 1;        /* more than one execution had it */
    uint64_t reduced : 1;      /* one of them by a reduction that is part of a search */
    uint64_t bound : CLASS_BOUND_BITS; /* being searched then, plus 1 */
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
