/* A whole search of a toy program, as the worker does it: one journal transaction to learn from the
 * last execution and plan the next, then the execution. */
#ifndef SUPPORT_SEARCH_H
#define SUPPORT_SEARCH_H

#include "support/listing.h"
#include "support/toy.h"

struct search {
    const struct toy_program *program;
    const struct strategy *strategy;
    bool cache;
    char target; /* what is looked for is an execution with this end (listing.h); 0: nothing */
    struct memory *memory;       /* all that must last */
    struct schedule schedule[2]; /* the one in flight, and room for the next */
    uint32_t which;
    struct trace trace;
    int32_t values[TOY_OBJECTS_MAX];
    uint64_t executions;
    bool planned;
    bool ran;              /* there is an execution to learn from */
    struct parcel *wanted; /* ask for part of the search; NULL: not, or it was given */
    uint64_t sequence;     /* of the journal, before the transaction in flight */
};

void search_open(struct search *search, const struct toy_program *program, const char *strategy,
                 struct strategy_options options);
/* Restarts the search; the arena is zero, as the worker makes it. */
void search_restart(struct search *search, struct strategy_options options);
void search_close(struct search *search);
size_t search_memory_size(void);
/* Where the strategy's memory begins. */
void *search_arena(const struct search *search);
/* Learns, gives away what is wanted, and plans; false: nothing is left. */
bool search_advance(struct search *search);
/* Takes in a parcel, while nothing is planned; false: it is none. */
bool search_adopt(struct search *search, struct parcel *parcel);
/* Gives away what a search has to say that has nothing left to do; false: nothing. */
bool search_give(struct search *search, struct parcel *out);
/* On to the next bound, while nothing is planned. */
void search_rise(struct search *search);
/* There is no memory for more that waits to be run. */
void search_fill(struct search *search);
void search_execute(struct search *search);
/* search_advance and then the execution, which is in search->trace afterwards. */
bool search_next(struct search *search);
/* After search_advance was killed in the middle: whether its transaction was sealed. */
bool search_is_sealed(const struct search *search);
/* Undoes a transaction of search_advance that was not sealed. */
void search_recover(struct search *search);

/* Whether two searches keep the same in the beginning of their arenas. */
bool search_keeps_same(const struct search *left, const struct search *right);
struct progress search_progress(const struct search *search);
/* Runs the trace's decisions again; false if something else comes out. */
bool search_replays(struct search *search);
/* Adds the execution in search->trace. */
void search_list(const struct search *search, struct listing *listing);

#endif
