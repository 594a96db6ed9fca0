/* Random programs: what each strategy runs is compared with what the independent counter lists. */
#include <stdlib.h>
#include <string.h>

#include "support/search.h"
#include "support/story.h"

enum { PROGRAMS = 1000, EXECUTIONS_MAX = 1000, BOUNDS = 5 };

/* Random programs with at most EXECUTIONS_MAX executions, one after another. */
struct source {
    uint32_t left;
    uint64_t seed;
    struct toy_program program;
    struct listing expected;
};

static struct source source_begin(uint32_t programs)
{
    return (struct source){.left = story_programs(programs), .seed = story_first_seed()};
}

static bool source_next(struct source *source)
{
    listing_free(&source->expected);
    if (source->left == 0)
        return false;
    source->left--;
    for (;;) {
        source->program = toy_random(source->seed++);
        if (enumerate(&source->program, EXECUTIONS_MAX, &source->expected))
            return true;
        listing_free(&source->expected);
    }
}

/* Where each alternative stands in the order of decision_nth, as far as two can be compared. */
static uint32_t rank(const struct trace *trace, uint32_t step)
{
    thread_id last = step > 0 ? trace->steps[step - 1].thread : 0;
    uint32_t distance = (trace->steps[step].thread + THREADS_MAX - last) % THREADS_MAX;
    return distance << 16 | trace->steps[step].choice;
}

static bool comes_after(const struct trace *trace, const struct step *before, uint32_t count)
{
    struct trace earlier = {.steps = (struct step *)before, .count = count};
    uint32_t step = 0;
    while (step < count && step < trace->count &&
           before[step].thread == trace->steps[step].thread &&
           before[step].choice == trace->steps[step].choice)
        step++;
    return step < count && step < trace->count && rank(&earlier, step) < rank(trace, step);
}

static void dfs_runs_each_once_in_order(void **state)
{
    static struct step before[TOY_STEPS_MAX];
    struct source source = source_begin(PROGRAMS);
    while (source_next(&source)) {
        struct story story = {"dfs runs each once, in order", &source.program,
                              "those that the independent counter lists"};
        struct listing actual = {0};
        struct search search;
        uint32_t count = 0;
        search_open(&search, &source.program, "dfs", (struct strategy_options){.bound = NO_BOUND});
        while (search_next(&search) && actual.count <= source.expected.count) {
            search_list(&search, &actual);
            story_expect(&story, search_replays(&search), "every trace replays");
            story_expect(&story, count == 0 || comes_after(&search.trace, before, count),
                         "alternatives come in the order of decision_nth");
            count = search.trace.count;
            memcpy(before, search.trace.steps, count * sizeof *before);
        }
        story_expect_listing(&story, &source.expected, &actual);
        struct progress progress = search_progress(&search);
        story_expect(&story, progress.complete && progress.claim == CLAIM_ALL,
                     "the claim is that of every interleaving");
        listing_free(&actual);
        search_close(&search);
    }
}

static void keep_bound(struct listing *listing, uint32_t bound)
{
    size_t kept = 0;
    for (size_t i = 0; i < listing->count; i++) {
        if (listing->items[i].preemptions <= bound)
            listing->items[kept++] = listing->items[i];
        else
            free(listing->items[i].name);
    }
    listing->count = kept;
}

static void expect_bounds(struct source *source, int32_t bound)
{
    struct story story = {"preempt runs each once, by bound", &source->program,
                          "those that the independent counter lists with so many preemptions"};
    struct listing actual = {0};
    struct search search;
    size_t expected = source->expected.count;
    search_open(&search, &source->program, "preempt", (struct strategy_options){.bound = bound});
    while (search_next(&search) && actual.count <= expected) {
        search_list(&search, &actual);
        story_expect(&story, search_replays(&search), "every trace replays");
        story_expect_count(&story, (uint64_t)search_progress(&search).bound,
                           actual.items[actual.count - 1].preemptions);
        story_expect(&story,
                     actual.count < 2 || actual.items[actual.count - 2].preemptions <=
                                             actual.items[actual.count - 1].preemptions,
                     "bounds rise");
    }
    story_expect_listing(&story, &source->expected, &actual);
    struct progress progress = search_progress(&search);
    story_expect(&story, progress.complete, "it says that it is complete");
    story_expect_count(&story, 0, progress.pending);
    listing_free(&actual);
    search_close(&search);
}

static void preempt_runs_each_once_by_bound(void **state)
{
    struct source source = source_begin(PROGRAMS);
    while (source_next(&source)) {
        expect_bounds(&source, NO_BOUND);
        for (int32_t bound = BOUNDS; bound-- > 0;) {
            keep_bound(&source.expected, (uint32_t)bound);
            expect_bounds(&source, bound);
        }
    }
}

