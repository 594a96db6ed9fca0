/* State of the ExitBlock searches. */
#ifndef STRATEGY_EXITBLOCK_H
#define STRATEGY_EXITBLOCK_H

#include "strategy/blocks/atomic_blocks.h"
#include "strategy/blocks/chains.h"
#include "strategy/strategy.h"

enum { GOAL_LISTS_MAX = 64, CIRCLES_MAX = 256 };

/* The beginning of a block of the execution, and so a choice of the next thread. */
struct block_node {
    uint32_t step;
    /* Index of the first entry delayed here; entries end at those of the next node. */
    uint32_t delayed;
    thread_set tried; /* threads whose blocks were run from here, or could not be */
};

/* A delayed thread: its block need not run before another block touches what it touches. */
struct delayed {
    uint32_t first, count; /* its touches in `touches` */
    thread_id thread;
    thread_id joins; /* the thread that it waits to join; NO_THREAD: none */
    bool stuck; /* The block could not come to its end: the thread was blocked in the middle. */
    bool all;   /* the block depends on every other block */
};

struct goal { /* A step on the way to a predicted deadlock. */
    thread_id thread;
    uint16_t choice;
    uint8_t kind;
    uint32_t object;
};

struct goal_list {
    uint32_t first, count;
    uint64_t name;     /* equal for equal circles */
    thread_set circle; /* the threads that will wait for each other */
};

struct exitblock {
    struct journal *journal;
    bool prunes, predicts; /* whether the strategy is -rw; -dd */
    uint32_t steps_max;
    /* Every decision of the execution in flight, up to where it leaves the one before. */
    struct decision *path;
    struct block_node *nodes;
    struct delayed *delayed;
    struct touch *touches; /* touches of delayed threads */
    struct goal *goals;
    struct goal_list *lists;
    uint64_t *circles; /* names of deadlocks that were shown */
    /* The fields from this one up to and with `flight` do not last. These are indices into
     * `delayed`: the threads that are delayed at a place in an execution. */
    uint32_t *asleep;
    uint32_t asleep_count;
    thread_set *carried; /* by node: threads that were delayed when the execution came to it */
    struct block_print *print;
    struct chains *chains;
    struct {
        uint32_t looked, start; /* number of steps processed; step at which the block began */
        thread_id thread;
        bool open;   /* the block has not ended */
        bool doomed; /* no thread can come to the end of a block: a deadlock */
    } flight;
    struct {
        uint32_t path_count, node_count, delayed_count, touch_count, circle_count, edge_count;
        uint32_t list_count, list_next; /* predicted deadlocks to try before the search continues */
        uint32_t check; /* fingerprint of the steps before the last decision of the path */
        bool ended, diverged;
        /* Taking a lock and joining a thread end a block, too, since a held lock or a joined thread
         * can be seen or matters. */
        bool fine;
        bool decided; /* `interacts` and `guards` are known */
        /* Threads share more than locks; locks stand for what they guard. */
        bool interacts, guards;
        bool blind;    /* circles of locks may exist that chains do not show */
        bool deadlock; /* a deadlock was found */
        bool lost;     /* some deadlocks may have been missed for want of room */
        uint64_t executions, anew;
    } now;
};

static inline thread_set without(thread_set set, const thread_set *others)
{
    for (int i = 0; i < THREAD_WORDS; i++)
        set.word[i] &= ~others->word[i];
    return set;
}

/* choose() inside an execution (exitblock_flight.c). */
struct decision exitblock_choose(struct pilot *pilot, const struct choice_point *at);
/* Index behind the last entry of `delayed` at a node. */
uint32_t exitblock_delayed_end(const struct exitblock *search, uint32_t node);
/* Finds out which threads are delayed at the nodes of an execution up to and with this one. */
void exitblock_fall_asleep(struct exitblock *search, struct block_steps at, uint32_t last);

/* Adds the deadlocks that this execution predicts to those to be tried: at nodes from `first_node`
 * on, and, if stuck_end is not 0, for the thread that was blocked before that step. Returns false
 * if others may exist that cannot be seen in this way (exitblock_dd.c). */
bool exitblock_predict(struct exitblock *search, const struct trace *trace, uint32_t first_node,
                       uint32_t stuck_end, thread_id stuck);
bool exitblock_is_trying(const struct exitblock *search);
struct decision exitblock_try(struct exitblock *search, const struct choice_point *at);
void exitblock_tried(struct exitblock *search, const struct trace *trace);

#endif
