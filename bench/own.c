/* The cost of dpor itself, without a process: the search of lastzero, the indexer and the long
 * program, as bench/programs has them, with an engine that does next to nothing. Prints, for an
 * execution, its steps and the nanoseconds that go into the search (plan, choose, learn); of these,
 * into the order of its steps, and into the insertion of reversed races. The least of several
 * searches.
 *
 * own lastzero N | own indexer N | own long STEPS THREADS RACERS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <x86intrin.h>

#include "strategy/reduction/order.h"
#include "strategy/reduction/wakeup.h"
#include "strategy/strategy.h"

enum { STEPS_MAX = 40000, TOUCHES_MAX = 4 * STEPS_MAX, OBJECTS = 4096, REPEATS = 3 };
enum { SLOTS = 128, WORDS = 4, OWN = 16 }; /* of the indexer; of the long program */
#define ARENA_SIZE ((size_t)1 << 30)

/* Ticks of the processor. A call that takes longer than any should was interrupted: it counts as
 * much as the others do on average. */
#define INTERRUPTED 1500000ul
static struct meter {
    uint64_t ticks, calls, interrupted;
} in_plan, in_choose, in_order, in_insertion;

static void meter_add(struct meter *meter, uint64_t begin)
{
    uint64_t ticks = __rdtsc() - begin;
    meter->calls++;
    if (ticks > INTERRUPTED)
        meter->interrupted++;
    else
        meter->ticks += ticks;
}

static double meter_read(const struct meter *meter)
{
    double counted = (double)(meter->calls - meter->interrupted);
    return counted > 0 ? (double)meter->ticks * (double)meter->calls / counted : 0;
}

void __real_order_learn(struct order *order, const struct trace *trace, const struct event *taken,
                        uint32_t same, uint32_t first_new);
void __wrap_order_learn(struct order *order, const struct trace *trace, const struct event *taken,
                        uint32_t same, uint32_t first_new);
void __wrap_order_learn(struct order *order, const struct trace *trace, const struct event *taken,
                        uint32_t same, uint32_t first_new)
{
    uint64_t begin = __rdtsc();
    __real_order_learn(order, trace, taken, same, first_new);
    meter_add(&in_order, begin);
}

bool __real_wakeup_insert(struct wakeup *wakeup, uint32_t *list, struct event *events,
                          uint32_t count);
bool __wrap_wakeup_insert(struct wakeup *wakeup, uint32_t *list, struct event *events,
                          uint32_t count);
bool __wrap_wakeup_insert(struct wakeup *wakeup, uint32_t *list, struct event *events,
                          uint32_t count)
{
    uint64_t begin = __rdtsc();
    bool added = __real_wakeup_insert(wakeup, list, events, count);
    meter_add(&in_insertion, begin);
    return added;
}

struct program {
    struct op (*next)(uint32_t worker); /* what a worker does next; kind OP_NONE: nothing */
    uint32_t workers;
};

static struct {
    uint32_t size, threads, racers;
} asked;

static struct execution {
    struct trace *trace;
    thread_set enabled;
    uint32_t created, live;
    uint32_t main_at;
    uint32_t at[THREADS_MAX];   /* by worker: operations done */
    uint32_t slot[THREADS_MAX]; /* by worker: index of its thread */
    int32_t values[OBJECTS];
    uint8_t held[OBJECTS];
    thread_set ended;
    struct op pending[THREADS_MAX];
} ex;

static struct op make_op(enum op_kind kind, uint32_t object)
{
    return (struct op){.kind = (uint8_t)kind, .choices = 1, .object = object};
}

/* Worker 0 reads from the end until it finds a zero; worker i writes cell i. */
static struct op lastzero_next(uint32_t worker)
{
    if (worker == 0) {
        if (ex.at[0] > 0 && ex.values[asked.size + 1 - (ex.at[0] - 1)] == 0)
            return make_op(OP_NONE, 0);
        return make_op(OP_ATOMIC_LOAD, asked.size + 1 - ex.at[0]);
    }
    if (ex.at[worker] == 0)
        return make_op(OP_ATOMIC_LOAD, worker);
    return make_op(ex.at[worker] == 1 ? OP_ATOMIC_STORE : OP_NONE, worker + 1);
}

/* Each puts its words into the first free slots, of which each has a lock. */
static struct op indexer_next(uint32_t worker)
{
    uint32_t at = ex.at[worker], *slot = &ex.slot[worker],
             *word = &ex.slot[worker + THREADS_MAX / 2];
    if (at == 0)
        *word = 0;
    if (at % 2 == 1)
        return make_op(OP_MUTEX_UNLOCK, *slot + 1);
    bool done = at > 0 && ex.values[*slot + 1] == (int32_t)(worker * WORDS + *word + 1);
    if (done && ++*word == WORDS)
        return make_op(OP_NONE, 0);
    *slot = done || at == 0 ? ((*word + 1) * 11 + worker) * 7 % SLOTS : (*slot + 1) % SLOTS;
    return make_op(OP_MUTEX_LOCK, *slot + 1);
}

