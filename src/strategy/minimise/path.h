/* A path: an execution as blocks, in each of which one thread runs until it has taken so many
 * steps.
 *
 * A changed list of blocks is followed as far as possible. A thread that is disabled is skipped,
 * and the steps that it missed are part of its next block. After the last block the default
 * decides. */
#ifndef STRATEGY_PATH_H
#define STRATEGY_PATH_H

#include "strategy/strategy.h"

struct block {
    uint32_t until; /* number of steps that the thread has taken at the end of the block */
    thread_id thread;
    uint16_t reserved;
};

struct outcome_taken { /* The outcome of a data choice. */
    uint32_t number;   /* number of the step among its thread's steps, from 0 */
    thread_id thread;
    uint16_t choice, choices;
    uint16_t reserved;
};

struct path {
    uint32_t block_count, choice_count;
    struct block *blocks;
    struct outcome_taken *choices;
};

struct flight { /* The execution in flight: how much there is to follow, and how far it has come. */
    uint32_t block_count, choice_count;
    uint32_t at; /* the block to follow */
    uint32_t taken[THREADS_MAX];
};

struct path path_take(struct arena *arena, uint32_t steps);
/* Reads the path of an execution from all its decisions, or from its trace; replaces what was
 * there. */
void path_read(struct path *path, const struct decision *decisions, uint32_t count);
void path_of_trace(struct path *path, const struct trace *trace);
uint32_t path_block_length(const struct path *path, uint32_t at);
/* The next block of the same thread, or the number of all blocks. */
uint32_t path_block_after(const struct path *path, uint32_t at);
/* Begins to follow the blocks of `path`. The flight has counts of its own, so that the path can lie
 * in a state that does not change while an execution is in flight. */
void flight_begin(struct flight *flight, const struct path *path);
void flight_look(struct flight *flight, struct pilot *pilot, const struct choice_point *at);
/* The decision to run this thread, with the outcome that its step has on the path. */
struct decision flight_take(const struct flight *flight, const struct path *path,
                            const struct choice_point *at, thread_id thread);
/* Looks at the new steps, and takes the next thread of the path that is enabled. */
struct decision flight_choose(struct flight *flight, const struct path *path, struct pilot *pilot,
                              const struct choice_point *at);

#endif
