/* Forces idioms that no execution has shown yet (Maple: Yu, Narayanasamy, Pereira and Pokam 2012).
 *
 * The first executions only look at what the threads do. From that it follows which idioms
 * (idiom.h) may be possible. Each further execution is to show one of them: threads have random
 * priorities, and a thread that would spoil the idiom is held back as long as another one can run.
 * An idiom that was tried a few times without success counts as impossible. When no idiom is left
 * to try, executions only look again, and the search ends when they show nothing new. */
#include <string.h>

#include "strategy/guided/idiom.h"
#include "strategy/sampling/sampler.h"

extern const struct strategy strategy_idiom;

enum {
    TRIES_MAX = 3,   /* tries of one idiom */
    LOOKS_FIRST = 3, /* executions at the beginning that only look */
    /* Executions that only look after the last new class, when no idiom is left to try. */
    LOOKS_LAST = 16,
    PATIENCE = 1 << 10, /* limit of decisions at which threads are held back */
};
/* How threads are chosen in the planned execution (schedule.hint). All modes but the last only
 * look. */
enum mode { MODE_DEFAULT, MODE_RANDOM, MODE_PRIORITIES, MODE_ACTIVE };

struct flight {    /* State of the execution in flight. */
    uint32_t done; /* number of events of the idiom that have happened */
    uint32_t held; /* number of decisions at which a thread was held back */
    /* Number of first events still to be skipped: each try begins with another instance. */
    uint32_t skip;
    /* Creations of threads run first: otherwise the events of late threads could hardly come
     * first. */
    bool crowds;
    thread_id thread[2]; /* the threads A and B; NO_THREAD: not known yet */
    uint32_t object[2];
    uint64_t priority[THREADS_MAX]; /* 0: not drawn yet */
};

struct search {
    struct sampler sampler;
    struct idioms idioms;
    struct flight *flight;
    struct {
        struct idiom target; /* the idiom that the execution in flight is to show */
        uint32_t looked;     /* number of executions that only looked */
        uint32_t looks;      /* executions that are still to look only */
        uint32_t turn;       /* the next pattern to try */
        /* Executions that only look before the search ends, when no idiom is left to try. */
        uint32_t last_looks;
    } now;
};

static void idiom_open(void *state, const struct strategy_options *options, struct arena *arena,
                       struct journal *journal)
{
    struct search *search = state;
    memset(search, 0, sizeof *search);
    sampler_open(&search->sampler, options, journal);
    search->flight = arena_take(arena, sizeof *search->flight);
    idioms_open(&search->idioms, options, arena, journal);
    search->now.looks = LOOKS_FIRST;
    search->now.last_looks = LOOKS_LAST;
}

/* An idiom of a pattern that was neither shown nor tried too often: the first one from a random
 * place on. */
static struct idiom *untested(struct search *search, uint32_t pattern, struct rng *rng)
{
    uint32_t count = search->idioms.now.count[pattern];
    uint32_t first = count > 0 ? rng_below(rng, count) : 0;
    for (uint32_t i = 0; i < count; i++) {
        struct idiom *idiom = &search->idioms.list[pattern][(first + i) % count];
        if (idiom->tries < TRIES_MAX &&
            !idiom_was_shown(&search->idioms, idiom, search->sampler.journal))
            return idiom;
    }
    return NULL;
}

static bool aim(struct search *search, struct rng *rng)
{
    for (uint32_t i = 0; i < PATTERNS; i++) {
        uint32_t pattern = (search->now.turn + i) % PATTERNS;
        struct idiom *idiom = untested(search, pattern, rng);
        if (idiom == NULL)
            continue;
        search->now.turn = pattern + 1;
        search->now.target = *idiom;
        journal_save(search->sampler.journal, idiom, sizeof *idiom);
        idiom->tries++;
        return true;
    }
    return false;
}

/* Plans an execution that only looks: no thread is held back. The first one takes the default
 * order. Then the thread is drawn at each step, or priorities decide, in turn. */
