/* Reads-from guided search (RFF: Wolff, Shi, Duck, Mathur and Roychoudhury 2024).
 *
 * An execution is steered by a few constraints: a read reads from a certain write, or does not. The
 * rest is left to partial order sampling. The writes that its reads read from are the execution's
 * reads-from class. Constraints that led to a new class are kept, and changed a little for further
 * executions.
 *
 * Reads and writes are named by place, kind and object, for all threads alike. An operation that
 * looks at an object before it changes it reads, too: a lock reads from the unlock before it. */
#include <string.h>

#include "base/mix.h"
#include "strategy/sampling/events.h"
#include "strategy/sampling/sampler.h"
#include "strategy/seen.h"

extern const struct strategy strategy_rf;

enum {
    CONSTRAINTS_MAX = 6,
    KEPT_MAX = 1 << 16,   /* limit of sets of constraints */
    EVENTS_MAX = 1 << 12, /* limit of known reads, and of known writes */
    SLOTS = 1 << 12, /* slots for the objects of an execution, by the low bits of their numbers */
    /* Slots for the distinct (read, write) pairs of an execution; at most half are used. */
    PAIRS = 1 << 14,
    RECENT = 16,
    TRIES = 16,
};

struct event {
    uint64_t name;
    uint32_t object;
    uint32_t kind;
};

struct constraint {
    uint64_t read, write; /* names; write 0: the value at the start */
    uint64_t object;
    uint64_t forbids; /* the read must read from any other write */
};

struct constraints {
    uint64_t count;
    struct constraint list[CONSTRAINTS_MAX];
};

/* Last writes in the execution in flight, or in the one that is learnt from. */
struct last_writes {
    struct {
        uint64_t stamp, object, write;
    } slots[SLOTS];
    uint64_t stamp; /* a slot with another stamp is of an older execution */
    uint64_t done;  /* one bit for each constraint whose read has happened */
};

struct pair_set { /* Pairs of the execution that is learnt from. */
    uint64_t stamp, count;
    struct {
        uint64_t stamp, pair;
    } slots[PAIRS];
};

struct rf {
    struct sampler sampler;
    struct events *events;
    struct last_writes *flight, *learning;
    struct pair_set *pairs;
    struct seen *classes;     /* reads-from classes, events, and pairs */
    struct constraints *kept; /* entries beyond now.kept_count are free */
    struct event *reads, *writes;
    struct {
        struct constraints current; /* constraints of the execution in flight */
        uint32_t kept_count, read_count, write_count;
        uint32_t reserved;
    } now;
};

static void rf_open(void *state, const struct strategy_options *options, struct arena *arena,
                    struct journal *journal)
{
    struct rf *rf = state;
    memset(rf, 0, sizeof *rf);
    sampler_open(&rf->sampler, options, journal);
    rf->reads = arena_take(arena, EVENTS_MAX * sizeof *rf->reads);
    rf->writes = arena_take(arena, EVENTS_MAX * sizeof *rf->writes);
    rf->kept = arena_take(arena, KEPT_MAX * sizeof *rf->kept);
    rf->events = arena_take(arena, sizeof *rf->events);
    rf->flight = arena_take(arena, sizeof *rf->flight);
    rf->learning = arena_take(arena, sizeof *rf->learning);
    rf->pairs = arena_take(arena, sizeof *rf->pairs);
    rf->classes = seen_open(arena, (arena->capacity - arena->used) / 2);
    rf->now.kept_count = 1; /* the first entry has no constraints */
}

static uint64_t event_name(const struct op *op)
{
    return mix(op->site + op->object, op->kind) | 1;
}

static bool op_writes_only(enum op_kind kind)
{
    return kind == OP_ATOMIC_STORE || kind == OP_WRITE || kind == OP_FREE ||
           kind == OP_MUTEX_UNLOCK || kind == OP_SPIN_UNLOCK || kind == OP_RWLOCK_UNREAD ||
           kind == OP_RWLOCK_UNWRITE || kind == OP_STREAM_UNLOCK || kind == OP_SEM_POST;
}