static struct op long_next(uint32_t worker)
{
    if (ex.at[worker] < asked.size / asked.threads)
        return make_op(OP_ATOMIC_UPDATE, 2 + worker * OWN + ex.at[worker] % OWN);
    bool races = ex.at[worker] == asked.size / asked.threads && worker < asked.racers;
    return make_op(races ? OP_ATOMIC_UPDATE : OP_NONE, 1);
}

static struct op main_next(const struct program *program)
{
    uint32_t at = ex.main_at;
    struct op op = make_op(at < program->workers       ? OP_CREATE
                           : at < 2 * program->workers ? OP_JOIN
                                                       : OP_EXIT,
                           0);
    op.second = at % program->workers + 1;
    return op;
}

static bool can_run(thread_id thread)
{
    const struct op *op = &ex.pending[thread];
    if (op->kind == OP_JOIN)
        return thread_set_has(&ex.ended, (thread_id)op->second);
    return op->kind != OP_MUTEX_LOCK || !ex.held[op->object];
}

static void announce(const struct program *program, thread_id thread)
{
    ex.pending[thread] = thread == 0 ? main_next(program) : program->next(thread - 1u);
    if (ex.pending[thread].kind == OP_NONE)
        thread_set_add(&ex.ended, thread);
}

static void look_around(void)
{
    ex.enabled = (thread_set){0};
    for (thread_id i = 0; i <= ex.created; i++)
        if (!thread_set_has(&ex.ended, i) && can_run(i))
            thread_set_add(&ex.enabled, i);
}

static void touch(struct step *step, uint32_t object, enum touch_access access)
{
    CHECK(step->touches_end < TOUCHES_MAX);
    ex.trace->touches[step->touches_end++] = (struct touch){object, access};
}

static void carry_out(const struct program *program, struct step *step)
{
    struct op *op = &step->op;
    uint32_t worker = step->thread - 1u;
    switch (op->kind) {
    case OP_CREATE:
        touch(step, THREADS_OBJECT, TOUCH_WRITES);
        touch(step, op->second, TOUCH_LEADS);
        announce(program, (thread_id)++ex.created);
        break;
    case OP_JOIN:
        touch(step, op->second, TOUCH_FOLLOWS);
        break;
    case OP_EXIT:
        step->flags |= STEP_ENDS;
        break;
    case OP_ATOMIC_LOAD:
        touch(step, op->object, TOUCH_READS);
        break;
    case OP_ATOMIC_STORE:
    case OP_ATOMIC_UPDATE:
        touch(step, op->object, TOUCH_WRITES);
        ex.values[op->object]++;
        break;
    case OP_MUTEX_LOCK:
        touch(step, op->object, TOUCH_WRITES);
        ex.held[op->object] = 1;
        if (ex.values[op->object] == 0)
            ex.values[op->object] =
                (int32_t)(worker * WORDS + ex.slot[worker + THREADS_MAX / 2] + 1);
        break;
    case OP_MUTEX_UNLOCK:
        op->before = 1;
        touch(step, op->object, TOUCH_WRITES);
        ex.held[op->object] = 0;
        break;
    default:
        UNREACHABLE();
    }
    if (step->thread == 0)
        ex.main_at++;
    else
        ex.at[worker]++;
    if (op->kind != OP_EXIT)
        announce(program, step->thread);
}

static struct decision decide(const struct strategy *strategy, struct pilot *pilot,
                              const struct choice_point *at, uint32_t *used)
{
    const struct schedule *schedule = pilot->schedule;
    if (*used < schedule->prefix_count)
        return schedule->prefix[*used].step == at->step ? schedule->prefix[(*used)++]
                                                        : decision_nth(at, 0);
    uint64_t begin = __rdtsc();
    struct decision decision = strategy->choose(pilot, at);
    meter_add(&in_choose, begin);
    return decision;
}

