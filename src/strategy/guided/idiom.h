/* Interleaving idioms (Maple: Yu, Narayanasamy, Pereira and Pokam 2012): small patterns of accesses
 * of two threads, A and B, to one or two objects, X and Y. An event is an access named by its place
 * in the program and its kind. An idiom is a pattern with an event for each of its accesses. */
#ifndef STRATEGY_IDIOM_H
#define STRATEGY_IDIOM_H

#include "strategy/seen.h"
#include "strategy/strategy.h"

enum { PATTERNS = 5, EVENTS_EACH = 4, NO_EVENT = 0xff };

/* A pattern: its events in an order in which they can happen. */
struct pattern {
    uint8_t count;
    uint8_t thread[EVENTS_EACH]; /* 0: A, 1: B */
    uint8_t object[EVENTS_EACH]; /* 0: X, 1: Y */
    /* The event that this one depends on: no access of the object may come between; NO_EVENT:
     * none. */
    uint8_t after[EVENTS_EACH];
};
extern const struct pattern patterns[PATTERNS];

struct idiom {
    uint64_t event[EVENTS_EACH]; /* names of the events; 0: none */
    uint8_t pattern;
    uint8_t tries; /* number of executions that were to show the idiom */
    uint8_t reserved[6];
};

/* Whether an operation can be an event. Releases are none: the next operation that takes the lock
 * is. */
bool idiom_counts(const struct op *op);
uint64_t idiom_event(const struct op *op);
bool idiom_conflict(enum op_kind a, enum op_kind b);

struct idioms {        /* The idioms that are known of the program. */
    struct seen *seen; /* idioms that were shown or predicted, and what they are predicted from */
    /* Predicted idioms of each pattern; entries beyond the counts are free. */
    struct idiom *list[PATTERNS];
    struct idiom_scratch *scratch;
    struct memo *memo; /* keys of idioms that later runs need not test again; NULL: none are kept */
    struct {
        uint32_t count[PATTERNS];
        uint32_t dropped; /* predicted idioms that found no room */
    } now;
};

enum {
    IDIOMS_MAX = 1 << 13, /* predicted idioms that are kept of a pattern */
    /* IDIOM_WINDOW: events of a thread this near each other are close. */
    IDIOM_WINDOW = 8
};

/* Opens the tables. Called inside a transaction. */
void idioms_open(struct idioms *idioms, const struct strategy_options *options, struct arena *arena,
                 struct journal *journal);
/* Notes the idioms that an execution has shown, and predicts others. Called inside a
 * transaction. */
void idioms_learn(struct idioms *idioms, const struct trace *trace, struct journal *journal);
/* Called after idioms_learn(): whether this execution is the first of its class. */
bool idioms_meet_class(struct idioms *idioms, const uint64_t class[2], struct journal *journal);
bool idiom_was_shown(const struct idioms *idioms, const struct idiom *idiom,
                     const struct journal *journal);

/* The key by which an idiom is remembered. */
void idiom_key(uint64_t key[2], const struct idiom *idiom);
/* Marks an idiom that need not be tried after this execution, in this run or a later one. Called
 * inside a transaction. */
void idiom_is_done(struct idioms *idioms, const struct idiom *idiom, const struct trace *trace,
                   struct journal *journal);

#endif