static bool op_reads(const struct op *op)
{
    return op->object != NO_OBJECT && op_access(op->kind) != OP_ACCESS_NONE &&
           !op_writes_only(op->kind) && !op_concerns_thread(op->kind);
}

static bool op_writes(const struct op *op)
{
    return op->object != NO_OBJECT && op_access(op->kind) == OP_ACCESS_WRITE &&
           !op_concerns_thread(op->kind);
}

/* Whether the operation waits until the lock is free, so that it reads from no write that takes the
 * lock. */
static bool op_waits_for_lock(enum op_kind kind)
{
    return op_takes_lock(kind) && !op_tries(kind);
}

static bool op_owns_lock(enum op_kind kind)
{
    return op_waits_for_lock(kind) || op_traits(kind)->lock == OP_LOCK_TAKE;
}

/* The last write of an object. Objects that share a slot displace each other: the last write then
 * is unknown, and counts as the value at the start. */
static uint64_t last_write(const struct last_writes *last, uint32_t object)
{
    uint32_t slot = object % SLOTS;
    bool known = last->slots[slot].stamp == last->stamp && last->slots[slot].object == object;
    return known ? last->slots[slot].write : 0;
}

static void write_happens(struct last_writes *last, const struct step *step)
{
    if (!op_writes(&step->op) || step->flags & STEP_FAILED)
        return;
    uint32_t slot = step->op.object % SLOTS;
    last->slots[slot].stamp = last->stamp;
    last->slots[slot].object = step->op.object;
    last->slots[slot].write = event_name(&step->op);
}

static void pick_kept(const struct rf *rf, struct rng *rng, struct constraints *out)
{
    uint32_t count = rf->now.kept_count, recent = count < RECENT ? count : RECENT;
    bool late = rng_below(rng, 2) == 0;
    *out = rf->kept[late ? count - 1 - rng_below(rng, recent) : rng_below(rng, count)];
}

enum { SHOWN = 13, TRIED = 17 }; /* Distinguish the keys of different facts about a pair. */

static void pair_key(uint64_t key[2], uint64_t pair, uint64_t known)
{
    key[0] = mix(pair, known);
    key[1] = pair;
}

static bool was_shown(const struct rf *rf, const struct constraint *constraint)
{
    uint64_t key[2];
    pair_key(key, mix(constraint->read, constraint->write), SHOWN);
    return seen_has_by_now(rf->classes, key, rf->sampler.journal);
}

/* Whether an earlier execution tried the pair. A try that a killed worker had only planned is
 * planned again. */
static bool was_tried(const struct rf *rf, const struct constraint *constraint)
{
    uint64_t key[2];
    pair_key(key, mix(constraint->read, constraint->write), TRIED);
    return seen_has(rf->classes, key, rf->sampler.journal);
}

static void try_pairs(struct rf *rf, const struct constraints *set)
{
    uint64_t key[2];
    seen_begin(rf->classes, rf->sampler.journal);
    for (uint32_t i = 0; i < set->count; i++) {
        pair_key(key, mix(set->list[i].read, set->list[i].write), TRIED);
        if (!set->list[i].forbids)
            seen_add(rf->classes, key, rf->sampler.journal);
    }
}

static bool may_see(const struct event *read, const struct event *write)
{
    return read->object == write->object && !(op_waits_for_lock((enum op_kind)read->kind) &&
                                              op_owns_lock((enum op_kind)write->kind));
}

/* Draws any known read, with a known write that it may read from or the value at the start. */
static struct constraint any_constraint(const struct rf *rf, struct rng *rng)
{
    const struct event *read = &rf->reads[rng_below(rng, rf->now.read_count)];
    uint32_t fitting = 1;
    uint64_t write = 0;
    for (uint32_t i = 0; i < rf->now.write_count; i++)
        if (may_see(read, &rf->writes[i]) && rng_below(rng, ++fitting) == 0)
            write = rf->writes[i].name;
    return (struct constraint){.read = read->name,
                               .write = write,
                               .object = read->object,
                               .forbids = rng_below(rng, 16) == 0};
}

