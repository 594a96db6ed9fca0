/* The gate of the reduction within a bound: for random programs bpor must show at each bound
 * exactly the classes, deadlocks, failures and final states that preempt shows there. */
#include <stdlib.h>
#include <string.h>

#include "strategy/bpor.h"
#include "support/search.h"
#include "support/story.h"

#ifdef __SANITIZE_ADDRESS__
enum { PROGRAMS = 100 }; /* all are run without sanitizers, too */
#else
enum { PROGRAMS = 1000 };
#endif
enum { LONG = 2, BOUND = 4, EXECUTIONS_MAX = 20000 };
enum { FAULT_PROGRAMS = 4000, FAULT_EXECUTIONS_MAX = 1000 };

struct result { /* of an execution: its class, how it ended, and at which bound it was shown */
    uint64_t class[2];
    int32_t values[TOY_OBJECTS_MAX];
    uint64_t waiting;
    uint32_t outcome;
    int32_t bound; /* last: the least comes first */
};

struct results {
    struct result *items;
    size_t count, capacity;
    uint64_t executions, cut; /* of these were … */
    struct progress progress;
};

static int compare_results(const void *left, const void *right)
{
    const struct result *a = left, *b = right;
    int order = memcmp(a, b, offsetof(struct result, bound));
    return order != 0 ? order : a->bound - b->bound;
}

static void results_add(struct results *results, const struct search *search, int32_t bound)
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
    result->outcome = search->trace.outcome;
    result->bound = bound;
}

/* Each once, with the least of its bounds. */
static void results_sort(struct results *results)
{
    qsort(results->items, results->count, sizeof *results->items, compare_results);
    size_t kept = 0;
    for (size_t i = 0; i < results->count; i++)
        if (i == 0 || memcmp(&results->items[i], &results->items[kept - 1],
                             offsetof(struct result, bound)) != 0)
            results->items[kept++] = results->items[i];
    results->count = kept;
}

/* False: there are more executions than `most`. */
static bool results_without(const struct toy_program *program, const char *strategy, int32_t bound,
                            enum bpor_rule left_out, uint64_t most, struct results *results)
{
    struct search search;
    bool done = true;
    search_open(&search, program, strategy,
                (struct strategy_options){.bound = bound, .left_out = left_out});
    while (done && search_next(&search)) {
        uint32_t cost = trace_costs(&search.trace).preemptions;
        int32_t at = search_progress(&search).bound;
        CHECK(bound == NO_BOUND || cost <= (uint32_t)at);
        if (search.trace.outcome == OUTCOME_CUT_STRATEGY)
            results->cut++;
        else
            results_add(results, &search, bound == NO_BOUND ? 0 : at);
        done = ++results->executions <= most;
    }
    results->progress = search_progress(&search);
    search_close(&search);
    results_sort(results);
    return done;
}

