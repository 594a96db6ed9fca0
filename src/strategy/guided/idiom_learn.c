/* Learns from executions which idioms they show, and which others they let expect.
 *
 * An idiom is shown if its events happened as the pattern says, those of one thread close to each
 * other. An idiom is predicted if its events were seen, each in its thread and on its object, and
 * no creation or join of a thread forbids their order. Whether locks and data forbid it shows when
 * it is tried. */
#include <string.h>

#include "base/mix.h"
#include "strategy/guided/idiom.h"

enum {
    SLOTS = 1 << 12, /* slots for the objects of an execution, by the low bits of their numbers */
    ACCESSES_MAX = 512, /* limit of distinct (thread, event, object) of an execution */
    /* Limit of distinct pairs of accesses that are close to each other in a thread. */
    LOCALS_MAX = 1024,
    /* Limit of distinct sets of steps that come before all further steps of a thread. */
    VERSIONS_MAX = 512,
};
#define NONE UINT32_MAX
enum {
    SHOWN = 13,
    PREDICTED = 17,
    CLOSE = 19,
    ACCESSED = 23,
    REMEMBERED = 29,
    /* Distinguish the keys of different facts. */
    MET = 31
};

const struct pattern patterns[PATTERNS] = {
    {2, {0, 1}, {0, 0}, {NO_EVENT, 0}},
    {3, {0, 1, 0}, {0, 0, 0}, {NO_EVENT, 0, 1}},
    {4, {0, 1, 1, 0}, {0, 0, 0, 0}, {NO_EVENT, 0, NO_EVENT, 2}},
    {4, {0, 1, 1, 0}, {0, 0, 1, 1}, {NO_EVENT, 0, NO_EVENT, 2}},
    {4, {0, 1, 1, 0}, {0, 1, 0, 1}, {NO_EVENT, NO_EVENT, 0, 1}}, /* also how a deadlock begins */
};

struct access { /* All that a thread does to an object at one place. */
    uint64_t event;
    uint32_t object;
    thread_id thread;
    uint8_t kind;
    uint32_t first, last; /* its first and its last step */
    uint32_t version;     /* what came before the first step: an index of `before` */
};

struct local {            /* Two accesses of one thread that are close to each other. */
    uint16_t early, late; /* indices of accesses */
};

struct idiom_scratch { /* Of the execution that is learnt from. */
    uint64_t stamp;
    struct {
        uint64_t stamp;
        uint32_t object, write, read; /* the last steps that wrote and read the object; NONE */
    } slots[SLOTS];
    uint32_t newest[THREADS_MAX]; /* the last event of each thread; NONE */
    uint32_t version[THREADS_MAX];
    /* 1 + the last step of each thread that comes before, by creations and joins alone. */
    uint32_t before[VERSIONS_MAX][THREADS_MAX];
    uint32_t version_count, access_count, local_count;
    struct access accesses[ACCESSES_MAX];
    struct local locals[LOCALS_MAX];
    uint16_t access_slots[2 * ACCESSES_MAX]; /* 1 + the index of an access; 0: free */
    struct link {                            /* By step. */
        uint32_t earlier;                    /* the event of the same thread before; NONE */
        uint32_t cause; /* the step of another thread that this one depends on; NONE */
        /* The last step that depends on this one; the next step with the same cause. */
        uint32_t effect, sibling;
        uint16_t access; /* 1 + the index of the step's access; 0: none */
    } links[];
};

bool idiom_counts(const struct op *op)
{
    return op_traits(op->kind)->weight != OP_WEIGHT_RELEASE && op->object != NO_OBJECT &&
           !op_concerns_thread(op->kind) && op_access(op->kind) != OP_ACCESS_NONE &&
           !op_depends_on_all(op->kind);
}

uint64_t idiom_event(const struct op *op)
{
    return mix(op->site, op->kind) | 1;
}

bool idiom_conflict(enum op_kind a, enum op_kind b)
{
    return op_access(a) == OP_ACCESS_WRITE || op_access(b) == OP_ACCESS_WRITE;
}

