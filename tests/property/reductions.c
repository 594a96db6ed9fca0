/* The gate of the reductions: for random programs a reduced search must show the same classes,
 * deadlocks, failures and final states as plain search, and the optimal one each class once. */
#include <stdlib.h>
#include <string.h>

#include "support/search.h"
#include "support/story.h"

enum { PROGRAMS = 1000 / SANITIZED };
enum { AUTO_PROGRAMS = PROGRAMS / 10, TWIN_PROGRAMS = PROGRAMS / 4, TWIN_EXECUTIONS_MAX = 2000 };
enum { LOOP_PROGRAMS = PROGRAMS / 5, LOOP_EXECUTIONS_MAX = 4000 };
enum { SOME_PROGRAMS = PROGRAMS / 2, STRUCK_PROGRAMS = PROGRAMS / 4, STRUCK_EXECUTIONS_MAX = 2000 };
enum { READER_PROGRAMS = PROGRAMS / 4 };
enum { TIMED_EXECUTIONS_MAX = 4000 };
enum { LONG = 2, EXECUTIONS_MAX = 20000, FAULT_PROGRAMS = 4000 };

struct result { /* of an execution: its class, and how it ended */
    uint64_t class[2];
    int32_t values[TOY_OBJECTS_MAX];
    uint64_t waiting;
    uint32_t outcome;
    uint32_t reserved;
};

struct results {
    struct result *items;
    size_t count, capacity;
    uint64_t executions, cut;
    uint64_t executions_max; /* 0: EXECUTIONS_MAX */
    bool fails;              /* some execution ends before its time */
    struct progress progress;
};

static int compare_results(const void *left, const void *right)
{
    return memcmp(left, right, sizeof(struct result));
}

/* So many of each kind of thread, a byte for each. */
static uint64_t count_waiting(const struct search *search)
{
    const struct toy_program *program = search->program;
    uint64_t counts = 0;
    THREADS_EACH(thread, &search->trace.waiting)
    {
        uint32_t list = thread; /* main creates them in order */
        while (program->twin_of[list] != 0)
            list = program->twin_of[list];
        counts += 1ul << 8 * list;
    }
    return counts;
}

static void results_add(struct results *results, const struct search *search)
{
    if (results->count == results->capacity) {
        results->capacity = results->capacity * 2 + 64;
        results->items = realloc(results->items, results->capacity * sizeof *results->items);
        CHECK(results->items != NULL);
    }
    struct result *result = &results->items[results->count++];
    memset(result, 0, sizeof *result);
    memcpy(result->class, search->trace.class, sizeof result->class);
    memcpy(result->values, search->values, sizeof result->values);
    result->waiting = search->trace.waiting.word[0];
    if (search->program->renamed)
        result->waiting = count_waiting(search);
    result->outcome = search->trace.outcome;
    const struct trace *trace = &search->trace;
    const struct step *last = trace->count > 0 ? &trace->steps[trace->count - 1] : NULL;
    if (last != NULL && last->flags & STEP_ENDS &&
        (last->op.kind != OP_EXIT || result->waiting != 0))
        results->fails = true;
}

static void results_sort(struct results *results)
{
    qsort(results->items, results->count, sizeof *results->items, compare_results);
    size_t kept = 0;
    for (size_t i = 0; i < results->count; i++)
        if (i == 0 || compare_results(&results->items[i], &results->items[kept - 1]) != 0)
            results->items[kept++] = results->items[i];
    results->count = kept;
}

/* False: there are too many. */
static bool results_within(const struct toy_program *program, const char *strategy,
                           struct strategy_options options, struct results *results)
{
    struct search search;
    uint64_t anew = 0;
    bool done = true;
    search_open(&search, program, strategy, options);
    while (search_next(&search)) {
        if (search_progress(&search).anew > anew) { /* what came before is of no account */
            anew = search_progress(&search).anew;
            results->executions = results->cut = results->count = 0;
        }
        if (search.trace.outcome == OUTCOME_CUT_STRATEGY) {
            results->cut++;
        } else {
            results->executions++;
            results_add(results, &search);
        }
        if (results->executions + results->cut >
            (results->executions_max != 0 ? results->executions_max : EXECUTIONS_MAX)) {
            done = false;
            break;
        }
    }
    results->progress = search_progress(&search);
    search_close(&search);
    results_sort(results);
    return done;
}

