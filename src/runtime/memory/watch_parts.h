/* What the two files of the watch share: what it knows of an execution, and what each lets the
 * other do. watch.c compares visits; timed.c is about those who look at the clock. */
#ifndef RUNTIME_MEMORY_WATCH_PARTS_H
#define RUNTIME_MEMORY_WATCH_PARTS_H

#include "runtime/memory/local.h"
#include "runtime/memory/watch.h"
#include "runtime/snapshot/digest.h"

enum { MARKS = 1 << 16, STEPS_FIRST = 75, SURE = 4 };

/* Digests cost as much as there is to look at: no more of it than so much for each step so far. */
enum { PAGES_PER_STEP = 16 };

struct visit {
    uint64_t memory; /* 0: not known yet */
    uint64_t written;
    uint32_t left_out;
    uint32_t end; /* steps up to there */
    uint64_t time;
};

struct watch {
    struct digest *digest;
    struct still *still;
    uint32_t steps_max;            /* to be watched, unless it comes back */
    uint32_t digests, digests_max; /* taken of memory, without coming back to one */
    uint64_t pages_left;           /* to be looked at */
    uint32_t returns;        /* to a state; the first ones are worth looking at more of them */
    uint32_t sure, shortest; /* how often a livelock was come to; its shortest round */
    uint32_t steps;          /* that were looked at */
    struct timed {           /* … since somebody looked at the clock */
        bool begun;
        enum phase {
            TIMES_ALIKE, /* does it come back, if all times are alike? */
            LATE,        /* … and make up for it, if it was late once? Then it keeps a schedule */
            BY_SECONDS,  /* … if distances count, and time passes by whole seconds? */
            CLOCK_MOVES, /* … each time that the clock was moved on? */
            ON_SCHEDULE, /* … if distances count? */
            LEAPS,       /* … each time that the clock and what moves with it were carried on? */
        } phase;
        uint32_t round;         /* steps up to where time last was made whole */
        uint32_t streak, moves; /* times round like the one before; of the clock */
        uint32_t parts;         /* … of times that were carried to the end of a second */
        uint64_t asked; /* for being equal, in the last turn (exact.h); 0: that is not known */
        bool asks_for_moment;
        uint32_t led,
            until;       /* steps of the round that is gone again; where that ends; 0: none is */
        uint64_t anchor; /* of the threads, where the clock is moved on; 0: nowhere yet */
        uintptr_t anchor_site;
        thread_id anchor_thread;
        bool leap_is_due, leapt, leaps_are_over;
        struct lateness {
            uint64_t state, memory; /* where it is seen */
            uint64_t usual;         /* how long a time round takes */
            uint64_t delay;         /* that the next look has; 0: it was had */
            uint64_t begun;
            uint32_t turns; /* since then */
        } late;
        struct visit last;
        struct digest_times times;
    } timed;
    uint32_t renamed_from; /* threads, since some were created; 0: none were */
    uint32_t thread_count; /* when it began */
    bool keeps_schedule;
    uint32_t findings, sites; /* on the board, before it leapt; after so many … */
    uint32_t steps_before;    /* … steps */
    uint64_t outside;         /* changes of what is not in memory */
    uint64_t written;         /* visits before which memory was written */
    uint32_t visits;
    uint64_t marks[MARKS / 64]; /* of states that were met; others were not */
    uint64_t *states;           /* of the threads, at the last visits, of which there are … */
    struct visit *last;         /* … VISITS at most */
    struct local locals[THREADS_MAX]; /* where each thread last called us */
};

static inline bool watch_is_on(void)
{
    return ex.attention & ATTENTION_WATCH;
}

void watch_be_due(uint32_t steps);
uint64_t watch_memory_as_it_is(struct watch *watch); /* 0: that is not known */
uint64_t watch_memory(struct watch *watch);          /* … with times as they count now */
struct visit visit_now(const struct watch *watch);
bool visit_leaves_nobody_out(uint32_t from); /* or those who were come first now */
bool visit_goes_on_alike(const struct watch *watch, const struct visit *before);
bool watch_may_be_over(void); /* … if it is a livelock */

void timed_begin_last(struct watch *watch); /* the last steps: what is on a schedule */
void timed_suspect(struct watch *watch, uint64_t state, const struct visit *before);
void timed_came_round(struct watch *watch);
void timed_look_at_asked(struct timed *timed);
void timed_leap(struct watch *watch);

#endif
