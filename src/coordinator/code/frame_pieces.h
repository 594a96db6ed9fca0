/* Call frame information and landing pads of one ELF file, from .eh_frame, for the liveness
 * analysis. */
#ifndef COORDINATOR_CODE_FRAME_PIECES_H
#define COORDINATOR_CODE_FRAME_PIECES_H

#include "coordinator/code/live_code.h"

/* Lists the pieces of code that have a frame description, sorted by address. Returns false if
 * nothing can be said about the file. */
bool live_pieces_read(struct live_code *code);
/* NULL: no piece covers the address. */
const struct live_piece *live_piece_at(struct live_code *code, uint64_t address);

/* The questions of struct liveness_code that frame descriptions answer; `context` is the code. */
bool live_range(void *context, uint64_t address, uint64_t *start, uint64_t *end);
bool live_rule(void *context, uint64_t address, struct liveness_rule *out);
bool live_landing(void *context, uint64_t address, uint64_t *out);

/* Of live_code.c: the bytes at an address; room for one more entry of a growing array. */
const uint8_t *live_bytes_at(const struct live_code *code, uint64_t address, size_t *count);
void *live_room_for_one(void *all, size_t count, size_t *capacity, size_t size);

#endif
