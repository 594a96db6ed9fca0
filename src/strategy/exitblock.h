/* The state of the ExitBlock searches. */
#ifndef STRATEGY_EXITBLOCK_H
#define STRATEGY_EXITBLOCK_H

#include "strategy/blocks.h"
#include "strategy/chains.h"
#include "strategy/strategy.h"

enum { GOAL_LISTS_MAX = 64, CIRCLES_MAX = 256 };

struct block_node { /* where a block of the execution begins, and with it a choice of who comes next
                     */
    uint32_t step;
    uint32_t delayed; /* the first of those who were delayed here; they go up to those of the next
                         node */
    thread_set tried; /* whose blocks were run from here, or could not be */
};

struct delayed { /* a thread whose block need not be run before somebody touches what the block
                    touches */
    uint32_t first, count; /* of the touches */
    thread_id thread;
    thread_id joins; /* the thread that it waits for; NO_THREAD */
    bool stuck;      /* its block could not come to its end: it had to wait in the middle */
    bool all;        /* it depends on every block */
};

struct goal { /* a step on the way to a deadlock that was predicted */
    thread_id thread;
    uint16_t choice;
    uint8_t kind;
    uint32_t object;
};

struct goal_list {
    uint32_t first, count;
    uint64_t name;     /* equal for equal circles */
    thread_set circle; /* who will wait for each other */
};

struct exitblock {
    struct journal *journal;
    bool prunes, predicts; /* -rw; -dd */
    uint32_t steps_max;
    struct decision
        *path; /* each decision of the execution in flight up to where it leaves the one before */
    struct block_node *nodes;
    struct delayed *delayed;
    struct touch *touches; /* of those who are delayed */
    struct goal *goals;
    struct goal_list *lists;
    uint64_t *circles; /* deadlocks that were shown */
    /* Does not last: */
    uint32_t *asleep; /* of delayed: those who are so at a place in an execution */
    uint32_t asleep_count;
    thread_set *carried; /* by node: who was asleep when it was come to */
    struct block_print *print;
    struct chains *chains;
    struct {
        uint32_t looked, start; /* steps that were looked at; where the block began */
        thread_id thread;
        bool open;   /* the block goes on */
        bool doomed; /* nobody can come to the end of a block: a deadlock */
    } flight;
    struct {
        uint32_t path_count, node_count, delayed_count, touch_count, circle_count, edge_count;
        uint32_t list_count,
            list_next;  /* deadlocks that are to be tried before the search goes on */
        uint32_t check; /* fingerprint of what comes before the last decision of the path */
        bool ended, diverged;
        bool fine;    /* whether a lock is held, or a thread joined, can be seen or matters: to take
                       * one,    or to join, ends a block, too */
        bool decided; /* it is known whether … */
        bool interacts,
            guards;    /* … threads share more than locks, and locks stand for what they guard */
        bool blind;    /* there may be circles of locks that chains do not show */
        bool deadlock; /* there is one */
        bool lost;     /* some deadlocks may have been missed: no room */
        uint64_t executions, anew;
    } now;
};

/* exitblock_dd.c: adds to the deadlocks that are to be tried those that this execution predicts: at
 * nodes from this one on, and, if there is one, for the thread that could not go on before the step
 * `stuck_end`. False: there may be others that cannot be seen so. */
bool exitblock_predict(struct exitblock *search, const struct trace *trace, uint32_t first_node,
                       uint32_t stuck_end, thread_id stuck);
bool exitblock_is_trying(const struct exitblock *search);
struct decision exitblock_try(struct exitblock *search, const struct choice_point *at);
void exitblock_tried(struct exitblock *search, const struct trace *trace);

#endif
