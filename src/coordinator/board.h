/* Making the board and looking at what workers left on it. */
#ifndef COORDINATOR_BOARD_H
#define COORDINATOR_BOARD_H

#include "base/problem.h"
#include "core/wire.h"

struct board_handle {
    struct board *board;
    int fd;
    int spill; /* the file that holds the arena; -1: it is in memory */
    uint64_t size;
};

bool board_make(struct board_handle *out, const struct options *options, struct problem *why);
void board_drop(struct board_handle *handle);

/* Whether what lies there can be: counts within their arrays, kinds that exist. The tested program
 * may have written anywhere. */
bool board_is_sound(const struct board_handle *handle, struct problem *why);

/* Undoes what a dead worker left half done. */
void board_settle(struct board *board);

/* Of a finding; or of a sample, from FINDINGS_MAX on. */
const struct taken *board_saved(const struct board *board, uint32_t finding);
const struct step *board_steps(const struct board *board, uint32_t which);

#endif
