/* The top of the tree of a reduced search that several workers share; the coordinator keeps it.
 *
 * A node is what was done at a step; its children are the alternatives of the next step, in the
 * order in which they were begun. A worker holds a node: it explores all below. Each alternative is
 * begun with those before it asleep, so that no two workers come to the same class.
 *
 * Whatever a worker finds that is to be run above its node comes here, and is added to what waits
 * there as one search alone would do it. That finds later alternatives not begun: the sequences
 * that lead to them are whole. So a sequence is handed out to its end, and the steps on its way
 * (guided ones) stay here, open to further sequences, until all alternatives that were begun before
 * them are through. */
#ifndef STRATEGY_CROWN_H
#define STRATEGY_CROWN_H

#include "base/arena.h"
#include "core/subtree.h"
#include "strategy/wakeup.h"

enum { CROWN_HOLDERS_MAX = 64, CROWN_NODES_MAX = 1 << 22, CROWN_OBJECTS_MAX = 1 << 17 };

struct crown {
    struct crown_node *nodes; /* named by number: 0 is none, 1 the root */
    uint32_t used, free;
    uint32_t held[CROWN_HOLDERS_MAX]; /* by worker; 0: nothing */
    bool begun;
    bool fails;   /* executions fail, or threads are struck: what sleeps beside a sequence may keep
                     them from it */
    bool chooses; /* steps have several outcomes: only what nobody is at work at is handed out, … */
    bool overflow; /* … or what was explored may not be all, as if something found no room */
    int32_t bound; /* that is searched, … */
    bool beyond;   /* … and something costs more; of those whose alternatives are threads */
    struct event *events; /* a sequence; scratch */
    uint32_t events_max;
    struct wakeup wakeup;
    struct journal *journal;    /* what is done here is never undone, but the trees ask for one */
    struct crown_object *slots; /* numbers that objects have here, by their names */
    uint64_t *names;
    uint32_t object_count;
    struct naming naming;
};

/* With all that there is to search, of which some is known to fail or not. The arena is zero. */
void crown_open(struct crown *crown, struct arena *arena, uint32_t steps_max, bool fails);
/* After the struct was kept elsewhere, and the arena where it was. */
void crown_go_on(struct crown *crown);
struct crown_rules {
    /* Something to do for a worker that holds nothing; false: there is nothing, at least for now.
     */
    bool (*give)(struct crown *crown, uint32_t worker, struct parcel *out);
    /* What a worker has given; false: it is nothing that it could have. */
    bool (*take)(struct crown *crown, uint32_t worker, struct parcel *in);
};
/* Alternatives are sequences (crown_give.c, crown_take.c), or threads (crown_threads.c). */
extern const struct crown_rules crown_of_sequences, crown_of_threads;
bool crown_give(struct crown *crown, uint32_t worker, struct parcel *out);
bool crown_take(struct crown *crown, uint32_t worker, struct parcel *in);
bool crown_give_threads(struct crown *crown, uint32_t worker, struct parcel *out);
bool crown_take_threads(struct crown *crown, uint32_t worker, struct parcel *in);
/* The part of the tree that was explored, in units of 2^-64, if all known branches of a step have
 * equal shares; `of_worker`: how much of what it holds each has explored, in the same units. */
uint64_t crown_share(const struct crown *crown, const uint64_t *of_worker);
/* Nothing waits, and nobody holds anything. */
bool crown_is_done(const struct crown *crown);

#endif
