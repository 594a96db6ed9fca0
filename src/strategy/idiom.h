/* Interleaving idioms (Maple: Yu, Narayanasamy, Pereira and Pokam 2012): small patterns of accesses
 * of two threads, A and B, to one or two objects, X and Y. An event is an access named by its place
 * in the program and its kind; an idiom is a pattern with an event at each of its places. */
#ifndef STRATEGY_IDIOM_H
#define STRATEGY_IDIOM_H

#include "strategy/seen.h"
#include "strategy/strategy.h"

enum { PATTERNS = 5, EVENTS_EACH = 4, NO_EVENT = 0xff };

/* The events of a pattern in an order in which they can happen. */
struct pattern {
    uint8_t count;
    uint8_t thread[EVENTS_EACH]; /* 0: A, 1: B */
    uint8_t object[EVENTS_EACH]; /* 0: X, 1: Y */
    uint8_t after[EVENTS_EACH];  /* the event that it depends on: nothing else touches the object
                                    between  them; NO_EVENT: none */
};
extern const struct pattern patterns[PATTERNS];

struct idiom {
    uint64_t event[EVENTS_EACH]; /* names; 0: there is none */
    uint8_t pattern;
    uint8_t tries; /* executions that were to show it */
    uint8_t reserved[6];
};

/* Whether an operation can be an event. Releases are none: who takes the lock next is. */
bool idiom_counts(const struct op *op);
uint64_t idiom_event(const struct op *op);
bool idiom_conflict(enum op_kind a, enum op_kind b);

struct idioms {        /* what is known of a program */
    struct seen *seen; /* idioms that were shown, predicted, and what they are predicted from */
    struct idiom *list[PATTERNS]; /* those that were predicted; beyond the counts: free */
    struct idiom_scratch *scratch;
    struct memo *memo; /* keys of those that need not be tested again; NULL: none is kept */
    struct {
        uint32_t count[PATTERNS];
        uint32_t dropped; /* predicted ones that found no room */
    } now;
};

enum {
    IDIOMS_MAX = 1 << 13, /* predicted ones of a pattern that are kept */
    IDIOM_WINDOW = 8
}; /* events of a thread that are close to each other */

/* Inside a transaction. */
void idioms_open(struct idioms *idioms, const struct strategy_options *options, struct arena *arena,
                 struct journal *journal);
/* Notes what an execution has shown, and predicts what others may. Inside a transaction. */
void idioms_learn(struct idioms *idioms, const struct trace *trace, struct journal *journal);
/* After that: whether this is the first execution of its class. */
bool idioms_meet_class(struct idioms *idioms, const uint64_t class[2], struct journal *journal);
bool idiom_was_shown(const struct idioms *idioms, const struct idiom *idiom,
                     const struct journal *journal);

/* The key by which it is remembered. */
void idiom_key(uint64_t key[2], const struct idiom *idiom);
/* After this execution it need not be tried again, in this run or another. Inside a transaction. */
void idiom_is_done(struct idioms *idioms, const struct idiom *idiom, const struct trace *trace,
                   struct journal *journal);

#endif
