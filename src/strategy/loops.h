/* Loops among the states that a depth-first search comes to: sets of states that lead to each other
 * (strongly connected components, found on the way: Gabow 2000).
 *
 * States lie on a stack in the order in which they were found, each with the steps from it that
 * stay among them. When a state is done, and none of those found since leads to one found before,
 * these are a component, and leave the stack. Nothing below the counts ever changes, so that only
 * these are saved in a journal. */
#ifndef STRATEGY_LOOPS_H
#define STRATEGY_LOOPS_H

#include "base/arena.h"
#include "core/schedule.h"
#include "core/thread.h"

enum { LOOPS_STATES_MAX = (1 << 24) - 1, LOOPS_NONE = LOOPS_STATES_MAX };

struct loop_state {
    uint64_t key[2];
    thread_set enabled;
    uint32_t steps; /* the stack of steps before it was found, and before the step that led to it */
};

struct loop_step {
    uint32_t from, to; /* states */
    thread_id thread;
    uint16_t choice;
};

struct loops {
    uint32_t most; /* states */
    struct loop_state *states;
    struct loop_step *steps;
    uint32_t *roots; /* states that no later one leads back before, by rising number */
    uint32_t *scratch;
    struct loops_now {
        uint32_t states, steps, roots;
        bool full;
    } now; /* the caller saves it */
};

void loops_open(struct loops *loops, struct arena *arena, size_t bytes);
/* A state that was not met before, by a step from another one (LOOPS_NONE: it is the first); its
 * number, or LOOPS_NONE if there is no room: then nothing is known of loops any more. */
uint32_t loops_enter(struct loops *loops, const uint64_t key[2], const thread_set *enabled,
                     uint32_t from, struct decision by);
/* A step leads to a state that was met before, under this number. */
void loops_meet(struct loops *loops, uint32_t from, struct decision by, const uint64_t key[2],
                uint32_t to);
/* Nothing is left to try in this state, the last one found that was not done. If with it a
 * component is done in which every thread that can run anywhere takes a step: a way round it from
 * that state and back, as decisions of which only thread and choice count, and how many they are,
 * at most `most`; else 0. UINT32_MAX: it is longer. */
uint32_t loops_leave(struct loops *loops, uint32_t state, struct decision *round, uint32_t most);

#endif
