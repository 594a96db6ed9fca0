/* Samplers held to what their papers promise, with fixed seeds and margins of five standard
 * deviations. */
#include <math.h>
#include <string.h>

#include "support/search.h"
#include "support/story.h"

enum { SAMPLES = 20000, ORDERS_MAX = 512 };

static struct toy_program bare(const char *name)
{
    struct toy_program program = {.bare = true};
    snprintf(program.name, sizeof program.name, "%s", name);
    return program;
}

static void store(struct toy_program *program, uint32_t list, uint8_t object, int32_t value)
{
    toy_add(program, list, (struct toy_op){.kind = TOY_STORE, .object = object, .value = value});
}

static void check(struct toy_program *program, uint32_t list, uint8_t object, int32_t value)
{
    toy_add(program, list, (struct toy_op){.kind = TOY_ASSERT, .object = object, .value = value});
}

/* Fails if the second of n threads comes before the first. */
static struct toy_program order_bug(void)
{
    struct toy_program program = bare("one order of two steps");
    store(&program, 0, 0, 1);
    check(&program, 1, 0, 1);
    store(&program, 2, 1, 1);
    return program;
}

/* Fails if thread 1 comes between two steps of thread 0. */
static struct toy_program window_bug(void)
{
    struct toy_program program = bare("a step within a window");
    for (int i = 0; i < 4; i++)
        store(&program, 0, 2, i);
    store(&program, 0, 0, 1);
    store(&program, 0, 0, 0);
    for (int i = 0; i < 3; i++)
        store(&program, 1, 3, i);
    check(&program, 1, 0, 0);
    return program;
}

/* Fails if thread 1 begins within a window of thread 0, which goes on within one of thread 1. */
static struct toy_program double_window_bug(void)
{
    struct toy_program program = bare("a window within a window");
    store(&program, 0, 0, 1);
    store(&program, 0, 0, 0);
    check(&program, 0, 1, 0);
    toy_add(&program, 1, (struct toy_op){.kind = TOY_LOAD, .object = 0, .value = 1, .skip = 2});
    store(&program, 1, 1, 1);
    store(&program, 1, 1, 0);
    return program;
}

static void pct_keeps_its_promise(void **state)
{
    struct toy_program programs[] = {order_bug(), window_bug(), double_window_bug()};
    for (int32_t depth = 1; depth <= 3; depth++) {
        const struct toy_program *program = &programs[depth - 1];
        struct story story = {"pct keeps its promise", program,
                              "at least 1 / (n k^(d-1)) of all executions show a bug of depth d"};
        struct search search;
        uint64_t failed = 0;
        search_open(
            &search, program, "pct",
            (struct strategy_options){.seed = 1, .bound = depth, .executions_max = SAMPLES});
        while (search_next(&search))
            failed += search.trace.outcome == OUTCOME_FAILED;
        struct guarantee guarantee = search_progress(&search).guarantee;
        story_expect_count(&story, (uint64_t)depth, guarantee.depth);
        story_expect_count(&story, program->thread_count, guarantee.threads);
        uint64_t steps = 0;
        for (uint32_t i = 0; i < program->thread_count; i++)
            steps += program->lists[i].count;
        story_expect_count(&story, steps, guarantee.steps);
        story_expect(&story, guarantee.executions > SAMPLES / 2 && guarantee.executions < SAMPLES,
                     "what came before the longest execution does not count");
        double chance = 1.0 / program->thread_count / pow((double)steps, depth - 1);
        double least = SAMPLES * chance - 5 * sqrt(SAMPLES * chance * (1 - chance));
        story_expect(&story, (double)failed >= least, "the bug shows often enough");
        search_close(&search);
        if (depth == 1)
            continue;
        search_open(
            &search, program, "pct",
            (struct strategy_options){.seed = 1, .bound = depth - 1, .executions_max = SAMPLES});
        while (search_next(&search))
            story_expect(&story, search.trace.outcome != OUTCOME_FAILED,
                         "a smaller depth does not show it");
        search_close(&search);
    }
}

struct orders { /* how often each order of the interesting steps came */
    char names[ORDERS_MAX][32];
    uint32_t counts[ORDERS_MAX];
    uint32_t count;
};

static void count_order(struct orders *orders, const struct trace *trace, bool stores_only)
{
    char name[32];
    uint32_t length = 0;
    for (uint32_t i = 0; i < trace->count; i++)
        if (!stores_only || trace->steps[i].op.kind == OP_ATOMIC_STORE) {
            CHECK(length < sizeof name - 1);
            name[length++] = (char)('A' + trace->steps[i].thread);
        }
    name[length] = 0;
    uint32_t at = 0;
    while (at < orders->count && strcmp(orders->names[at], name) != 0)
        at++;
    if (at == orders->count) {
        CHECK(orders->count < ORDERS_MAX);
        strcpy(orders->names[orders->count++], name);
    }
    orders->counts[at]++;
}