static bool results_of(const struct toy_program *program, const char *strategy,
                       enum reduction reduction, struct results *results)
{
    return results_within(program, strategy,
                          (struct strategy_options){.bound = NO_BOUND, .reduction = reduction},
                          results);
}

static void results_free(struct results *results)
{
    free(results->items);
    *results = (struct results){0};
}

static bool results_same(const struct results *a, const struct results *b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

static bool has_awaits(const struct toy_program *program)
{
    return toy_has(program, TOY_AWAIT) || toy_has(program, TOY_ACQUIRE) ||
           toy_has(program, TOY_BACK);
}

/* Steps that strike threads are taken to depend on more than they do. */
static bool has_strikes(const struct toy_program *program)
{
    for (enum toy_kind kind = TOY_KILL; kind <= TOY_EXPIRE; kind++)
        if (toy_has(program, kind))
            return true;
    return false;
}

/* Where a loop waits, some executions are cut: a read turned out to be futile. */
static void expect_same(const struct toy_program *program, const struct results *plain,
                        const char *strategy, enum reduction reduction, const char *test)
{
    struct story story = {test, program, "the classes that dfs shows"};
    struct results reduced = {0};
    story_expect(&story, results_of(program, strategy, reduction, &reduced),
                 "it needs no more executions than plain search");
    story_expect_count(&story, plain->count, reduced.count);
    story_expect(&story, results_same(plain, &reduced), "the same classes and ends");
    story_expect(&story, reduced.progress.complete && reduced.progress.claim == CLAIM_ALL_CLASSES,
                 "it claims all classes");
    if (reduction == REDUCTION_OPTIMAL && !plain->fails && !has_strikes(program)) {
        story_expect_count(&story, plain->count, reduced.executions);
        if (!has_awaits(program))
            story_expect_count(&story, 0, reduced.cut);
    }
    results_free(&reduced);
}

static void expect_all_same(const struct toy_program *program, const struct results *plain,
                            const char *test)
{
    for (enum reduction reduction = 0; reduction <= REDUCTION_CLASSIC; reduction++)
        expect_same(program, plain, "dpor", reduction, test);
    static uint32_t programs;
    if (programs++ % 4 == 0) /* it runs many */
        expect_same(program, plain, "best", REDUCTION_CLASSIC, test);
}

static void reductions_lose_nothing(void **state)
{
    uint64_t seed = story_first_seed();
    uint32_t programs = story_programs(PROGRAMS);
    if (programs > PROGRAMS) /* --long: 20,000 */
        programs *= LONG;
    for (uint32_t i = 0; i < programs; seed++) {
        struct toy_program program = toy_random_more(seed);
        struct results plain = {0};
        if (results_of(&program, "dfs", 0, &plain)) {
            expect_all_same(&program, &plain, "reductions lose nothing");
            i++;
        }
        results_free(&plain);
    }
}

static void readers_and_writers_lose_nothing(void **state)
{
    uint64_t seed = story_first_seed();
    for (uint32_t left = story_programs(READER_PROGRAMS); left > 0; seed++) {
        struct toy_program program = toy_random_readers(seed);
        struct results plain = {0};
        if (results_of(&program, "dfs", 0, &plain)) {
            expect_all_same(&program, &plain, "readers and writers lose nothing");
            left--;
        }
        results_free(&plain);
    }
}

static void expect_nothing_lost(const struct toy_program *program, const char *test)
{
    struct results plain = {0};
    assert_true(results_of(program, "dfs", 0, &plain));
    expect_all_same(program, &plain, test);
    results_free(&plain);
}

/* The barrier may be found to come before the exit first; then the orders without it begin in the
 * same way as one that waits for another reason, but go on with other outcomes. */
static void choices_are_found_where_something_sleeps(void **state)
{
    struct toy_program program = {.name = "a choice after what sleeps", .thread_count = 4};
    toy_add(&program, 0, (struct toy_op){.kind = TOY_CREATE, .object = 1});
    toy_add(&program, 0, (struct toy_op){.kind = TOY_CREATE, .object = 2});
    toy_add(&program, 0, (struct toy_op){.kind = TOY_JOIN, .object = 1});
    toy_add(&program, 1, (struct toy_op){.kind = TOY_CREATE, .object = 3});
    toy_add(&program, 1, (struct toy_op){.kind = TOY_ADD, .object = 1, .value = 1});
    toy_add(&program, 1, (struct toy_op){.kind = TOY_CHOOSE, .value = 3});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_ASSERT, .object = 1});
    toy_add(&program, 3, (struct toy_op){.kind = TOY_BARRIER, .value = 2});
    expect_nothing_lost(&program, "choices are found where something sleeps");
}

