/* The crown: the top of the tree of a reduced search that several workers share. The coordinator
 * keeps it.
 *
 * A node is an event that ran at a step. Its children are the alternatives of the next step, in the
 * order in which they were begun. A worker that holds a node explores all below it. When an
 * alternative is begun, those begun before it sleep, so that no two workers reach the same class.
 *
 * A sequence that a worker finds and that must run above its node comes here. The crown adds it to
 * what waits there, as a single search would. A single search would find later alternatives not
 * begun, so the sequences that lead to them must stay whole. So a sequence is handed out to its
 * end. The steps on its way (guided steps) stay here, open to further sequences, until all
 * alternatives begun before them are through.
 *
 * Where alternatives are threads and outcomes (bpor), each is a sequence of length one.
 * Alternatives begun before it sleep whether explored or not, but how one sleeps shows when it has
 * run once (crown_threads.c). */
#ifndef STRATEGY_CROWN_H
#define STRATEGY_CROWN_H

#include "base/arena.h"
#include "core/subtree.h"
#include "strategy/reduction/wakeup.h"
#include "strategy/strategy.h"

/* Facts that a worker reports to the crown of all that it has seen. */
enum { CROWN_CHOOSES = 1, CROWN_BEYOND = 2 };

enum { CROWN_HOLDERS_MAX = 64, CROWN_NODES_MAX = 1 << 22, CROWN_OBJECTS_MAX = 1 << 17 };

/* Whether the sequence that was handed out ran: not yet; yes; its end was impossible. */
enum root { ROOT_UNKNOWN, ROOT_KNOWN, ROOT_VOID };

struct crown {
    char strategy[SUBTREE_NAME_MAX];
    bool threads;             /* alternatives are threads and outcomes, not sequences */
    struct crown_node *nodes; /* numbered from the root, 1; 0 is none */
    uint32_t used, free, in_use;
    uint32_t held[CROWN_HOLDERS_MAX]; /* by worker: the node that it explores; 0: none */
    bool begun;
    /* Executions fail, or threads are struck: an event that sleeps beside a sequence may keep
     * executions from failing. */
    bool fails;
    /* Some steps have several outcomes: a node is handed out only if no worker is at work below
     * it. */
    bool chooses;
    /* Something found no room, or the explored sequences may not be all: nothing is claimed. */
    bool overflow;
    int32_t bound;           /* for threads: the bound that is searched */
    bool beyond;             /* some executions cost more than the bound */
    struct event *events;    /* a sequence; scratch */
    struct decision *prefix; /* that of a task; scratch */
    uint32_t *path;          /* nodes from the root down; scratch */
    uint32_t events_max;     /* room for events, decisions and nodes */
    struct wakeup wakeup;
    struct journal *journal;    /* The trees need a journal; what is done here is never undone. */
    struct crown_object *slots; /* numbers of objects in the crown, by their names */
    uint64_t *names;
    uint32_t object_count;
    struct naming naming;
};

/* Begins with the whole search of a strategy pending, up to a bound where there are bounds.
 * `fails`: executions are known to fail. The arena is zero. */
void crown_open(struct crown *crown, struct arena *arena, const struct strategy *strategy,
                uint32_t steps_max, int32_t bound, bool fails);
/* Restores pointers after the struct was kept elsewhere, with the arena where it was. */
void crown_go_on(struct crown *crown);
/* Gives a task to a worker that holds nothing. false: there is none for now. */
bool crown_give(struct crown *crown, uint32_t worker, struct parcel *out);
/* Takes the report of a worker. false: the report cannot be that worker's. */
bool crown_take(struct crown *crown, uint32_t worker, struct parcel *in);
/* The explored part of the tree, in units of 2^-64, if all known branches of a step have equal
 * shares. `of_worker` has the explored part of what each worker holds, in the same units. */
uint64_t crown_share(const struct crown *crown, const uint64_t *of_worker);
/* Whether a worker may hand over steps, of which there may be as many as in an execution. */
bool crown_has_room(const struct crown *crown);
/* Whether nothing waits and no worker holds a node. */
bool crown_is_done(const struct crown *crown);

#endif