/* Whether the key was remembered before; remembers it. */
static bool has_remembered(struct idioms *idioms, const uint64_t key[2], struct journal *journal)
{
    uint64_t remembered[2] = {mix(key[0], REMEMBERED), key[1]};
    if (seen_has_by_now(idioms->seen, remembered, journal))
        return true;
    seen_add(idioms->seen, remembered, journal);
    return false;
}

void idioms_open(struct idioms *idioms, const struct strategy_options *options, struct arena *arena,
                 struct journal *journal)
{
    memset(idioms, 0, sizeof *idioms);
    for (int i = 0; i < PATTERNS; i++)
        idioms->list[i] = arena_take(arena, IDIOMS_MAX * sizeof *idioms->list[i]);
    idioms->scratch = arena_take(arena, sizeof *idioms->scratch +
                                            options->steps_max * sizeof *idioms->scratch->links);
    idioms->seen = seen_open(arena, (arena->capacity - arena->used) / 2);
    idioms->memo = options->memo;
    for (uint64_t i = 0; idioms->memo != NULL && i < idioms->memo->count; i++) {
        seen_add(idioms->seen, idioms->memo->keys[i], journal);
        has_remembered(idioms, idioms->memo->keys[i], journal);
    }
}

static void known_key(uint64_t key[2], const struct idiom *idiom, uint64_t known)
{
    key[0] = mix(idiom->pattern, known);
    key[1] = known;
    for (int i = 0; i < EVENTS_EACH; i++) {
        key[0] = mix(key[0], idiom->event[i]);
        key[1] = mix_chain(key[1], idiom->event[i], MIX_SECOND);
    }
}

void idiom_key(uint64_t key[2], const struct idiom *idiom)
{
    known_key(key, idiom, SHOWN);
}

bool idiom_was_shown(const struct idioms *idioms, const struct idiom *idiom,
                     const struct journal *journal)
{
    uint64_t key[2];
    idiom_key(key, idiom);
    return seen_has_by_now(idioms->seen, key, journal);
}

static void remember(struct idioms *idioms, const uint64_t key[2], struct journal *journal)
{
    struct memo *memo = idioms->memo;
    if (memo == NULL || memo->count == MEMO_MAX || has_remembered(idioms, key, journal))
        return; /* without room, the idiom is only tested again */
    memcpy(memo->keys[memo->count], key, sizeof memo->keys[0]);
    journal_save(journal, &memo->count, sizeof memo->count);
    memo->count++;
}

void idiom_is_done(struct idioms *idioms, const struct idiom *idiom, const struct trace *trace,
                   struct journal *journal)
{
    uint64_t key[2];
    idiom_key(key, idiom);
    seen_add(idioms->seen, key, journal);
    if (trace->outcome == OUTCOME_FINISHED) /* an execution that fails must be found again */
        remember(idioms, key, journal);
}

static void forget_execution(struct idiom_scratch *scratch)
{
    /* The stamp is never saved: a repeated transaction starts with an empty table, too. */
    scratch->stamp++;
    scratch->version_count = 1;
    scratch->access_count = scratch->local_count = 0;
    memset(scratch->newest, 0xff, sizeof scratch->newest);
    memset(scratch->version, 0, sizeof scratch->version);
    memset(scratch->before[0], 0, sizeof scratch->before[0]);
    memset(scratch->access_slots, 0, sizeof scratch->access_slots);
}

/* Notes creations and joins. A new thread starts with what came before in its creator. A thread
 * that joins another one gets what came before in that one. */
static void note_order(struct idiom_scratch *scratch, const struct step *step, uint32_t number)
{
    uint32_t other = step->op.second;
    bool joins = step->op.kind == OP_JOIN;
    if ((!joins && step->op.kind != OP_CREATE) || other >= THREADS_MAX ||
        scratch->version_count == VERSIONS_MAX)
        return;
    thread_id to = joins ? step->thread : (thread_id)other;
    thread_id from = joins ? (thread_id)other : step->thread;
    uint32_t version = scratch->version_count++;
    uint32_t *after = scratch->before[version];
    const uint32_t *gets = scratch->before[scratch->version[from]];
    memcpy(after, scratch->before[scratch->version[to]], sizeof scratch->before[version]);
    for (uint32_t i = 0; i < THREADS_MAX; i++)
        after[i] = after[i] > gets[i] ? after[i] : gets[i];
    after[from] = number + 1;
    scratch->version[to] = version;
}

