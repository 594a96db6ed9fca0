/* The state of the program at a scheduling point, as a fingerprint of 128 bits, for a strategy that
 * compares states.
 *
 * From equal states on the same can follow: each thread stands before the same operation, with the
 * same stack and registers, and all memory is the same but for the addresses of blocks of the heap
 * (blocks.h) and what a freed block holds. What the detectors know of the past is no part of it,
 * nor is the time, unless the program looks at a clock. What is not known well enough (descriptors,
 * signals, timers, processes) makes the state unknown from there on: it is equal to none. */
#ifndef RUNTIME_SNAPSHOT_PROGRAM_STATE_H
#define RUNTIME_SNAPSHOT_PROGRAM_STATE_H

#include "core/schedule.h"
#include "runtime/arch/x86_64/local.h"
#include "runtime/engine/runtime.h"

enum state_part {
    STATE_WHOLE,
#define STATE_PART(name, word) STATE_##name,
#include "core/state_parts.def"
#undef STATE_PART
};

void state_call(const struct local *local); /* the program calls us */
void state_leaves(uintptr_t site); /* the program has returned from main, and is about to exit */
void state_is_unknown(void);       /* something changes that is not looked at */

#endif
