/* The gate of the ExitBlock searches: for random programs they show the final states, failures and
 * deadlocks that plain search shows; and as many orders of blocks as the paper counts. */
#include <stdlib.h>
#include <string.h>

#include "support/search.h"
#include "support/story.h"

enum { PROGRAMS = 1000 / SANITIZED };
enum { EXECUTIONS_MAX = 2000, ORDERS_MAX = 40000, ORDERS_LONG_MAX = 400000 };

struct end {                         /* of an execution */
    int32_t values[TOY_OBJECTS_MAX]; /* if it finished */
    uint64_t failed_at;              /* thread and operation, if it failed */
    uint32_t outcome;
    uint32_t reserved;
};

struct ends {
    struct end *items;
    size_t count, capacity;
    uint64_t executions, cut;
    uint64_t first_failure;       /* execution; 0: none */
    bool deadlock;                /* the program has a deadlock */
    bool deadlock_without_circle; /* it has one in which no two threads wait for each other's
                                     locks */
    struct progress progress;
};

static int compare_ends(const void *left, const void *right)
{
    return memcmp(left, right, sizeof(struct end));
}

static bool waits_for_rwlock(const struct op *op)
{
    return op->kind >= OP_RWLOCK_READ && op->kind <= OP_RWLOCK_UNWRITE;
}

/* trace.owner is the holder of the mutex that each thread waits for; for read-write locks that is
 * not known. */
static bool has_circle(const struct trace *trace)
{
    THREADS_EACH(thread, &trace->waiting)
    {
        if (waits_for_rwlock(&trace->pending[thread]))
            return true;
        thread_id at = thread;
        for (uint32_t left = TOY_THREADS_MAX; left > 0 && at != NO_THREAD; left--)
            at = thread_set_has(&trace->waiting, at) ? trace->owner[at] : NO_THREAD;
        if (at != NO_THREAD)
            return true;
    }
    return false;
}

static void ends_add(struct ends *ends, const struct search *search)
{
    const struct trace *trace = &search->trace;
    struct end end = {.outcome = trace->outcome};
    if (trace->outcome == OUTCOME_DEADLOCK) {
        ends->deadlock = true;
        ends->deadlock_without_circle |= !has_circle(trace);
        return;
    }
    if (trace->outcome == OUTCOME_FAILED) {
        const struct step *last = &trace->steps[trace->count - 1];
        end.failed_at = (uint64_t)last->thread << 32 | last->op.site;
        if (ends->first_failure == 0)
            ends->first_failure = ends->executions;
    } else {
        memcpy(end.values, search->values, sizeof end.values);
    }
    if (ends->count == ends->capacity) {
        ends->capacity = ends->capacity * 2 + 64;
        ends->items = realloc(ends->items, ends->capacity * sizeof *ends->items);
        CHECK(ends->items != NULL);
    }
    ends->items[ends->count++] = end;
}

static void ends_sort(struct ends *ends)
{
    size_t kept = 0;
    if (ends->count > 0)
        qsort(ends->items, ends->count, sizeof *ends->items, compare_ends);
    for (size_t i = 0; i < ends->count; i++)
        if (i == 0 || compare_ends(&ends->items[i], &ends->items[kept - 1]) != 0)
            ends->items[kept++] = ends->items[i];
    ends->count = kept;
}

/* False: there are too many. */
static bool ends_of(const struct toy_program *program, const char *strategy,
                    uint64_t executions_max, struct ends *ends)
{
    struct search search;
    bool done = true;
    search_open(&search, program, strategy, (struct strategy_options){.bound = NO_BOUND});
    while (done && search_next(&search)) {
        CHECK(search.trace.outcome != OUTCOME_DIVERGED);
        if (search.trace.outcome == OUTCOME_CUT_STRATEGY) {
            ends->cut++;
        } else {
            ends->executions++;
            ends_add(ends, &search);
        }
        done = ends->executions + ends->cut <= executions_max;
    }
    ends->progress = search_progress(&search);
    search_close(&search);
    ends_sort(ends);
    return done;
}

