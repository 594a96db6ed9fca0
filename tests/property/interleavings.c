/* How many executions, and how many classes of them, are known in closed form. */
#include "strategy/guided/priority.h"
#include "support/search.h"
#include "support/story.h"

enum { COUNT_MAX = 200000 };

static uint64_t factorial(uint64_t n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

static uint64_t choose(uint64_t n, uint64_t k)
{
    return k > n ? 0 : factorial(n) / factorial(k) / factorial(n - k);
}

static uint64_t power(uint64_t base, uint64_t exponent)
{
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

/* Sum over block counts a, b of two threads, k operations each, at most p preemptions. */
static uint64_t two_threads_bounded(uint64_t k, uint64_t p)
{
    uint64_t sum = 0;
    for (uint64_t a = 1; a <= k; a++)
        for (uint64_t b = 1; b <= k; b++)
            if (a + b - 2 <= p && a <= b + 1 && b <= a + 1)
                sum += (a == b ? 2 : 1) * choose(k - 1, a - 1) * choose(k - 1, b - 1);
    return sum;
}

static struct toy_program bare(const char *what, uint32_t threads, uint32_t operations)
{
    struct toy_program program = {.bare = true};
    snprintf(program.name, sizeof program.name, "%u threads x %u %s", threads, operations, what);
    return program;
}

static struct toy_program independent(uint32_t threads, uint32_t operations)
{
    struct toy_program program = bare("independent operations", threads, operations);
    for (uint32_t i = 0; i < threads; i++)
        for (uint32_t k = 0; k < operations; k++)
            toy_add(&program, i, (struct toy_op){.kind = TOY_STORE, .object = (uint8_t)i});
    return program;
}

static struct toy_program sections(uint32_t threads)
{
    struct toy_program program = bare("critical sections of one mutex", threads, 1);
    for (uint32_t i = 0; i < threads; i++) {
        toy_add(&program, i, (struct toy_op){.kind = TOY_LOCK});
        toy_add(&program, i, (struct toy_op){.kind = TOY_UNLOCK});
    }
    return program;
}

static struct toy_program writers(uint32_t threads)
{
    struct toy_program program = bare("writes of one variable", threads, 1);
    for (uint32_t i = 0; i < threads; i++)
        toy_add(&program, i, (struct toy_op){.kind = TOY_STORE, .value = (int32_t)i});
    return program;
}

static struct toy_program one_writer(uint32_t readers)
{
    struct toy_program program = bare("reads, and one write", readers, 1);
    toy_add(&program, 0, (struct toy_op){.kind = TOY_STORE, .value = 1});
    for (uint32_t i = 1; i <= readers; i++)
        toy_add(&program, i, (struct toy_op){.kind = TOY_LOAD});
    return program;
}

struct counts {
    uint64_t executions, classes;
};

static struct counts count(const struct story *story, const char *strategy, int32_t bound)
{
    static uint64_t classes[COUNT_MAX][2];
    struct search search;
    struct counts counts = {0};
    search_open(&search, story->program, strategy, (struct strategy_options){.bound = bound});
    while (search_next(&search)) {
        story_expect(story, search_replays(&search), "every trace replays");
        story_expect(story, counts.executions < COUNT_MAX, "the search ends");
        counts.executions++;
        uint64_t i = 0;
        while (i < counts.classes &&
               (classes[i][0] != search.trace.class[0] || classes[i][1] != search.trace.class[1]))
            i++;
        if (i == counts.classes) {
            classes[i][0] = search.trace.class[0];
            classes[i][1] = search.trace.class[1];
            counts.classes++;
        }
    }
    struct progress progress = search_progress(&search);
    story_expect(story, progress.complete, "the strategy says that it is complete");
    search_close(&search);
    return counts;
}

static void expect(const char *test, const struct toy_program *program, const char *reason,
                   uint64_t executions, uint64_t classes)
{
    struct story story = {test, program, reason};
    struct counts counts = count(&story, "dfs", NO_BOUND);
    story_expect_count(&story, executions, counts.executions);
    story_expect_count(&story, classes, counts.classes);
    static const char *const others[] = {"preempt", "delay", "depth"};
    for (int i = 0; i < 3; i++) {
        counts = count(&story, others[i], NO_BOUND);
        story_expect_count(&story, executions, counts.executions);
        story_expect_count(&story, classes, counts.classes);
    }
}

static void expect_bounded(const char *test, const struct toy_program *program, const char *reason,
                           int32_t bound, uint64_t executions)
{
    struct story story = {test, program, reason};
    story_expect_count(&story, executions, count(&story, "preempt", bound).executions);
}

static void independent_operations(void **state)
{
    for (uint32_t n = 1; n <= 4; n++)
        for (uint32_t k = 1; n * k <= 8; k++) {
            struct toy_program program = independent(n, k);
            expect("independent operations", &program, "(nk)! / (k!)^n, one class",
                   factorial(n * k) / power(factorial(k), n), 1);
            expect_bounded("independent operations", &program, "n! without preemptions", 0,
                           factorial(n));
        }
}

static void bounded_pairs(void **state)
{
    for (uint32_t k = 1; k <= 6; k++)
        for (int32_t bound = 0; bound <= 12; bound++) {
            struct toy_program program = independent(2, k);
            expect_bounded("bounded pairs", &program,
                           "sum of w C(k-1,a-1) C(k-1,b-1), a+b-2 <= p, |a-b| <= 1", bound,
                           two_threads_bounded(k, (uint64_t)bound));
        }
}

static void orders_of_threads(void **state)
{
    for (uint32_t n = 1; n <= 6; n++) {
        struct toy_program program = sections(n);
        expect("orders of threads", &program, "n!", factorial(n), factorial(n));
        program = writers(n);
        expect("orders of threads", &program, "n!", factorial(n), factorial(n));
        if (n < 6) {
            program = one_writer(n);
            expect("orders of threads", &program, "(n+1)!, 2^n classes", factorial(n + 1),
                   power(2, n));
        }
    }
}

static void lock_and_unlock(void **state)
{
    static const uint64_t executions[] = {10, 42, 156, 570, 2096};
    for (uint32_t k = 1; k <= 5; k++) {
        struct toy_program program = toy_lockers(2, k);
        expect("lock and unlock", &program, "C(2k,k) classes", executions[k - 1], choose(2 * k, k));
    }
    struct toy_program program = toy_lockers(3, 1);
    expect("lock and unlock", &program, "3! classes", 184, 6);
}

static void lock_and_unlock_bounded(void **state)
{
    static const struct {
        uint32_t times;
        uint64_t executions[3];
    } rows[] = {{2, {3, 10, 22}}, {5, {3, 25, 112}}};
    for (int row = 0; row < 2; row++)
        for (int32_t bound = 0; bound < 3; bound++) {
            struct toy_program program = toy_lockers(2, rows[row].times);
            expect_bounded("lock and unlock, bounded", &program, "counted by hand", bound,
                           rows[row].executions[bound]);
        }
}

/* The first figure of the study of schedule bounding (Thomson, Donaldson and Betts 2014). */
static void figure_of_the_study(void **state)
{
    static const struct {
        const char *strategy, *reason;
        int32_t bound;
        uint64_t executions;
    } rows[] = {
        {"preempt", "3! orders of threads", 0, 6},
        {"preempt", "11 with a preemption bound of 1", 1, 11},
        {"delay", "one round", 0, 1},
        {"delay", "4 with a delay bound of 1", 1, 4},
    };
    struct toy_program program = {.name = "x and y differ for a moment", .bare = true};
    toy_add(&program, 0, (struct toy_op){.kind = TOY_STORE, .value = 1}); /* v0: x - y */
    toy_add(&program, 0, (struct toy_op){.kind = TOY_STORE, .value = 0});
    toy_add(&program, 1, (struct toy_op){.kind = TOY_STORE, .object = 1, .value = 1});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_ASSERT, .value = 0});
    for (int i = 0; i < 4; i++) {
        struct story story = {"figure of the study", &program, rows[i].reason};
        story_expect_count(&story, rows[i].executions,
                           count(&story, rows[i].strategy, rows[i].bound).executions);
    }
}