/* The first execution with the second choice may fail before it comes to the step that wakes the
 * sleeping thread. */
static void choices_are_found_after_a_failure(void **state)
{
    struct toy_program program = {.name = "a choice before a failure", .thread_count = 4};
    toy_add(&program, 0, (struct toy_op){.kind = TOY_CREATE, .object = 1});
    toy_add(&program, 0, (struct toy_op){.kind = TOY_CREATE, .object = 2});
    toy_add(&program, 0, (struct toy_op){.kind = TOY_JOIN, .object = 1});
    toy_add(&program, 0, (struct toy_op){.kind = TOY_JOIN, .object = 2});
    toy_add(&program, 1, (struct toy_op){.kind = TOY_CREATE, .object = 3});
    toy_add(&program, 1, (struct toy_op){.kind = TOY_ADD, .value = 1});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_CHOOSE, .value = 2});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_ADD, .value = 1});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_CHOOSE, .value = 2});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_ASSERT, .object = 1, .value = 1});
    toy_add(&program, 3, (struct toy_op){.kind = TOY_COMPARE});
    expect_nothing_lost(&program, "choices are found after a failure");
}

static void loops_that_wait_cost_no_turns(void **state)
{
    uint64_t seed = story_first_seed();
    for (uint32_t left = story_programs(SOME_PROGRAMS); left > 0; seed++) {
        struct toy_program program = toy_random_awaits(seed);
        struct results plain = {0};
        if (results_of(&program, "dfs", 0, &plain)) {
            expect_all_same(&program, &plain, "loops that wait cost no turns");
            left--;
        }
        results_free(&plain);
    }
}

static void loops_that_go_round_in_vain_cost_no_turns(void **state)
{
    uint64_t seed = story_first_seed();
    for (uint32_t left = story_programs(LOOP_PROGRAMS); left > 0; seed++) {
        struct toy_program program = toy_random_loops(seed, seed % 3 == 0);
        struct results plain = {.executions_max = LOOP_EXECUTIONS_MAX};
        if (toy_has(&program, TOY_BACK) && results_of(&program, "dfs", 0, &plain)) {
            for (enum reduction reduction = 0; reduction <= REDUCTION_CLASSIC; reduction++)
                expect_same(&program, &plain, "dpor", reduction,
                            "loops that go round in vain cost no turns");
            left--;
        }
        results_free(&plain);
    }
}

/* The reduced search inside auto takes turns with others, and ends the search when it is complete.
 */
static void auto_claims_what_dfs_shows(void **state)
{
    uint32_t by_classes = 0;
    uint64_t seed = story_first_seed();
    for (uint32_t left = AUTO_PROGRAMS; left > 0; seed++) {
        struct toy_program program = toy_random_more(seed);
        struct results plain = {0}, all = {0};
        if (results_of(&program, "dfs", 0, &plain) && results_of(&program, "auto", 0, &all)) {
            struct story story = {"auto claims what dfs shows", &program, "all classes"};
            story_expect_count(&story, plain.count, all.count);
            story_expect(&story, results_same(&plain, &all), "the same classes and ends");
            story_expect(&story, all.progress.complete, "it claims all");
            by_classes += all.progress.claim == CLAIM_ALL_CLASSES;
            left--;
        }
        results_free(&plain);
        results_free(&all);
    }
    if (by_classes < AUTO_PROGRAMS / 4)
        fail_msg("of %d searches, %u end with a claim of all classes", AUTO_PROGRAMS, by_classes);
}

static void what_takes_time_loses_nothing(void **state)
{
    uint64_t seed = story_first_seed();
    uint32_t left = story_programs(SOME_PROGRAMS);
    uint64_t executions_max = left > SOME_PROGRAMS ? EXECUTIONS_MAX : TIMED_EXECUTIONS_MAX;
    for (; left > 0; seed++) {
        struct toy_program program = toy_random_timed(seed);
        struct results plain = {.executions_max = executions_max};
        if (results_of(&program, "dfs", 0, &plain)) {
            expect_all_same(&program, &plain, "what takes time loses nothing");
            left--;
        }
        results_free(&plain);
    }
}