/* Draws a constraint that no execution has shown or was to show. If none is drawn, it is half of
 * the time one that was tried without success, else any: a constraint that is impossible would keep
 * all executions alike. */
static bool new_constraint(const struct rf *rf, struct rng *rng, struct constraint *out)
{
    bool found = false, insist = rng_below(rng, 2) == 0;
    for (int tries = 0; tries < TRIES && rf->now.read_count > 0; tries++) {
        struct constraint drawn = any_constraint(rf, rng);
        bool shown = was_shown(rf, &drawn);
        if (!found || (insist && !shown))
            *out = drawn;
        found = true;
        if (!shown && !was_tried(rf, &drawn)) {
            *out = drawn;
            out->forbids = 0;
            break;
        }
    }
    return found;
}

static void mutate(const struct rf *rf, struct rng *rng, struct constraints *set)
{
    uint32_t at = set->count > 0 ? rng_below(rng, (uint32_t)set->count) : 0;
    struct constraint made;
    switch (set->count == 0 ? 0 : rng_below(rng, 4)) {
    case 0: /* adds a constraint, or replaces one if there is no room */
        if (!new_constraint(rf, rng, &made))
            return;
        set->list[set->count < CONSTRAINTS_MAX ? set->count++ : at] = made;
        return;
    case 1:
        if (new_constraint(rf, rng, &made))
            set->list[at] = made;
        return;
    case 2:
        set->list[at] = set->list[--set->count];
        return;
    default:
        set->list[at].forbids ^= 1;
        return;
    }
}

static bool rf_plan(void *state, struct schedule *next)
{
    struct rf *rf = state;
    if (!sampler_plan(&rf->sampler, next))
        return false;
    struct rng rng = {.state = ~next->seed};
    struct constraints set;
    pick_kept(rf, &rng, &set);
    mutate(rf, &rng, &set);
    try_pairs(rf, &set);
    journal_save(rf->sampler.journal, &rf->now, sizeof rf->now);
    rf->now.current = set;
    return true;
}

/* Whether running this operation now would break a constraint. */
static bool breaks(const struct constraints *set, const struct last_writes *last,
                   const struct op *op)
{
    if (op->object == NO_OBJECT || op_concerns_thread(op->kind) || set->count == 0)
        return false;
    uint64_t name = event_name(op), seen = last_write(last, op->object);
    for (uint32_t i = 0; i < set->count; i++) {
        const struct constraint *at = &set->list[i];
        if (at->object != op->object || last->done >> i & 1)
            continue;
        bool sees = seen == at->write;
        if (name == at->read && op_reads(op)) {
            if (sees == (at->forbids != 0))
                return true;
        } else if (op_writes(op) && sees && !at->forbids && name != at->write) {
            return true; /* the read of the constraint has not come yet */
        }
    }
    return false;
}

/* Ends the constraints whose read has happened: otherwise writes would wait forever. */
static void constraints_end(const struct constraints *set, struct last_writes *last,
                            const struct op *op)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (set->list[i].object == op->object && set->list[i].read == event_name(op))
            last->done |= 1ul << i;
}

static void follow(const struct rf *rf, struct pilot *pilot, const struct choice_point *at)
{
    if (pilot->position == 0) {
        rf->flight->stamp++;
        rf->flight->done = 0;
    }
    for (uint32_t step = pilot_first_new(pilot); step < at->step; step++) {
        constraints_end(&rf->now.current, rf->flight, &at->steps[step].op);
        write_happens(rf->flight, &at->steps[step]);
    }
}

