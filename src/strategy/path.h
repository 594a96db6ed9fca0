/* An execution seen as blocks: a thread runs until it has taken so many steps.
 *
 * A changed list of blocks is followed as far as possible: a thread that cannot run is passed over,
 * and what it missed is part of its next block; after the last block all goes by default. */
#ifndef STRATEGY_PATH_H
#define STRATEGY_PATH_H

#include "strategy/strategy.h"

struct block {
    uint32_t until; /* it has taken so many steps in all */
    thread_id thread;
    uint16_t reserved;
};

struct outcome_taken { /* of a data choice */
    uint32_t number;   /* of its thread's step */
    thread_id thread;
    uint16_t choice, choices;
    uint16_t reserved;
};

struct path {
    uint32_t block_count, choice_count;
    struct block *blocks;
    struct outcome_taken *choices;
};

struct flight { /* the execution in flight: how much there is to follow, and how far it has come */
    uint32_t block_count, choice_count;
    uint32_t at; /* the block to follow */
    uint32_t taken[THREADS_MAX];
};

struct path path_take(struct arena *arena, uint32_t steps);
/* That of an execution, given by every decision of it, or as it went; what was there is gone. */
void path_read(struct path *path, const struct decision *decisions, uint32_t count);
void path_of_trace(struct path *path, const struct trace *trace);
uint32_t path_block_length(const struct path *path, uint32_t at);
/* The next block of the same thread, or the number of all blocks. */
uint32_t path_block_after(const struct path *path, uint32_t at);
/* `path` holds the blocks; how many there are is the flight's, so that the path itself can lie in a
 * state that does not change while an execution is in flight. */
void flight_begin(struct flight *flight, const struct path *path);
void flight_look(struct flight *flight, struct pilot *pilot, const struct choice_point *at);
/* This thread is to run, with the outcome that its step has on the path. */
struct decision flight_take(const struct flight *flight, const struct path *path,
                            const struct choice_point *at, thread_id thread);
/* Looks, and takes the next thread of the path that can run. */
struct decision flight_choose(struct flight *flight, const struct path *path, struct pilot *pilot,
                              const struct choice_point *at);

#endif
