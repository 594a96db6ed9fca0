/* Executions still to be run, one upon the other, each as the decisions of its schedule.
 *
 * The uppermost is there in full. Each below it is kept as its difference from the one above it: so
 * many decisions of that are left out, these come instead. Who was found together has most
 * decisions in common, so that this takes some 7 bytes. Nothing is kept of what was run, and what
 * is taken off leaves no hole: memory is what waits, at every moment.
 *
 * A pile saves itself in the journal. */
#ifndef STRATEGY_PILE_H
#define STRATEGY_PILE_H

#include "core/schedule.h"
#include "core/subtree.h"
#include "strategy/chunks.h"

struct pile {
    struct chunks *chunks;
    struct decision *tops[2];
    /* What follows is saved. */
    uint64_t begun;    /* the last transaction that changed it, … */
    uint32_t top_held; /* … and how many decisions of the uppermost are still there from before */
    uint32_t top_count, top_check;
    uint32_t stream;      /* where all but the uppermost are */
    struct decision *top; /* its decisions: one of the two */
};

void pile_open(struct pile *pile, struct arena *arena, uint32_t steps_max, struct chunks *chunks,
               uint32_t stream);

static inline uint64_t pile_count(const struct pile *pile) /* that wait */
{
    return pile->chunks->streams[pile->stream].count;
}

/* The decisions are by rising step; without any it is the execution that follows the default
 * throughout. `check` is the fingerprint of the steps before the last one. */
bool pile_has_room(const struct pile *pile); /* otherwise what is pushed is lost */
void pile_push(struct pile *pile, const struct decision *decisions, uint32_t count, uint64_t check);
/* The schedule of the uppermost, which stays. */
void pile_peek(const struct pile *pile, struct schedule *schedule);
/* Its decisions, and an empty one behind them; how many there are. */
uint32_t pile_read(const struct pile *pile, struct decision *decisions);
void pile_pop(struct pile *pile);

/* For who has many streams and one pile: the pile goes on with another one. What is uppermost in
 * the others is in the stream. */
void pile_turn_to(struct pile *pile, uint32_t stream);

/* Gives away every second one, each as a subtree of this bound that is like `form` otherwise;
 * false: there are too few. `spare` is another pile, empty, before and after. */
bool pile_split(struct pile *pile, struct pile *spare, struct subtree form, int32_t bound,
                struct parcel *out);

#endif