/* Notes the access of a step. Returns the last step of another thread that it depends on, or
 * NONE. */
static uint32_t note_access(struct idiom_scratch *scratch, const struct step *steps,
                            uint32_t number)
{
    const struct op *op = &steps[number].op;
    uint32_t slot = op->object % SLOTS;
    if (scratch->slots[slot].stamp != scratch->stamp || scratch->slots[slot].object != op->object) {
        scratch->slots[slot].stamp = scratch->stamp;
        scratch->slots[slot].object = op->object;
        scratch->slots[slot].write = scratch->slots[slot].read = NONE;
    }
    bool writes = op_access(op->kind) == OP_ACCESS_WRITE && !(steps[number].flags & STEP_FAILED);
    uint32_t write = scratch->slots[slot].write, read = scratch->slots[slot].read;
    uint32_t cause = writes && read != NONE && (write == NONE || read > write) ? read : write;
    *(writes ? &scratch->slots[slot].write : &scratch->slots[slot].read) = number;
    return cause != NONE && steps[cause].thread != steps[number].thread ? cause : NONE;
}

/* Returns 1 + the index of the step's access; 0: there is no room. */
static uint16_t access_find(struct idiom_scratch *scratch, const struct step *step, uint32_t number)
{
    uint64_t event = idiom_event(&step->op);
    uint64_t hash = mix(event + step->thread, step->op.object);
    for (uint32_t slot = (uint32_t)hash % (2 * ACCESSES_MAX);;
         slot = (slot + 1) % (2 * ACCESSES_MAX)) {
        uint16_t found = scratch->access_slots[slot];
        if (found == 0) {
            if (scratch->access_count == ACCESSES_MAX)
                return 0;
            scratch->accesses[scratch->access_count++] =
                (struct access){.event = event,
                                .object = step->op.object,
                                .thread = step->thread,
                                .kind = step->op.kind,
                                .first = number,
                                .last = number,
                                .version = scratch->version[step->thread]};
            return scratch->access_slots[slot] = (uint16_t)scratch->access_count;
        }
        struct access *access = &scratch->accesses[found - 1];
        if (access->event == event && access->object == step->op.object &&
            access->thread == step->thread) {
            access->last = number;
            return found;
        }
    }
}

static void link_step(struct idiom_scratch *scratch, const struct step *steps, uint32_t number)
{
    const struct step *step = &steps[number];
    struct link *link = &scratch->links[number];
    *link =
        (struct link){.earlier = scratch->newest[step->thread], .effect = NONE, .sibling = NONE};
    link->cause = note_access(scratch, steps, number);
    link->access = access_find(scratch, step, number);
    scratch->newest[step->thread] = number;
    if (link->cause == NONE)
        return;
    struct link *cause = &scratch->links[link->cause];
    link->sibling = cause->effect;
    cause->effect = number;
}

static void show(struct idioms *idioms, const struct trace *trace, uint8_t pattern,
                 const uint32_t steps[EVENTS_EACH], struct journal *journal)
{
    struct idiom idiom = {.pattern = pattern};
    for (uint32_t i = 0; i < patterns[pattern].count; i++)
        idiom.event[i] = idiom_event(&trace->steps[steps[i]].op);
    idiom_is_done(idioms, &idiom, trace, journal);
}

/* Shows the idiom of two dependences that cross: `late` depends on `cause`; `effect`, of the thread
 * of `cause`, depends on `early`, of the thread of `late`. */