/* Either every operation is interesting, or only those on an object: then its number is the
 * hint. */
static void expect_uniform(struct toy_program *program, bool stores_only, uint32_t expected)
{
    enum { PROFILED = 3 };
    uint32_t samples = 0;
    static struct orders orders;
    struct story story = {"surw is uniform", program, "all orders are equally likely"};
    struct search search;
    memset(&orders, 0, sizeof orders);
    search_open(&search, program, "surw",
                (struct strategy_options){
                    .seed = 3, .bound = NO_BOUND, .executions_max = SAMPLES + PROFILED});
    while (search_next(&search)) {
        bool one_object = search.schedule[search.which].hint != 0;
        if (search.executions > PROFILED && (one_object || !stores_only)) {
            count_order(&orders, &search.trace, stores_only);
            samples++;
        }
    }
    search_close(&search);
    story_expect_count(&story, expected, orders.count);
    story_expect(&story, samples > SAMPLES / 2, "most executions pick an object");
    double mean = (double)samples / expected, chi_square = 0;
    double margin = 5 * sqrt(mean * (1 - 1.0 / expected));
    for (uint32_t i = 0; i < orders.count; i++) {
        story_expect(&story, fabs(orders.counts[i] - mean) <= margin,
                     "no order comes too often or too rarely");
        chi_square += (orders.counts[i] - mean) * (orders.counts[i] - mean) / mean;
    }
    uint32_t freedom = expected - 1;
    story_expect(&story, chi_square <= freedom + 5 * sqrt(2.0 * freedom),
                 "chi-square is within five standard deviations");
}

/* By a chain of threads, each of which creates the next between its own two stores. */
static struct toy_program chain_of_threads(void)
{
    struct toy_program program = {.name = "each thread creates the next between two stores"};
    for (uint32_t i = 0; i < 3; i++) {
        store(&program, i, 0, 1);
        if (i < 2)
            toy_add(&program, i, (struct toy_op){.kind = TOY_CREATE, .object = (uint8_t)(i + 1)});
        store(&program, i, 0, 2);
    }
    for (uint32_t i = 1; i < 3; i++)
        toy_add(&program, i - 1, (struct toy_op){.kind = TOY_JOIN, .object = (uint8_t)i});
    return program;
}

static void surw_is_uniform(void **state)
{
    struct toy_program program = bare("2 x 4 independent stores");
    for (uint32_t i = 0; i < 8; i++)
        store(&program, i % 2, (uint8_t)(i % 2), 1);
    expect_uniform(&program, false, 70); /* 8! / (4! 4!) */
    program = bare("1, 2 and 4 stores of one variable");
    for (uint32_t i = 0; i < 7; i++)
        store(&program, i == 0 ? 0 : i < 3 ? 1 : 2, 0, 1);
    expect_uniform(&program, false, 105); /* 7! / (1! 2! 4!) */
    program = (struct toy_program){.name = "3 and 4 stores, a good deal of other steps"};
    for (uint32_t i = 0; i < 7; i++) {
        store(&program, i < 3 ? 1 : 2, 0, 1);
        toy_add(&program, 1, (struct toy_op){.kind = TOY_SLEEP});
    }
    toy_create_all(&program);
    toy_join_all(&program);
    expect_uniform(&program, true, 35); /* 7! / (3! 4!) */
    program = chain_of_threads();
    expect_uniform(&program, true, 15); /* A(A || B(B || CC)): 5 places for A, 3 for B */
}

static uint32_t classes_reached(const struct toy_program *program, const char *strategy,
                                uint64_t seed)
{
    uint64_t classes[64][2];
    uint32_t count = 0;
    struct search search;
    search_open(
        &search, program, strategy,
        (struct strategy_options){.seed = seed, .bound = NO_BOUND, .executions_max = SAMPLES / 10});
    while (search_next(&search)) {
        uint32_t at = 0;
        while (at < count && memcmp(classes[at], search.trace.class, sizeof classes[at]) != 0)
            at++;
        if (at == count) {
            CHECK(count < 64);
            memcpy(classes[count++], search.trace.class, sizeof classes[0]);
        }
    }
    search_close(&search);
    return count;
}

static void all_classes_are_reached(void **state)
{
    const char *strategy = *state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct toy_program program = toy_lockers(2, 3);
        struct story story = {strategy, &program, "6! / (3! 3!) orders of critical sections"};
        story_expect_count(&story, 20, classes_reached(&program, strategy, seed));
        program = bare("one write, 5 reads");
        store(&program, 0, 0, 1);
        for (uint32_t i = 1; i <= 5; i++)
            toy_add(&program, i, (struct toy_op){.kind = TOY_LOAD});
        story.reason = "each read comes before the write or after it";
        story_expect_count(&story, 32, classes_reached(&program, strategy, seed));
    }
}

