/* Definitions that the writer and the reader of replay files share. */
#ifndef COORDINATOR_RECORD_REPLAY_CHECK_H
#define COORDINATOR_RECORD_REPLAY_CHECK_H

#include <stddef.h>
#include <stdint.h>

enum { REPLAY_FORMAT = 2 };

uint64_t replay_checksum(const char *text, size_t count);
void replay_op_name(char *name, size_t size, uint8_t kind); /* one word */

#endif
