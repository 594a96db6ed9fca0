/* A pile: executions that wait to be run, one on top of the other, each as the decisions of its
 * schedule.
 *
 * The top is there in full. Each execution below is kept as its difference from the one above: so
 * many decisions of that one are left out, these come instead. Executions found together share most
 * decisions, so a difference takes some 7 bytes. Nothing is kept of executions that ran, and a pop
 * leaves no hole: memory is what waits, at every moment.
 *
 * A pile saves itself in the journal. */
#ifndef STRATEGY_PILE_H
#define STRATEGY_PILE_H

#include "core/schedule.h"
#include "core/subtree.h"
#include "strategy/bounded/chunks.h"

struct pile {
    struct chunks *chunks;
    struct decision *tops[2];
    /* The fields below are saved. */
    uint64_t begun; /* the last transaction that changed the pile */
    /* Number of decisions of the top that are unchanged since that transaction began. */
    uint32_t top_held;
    uint32_t top_count, top_check;
    uint32_t stream;      /* the stream with all executions but the top */
    struct decision *top; /* decisions of the top: one of `tops` */
};

void pile_open(struct pile *pile, struct arena *arena, uint32_t steps_max, struct chunks *chunks,
               uint32_t stream);

static inline uint64_t pile_count(const struct pile *pile) /* Number of executions on the pile. */
{
    return pile->chunks->streams[pile->stream].count;
}

/* pile_push(): decisions come by rising step; without any, the execution follows the default
 * throughout. `check` is the fingerprint of the steps before the last decision. */
bool pile_has_room(const struct pile *pile); /* If not, executions that are pushed are lost. */
void pile_push(struct pile *pile, const struct decision *decisions, uint32_t count, uint64_t check);
/* The schedule of the top, which stays. */
void pile_peek(const struct pile *pile, struct schedule *schedule);
/* Copies the decisions of the top, with an empty one after them. Returns their number. */
uint32_t pile_read(const struct pile *pile, struct decision *decisions);
void pile_pop(struct pile *pile);

/* For owners with many streams and one pile: turns the pile to another stream. In the other streams
 * the top is in the stream, too. */
void pile_turn_to(struct pile *pile, uint32_t stream);

/* Gives away every second execution, each as a subtree of this bound that is otherwise like `form`.
 * Returns false if there are too few. `spare` is another pile, empty before and after. */
bool pile_split(struct pile *pile, struct pile *spare, struct subtree form, int32_t bound,
                struct parcel *out);

#endif