static struct decision rf_choose(struct pilot *pilot, const struct choice_point *at)
{
    const struct rf *rf = pilot->state;
    follow(rf, pilot, at);
    events_look(rf->events, pilot, at);
    thread_set may = at->enabled;
    THREADS_EACH(thread, &at->enabled)
    if (breaks(&rf->now.current, rf->flight, &at->pending[thread]))
        thread_set_remove(&may, thread);
    const thread_set *among = thread_set_is_empty(&may) ? &at->enabled : &may;
    return sampler_decide(pilot, at, events_take(rf->events, at, among));
}

/* Whether the execution shows the pair for the first time. */
static bool pair_is_new(struct pair_set *pairs, uint64_t pair)
{
    if (pairs->count >= PAIRS / 2)
        return false;
    for (uint32_t at = (uint32_t)pair % PAIRS;; at = (at + 1) % PAIRS) {
        if (pairs->slots[at].stamp != pairs->stamp) {
            pairs->slots[at].stamp = pairs->stamp;
            pairs->slots[at].pair = pair;
            pairs->count++;
            return true;
        }
        if (pairs->slots[at].pair == pair)
            return false;
    }
}

static void know_event(struct rf *rf, struct event *list, uint32_t *count, const struct op *op,
                       uint64_t salt)
{
    uint64_t name = event_name(op), key[2] = {mix(name, salt), name ^ salt};
    if (*count < EVENTS_MAX && pair_is_new(rf->pairs, key[0]) &&
        seen_add(rf->classes, key, rf->sampler.journal))
        list[(*count)++] = (struct event){.name = name, .object = op->object, .kind = op->kind};
}

/* Notes reads, writes and which read from which. Returns whether the execution is of a new
 * reads-from class. */
static bool look_at(struct rf *rf, const struct trace *trace)
{
    struct journal *journal = rf->sampler.journal;
    uint64_t class[2] = {1, 2}, key[2];
    journal_save(journal, &rf->now, sizeof rf->now);
    seen_begin(rf->classes, journal);
    /* The stamp is never saved: a repeated transaction starts with an empty table, too. */
    rf->learning->stamp++;
    rf->pairs->stamp++;
    rf->pairs->count = 0;
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct step *step = &trace->steps[i];
        if (op_reads(&step->op)) {
            uint64_t read = event_name(&step->op);
            uint64_t pair = mix(read, last_write(rf->learning, step->op.object));
            if (pair_is_new(rf->pairs, pair)) {
                class[0] += mix(pair, 3);
                class[1] += mix(pair, 5);
                pair_key(key, pair, SHOWN);
                seen_add(rf->classes, key, journal);
            }
            know_event(rf, rf->reads, &rf->now.read_count, &step->op, 7);
        }
        if (op_writes(&step->op) && !(step->flags & STEP_FAILED))
            know_event(rf, rf->writes, &rf->now.write_count, &step->op, 11);
        write_happens(rf->learning, step);
    }
    return seen_add(rf->classes, class, journal);
}

static void rf_learn(void *state, const struct trace *trace)
{
    struct rf *rf = state;
    if (look_at(rf, trace) && rf->now.kept_count < KEPT_MAX)
        rf->kept[rf->now.kept_count++] = rf->now.current;
}

static void rf_watch(void *state, const struct trace *trace)
{
    look_at(state, trace);
}

static struct progress rf_progress(const void *state)
{
    return sampler_progress();
}

static bool rf_split(void *state, const struct trace *trace, struct parcel *out)
{
    struct rf *rf = state;
    return sampler_split(&rf->sampler, &strategy_rf, out);
}

static bool rf_adopt(void *state, const struct subtree *subtree)
{
    struct rf *rf = state;
    return sampler_adopt(&rf->sampler, subtree);
}

const struct strategy strategy_rf = {
    .name = "rf",
    .summary = "which write each read sees, changed a little where that showed something new",
    .state_size = sizeof(struct rf),
    .open = rf_open,
    .plan = rf_plan,
    .choose = rf_choose,
    .learn = rf_learn,
    .watch = rf_watch,
    .progress = rf_progress,
    .more_points = sampler_more_points,
    .sharing.split = rf_split,
    .sharing.adopt = rf_adopt,
};