/* n threads of at most k steps, of which at most b may block (ending does, too): at most
 * C(nk, c) (nb + c)! executions have c preemptions (Musuvathi and Qadeer 2007, theorem 1). */
static void theorem_of_context_bounding(void **state)
{
    for (uint32_t times = 1; times <= 3; times++) {
        struct toy_program program = toy_lockers(2, times);
        struct story story = {"theorem of context bounding", &program, "C(nk, c) (nb + c)!"};
        uint64_t n = 3, k = 2 * times > 5 ? 2 * times : 5, b = times > 2 ? times + 1 : 3;
        uint64_t before = 0;
        for (int32_t bound = 0; bound < 4; bound++) {
            uint64_t run = count(&story, "preempt", bound).executions;
            uint64_t choices = 1;
            for (uint64_t i = 0; i < (uint64_t)bound; i++)
                choices = choices * (n * k - i) / (i + 1);
            story_expect(&story, run - before <= choices * factorial(n * b + (uint64_t)bound),
                         "no more than so many");
            before = run;
        }
    }
}

static void exit_is_a_step(void **state)
{
    struct toy_program program = {.name = "main returns while a thread may still fail"};
    toy_add(&program, 1, (struct toy_op){.kind = TOY_ASSERT, .value = 1});
    toy_create_all(&program);
    expect("exit is a step", &program, "the thread comes before or after the exit", 2, 2);
}

