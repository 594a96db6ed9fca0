/* Makes boards and checks what workers left on them. */
#ifndef COORDINATOR_WORKER_BOARDS_H
#define COORDINATOR_WORKER_BOARDS_H

#include "base/problem.h"
#include "core/board.h"

struct board_handle {
    struct board *board;
    int fd;
    int spill; /* file of the arena; -1: the arena is in memory */
    uint64_t size;
};

bool board_make(struct board_handle *out, const struct options *options, struct problem *why);
void board_drop(struct board_handle *handle);

/* Checks that the values on the board are possible: counts within their arrays, kinds that exist.
 * The tested program may have written anywhere. */
bool board_is_sound(const struct board_handle *handle, struct problem *why);

/* Rolls back the transaction that a dead worker left open. */
void board_settle(struct board *board);

/* The saved steps of a finding, or of a sample, whose numbers begin at FINDINGS_MAX. */
const struct taken *board_saved(const struct board *board, uint32_t finding);
const struct step *board_steps(const struct board *board, uint32_t which);

#endif