static bool is_listed(const struct listing *sorted, const struct listed *item)
{
    size_t low = 0, high = sorted->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(sorted->items[middle].name, item->name);
        if (order == 0)
            return sorted->items[middle].end == item->end &&
                   sorted->items[middle].preemptions == item->preemptions;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static void random_walks_are_executions(void **state)
{
    enum { WALKS = 50 };
    struct source source = source_begin(PROGRAMS);
    while (source_next(&source)) {
        struct story story = {"random walks are executions", &source.program,
                              "those that the independent counter lists"};
        listing_sort(&source.expected);
        uint64_t sums[2] = {0};
        for (int time = 0; time < 2; time++) {
            struct listing actual = {0};
            struct search search;
            search_open(&search, &source.program, "random",
                        (struct strategy_options){.seed = source.seed, .executions_max = WALKS});
            while (search_next(&search)) {
                search_list(&search, &actual);
                sums[time] = sums[time] * 31 + search.trace.fingerprint;
                story_expect(&story, search_replays(&search), "every trace replays");
                story_expect(&story, is_listed(&source.expected, &actual.items[actual.count - 1]),
                             "every walk is an execution of the program");
            }
            story_expect_count(&story, WALKS, actual.count);
            story_expect(&story, search_progress(&search).claim == CLAIM_SAMPLED,
                         "nothing is claimed but a sample");
            listing_free(&actual);
            search_close(&search);
        }
        story_expect(&story, sums[0] == sums[1], "the same seed gives the same walks");
    }
}

static size_t count_distinct(struct listing *listing)
{
    listing_sort(listing);
    size_t distinct = listing->count > 0;
    for (size_t i = 1; i < listing->count; i++)
        distinct += strcmp(listing->items[i - 1].name, listing->items[i].name) != 0;
    return distinct;
}

static void random_walks_reach_everything(void **state)
{
    struct toy_program program = toy_lockers(2, 2);
    struct story story = {"random walks reach everything", &program,
                          "the rarest of 42 executions has a probability of 1/256"};
    struct listing actual = {0};
    struct search search;
    search_open(&search, &program, "random",
                (struct strategy_options){.seed = 1, .executions_max = 6000});
    while (search_next(&search))
        search_list(&search, &actual);
    story_expect_count(&story, 42, count_distinct(&actual));
    listing_free(&actual);
    search_close(&search);
}

static void random_walks_are_uniform(void **state)
{
    enum { WALKS = 60000, ALTERNATIVES = 6 };
    struct toy_program program = {.name = "a choice of 2, 3 and 1 outcomes", .bare = true};
    toy_add(&program, 0, (struct toy_op){.kind = TOY_CHOOSE, .value = 2});
    toy_add(&program, 1, (struct toy_op){.kind = TOY_CHOOSE, .value = 3});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_STORE, .value = 1});
    struct story story = {"random walks are uniform", &program,
                          "each of 6 alternatives comes first in a sixth of the walks"};
    uint32_t first[3][3] = {{0}};
    struct search search;
    search_open(&search, &program, "random",
                (struct strategy_options){.seed = 7, .executions_max = WALKS});
    while (search_next(&search))
        first[search.trace.steps[0].thread][search.trace.steps[0].choice]++;
    static const uint32_t outcomes[3] = {2, 3, 1};
    for (int thread = 0; thread < 3; thread++)
        for (uint32_t outcome = 0; outcome < outcomes[thread]; outcome++) {
            /* five standard deviations of 91 */
            story_expect(&story, first[thread][outcome] > WALKS / ALTERNATIVES - 455,
                         "no alternative comes too rarely");
            story_expect(&story, first[thread][outcome] < WALKS / ALTERNATIVES + 455,
                         "no alternative comes too often");
        }
    search_close(&search);
}

/* The programs must be worth it: with deadlocks, failures, data choices and many executions. */
static void programs_have_everything(void **state)
{
    struct source source = source_begin(PROGRAMS);
    uint32_t programs = 0, deadlocks = 0, failures = 0, choices = 0, large = 0, yields = 0;
    while (source_next(&source)) {
        bool ends[128] = {0}, chooses = false, gives_way = false;
        for (size_t i = 0; i < source.expected.count; i++) {
            ends[(int)source.expected.items[i].end] = true;
            chooses |= strpbrk(source.expected.items[i].name, "123456789") != NULL;
        }
        for (uint32_t i = 0; i < source.program.thread_count; i++)
            for (uint32_t k = 0; k < source.program.lists[i].count; k++)
                gives_way |= source.program.lists[i].ops[k].kind == TOY_YIELD;
        programs++;
        deadlocks += ends['d'];
        failures += ends['a'];
        choices += chooses;
        large += source.expected.count >= 100;
        yields += gives_way;
    }
    if (programs < PROGRAMS)
        return; /* one was asked for */
    assert_true(deadlocks > programs / 20);
    assert_true(failures > programs / 20);
    assert_true(choices > programs / 20);
    assert_true(large > programs / 4);
    assert_true(yields > programs / 20);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        {"programs have everything", programs_have_everything, NULL, NULL, NULL},
        {"dfs runs each once, in order", dfs_runs_each_once_in_order, NULL, NULL, NULL},
        {"preempt runs each once, by bound", preempt_runs_each_once_by_bound, NULL, NULL, NULL},
        {"random walks are executions", random_walks_are_executions, NULL, NULL, NULL},
        {"random walks reach everything", random_walks_reach_everything, NULL, NULL, NULL},
        {"random walks are uniform", random_walks_are_uniform, NULL, NULL, NULL},
    };
    return story_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