/* A waiting thread could time out at once, which was run before, so it is in the sleep set; but
 * signalled it does something else. So the thread that signals leads to that. */
static void a_signalled_thread_might_have_timed_out(void **state)
{
    struct toy_program program = {.name = "a signal for who might time out", .thread_count = 3};
    toy_create_all(&program);
    toy_add(&program, 0, (struct toy_op){.kind = TOY_SIGNAL});
    toy_add(&program, 0, (struct toy_op){.kind = TOY_JOIN, .object = 1});
    toy_add(&program, 1, (struct toy_op){.kind = TOY_LOCK, .object = 2});
    toy_add(&program, 1, (struct toy_op){.kind = TOY_LOCK, .object = 1});
    toy_add(&program, 1, (struct toy_op){.kind = TOY_UNLOCK, .object = 1});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_LOCK, .object = 1});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_TIMED_WAIT, .second = 1, .value = 2});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_UNLOCK, .object = 1});
    expect_nothing_lost(&program, "a signalled thread might have timed out");
}

/* Steps before one that waits for T1 is found from the end of a sequence only if no thread
 * sleeps there. The clock orders all that takes time. */
static void a_sleeper_at_the_end_of_a_sequence_hides_nothing(void **state)
{
    struct toy_program program = toy_two_time_out();
    expect_nothing_lost(&program, "a sleeper at the end of a sequence hides nothing");
}

/* The other outcome must come before what strikes, too, where the first one sleeps. */
static void outcomes_are_found_beside_what_strikes(void **state)
{
    struct toy_program program = {.name = "a choice beside a cancellation", .bare = true};
    toy_add(&program, 0, (struct toy_op){.kind = TOY_CANCEL, .object = 2});
    toy_add(&program, 1, (struct toy_op){.kind = TOY_CHOOSE, .value = 2});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_LOCK});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_WAIT});
    expect_nothing_lost(&program, "outcomes are found beside what strikes");
}

/* The read may come before, between or after, and so may the store; neither has to do with the
 * other. */
static void what_sleeps_beside_a_strike_hides_nothing(void **state)
{
    struct toy_program program = {.name = "two cancellations", .thread_count = 4};
    toy_create_all(&program);
    toy_add(&program, 0, (struct toy_op){.kind = TOY_JOIN, .object = 2});
    toy_add(&program, 1, (struct toy_op){.kind = TOY_LOAD});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_CANCEL, .object = 1});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_CANCEL, .object = 1});
    toy_add(&program, 3, (struct toy_op){.kind = TOY_STORE, .object = 1, .value = 1});
    expect_nothing_lost(&program, "what sleeps beside a strike hides nothing");
}

static void handle_with(struct toy_program *program, enum toy_kind kind)
{
    struct toy_list *handler = &program->handlers[0];
    handler->ops[handler->count++] = (struct toy_op){.kind = kind};
}

/* A wake-up that comes while the woken thread's handler waits for a lock need not come after that
 * wait. */
static void a_woken_thread_may_be_in_a_handler(void **state)
{
    struct toy_program program = {.name = "woken in a handler", .thread_count = 3};
    toy_create_all(&program);
    toy_add(&program, 0, (struct toy_op){.kind = TOY_JOIN, .object = 1});
    toy_add(&program, 1, (struct toy_op){.kind = TOY_LOCK});
    toy_add(&program, 1, (struct toy_op){.kind = TOY_WAIT});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_ALARM, .value = 2});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_LOCK, .object = 1});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_LOCK});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_SIGNAL});
    handle_with(&program, TOY_LOCK);
    expect_nothing_lost(&program, "a woken thread may be in a handler");
}

/* A thread that sleeps when a signal comes could not have taken the mutex before. */
static void a_sleeping_thread_was_to_do_nothing(void **state)
{
    struct toy_program program = {.name = "struck asleep", .thread_count = 3};
    toy_create_all(&program);
    toy_add(&program, 0, (struct toy_op){.kind = TOY_BARRIER, .value = 2});
    toy_add(&program, 1, (struct toy_op){.kind = TOY_KILL_ANY});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_KILL, .object = 1});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_LOCK});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_WAIT});
    handle_with(&program, TOY_LOCK);
    handle_with(&program, TOY_UNLOCK);
    expect_nothing_lost(&program, "a sleeping thread was to do nothing");
}