static void show_crossing(struct idioms *idioms, const struct trace *trace, uint32_t early,
                          uint32_t effect, uint32_t cause, uint32_t late, struct journal *journal)
{
    bool same = trace->steps[early].op.object == trace->steps[late].op.object;
    if (same && effect == cause)
        show(idioms, trace, 1, (uint32_t[]){early, effect, late, 0}, journal);
    else if (effect < cause)
        show(idioms, trace, same ? 2 : 3, (uint32_t[]){early, effect, cause, late}, journal);
    else if (!same)
        show(idioms, trace, 4, (uint32_t[]){early, cause, effect, late}, journal);
}

static void show_all_of(struct idioms *idioms, const struct trace *trace, uint32_t late,
                        struct journal *journal)
{
    const struct link *links = idioms->scratch->links;
    uint32_t cause = links[late].cause;
    if (cause == NONE)
        return;
    show(idioms, trace, 0, (uint32_t[]){cause, late, 0, 0}, journal);
    uint32_t early = links[late].earlier;
    for (int i = 0; i < IDIOM_WINDOW && early != NONE; i++, early = links[early].earlier) {
        for (uint32_t effect = links[early].effect; effect != NONE; effect = links[effect].sibling)
            if (trace->steps[effect].thread == trace->steps[cause].thread && effect < late)
                show_crossing(idioms, trace, early, effect, cause, late, journal);
        if (trace->steps[early].op.object == trace->steps[late].op.object)
            break; /* `late` does not follow on accesses before this one */
    }
}

/* Whether all steps of `early` come before all steps of `late` in every schedule. */
static bool always_before(const struct idiom_scratch *scratch, const struct access *early,
                          const struct access *late)
{
    return scratch->before[late->version][early->thread] > early->last;
}

static bool may_follow(const struct idiom_scratch *scratch, const struct access *late,
                       const struct access *early)
{
    return late->thread != early->thread && late->object == early->object &&
           idiom_conflict(late->kind, early->kind) && !always_before(scratch, late, early);
}

static void predict(struct idioms *idioms, uint8_t pattern,
                    const struct access *const events[EVENTS_EACH], struct journal *journal)
{
    for (uint32_t i = 0; i < patterns[pattern].count; i++) {
        uint8_t cause = patterns[pattern].after[i];
        if (cause != NO_EVENT && !may_follow(idioms->scratch, events[i], events[cause]))
            return;
    }
    struct idiom idiom = {.pattern = pattern};
    uint64_t key[2];
    for (uint32_t i = 0; i < patterns[pattern].count; i++)
        idiom.event[i] = events[i]->event;
    known_key(key, &idiom, PREDICTED);
    if (!seen_add(idioms->seen, key, journal) || idiom_was_shown(idioms, &idiom, journal))
        return;
    if (idioms->now.count[pattern] < IDIOMS_MAX)
        idioms->list[pattern][idioms->now.count[pattern]++] = idiom;
    else
        idioms->now.dropped++;
}

static void predict_pairs(struct idioms *idioms, struct journal *journal)
{
    const struct idiom_scratch *scratch = idioms->scratch;
    for (uint32_t i = 0; i < scratch->access_count; i++)
        for (uint32_t k = 0; k < scratch->access_count; k++)
            if (scratch->accesses[i].object == scratch->accesses[k].object)
                predict(
                    idioms, 0,
                    (const struct access *[]){&scratch->accesses[i], &scratch->accesses[k], 0, 0},
                    journal);
}

/* Predicts two accesses of A with one of B between them. */
static void predict_between(struct idioms *idioms, const struct access *early,
                            const struct access *late, struct journal *journal)
{
    const struct idiom_scratch *scratch = idioms->scratch;
    for (uint32_t i = 0; early->object == late->object && i < scratch->access_count; i++)
        if (scratch->accesses[i].object == early->object)
            predict(idioms, 1, (const struct access *[]){early, &scratch->accesses[i], late, 0},
                    journal);
}

