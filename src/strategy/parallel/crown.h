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
 * alternatives begun before them are through. */
#ifndef STRATEGY_CROWN_H
#define STRATEGY_CROWN_H

#include "base/arena.h"
#include "core/subtree.h"
#include "strategy/reduction/wakeup.h"

enum { CROWN_HOLDERS_MAX = 64, CROWN_NODES_MAX = 1 << 22, CROWN_OBJECTS_MAX = 1 << 17 };

struct crown {
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
    bool beyond;             /* for threads: some executions cost more than the bound */
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

/* Begins with the whole search pending. `fails`: executions are known to fail. The arena is
 * zero. */
void crown_open(struct crown *crown, struct arena *arena, uint32_t steps_max, bool fails);
/* Restores pointers after the struct was kept elsewhere, with the arena where it was. */
void crown_go_on(struct crown *crown);
struct crown_rules {
    /* Gives a task to a worker that holds nothing. false: there is none for now. */
    bool (*give)(struct crown *crown, uint32_t worker, struct parcel *out);
    /* Takes the report of a worker. false: the report cannot be that worker's. */
    bool (*take)(struct crown *crown, uint32_t worker, struct parcel *in);
};
/* Alternatives are sequences (crown_give.c, crown_take.c), or threads (crown_threads.c). */
extern const struct crown_rules crown_of_sequences, crown_of_threads;
bool crown_give(struct crown *crown, uint32_t worker, struct parcel *out);
bool crown_take(struct crown *crown, uint32_t worker, struct parcel *in);
bool crown_give_threads(struct crown *crown, uint32_t worker, struct parcel *out);
bool crown_take_threads(struct crown *crown, uint32_t worker, struct parcel *in);
/* The explored part of the tree, in units of 2^-64, if all known branches of a step have equal
 * shares. `of_worker` has the explored part of what each worker holds, in the same units. */
uint64_t crown_share(const struct crown *crown, const uint64_t *of_worker);
/* Whether a worker may hand over steps, of which there may be as many as in an execution. */
bool crown_has_room(const struct crown *crown);
/* Whether nothing waits and no worker holds a node. */
bool crown_is_done(const struct crown *crown);

#endif