/* Signals, cancellation, timers. */
static void what_strikes_loses_nothing(void **state)
{
    uint64_t seed = story_first_seed();
    for (uint32_t left = story_programs(STRUCK_PROGRAMS); left > 0; seed++) {
        struct toy_program program = toy_random_alerts(seed);
        struct results plain = {.executions_max = STRUCK_EXECUTIONS_MAX};
        if (results_of(&program, "dfs", 0, &plain)) {
            expect_all_same(&program, &plain, "what strikes loses nothing");
            left--;
        }
        results_free(&plain);
    }
}

static void expect_same_twins(const struct toy_program *program, const char *strategy,
                              struct strategy_options options, const struct results *plain)
{
    struct toy_program symmetric = *program;
    symmetric.symmetry = true;
    struct story story = {"equal threads lose nothing", program,
                          "the classes that plain search shows"};
    struct results all = {0};
    story_expect(&story, results_within(&symmetric, strategy, options, &all),
                 "it needs no more executions than plain search");
    story_expect_count(&story, plain->count, all.count);
    story_expect(&story, results_same(plain, &all), "the same classes and ends but for names");
    story_expect(&story, all.progress.complete == plain->progress.complete, "it comes to its end");
    results_free(&all);
}

/* Each class that begins in the order of creation is run once. */
static void expect_each_twin_once(const struct toy_program *program)
{
    struct toy_program symmetric = *program;
    symmetric.symmetry = true;
    symmetric.renamed = false;
    struct story story = {"equal threads lose nothing", program, "one execution for each class"};
    struct results all = {0};
    story_expect(&story, results_of(&symmetric, "dpor", REDUCTION_OPTIMAL, &all), "it ends");
    if (!all.fails) {
        story_expect_count(&story, all.count, all.executions);
        if (!has_awaits(program))
            story_expect_count(&story, 0, all.cut);
    }
    results_free(&all);
}

/* Which of them does what makes no difference: but for that, all is found. */
static void equal_threads_lose_nothing(void **state)
{
    uint64_t seed = story_first_seed(), plainly = 0, reduced = 0;
    for (uint32_t left = story_programs(TWIN_PROGRAMS); left > 0; seed++) {
        struct toy_program program = toy_random_twins(seed);
        program.renamed = true;
        struct strategy_options options = {.bound = NO_BOUND};
        struct results plain = {.executions_max = TWIN_EXECUTIONS_MAX}, fewer = {0};
        if (results_of(&program, "dfs", 0, &plain)) {
            expect_same_twins(&program, "dfs", options, &plain);
            expect_each_twin_once(&program);
            for (options.reduction = 0; options.reduction <= REDUCTION_CLASSIC; options.reduction++)
                expect_same_twins(&program, "dpor", options, &plain);
            options.reduction = seed % 2 ? REDUCTION_CLASSIC : REDUCTION_OPTIMAL;
            expect_same_twins(&program, "best", options, &plain);
            options.bound = (int32_t)(seed % 3);
            CHECK(results_within(&program, "preempt", options, &fewer));
            expect_same_twins(&program, "preempt", options, &fewer);
            plainly += plain.executions;
            program.symmetry = true;
            results_free(&fewer);
            CHECK(results_of(&program, "dfs", 0, &fewer));
            reduced += fewer.executions;
            left--;
        }
        results_free(&plain);
        results_free(&fewer);
    }
    if (reduced * 4 > plainly * 3)
        fail_msg("of %lu executions %lu are left", (unsigned long)plainly, (unsigned long)reduced);
}

/* n! orders of increments by equal threads are one. */
static void equal_increments_have_one_order(void **state)
{
    for (uint32_t n = 2; n < TOY_THREADS_MAX; n++) {
        struct toy_program program = {.name = "equal increments", .symmetry = true};
        for (uint32_t i = 1; i <= n; i++) {
            toy_add(&program, i, (struct toy_op){.kind = TOY_ADD, .value = 1});
            program.twin_of[i] = (uint8_t)(i - 1);
        }
        toy_create_all(&program);
        toy_join_all(&program);
        struct story story = {"equal increments have one order", &program,
                              "which is that of creation"};
        struct results results = {0};
        story_expect(&story, results_of(&program, "dpor", REDUCTION_OPTIMAL, &results), "it ends");
        story_expect_count(&story, 1, results.executions);
        story_expect_count(&story, 0, results.cut);
        results_free(&results);
    }
}