static bool look(struct search *search, struct schedule *next)
{
    if (search->now.looks == 0 && search->now.last_looks == 0)
        return false;
    search->now.looks > 0 ? search->now.looks-- : search->now.last_looks--;
    next->hint = search->now.looked == 0  ? MODE_DEFAULT
                 : search->now.looked % 2 ? MODE_RANDOM
                                          : MODE_PRIORITIES;
    search->now.looked++;
    search->now.target = (struct idiom){0};
    return true;
}

static bool idiom_plan(void *state, struct schedule *next)
{
    struct search *search = state;
    if (!sampler_plan(&search->sampler, next))
        return false;
    struct rng rng = {.state = ~next->seed};
    journal_save(search->sampler.journal, &search->now, sizeof search->now);
    if (search->now.looks == 0 && aim(search, &rng)) {
        next->hint = MODE_ACTIVE;
        return true;
    }
    return look(search, next);
}

/* Whether the operation would be this event of the idiom. */
static bool is_event(const struct idiom *idiom, const struct flight *flight, uint32_t event,
                     thread_id thread, const struct op *op)
{
    const struct pattern *pattern = &patterns[idiom->pattern];
    if (!idiom_counts(op) || idiom_event(op) != idiom->event[event])
        return false;
    uint8_t role = pattern->thread[event], which = pattern->object[event];
    if (flight->thread[role] != NO_THREAD ? flight->thread[role] != thread
                                          : flight->thread[!role] == thread)
        return false;
    return flight->object[which] != NO_OBJECT ? flight->object[which] == op->object
                                              : flight->object[!which] != op->object;
}

/* Whether the operation would come between an event that has happened and the one that depends on
 * it. */
static bool spoils(const struct idiom *idiom, const struct flight *flight, const struct op *op)
{
    const struct pattern *pattern = &patterns[idiom->pattern];
    if (!idiom_counts(op))
        return false;
    for (uint32_t event = flight->done; event < pattern->count; event++)
        if (pattern->after[event] < flight->done &&
            flight->object[pattern->object[event]] == op->object &&
            op_access(op->kind) == OP_ACCESS_WRITE)
            return true;
    return false;
}

static bool is_later_event(const struct idiom *idiom, const struct flight *flight, thread_id thread,
                           const struct op *op)
{
    for (uint32_t event = flight->done + 1; event < patterns[idiom->pattern].count; event++)
        if (is_event(idiom, flight, event, thread, op))
            return true;
    return false;
}

static void flight_begin(struct flight *flight)
{
    flight->done = 0;
    flight->thread[0] = flight->thread[1] = NO_THREAD;
    flight->object[0] = flight->object[1] = NO_OBJECT;
}

static void step_happens(const struct idiom *idiom, struct flight *flight, const struct step *step)
{
    const struct pattern *pattern = &patterns[idiom->pattern];
    if (flight->done == pattern->count)
        return;
    if (flight->skip > 0 && is_event(idiom, flight, 0, step->thread, &step->op)) {
        flight->skip--;
        return;
    }
    if (is_event(idiom, flight, flight->done, step->thread, &step->op)) {
        flight->thread[pattern->thread[flight->done]] = step->thread;
        flight->object[pattern->object[flight->done]] = step->op.object;
        flight->done++;
    } else if (spoils(idiom, flight, &step->op)) {
        flight_begin(flight);
    }
}

static void follow(const struct search *search, struct pilot *pilot, const struct choice_point *at)
{
    struct flight *flight = search->flight;
    if (pilot->position == 0) {
        memset(flight, 0, sizeof *flight);
        flight_begin(flight);
        flight->crowds = rng_below(&pilot->rng, 2) == 0;
        flight->skip = rng_below(&pilot->rng, search->now.target.tries + 1u);
    }
    for (uint32_t step = pilot_first_new(pilot); step < at->step; step++)
        step_happens(&search->now.target, flight, &at->steps[step]);
    pilot_looked(pilot, at);
    THREADS_EACH(thread, &at->enabled)
    if (flight->priority[thread] == 0)
        flight->priority[thread] = rng_next(&pilot->rng) | 1;
}

