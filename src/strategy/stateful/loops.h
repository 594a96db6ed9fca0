/* Loops among the states that a depth-first search visits: strongly connected components, found on
 * the way (Gabow 2000).
 *
 * States lie on a stack in the order in which they were found, each with its steps that lead to
 * states on the stack. A state is done when nothing is left to try there. If none of the states
 * found since leads to one found before, they are a component, and leave the stack. Nothing below
 * the counts ever changes, so only the counts are saved in a journal. */
#ifndef STRATEGY_LOOPS_H
#define STRATEGY_LOOPS_H

#include "base/arena.h"
#include "core/schedule.h"
#include "core/thread.h"

enum { LOOPS_STATES_MAX = (1 << 24) - 1, LOOPS_NONE = LOOPS_STATES_MAX };

struct loop_state {
    uint64_t key[2];
    thread_set enabled;
    /* Height of the stack of steps before the state was found, and before the step that led to
     * it. */
    uint32_t steps;
};

struct loop_step {
    uint32_t from, to; /* numbers of states */
    thread_id thread;
    uint16_t choice;
};

struct loops {
    uint32_t most; /* limit of states */
    struct loop_state *states;
    struct loop_step *steps;
    uint32_t *roots; /* states from which no later one leads further back, by rising number */
    uint32_t *scratch;
    struct loops_now {
        uint32_t states, steps, roots;
        bool full;
    } now; /* saved by the caller */
};

void loops_open(struct loops *loops, struct arena *arena, size_t bytes);
/* Enters a new state, reached by a step from another one (LOOPS_NONE: it is the first). Returns its
 * number, or LOOPS_NONE if there is no room: then nothing is known of loops any more. */
uint32_t loops_enter(struct loops *loops, const uint64_t key[2], const thread_set *enabled,
                     uint32_t from, struct decision by);
/* Notes a step to a state that was met before, under this number. */
void loops_meet(struct loops *loops, uint32_t from, struct decision by, const uint64_t key[2],
                uint32_t to);
/* Leaves the last state that is not done, when nothing is left to try there. If this completes a
 * component in which every thread enabled anywhere takes a step, `round` gets a way around it, from
 * that state and back: decisions of which only thread and choice count. Returns their number; 0:
 * there is no such component; UINT32_MAX: the way is longer than `most`. */
uint32_t loops_leave(struct loops *loops, uint32_t state, struct decision *round, uint32_t most);

#endif