/* Kinds of operation that toy programs have. */
static const enum op_kind kinds[] = {
    OP_CREATE,        OP_MUTEX_LOCK,     OP_MUTEX_TRYLOCK,   OP_MUTEX_UNLOCK,   OP_COND_WAIT,
    OP_COND_WAKE,     OP_COND_SIGNAL,    OP_COND_BROADCAST,  OP_RWLOCK_READ,    OP_RWLOCK_TRYREAD,
    OP_RWLOCK_UNREAD, OP_RWLOCK_WRITE,   OP_RWLOCK_TRYWRITE, OP_RWLOCK_UNWRITE, OP_BARRIER_ARRIVE,
    OP_SEM_WAIT,      OP_SEM_TRYWAIT,    OP_SEM_POST,        OP_ATOMIC_LOAD,    OP_ATOMIC_STORE,
    OP_ATOMIC_UPDATE, OP_ATOMIC_COMPARE, OP_MUTEX_TIMEDLOCK, OP_SEM_TIMEDWAIT,  OP_SIGNAL_SEND,
    OP_SIGNAL_HANDLE, OP_SIGNAL_SET,     OP_SIGNAL_WAIT,     OP_SIGNAL_LOOK,    OP_CANCEL,
    OP_CANCEL_TEST,   OP_CANCELLED,      OP_TIMER_SET,       OP_TIMER_EXPIRE,
};

/* Whether the gate sees that operations of this kind seem to touch nothing. */
static bool is_caught(enum op_kind kind, const struct toy_program *program,
                      const struct results *plain)
{
    struct results reduced = {0};
    toy_fault = kind;
    bool caught = !results_of(program, "dpor", REDUCTION_OPTIMAL, &reduced) ||
                  !results_same(plain, &reduced) ||
                  (!plain->fails && !has_strikes(program) &&
                   (reduced.cut > 0 || reduced.executions != plain->count));
    toy_fault = OP_NONE;
    results_free(&reduced);
    return caught;
}

static void a_fault_in_each_row_is_caught(void **state)
{
    enum { KINDS = sizeof kinds / sizeof *kinds };
    bool caught[KINDS] = {0};
    uint32_t left = KINDS;
    if (story_is_short())
        skip();
    for (uint64_t seed = 1; seed < FAULT_PROGRAMS && left > 0; seed++) {
        struct toy_program program = seed % 4 == 0   ? toy_random_timed(seed)
                                     : seed % 4 == 1 ? toy_random_alerts(seed)
                                                     : toy_random_more(seed);
        struct results plain = {.executions_max = STRUCK_EXECUTIONS_MAX};
        bool fits = results_of(&program, "dfs", 0, &plain);
        for (size_t i = 0; fits && i < KINDS; i++)
            if (!caught[i] && is_caught(kinds[i], &program, &plain)) {
                caught[i] = true;
                left--;
            }
        results_free(&plain);
    }
    for (size_t i = 0; i < KINDS; i++)
        if (!caught[i])
            fail_msg("nobody notices that '%s' touches nothing", op_word(kinds[i]));
}

struct counted {
    uint64_t executions, cut, classes;
};

static struct counted count(const struct toy_program *program, enum reduction reduction)
{
    struct results results = {0};
    CHECK(results_of(program, "dpor", reduction, &results));
    struct counted counted = {results.executions, results.cut, results.count};
    results_free(&results);
    return counted;
}

/* A writer and n readers: each reader comes before or after it. n increments: n! orders. */
static void closed_formulas_hold(void **state)
{
    uint64_t power = 1, factorial = 1;
    for (uint32_t n = 1; n < TOY_THREADS_MAX - 1; n++) {
        struct toy_program readers = {.name = "a writer and readers", .bare = true};
        struct toy_program increments = {.name = "increments", .bare = true};
        toy_add(&readers, 0, (struct toy_op){.kind = TOY_STORE, .value = 1});
        for (uint32_t i = 0; i < n; i++) {
            toy_add(&readers, 1 + i, (struct toy_op){.kind = TOY_LOAD, .value = 1});
            toy_add(&increments, i, (struct toy_op){.kind = TOY_ADD, .value = 1});
        }
        struct story story = {"closed formulas hold", &readers, "2 to the number of readers"};
        struct counted counted = count(&readers, REDUCTION_OPTIMAL);
        power *= 2;
        factorial *= n;
        story_expect_count(&story, power, counted.executions);
        story_expect_count(&story, 0, counted.cut);
        struct story other = {"closed formulas hold", &increments, "all orders of increments"};
        counted = count(&increments, REDUCTION_OPTIMAL);
        story_expect_count(&other, factorial, counted.executions);
        story_expect_count(&other, 0, counted.cut);
    }
}

