/* The gate of the reductions: for random programs a reduced search must show the same classes,
 * deadlocks, failures and final states as plain search, and the optimal one each class once. */
#include <stdlib.h>
#include <string.h>

#include "support/search.h"
#include "support/story.h"

enum { PROGRAMS = 1000, EXECUTIONS_MAX = 20000 };

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
    bool fails; /* some execution ends before its time */
    struct progress progress;
};

static int compare_results(const void *left, const void *right)
{
    return memcmp(left, right, sizeof(struct result));
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

/* False: there are more than EXECUTIONS_MAX. */
static bool results_of(const struct toy_program *program, const char *strategy,
                       enum reduction reduction, struct results *results)
{
    struct search search;
    bool done = true;
    search_open(&search, program, strategy,
                (struct strategy_options){.bound = NO_BOUND, .reduction = reduction});
    while (search_next(&search)) {
        if (search.trace.outcome == OUTCOME_CUT_STRATEGY) {
            results->cut++;
        } else {
            results->executions++;
            results_add(results, &search);
        }
        if (results->executions + results->cut > EXECUTIONS_MAX) {
            done = false;
            break;
        }
    }
    results->progress = search_progress(&search);
    search_close(&search);
    results_sort(results);
    return done;
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

static const char *const reduction_names[] = {
    [REDUCTION_OPTIMAL] = "the optimal reduction shows what plain search shows",
    [REDUCTION_SOURCE] = "the source reduction shows what plain search shows",
    [REDUCTION_CLASSIC] = "the classic reduction shows what plain search shows",
};

static void expect_same(const struct toy_program *program, const struct results *plain,
                        enum reduction reduction)
{
    struct story story = {reduction_names[reduction], program, "the classes that dfs shows"};
    struct results reduced = {0};
    story_expect(&story, results_of(program, "dpor", reduction, &reduced),
                 "it needs no more executions than plain search");
    story_expect_count(&story, plain->count, reduced.count);
    story_expect(&story, results_same(plain, &reduced), "the same classes and ends");
    story_expect(&story, reduced.progress.complete && reduced.progress.claim == CLAIM_ALL_CLASSES,
                 "it claims all classes");
    if (reduction == REDUCTION_OPTIMAL && !plain->fails) {
        story_expect_count(&story, plain->count, reduced.executions);
        story_expect_count(&story, 0, reduced.cut);
    }
    results_free(&reduced);
}

static void reductions_lose_nothing(void **state)
{
    enum reduction reduction = *(const enum reduction *)*state;
    uint64_t seed = story_first_seed();
    uint32_t programs = story_programs(PROGRAMS);
    for (uint32_t i = 0; i < programs; seed++) {
        struct toy_program program = toy_random_more(seed);
        struct results plain = {0};
        if (results_of(&program, "dfs", 0, &plain)) {
            expect_same(&program, &plain, reduction);
            i++;
        }
        results_free(&plain);
    }
}

int main(int argc, char **argv)
{
    static enum reduction reductions[] = {REDUCTION_OPTIMAL, REDUCTION_SOURCE, REDUCTION_CLASSIC};
    const struct CMUnitTest tests[] = {
        {reduction_names[0], reductions_lose_nothing, NULL, NULL, &reductions[0]},
        {reduction_names[1], reductions_lose_nothing, NULL, NULL, &reductions[1]},
        {reduction_names[2], reductions_lose_nothing, NULL, NULL, &reductions[2]},
    };
    return story_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