/* At the last bound what waits is on the path from the first execution: one node a step at most. */
static void last_bound_is_depth_first(void **state)
{
    struct toy_program program = independent(3, 4);
    struct story story = {"the last bound is depth first", &program, "nothing waits for later"};
    struct search search;
    uint64_t most = 0;
    search_open(&search, &program, "preempt", (struct strategy_options){.bound = 0});
    while (search_next(&search))
        if (search_progress(&search).pending > most)
            most = search_progress(&search).pending;
    story_expect(&story, most <= 12, "at most one node waits for each step");
    struct progress progress = search_progress(&search);
    story_expect(&story, progress.claim == CLAIM_WITHIN_BOUND, "the claim is that of the bound");
    search_close(&search);
}

/* At every moment of a search what waits to be run takes at most 16 bytes for each execution, and a
 * few chunks beside: one or two for each pile. */
static uint64_t expect_small(const struct toy_program *program, const char *name,
                             struct strategy_options options, uint64_t executions_max)
{
    enum { BESIDE = 2048 };
    struct story story = {"what waits is small", program, "16 bytes for each"};
    struct search search;
    uint64_t most = 0;
    search_open(&search, program, name, options);
    for (uint64_t run = 0; run < executions_max && search_next(&search); run++) {
        struct progress progress = search_progress(&search);
        most = progress.pending > most ? progress.pending : most;
        if (progress.kept_bytes > 16 * progress.pending + BESIDE)
            story_expect_count(&story, 16 * progress.pending + BESIDE, progress.kept_bytes);
    }
    search_close(&search);
    return most;
}

static void what_waits_is_small(void **state)
{
    static const struct {
        const char *name;
        int32_t bound;
        struct hierarchy hierarchy;
    } searches[] = {
        {"preempt", NO_BOUND, {0}},
        {"preempt", 2, {0}},
        {"delay", NO_BOUND, {0}},
        {"depth", NO_BOUND, {0}},
        {"best", NO_BOUND, {.count = 2, .kinds = {PRIORITY_mdpor, PRIORITY_pb}}},
        {"best", 2, {.count = 3, .kinds = {PRIORITY_ss, PRIORITY_dpor, PRIORITY_pb}}},
        {"best", NO_BOUND, {.count = 1, .kinds = {PRIORITY_df}}},
    };
    struct toy_program few = toy_lockers(3, 3), many = toy_lockers(4, 4);
    bool is_whole = SANITIZED == 1 && !story_is_short();
    for (size_t i = 0; i < sizeof searches / sizeof *searches; i++) {
        struct strategy_options options = {.bound = searches[i].bound,
                                           .hierarchy = searches[i].hierarchy};
        for (uint64_t seed = 1; seed <= story_programs(60 / SANITIZED); seed++) {
            struct toy_program program = toy_random(seed);
            expect_small(&program, searches[i].name, options, 2000);
        }
        uint64_t most = expect_small(&few, searches[i].name, options, /* to its end */
                                     is_whole ? UINT64_MAX : 5000);
        assert_true(most > 20);
        expect_small(&many, searches[i].name, options, story_programs(30000 / SANITIZED));
    }
}