static void ends_free(struct ends *ends)
{
    free(ends->items);
    *ends = (struct ends){0};
}

static bool ends_same(const struct ends *a, const struct ends *b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

static const char *const names[] = {"exitblock", "exitblock-rw", "exitblock-dd", "exitblock-rwdd"};

/* Each strategy by itself; how many executions all of them took is added up. */
static void expect_same(const struct toy_program *program, const struct ends *plain,
                        const char *test, uint64_t sums[4])
{
    for (int i = 0; i < 4; i++) {
        struct story story = {test, program, names[i]};
        struct ends ends = {0};
        story_expect(&story, ends_of(program, names[i], 20 * EXECUTIONS_MAX, &ends), "it ends");
        story_expect_count(&story, plain->count, ends.count);
        story_expect(&story, ends_same(plain, &ends),
                     "the final states and failures that dfs shows");
        story_expect(&story, ends.deadlock <= plain->deadlock,
                     "no deadlock that dfs does not show");
        story_expect(&story, ends.deadlock >= plain->deadlock_without_circle,
                     "a deadlock, where dfs shows one without a circle of locks");
        story_expect(&story, ends.progress.complete, "it claims to be complete");
        if (ends.progress.claim == CLAIM_BLOCKS_AND_CIRCLES)
            story_expect(&story, ends.deadlock == plain->deadlock,
                         "a deadlock, where dfs shows one");
        sums[i] += ends.executions + ends.cut;
        ends_free(&ends);
    }
}

/* The gate for one kind of program. */
static void compare_with_dfs(const char *test, struct toy_program (*make)(uint64_t seed),
                             uint32_t usual)
{
    uint64_t seed = story_first_seed(), plainly = 0, sums[4] = {0};
    for (uint32_t left = story_programs(usual); left > 0; seed++) {
        struct toy_program program = make(seed);
        struct ends plain = {0};
        if (ends_of(&program, "dfs", EXECUTIONS_MAX, &plain)) {
            expect_same(&program, &plain, test, sums);
            plainly += plain.executions;
            left--;
        }
        ends_free(&plain);
    }
    if (story_programs(2) > 1 && !(sums[1] < sums[0] && sums[0] < plainly && sums[2] >= sums[0]))
        fail_msg("%s: dfs ran %lu executions, blocks %lu, pruned %lu", test, plainly, sums[0],
                 sums[1]);
}

static struct toy_program make_ordered(uint64_t seed)
{
    return toy_random_disciplined(seed, (struct toy_random_locks){.ordered = true});
}

static struct toy_program make_conditions(uint64_t seed)
{
    return toy_random_disciplined(seed,
                                  (struct toy_random_locks){.ordered = true, .conditions = true});
}

static struct toy_program make_nested(uint64_t seed)
{
    return toy_random_disciplined(seed, (struct toy_random_locks){0});
}

static struct toy_program make_all(uint64_t seed)
{
    return toy_random_disciplined(seed, (struct toy_random_locks){.conditions = true});
}

static struct toy_program make_empty(uint64_t seed)
{
    return toy_random_disciplined(seed, (struct toy_random_locks){.empty = true});
}

static void locks_in_order_lose_nothing(void **state)
{
    compare_with_dfs("locks in order lose nothing", make_ordered, PROGRAMS / 2);
}

static void conditions_lose_nothing(void **state)
{
    compare_with_dfs("conditions lose nothing", make_conditions, PROGRAMS / 2);
}

static void deadlocks_of_locks_are_found(void **state)
{
    compare_with_dfs("deadlocks of locks are found", make_nested, PROGRAMS);
}

static void deadlocks_of_all_kinds_are_found(void **state)
{
    compare_with_dfs("deadlocks of all kinds are found", make_all, PROGRAMS);
}

static void bare_locks_deadlock_where_they_do(void **state)
{
    compare_with_dfs("bare locks deadlock where they do", make_empty, PROGRAMS);
}

/* With all that is no lock: atomic accesses, semaphores, barriers, tries, choices, clocks. */
static void what_no_lock_guards_loses_nothing(void **state)
{
    const char *test = "what no lock guards loses nothing";
    compare_with_dfs(test, toy_random_more, PROGRAMS / 2);
    compare_with_dfs(test, toy_random_awaits, PROGRAMS / 4);
    compare_with_dfs(test, toy_random_timed, PROGRAMS / 4);
}

/* Closed formulas: threads that exist at the start, each with so many lock exits. */

static uint64_t choose_of(uint64_t n, uint64_t k)
{
    uint64_t result = 1;
    for (uint64_t i = 1; i <= k; i++)
        result = result * (n - k + i) / i;
    return result;
}

/* C(kn,n) C((k-1)n,n) ... C(n,n) */
static uint64_t count_orders(uint64_t k, uint64_t n)
{
    uint64_t result = 1;
    for (uint64_t threads = k; threads > 0; threads--)
        result *= choose_of(threads * n, n);
    return result;
}

static uint64_t power(uint64_t base, uint64_t exponent)
{
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

/* Each thread takes a mutex so many times: one for all, or one each. */
static struct toy_program make_lockers(uint32_t threads, uint32_t times, bool own)
{
    struct toy_program program = {.bare = true, .plain = true};
    snprintf(program.name, sizeof program.name, "%u threads x %u blocks", threads, times);
    for (uint32_t thread = 0; thread < threads; thread++)
        for (uint32_t i = 0; i < times; i++) {
            uint8_t mutex = own ? (uint8_t)thread : 0;
            toy_add(&program, thread, (struct toy_op){.kind = TOY_LOCK, .object = mutex});
            toy_add(&program, thread, (struct toy_op){.kind = TOY_UNLOCK, .object = mutex});
        }
    return program;
}

static void expect_count(const struct toy_program *program, const char *strategy, uint64_t expected,
                         const char *reason)
{
    struct story story = {"blocks are as many as the paper says", program, reason};
    struct ends ends = {0};
    ends_of(program, strategy, 2 * expected + 2, &ends);
    story_expect_count(&story, expected, ends.executions + ends.cut);
    story_expect(&story, ends.progress.complete, "it is complete");
    ends_free(&ends);
}

static void blocks_are_as_many_as_the_paper_says(void **state)
{
    bool is_long = story_programs(1) > 1;
    for (uint32_t k = 1; k <= 4; k++)
        for (uint32_t n = 1; n <= 4; n++)
            for (int own = 0; own < 2; own++) {
                struct toy_program program = make_lockers(k, n, own);
                if (count_orders(k, n) <= (is_long ? ORDERS_LONG_MAX : ORDERS_MAX)) {
                    expect_count(&program, "exitblock", count_orders(k, n), "C(kn,n) ... C(n,n)");
                    expect_count(&program, "exitblock-dd", count_orders(k, n),
                                 "C(kn,n) ... C(n,n)");
                }
                expect_count(&program, "exitblock-rw", power(n + 1, k - 1), "(n+1)^(k-1)");
                expect_count(&program, "exitblock-rwdd", power(n + 1, k - 1), "(n+1)^(k-1)");
            }
}

static void add_section(struct toy_program *program, uint32_t list, uint8_t mutex, uint8_t variable,
                        enum toy_kind kind, int32_t value)
{
    toy_add(program, list, (struct toy_op){.kind = TOY_LOCK, .object = mutex});
    toy_add(program, list, (struct toy_op){.kind = kind, .object = variable, .value = value});
    toy_add(program, list, (struct toy_op){.kind = TOY_UNLOCK, .object = mutex});
}

static void add_lock(struct toy_program *program, uint32_t list, uint8_t mutex)
{
    toy_add(program, list, (struct toy_op){.kind = TOY_LOCK, .object = mutex});
}

static void add_unlock(struct toy_program *program, uint32_t list, uint8_t mutex)
{
    toy_add(program, list, (struct toy_op){.kind = TOY_UNLOCK, .object = mutex});
}

static bool finds_deadlock(const struct toy_program *program, const char *strategy)
{
    struct ends ends = {0};
    CHECK(ends_of(program, strategy, EXECUTIONS_MAX, &ends));
    bool deadlock = ends.deadlock;
    ends_free(&ends);
    return deadlock;
}

/* Figure 10: nothing that is read or written depends on the order, so that -rw prunes what -dd
 * would see. */
static void figure_10_is_found_by_dd_only(void **state)
{
    struct toy_program program = {.name = "figure 10", .bare = true, .plain = true};
    struct story story = {"figure 10 is found by dd only", &program, "as the paper says"};
    add_lock(&program, 0, 0);
    add_lock(&program, 0, 1);
    add_unlock(&program, 0, 1);
    add_unlock(&program, 0, 0);
    add_lock(&program, 1, 0);
    add_unlock(&program, 1, 0);
    add_lock(&program, 1, 1);
    add_lock(&program, 1, 0);
    add_unlock(&program, 1, 0);
    add_unlock(&program, 1, 1);
    story_expect(&story, finds_deadlock(&program, "dfs"), "dfs finds the deadlock");
    story_expect(&story, !finds_deadlock(&program, "exitblock"), "no order of blocks shows it");
    story_expect(&story, finds_deadlock(&program, "exitblock-dd"), "exitblock-dd finds it");
    story_expect(&story, !finds_deadlock(&program, "exitblock-rwdd"), "exitblock-rwdd does not");
}

/* The first thread holds lock 0 while it writes two variables, one after the other; the second one
 * takes lock 0 and gives it back before it looks at both. Its look falls between the writes only if
 * that came first; what is read and written does not show it. */
static void a_lock_that_is_held_over_blocks_counts(void **state)
{
    struct toy_program program = {.name = "a lock held over blocks", .bare = true, .plain = true};
    uint64_t sums[4] = {0};
    struct ends plain = {0};
    add_lock(&program, 0, 0);
    add_section(&program, 0, 1, 1, TOY_STORE, 1);
    add_section(&program, 0, 2, 2, TOY_STORE, 1);
    add_unlock(&program, 0, 0);
    add_lock(&program, 1, 0);
    add_unlock(&program, 1, 0);
    add_lock(&program, 1, 1);
    add_lock(&program, 1, 2);
    toy_add(&program, 1, (struct toy_op){.kind = TOY_LOAD, .object = 1, .value = 1, .skip = 1});
    toy_add(&program, 1, (struct toy_op){.kind = TOY_ASSERT, .object = 2, .value = 1});
    add_unlock(&program, 1, 2);
    add_unlock(&program, 1, 1);
    assert_true(ends_of(&program, "dfs", EXECUTIONS_MAX, &plain));
    assert_true(plain.first_failure > 0);
    expect_same(&program, &plain, "a lock that is held over blocks counts", sums);
    ends_free(&plain);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        {"blocks are as many as the paper says", blocks_are_as_many_as_the_paper_says, NULL, NULL,
         NULL},
        {"figure 10 is found by dd only", figure_10_is_found_by_dd_only, NULL, NULL, NULL},
        {"a lock that is held over blocks counts", a_lock_that_is_held_over_blocks_counts, NULL,
         NULL, NULL},
        {"what no lock guards loses nothing", what_no_lock_guards_loses_nothing, NULL, NULL, NULL},
        {"locks in order lose nothing", locks_in_order_lose_nothing, NULL, NULL, NULL},
        {"conditions lose nothing", conditions_lose_nothing, NULL, NULL, NULL},
        {"deadlocks of locks are found", deadlocks_of_locks_are_found, NULL, NULL, NULL},
        {"deadlocks of all kinds are found", deadlocks_of_all_kinds_are_found, NULL, NULL, NULL},
        {"bare locks deadlock where they do", bare_locks_deadlock_where_they_do, NULL, NULL, NULL},
    };
    return story_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