/* The highest rank runs first. */
enum rank { RANK_SPOILS, RANK_LATER, RANK_WAITS, RANK_FREE, RANK_NEXT };

static enum rank rank_of(const struct search *search, const struct choice_point *at,
                         thread_id thread)
{
    const struct idiom *idiom = &search->now.target;
    const struct flight *flight = search->flight;
    const struct pattern *pattern = &patterns[idiom->pattern];
    const struct op *op = &at->pending[thread];
    if (idiom->event[0] == 0 || flight->done == pattern->count || flight->held > PATIENCE)
        return RANK_FREE;
    if (is_event(idiom, flight, flight->done, thread, op))
        return flight->skip > 0 ? RANK_FREE : RANK_NEXT;
    if (spoils(idiom, flight, op))
        return RANK_SPOILS;
    if (is_later_event(idiom, flight, thread, op))
        return RANK_LATER;
    bool others_turn = flight->thread[!pattern->thread[flight->done]] == thread;
    return others_turn ? RANK_WAITS : RANK_FREE;
}

static uint64_t priority_of(const struct flight *flight, const struct choice_point *at,
                            thread_id thread)
{
    return flight->crowds && at->pending[thread].kind == OP_CREATE ? UINT64_MAX
                                                                   : flight->priority[thread];
}

static struct decision idiom_choose(struct pilot *pilot, const struct choice_point *at)
{
    const struct search *search = pilot->state;
    if (pilot->schedule->hint == MODE_DEFAULT)
        return decision_nth(at, 0);
    if (pilot->schedule->hint == MODE_RANDOM)
        return decision_nth(at, rng_below(&pilot->rng, at->alternatives));
    follow(search, pilot, at);
    thread_id best = NO_THREAD;
    enum rank best_rank = RANK_SPOILS;
    THREADS_EACH(thread, &at->enabled)
    {
        enum rank rank = rank_of(search, at, thread);
        search->flight->held += rank < RANK_WAITS;
        if (best == NO_THREAD || rank > best_rank ||
            (rank == best_rank &&
             priority_of(search->flight, at, thread) > priority_of(search->flight, at, best))) {
            best = thread;
            best_rank = rank;
        }
    }
    return sampler_decide(pilot, at, best);
}

static void idiom_learn(void *state, const struct trace *trace)
{
    struct search *search = state;
    struct journal *journal = search->sampler.journal;
    idioms_learn(&search->idioms, trace, journal);
    if (idioms_meet_class(&search->idioms, trace->class, journal)) {
        journal_save(journal, &search->now, sizeof search->now);
        search->now.last_looks = LOOKS_LAST;
    }
    if (search->now.target.event[0] != 0 && search->now.target.tries + 1 == TRIES_MAX)
        idiom_is_done(&search->idioms, &search->now.target, trace, journal);
}

static struct progress idiom_progress(const void *state)
{
    return sampler_progress();
}

/* Looks again: predictions made so far do not know the new scheduling points. */
static void idiom_more_points(void *state)
{
    struct search *search = state;
    journal_save(search->sampler.journal, &search->now, sizeof search->now);
    search->now.looks = search->now.looks > 0 ? search->now.looks : 1;
}

static bool idiom_split(void *state, const struct trace *trace, struct parcel *out)
{
    struct search *search = state;
    return sampler_split(&search->sampler, &strategy_idiom, out);
}

static bool idiom_adopt(void *state, const struct subtree *subtree)
{
    struct search *search = state;
    return sampler_adopt(&search->sampler, subtree);
}

const struct strategy strategy_idiom = {
    .name = "idiom",
    .summary = "patterns of accesses of two threads that no execution has shown, forced one by one",
    .traits.remembers = true,
    .state_size = sizeof(struct search),
    .open = idiom_open,
    .plan = idiom_plan,
    .choose = idiom_choose,
    .learn = idiom_learn,
    .progress = idiom_progress,
    .more_points = idiom_more_points,
    .sharing.split = idiom_split,
    .sharing.adopt = idiom_adopt,
};