/* A random walk comes to the store before all reads with a probability of 2^-12. */
static void rf_finds_what_one_read_sees(void **state)
{
    struct toy_program program = bare("the first of 12 reads sees the last of 12 writes");
    toy_add(&program, 1, (struct toy_op){.kind = TOY_LOAD, .value = 12, .skip = 1});
    check(&program, 1, 0, 0);
    for (int i = 1; i <= 12; i++) {
        store(&program, 0, 0, i);
        toy_add(&program, 1, (struct toy_op){.kind = TOY_LOAD, .object = 0});
    }
    struct story story = {"rf finds what one read sees", &program,
                          "a constraint says so, once both are known"};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct search search;
        bool found = false;
        search_open(
            &search, &program, "rf",
            (struct strategy_options){.seed = seed, .bound = NO_BOUND, .executions_max = 1000});
        while (search_next(&search))
            found |= search.trace.outcome == OUTCOME_FAILED;
        story_expect(&story, found, "the assertion fails within 1000 executions");
        search_close(&search);
    }
}

/* Two threads take turns ten times, each time within one step of many: a random walk keeps to that
 * with a probability of 2^-18, or less. */
static void rare_goes_one_turn_at_a_time(void **state)
{
    struct toy_program program = bare("ten turns in a row");
    for (int i = 1; i <= 9; i += 2) {
        toy_add(&program, 0, (struct toy_op){.kind = TOY_LOAD, .value = i - 1, .skip = 40});
        store(&program, 0, 0, i);
        toy_add(&program, 1, (struct toy_op){.kind = TOY_LOAD, .value = i, .skip = 40});
        store(&program, 1, 0, i + 1);
    }
    check(&program, 0, 0, 0);
    struct story story = {"rare goes one turn at a time", &program,
                          "each turn is a situation to go on from"};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct search search;
        bool found = false;
        search_open(
            &search, &program, "rare",
            (struct strategy_options){.seed = seed, .bound = NO_BOUND, .executions_max = 2000});
        while (search_next(&search))
            found |= search.trace.outcome == OUTCOME_FAILED;
        story_expect(&story, found, "the assertion fails within 2000 executions");
        search_close(&search);
    }
}

/* Of two threads of n stores each, with one preemption of the first: n - 1 places. Half of the
 * executions have one preemption and the first thread is the one that begins, if none is drawn. */
static void few_has_few_preemptions(void **state)
{
    enum { STORES = 11, PLACES = STORES - 1 };
    struct toy_program program = bare("2 x 11 stores");
    for (uint32_t i = 0; i < 2 * STORES; i++)
        store(&program, i % 2, (uint8_t)(i % 2), 1);
    struct story story = {"few", &program, "one preemption in half of all executions, anywhere"};
    uint32_t at[PLACES] = {0}, none = 0, one = 0;
    struct search search;
    search_open(&search, &program, "few",
                (struct strategy_options){.seed = 1, .bound = NO_BOUND, .executions_max = SAMPLES});
    while (search_next(&search)) {
        struct trace_costs costs = trace_costs(&search.trace);
        none += costs.preemptions == 0;
        one += costs.preemptions == 1;
        if (costs.preemptions != 1 || search.trace.steps[0].thread != 0)
            continue;
        uint32_t step = 0;
        while (!trace_step_preempts(&search.trace, step))
            step++;
        CHECK(step <= PLACES);
        at[step - 1]++;
    }
    search_close(&search);
    story_expect(&story, none > SAMPLES / 20, "some places come after the last decision");
    story_expect(&story, one > SAMPLES / 3 && one < SAMPLES * 2 / 3, "about half have one");
    uint32_t all = 0;
    for (uint32_t i = 0; i < PLACES; i++)
        all += at[i];
    for (uint32_t i = 0; i < PLACES; i++)
        story_expect(&story, at[i] > all / PLACES / 2 && at[i] < all / PLACES * 2,
                     "no place comes much more often than another");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        {"pct keeps its promise", pct_keeps_its_promise, NULL, NULL, NULL},
        {"surw is uniform", surw_is_uniform, NULL, NULL, NULL},
        {"pos", all_classes_are_reached, NULL, NULL, "pos"},
        {"surw", all_classes_are_reached, NULL, NULL, "surw"},
        {"rf", all_classes_are_reached, NULL, NULL, "rf"},
        {"rare", all_classes_are_reached, NULL, NULL, "rare"},
        {"few", few_has_few_preemptions, NULL, NULL, NULL},
        {"rf finds what one read sees", rf_finds_what_one_read_sees, NULL, NULL, NULL},
        {"rare goes one turn at a time", rare_goes_one_turn_at_a_time, NULL, NULL, NULL},
    };
    return story_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