/* Predicts two accesses of A that cross two of B. */
static void predict_crossing(struct idioms *idioms, const struct access *early,
                             const struct access *late, struct journal *journal)
{
    const struct idiom_scratch *scratch = idioms->scratch;
    bool same = early->object == late->object;
    for (uint32_t i = 0; i < scratch->local_count; i++) {
        const struct access *first = &scratch->accesses[scratch->locals[i].early];
        const struct access *second = &scratch->accesses[scratch->locals[i].late];
        if (first->thread == early->thread)
            continue;
        if (first->object == early->object && second->object == late->object)
            predict(idioms, same ? 2 : 3, (const struct access *[]){early, first, second, late},
                    journal);
        if (!same && first->object == late->object && second->object == early->object)
            predict(idioms, 4, (const struct access *[]){early, first, second, late}, journal);
    }
}

/* Finds the accesses of a thread that are close to each other. Returns whether some pair is new. */
static bool find_locals(struct idioms *idioms, const struct trace *trace, struct journal *journal)
{
    struct idiom_scratch *scratch = idioms->scratch;
    bool new = false;
    for (uint32_t late = 0; late < trace->count; late++) {
        if (!idiom_counts(&trace->steps[late].op) || scratch->links[late].access == 0)
            continue;
        uint32_t early = scratch->links[late].earlier;
        for (int i = 0; i < IDIOM_WINDOW && early != NONE;
             i++, early = scratch->links[early].earlier) {
            struct local local = {.early = (uint16_t)(scratch->links[early].access - 1),
                                  .late = (uint16_t)(scratch->links[late].access - 1)};
            bool known = scratch->links[early].access == 0 || scratch->local_count == LOCALS_MAX;
            for (uint32_t k = 0; !known && k < scratch->local_count; k++)
                known = memcmp(&scratch->locals[k], &local, sizeof local) == 0;
            if (known)
                continue;
            scratch->locals[scratch->local_count++] = local;
            const struct access *a = &scratch->accesses[local.early],
                                *b = &scratch->accesses[local.late];
            uint64_t key[2] = {mix(mix(a->event, b->event), mix(a->object, b->object)),
                               mix(a->thread, CLOSE)};
            new |= seen_add(idioms->seen, key, journal);
        }
    }
    return new;
}

static bool find_accesses(struct idioms *idioms, struct journal *journal)
{
    const struct idiom_scratch *scratch = idioms->scratch;
    bool new = false;
    for (uint32_t i = 0; i < scratch->access_count; i++) {
        const struct access *access = &scratch->accesses[i];
        uint64_t key[2] = {mix(access->event, access->object), mix(access->thread, ACCESSED)};
        new |= seen_add(idioms->seen, key, journal);
    }
    return new;
}

static void predict_all(struct idioms *idioms, const struct trace *trace, struct journal *journal)
{
    const struct idiom_scratch *scratch = idioms->scratch;
    if (find_accesses(idioms, journal))
        predict_pairs(idioms, journal);
    if (!find_locals(idioms, trace, journal))
        return;
    for (uint32_t i = 0; i < scratch->local_count; i++) {
        const struct access *early = &scratch->accesses[scratch->locals[i].early];
        const struct access *late = &scratch->accesses[scratch->locals[i].late];
        predict_between(idioms, early, late, journal);
        predict_crossing(idioms, early, late, journal);
    }
}

void idioms_learn(struct idioms *idioms, const struct trace *trace, struct journal *journal)
{
    struct idiom_scratch *scratch = idioms->scratch;
    journal_save(journal, &idioms->now, sizeof idioms->now);
    seen_begin(idioms->seen, journal);
    forget_execution(scratch);
    for (uint32_t i = 0; i < trace->count; i++) {
        note_order(scratch, &trace->steps[i], i);
        if (idiom_counts(&trace->steps[i].op))
            link_step(scratch, trace->steps, i);
    }
    for (uint32_t i = 0; i < trace->count; i++)
        if (idiom_counts(&trace->steps[i].op))
            show_all_of(idioms, trace, i, journal);
    predict_all(idioms, trace, journal);
}

bool idioms_meet_class(struct idioms *idioms, const uint64_t class[2], struct journal *journal)
{
    return seen_add(idioms->seen, (uint64_t[]){mix(class[0], MET), class[1]}, journal);
}