/* One thread stores 1 to n, others wait for at least m: each ends with one of n - m + 1 writes. */
static void a_loop_has_a_class_for_each_write_that_ends_it(void **state)
{
    for (uint32_t n = 1; n <= 4; n++)
        for (uint32_t m = 1; m <= n; m++)
            for (uint32_t waiters = 1; waiters <= 2; waiters++) {
                struct toy_program program = {.name = "a loop that waits", .bare = true};
                uint64_t classes = 1;
                for (uint32_t i = 1; i <= n; i++)
                    toy_add(&program, 0, (struct toy_op){.kind = TOY_STORE, .value = (int32_t)i});
                for (uint32_t i = 1; i <= waiters; i++) {
                    toy_add(&program, i, (struct toy_op){.kind = TOY_AWAIT, .value = (int32_t)m});
                    classes *= n - m + 1;
                }
                struct story story = {"a loop has a class for each write that ends it", &program,
                                      "each loop ends with a write from m on"};
                struct counted counted = count(&program, REDUCTION_OPTIMAL);
                story_expect_count(&story, classes, counted.classes);
                story_expect_count(&story, classes, counted.executions);
            }
}

/* The numbers of docs/COUNTING.md: 2K choose K. */
static void lockers_have_as_many_classes_as_orders(void **state)
{
    static const uint64_t classes[] = {2, 6, 20, 70, 252};
    for (uint32_t times = 1; times <= 5; times++) {
        struct toy_program program = toy_lockers(2, times);
        struct story story = {"lockers have as many classes as orders", &program,
                              "orders of critical sections"};
        struct counted counted = count(&program, REDUCTION_OPTIMAL);
        story_expect_count(&story, classes[times - 1], counted.executions);
        story_expect_count(&story, classes[times - 1], counted.classes);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        {"reductions lose nothing", reductions_lose_nothing, NULL, NULL, NULL},
        {"readers and writers lose nothing", readers_and_writers_lose_nothing, NULL, NULL, NULL},
        {"a fault in each row is caught", a_fault_in_each_row_is_caught, NULL, NULL, NULL},
        {"choices are found where something sleeps", choices_are_found_where_something_sleeps, NULL,
         NULL, NULL},
        {"choices are found after a failure", choices_are_found_after_a_failure, NULL, NULL, NULL},
        {"loops that wait cost no turns", loops_that_wait_cost_no_turns, NULL, NULL, NULL},
        {"loops that go round in vain cost no turns", loops_that_go_round_in_vain_cost_no_turns,
         NULL, NULL, NULL},
        {"auto claims what dfs shows", auto_claims_what_dfs_shows, NULL, NULL, NULL},
        {"what takes time loses nothing", what_takes_time_loses_nothing, NULL, NULL, NULL},
        {"a signalled thread might have timed out", a_signalled_thread_might_have_timed_out, NULL,
         NULL, NULL},
        {"a sleeper at the end of a sequence hides nothing",
         a_sleeper_at_the_end_of_a_sequence_hides_nothing, NULL, NULL, NULL},
        {"outcomes are found beside what strikes", outcomes_are_found_beside_what_strikes, NULL,
         NULL, NULL},
        {"what sleeps beside a strike hides nothing", what_sleeps_beside_a_strike_hides_nothing,
         NULL, NULL, NULL},
        {"a woken thread may be in a handler", a_woken_thread_may_be_in_a_handler, NULL, NULL,
         NULL},
        {"a sleeping thread was to do nothing", a_sleeping_thread_was_to_do_nothing, NULL, NULL,
         NULL},
        {"what strikes loses nothing", what_strikes_loses_nothing, NULL, NULL, NULL},
        {"equal threads lose nothing", equal_threads_lose_nothing, NULL, NULL, NULL},
        {"equal increments have one order", equal_increments_have_one_order, NULL, NULL, NULL},
        {"a loop has a class for each write that ends it",
         a_loop_has_a_class_for_each_write_that_ends_it, NULL, NULL, NULL},
        {"closed formulas hold", closed_formulas_hold, NULL, NULL, NULL},
        {"lockers have as many classes as orders", lockers_have_as_many_classes_as_orders, NULL,
         NULL, NULL},
    };
    return story_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