static bool results_of(const struct toy_program *program, const char *strategy, int32_t bound,
                       uint64_t most, struct results *results)
{
    return results_without(program, strategy, bound, BPOR_EVERY_RULE, most, results);
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

static uint64_t count_up_to(const struct results *results, int32_t bound)
{
    uint64_t count = 0;
    for (size_t i = 0; i < results->count; i++)
        count += results->items[i].bound <= bound;
    return count;
}

static const char same_name[] = "at each bound bpor shows what preempt shows";

static void expect_same(const struct toy_program *program, const struct results *plain,
                        uint64_t *executions)
{
    struct story story = {same_name, program, "the classes that preempt shows at this bound"};
    struct results reduced = {0};
    results_of(program, "bpor", BOUND, UINT64_MAX, &reduced);
    for (int32_t bound = 0; bound <= BOUND; bound++)
        story_expect_count(&story, count_up_to(plain, bound), count_up_to(&reduced, bound));
    story_expect(&story, results_same(plain, &reduced), "the same classes and ends at each bound");
    story_expect(&story, reduced.progress.complete, "it comes to its end");
    story_expect(&story,
                 reduced.progress.claim == CLAIM_ALL_CLASSES ||
                     reduced.progress.claim == CLAIM_WITHIN_BOUND,
                 "it claims what was searched");
    if (reduced.progress.claim == CLAIM_ALL_CLASSES) {
        struct results all = {0}, unbounded = {0};
        if (results_of(program, "dfs", NO_BOUND, EXECUTIONS_MAX, &all)) {
            results_of(program, "bpor", NO_BOUND, UINT64_MAX, &unbounded);
            struct story every = {same_name, program, "all classes, as bpor claims"};
            story_expect_count(&every, all.count, reduced.count);
            story_expect(&every, results_same(&all, &unbounded), "the classes and ends of dfs");
        }
        results_free(&all);
        results_free(&unbounded);
    }
    *executions += reduced.executions;
    results_free(&reduced);
}

/* In some programs operations may time out, in some threads are struck by signals, cancellation or
 * a timer, in some loops wait for a value or several, in some threads sleep now and then: leaving
 * them there costs nothing. */
static struct toy_program random_program(uint64_t seed)
{
    struct toy_program program = seed % 8 == 1   ? toy_random_timed(seed)
                                 : seed % 8 == 5 ? toy_random_alerts(seed)
                                 : seed % 8 == 2 ? toy_random_awaits(seed)
                                 : seed % 8 == 6 ? toy_random_loops(seed, true)
                                                 : toy_random_more(seed);
    for (uint32_t list = 0; seed % 4 == 0 && list < program.thread_count; list++)
        for (uint32_t i = 0; i < program.lists[list].count; i++)
            if (program.lists[list].ops[i].kind == TOY_ADD)
                program.lists[list].ops[i] = (struct toy_op){.kind = TOY_SLEEP};
    return program;
}

static void bounds_lose_nothing(void **state)
{
    uint64_t seed = story_first_seed(), plainly = 0, reduced = 0;
    uint32_t programs = story_programs(PROGRAMS);
    if (programs > PROGRAMS) /* --long: 20,000 */
        programs *= LONG;
    for (uint32_t i = 0; i < programs; seed++) {
        struct toy_program program = random_program(seed);
        struct results plain = {0};
        if (results_of(&program, "preempt", BOUND, EXECUTIONS_MAX, &plain)) {
            expect_same(&program, &plain, &reduced);
            plainly += plain.executions;
            i++;
        }
        results_free(&plain);
    }
    print_message("%u programs: preempt %lu executions, bpor %lu\n", programs, plainly, reduced);
}

static const char *const rule_names[BPOR_RULES] = {
    [BPOR_STEP] = "steps before the step that depends on them",
    [BPOR_BEGIN] = "the conservative points",
    [BPOR_WAITED] = "what was waited for",
    [BPOR_JOIN] = "joins",
    [BPOR_PENDING] = "what was pending",
    [BPOR_LEADING] = "threads that lead to one",
    [BPOR_RUN] = "all that a sleeper would do",
    [BPOR_STOP] = "what others stop for",
    [BPOR_ANYONE] = "the unknown wakers",
    [BPOR_LED] = "who could have timed out",
};

/* The gate sees that bpor does without a rule. */
static void each_rule_is_needed(void **state)
{
    bool caught[BPOR_RULES] = {[BPOR_EVERY_RULE] = true};
    uint32_t left = BPOR_RULES - 1;
    for (uint64_t seed = 1; seed < FAULT_PROGRAMS && left > 0; seed++) {
        struct toy_program program = seed % 2 == 0 ? toy_random_timed(seed) : toy_random_more(seed);
        struct results plain = {0};
        bool fits = results_of(&program, "preempt", BOUND, FAULT_EXECUTIONS_MAX, &plain);
        for (enum bpor_rule rule = BPOR_STEP; fits && rule < BPOR_RULES; rule++) {
            struct results reduced = {0};
            if (caught[rule])
                continue;
            results_without(&program, "bpor", BOUND, rule, UINT64_MAX, &reduced);
            caught[rule] = !results_same(&plain, &reduced);
            left -= caught[rule];
            results_free(&reduced);
        }
        results_free(&plain);
    }
    for (enum bpor_rule rule = BPOR_STEP; rule < BPOR_RULES; rule++)
        if (!caught[rule])
            fail_msg("nobody notices that bpor does without %s", rule_names[rule]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        {same_name, bounds_lose_nothing, NULL, NULL, NULL},
        {"each rule is needed", each_rule_is_needed, NULL, NULL, NULL},
    };
    return story_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
