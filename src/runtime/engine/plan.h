/* The address plan. Everything from OURS_LOW up to OURS_HIGH, and from NEAR_LOW up to NEAR_HIGH, is
 * the runtime's own and invisible to the program; a write of the program's that lands there is a
 * finding. Stacks and heap are the program's, at addresses that are the same in every execution.
 *
 * What each step looks at lies within the first two gigabytes: there an address is part of an
 * instruction and takes no register. A program that is not position independent begins at 4 MiB.
 *
 * The shadow covers a window of 2^40 bytes: addresses are folded into it by their low 40 bits. The
 * program's text, libraries, stacks and heap fold to different places there. */
#ifndef RUNTIME_ENGINE_PLAN_H
#define RUNTIME_ENGINE_PLAN_H

#include <stdbool.h>

#include "core/control.h"

#define NEAR_BITS         28
#define NEAR_LOW          (7ul << NEAR_BITS)
#define NEAR_HIGH         (8ul << NEAR_BITS)
#define RUNTIME_ADDRESS   NEAR_LOW                 /* struct runtime */
#define EXECUTION_ADDRESS (NEAR_LOW + 0x1000000ul) /* struct execution */

#define OURS_LOW         0x100000000000ul
#define DRIVER_ADDRESS   0x110100000000ul /* stack of the search loop */
#define SIGNAL_ADDRESS   0x110200000000ul /* stacks of signal handlers, one for each thread */
#define MONITOR_ADDRESS  0x110300000000ul /* stack of the page monitor */
#define SNAPSHOT_ADDRESS 0x110400000000ul /* struct snapshot, then its pages */
#define FRESH_ADDRESS    0x110500000000ul /* the image of files to put back, read only */
#define COMMON_ADDRESS   0x110600000000ul /* struct common, if the search is shared */
#define STATES_ADDRESS   0x110700000000ul /* blocks of the heap, numbered, if states are compared */
#define LIVE_ADDRESS                                                                               \
    0x110800000000ul /* registers and stack slots that are live at each site (live_table), read    \
                        only */
#define ARENA_ADDRESS      0x111000000000ul /* memory that lives as long as an execution */
#define SAVE_ADDRESS       0x112000000000ul /* copies of pages */
#define UNDO_ADDRESS       0x114000000000ul /* shadow cells to put back */
#define SPARE_ADDRESS      0x115000000000ul /* where anonymous memory is prepared */
#define HEAP_INDEX_ADDRESS 0x117000000000ul /* where the blocks of each heap begin */
#define HEAP_MARKS_ADDRESS                                                                         \
    0x118000000000ul                     /* blocks that are reached, for the search for leaks      \
                                          */
#define TOUCHED_ADDRESS 0x119000000000ul /* which parts of the shadow were ever used */
#define SHADOW_ADDRESS  0x120000000000ul /* eight bytes for each byte of the window */
#define OURS_HIGH       0x1f0000000000ul

#define STACKS_ADDRESS     0x200100000000ul
#define SETUP_HEAP_ADDRESS 0x200500000000ul /* what is allocated outside of executions */
#define MAIN_HEAP_ADDRESS  0x200600000000ul
#define HEAPS_ADDRESS      0x201000000000ul
#define SPARE_NAMES        0x208000000000ul /* nothing is mapped there: see engine/alias.h */

#define DRIVER_SIZE     (1ul << 20)
#define SIGNAL_SIZE     (1ul << 16)
#define ARENA_SIZE      (1ul << 36)
#define SAVE_SIZE       (1ul << 36)
#define UNDO_SIZE       (1ul << 34)
#define SHADOW_SIZE     (1ul << 43)
#define SHADOW_WINDOW   (1ul << 40)
#define SETUP_HEAP_SIZE (1ul << 30)
#define MAIN_HEAP_SIZE  (32ul << 30)
#define HEAP_SIZE       (1ul << 30)
#define PAGE            4096ul
#define STACK_EXTRA     (16 * PAGE) /* beyond what the program asks for: a guard, and TLS */

/* Of the first page of a stack only so much is used: most threads need no more, and what is not
 * touched need not be put back. */
#define STACK_FIRST 1536ul

static inline bool plan_is_ours(uintptr_t address)
{
    return address - OURS_LOW < OURS_HIGH - OURS_LOW ||
           address >> NEAR_BITS == NEAR_LOW >> NEAR_BITS;
}

#endif