static void execute(const struct program *program, const struct strategy *strategy,
                    const void *state, const struct schedule *schedule, struct trace *trace)
{
    struct pilot pilot = {.state = state, .schedule = schedule};
    uint32_t used = 0;
    memset(&ex, 0, sizeof ex);
    ex.trace = trace;
    trace->count = 0;
    trace->outcome = OUTCOME_NONE;
    trace->alive = trace->waiting = (thread_set){0};
    announce(program, 0);
    while (trace->outcome == OUTCOME_NONE) {
        look_around();
        uint32_t count = trace->count;
        struct choice_point at = {
            .step = count,
            .last = count > 0 ? trace->steps[count - 1].thread : 0,
            .enabled = ex.enabled,
            .pending = ex.pending,
            .steps = trace->steps,
            .touches = trace->touches,
            .alternatives = thread_set_count(&ex.enabled),
        };
        struct decision decision = decide(strategy, &pilot, &at, &used);
        CHECK(thread_set_has(&ex.enabled, decision.thread)); /* nothing is ever cut */
        CHECK(count < STEPS_MAX);
        struct step *step = &trace->steps[trace->count++];
        *step = (struct step){.op = ex.pending[decision.thread],
                              .enabled = ex.enabled,
                              .thread = decision.thread,
                              .alternatives = (uint16_t)at.alternatives,
                              .touches_end = trace_touches_begin(trace->steps, count)};
        carry_out(program, step);
        if (step->flags & STEP_ENDS)
            trace->outcome = OUTCOME_FINISHED;
    }
    trace->thread_count = ex.created + 1;
}

struct cost {
    uint64_t executions, steps;
    double search, order, insertion; /* ticks */
};

static void *map(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(memory != MAP_FAILED);
    return memory;
}

static struct cost search(const struct program *program)
{
    const struct strategy *strategy = strategy_find("dpor");
    static struct trace trace;
    static struct journal journal;
    struct schedule schedule = {.prefix = map(STEPS_MAX * sizeof(struct decision)),
                                .prefix_capacity = STEPS_MAX};
    struct arena arena = {.bytes = map(ARENA_SIZE), .capacity = ARENA_SIZE};
    struct strategy_options options = {.bound = NO_BOUND, .steps_max = STEPS_MAX};
    struct cost cost = {0};
    char *state = map(strategy->state_size);
    trace.steps = map(STEPS_MAX * sizeof(struct step));
    trace.touches = map(TOUCHES_MAX * sizeof(struct touch));
    journal.origin = state;
    strategy->open(state, &options, &arena, &journal);
    in_plan = in_choose = in_order = in_insertion = (struct meter){0};
    for (;;) {
        uint64_t begin = __rdtsc();
        journal_begin(&journal);
        if (cost.executions > 0)
            strategy->learn(state, &trace);
        bool goes_on = strategy->plan(state, &schedule);
        journal_seal(&journal);
        meter_add(&in_plan, begin);
        if (!goes_on)
            break;
        execute(program, strategy, state, &schedule, &trace);
        cost.executions++;
        cost.steps += trace.count;
    }
    CHECK(strategy->progress(state).complete);
    munmap(state, strategy->state_size);
    munmap(schedule.prefix, STEPS_MAX * sizeof(struct decision));
    munmap(arena.bytes, ARENA_SIZE);
    munmap(trace.steps, STEPS_MAX * sizeof(struct step));
    munmap(trace.touches, TOUCHES_MAX * sizeof(struct touch));
    cost.search = meter_read(&in_plan) + meter_read(&in_choose);
    cost.order = meter_read(&in_order);
    cost.insertion = meter_read(&in_insertion);
    return cost;
}

static double ticks_each_nanosecond(void)
{
    struct timespec begin, end;
    uint64_t ticks = __rdtsc();
    double nanoseconds;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        clock_gettime(CLOCK_MONOTONIC, &end);
        nanoseconds =
            (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
    } while (nanoseconds < 2e7);
    return (double)(__rdtsc() - ticks) / nanoseconds;
}

int main(int argc, char **argv)
{
    struct program program = {0};
    const char *name = argc > 2 ? argv[1] : "";
    asked.size = argc > 2 ? (uint32_t)atoi(argv[2]) : 0;
    if (strcmp(name, "lastzero") == 0)
        program = (struct program){lastzero_next, asked.size + 1};
    if (strcmp(name, "indexer") == 0)
        program = (struct program){indexer_next, asked.size};
    if (strcmp(name, "long") == 0 && argc == 5) {
        asked.threads = (uint32_t)atoi(argv[3]), asked.racers = (uint32_t)atoi(argv[4]);
        program = (struct program){long_next, asked.threads};
    }
    if (program.next == NULL || program.workers == 0 || program.workers >= THREADS_MAX / 2) {
        fprintf(stderr, "usage: own lastzero N | own indexer N | own long STEPS THREADS RACERS\n");
        return 2;
    }
    struct cost best = search(&program);
    for (int i = 1; i < REPEATS; i++) {
        struct cost cost = search(&program);
        if (cost.search < best.search)
            best = cost;
    }
    double scale = ticks_each_nanosecond() * (double)best.executions;
    printf("{\"executions\": %lu, \"steps\": %.1f, \"search\": %.1f, \"order\": %.1f, "
           "\"insertion\": %.1f}\n",
           best.executions, (double)best.steps / (double)best.executions, best.search / scale,
           best.order / scale, best.insertion / scale);
    return 0;
}