/* Eight choices of two: half of the executions are half of the tree. */
static void dfs_knows_its_share(void **state)
{
    struct toy_program program = {.name = "8 choices of 2", .bare = true};
    for (int i = 0; i < 8; i++)
        toy_add(&program, 0, (struct toy_op){.kind = TOY_CHOOSE, .value = 2});
    struct story story = {"dfs knows its share", &program, "the 129th begins the second half"};
    struct search search;
    search_open(&search, &program, "dfs", (struct strategy_options){.bound = NO_BOUND});
    for (int i = 0; i < 129; i++)
        search_next(&search);
    search_advance(&search); /* learns from the 129th, but looks only when they have doubled */
    struct estimate estimate = search_progress(&search).estimate;
    story_expect_count(&story, ESTIMATE_SHARES, estimate.kind);
    for (uint32_t i = 0; i < SHARES; i++) {
        uint64_t run = 128u >> i, exact = (run - 1) << 56; /* of 2^64 / 256 each */
        story_expect_count(&story, run, estimate.shares[i].executions);
        story_expect(&story, exact - estimate.shares[i].share < 1 << 20, "the share is right");
    }
    search_close(&search);
}

/* Parts of a bound are what waits when it begins; they end one after another. */
static void bounds_know_their_parts(void **state)
{
    struct toy_program program = independent(3, 3);
    struct story story = {"bounds know their parts", &program, "sizes of parts add up"};
    struct search search;
    uint64_t run = 0, waiting = 0;
    int32_t bound = 0;
    search_open(&search, &program, "preempt", (struct strategy_options){.bound = 2});
    while (search_next(&search)) {
        struct progress progress = search_progress(&search);
        struct parts parts = progress.estimate.parts;
        if (progress.bound > bound) {
            waiting = progress.pending + 1;
            run = 0;
        }
        bound = progress.bound;
        run++;
        story_expect_count(&story, run, parts.sum + parts.current);
        if (bound > 0)
            story_expect_count(&story, waiting, parts.left + parts.done + 1);
    }
    story_expect_count(&story, 2, (uint64_t)bound);
    search_close(&search);
}

static void claims(void **state)
{
    struct toy_program program = independent(2, 2);
    struct story story = {"claims", &program, "4 operations allow two preemptions at most"};
    struct search search;
    search_open(&search, &program, "preempt", (struct strategy_options){.bound = NO_BOUND});
    int32_t bound = 0;
    while (search_next(&search)) {
        struct progress progress = search_progress(&search);
        story_expect(&story, progress.bound >= bound, "bounds rise");
        story_expect(&story, progress.claim == CLAIM_WITHIN_BOUND,
                     "the bound is claimed meanwhile");
        story_expect(&story, !progress.complete, "it is not complete before its end");
        bound = progress.bound;
    }
    story_expect_count(&story, 2, (uint64_t)bound);
    story_expect(&story, search_progress(&search).claim == CLAIM_ALL, "in the end all is claimed");
    search_close(&search);
    search_open(&search, &program, "preempt", (struct strategy_options){.bound = 2});
    while (search_next(&search))
        ;
    story_expect(&story, search_progress(&search).claim == CLAIM_ALL,
                 "nothing lies beyond bound 2");
    search_close(&search);
    search_open(&search, &program, "preempt", (struct strategy_options){.bound = 1});
    while (search_next(&search))
        ;
    story_expect(&story, search_progress(&search).claim == CLAIM_WITHIN_BOUND,
                 "something lies beyond bound 1");
    search_close(&search);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        {"independent operations", independent_operations, NULL, NULL, NULL},
        {"bounded pairs", bounded_pairs, NULL, NULL, NULL},
        {"orders of threads", orders_of_threads, NULL, NULL, NULL},
        {"lock and unlock", lock_and_unlock, NULL, NULL, NULL},
        {"lock and unlock, bounded", lock_and_unlock_bounded, NULL, NULL, NULL},
        {"figure of the study", figure_of_the_study, NULL, NULL, NULL},
        {"theorem of context bounding", theorem_of_context_bounding, NULL, NULL, NULL},
        {"exit is a step", exit_is_a_step, NULL, NULL, NULL},
        {"the last bound is depth first", last_bound_is_depth_first, NULL, NULL, NULL},
        {"what waits is small", what_waits_is_small, NULL, NULL, NULL},
        {"dfs knows its share", dfs_knows_its_share, NULL, NULL, NULL},
        {"bounds know their parts", bounds_know_their_parts, NULL, NULL, NULL},
        {"claims", claims, NULL, NULL, NULL},
    };
    return story_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
