/* Random programs: what each strategy runs is compared with what the independent counter lists. */
#include <stdlib.h>
#include <string.h>

#include "strategy/alternative.h"
#include "strategy/guided/priority.h"
#include "support/search.h"
#include "support/story.h"

enum { PROGRAMS = 1000 / SANITIZED, EXECUTIONS_MAX = 1000, BOUNDS = 5 };

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

static void keep_bound(struct listing *listing, enum listed_cost cost, uint32_t bound)
{
    size_t kept = 0;
    for (size_t i = 0; i < listing->count; i++) {
        if (listing->items[i].costs[cost] <= bound)
            listing->items[kept++] = listing->items[i];
        else
            free(listing->items[i].name);
    }
    listing->count = kept;
}

struct bounding {
    const char *test, *strategy;
    enum listed_cost cost;
    bool doubles; /* bounds 0, 1, 2, 4 and so on */
};

/* The bound at which an execution of this cost must come. */
static uint64_t bound_of(const struct bounding *bounding, uint32_t cost, int32_t bound_max)
{
    uint64_t bound = cost;
    if (bounding->doubles && cost > 0)
        for (bound = 1; bound < cost;)
            bound *= 2;
    return bound_max != NO_BOUND && bound > (uint64_t)bound_max ? (uint64_t)bound_max : bound;
}

static void expect_bounds(struct source *source, const struct bounding *bounding, int32_t bound)
{
    struct story story = {bounding->test, &source->program,
                          "those that the independent counter lists with so high a cost"};
    struct listing actual = {0};
    struct search search;
    size_t expected = source->expected.count;
    int32_t last = 0;
    search_open(&search, &source->program, bounding->strategy,
                (struct strategy_options){.bound = bound});
    while (search_next(&search) && actual.count <= expected) {
        search_list(&search, &actual);
        story_expect(&story, search_replays(&search), "every trace replays");
        struct progress progress = search_progress(&search);
        uint32_t cost = actual.items[actual.count - 1].costs[bounding->cost];
        story_expect_count(&story, bound_of(bounding, cost, bound), (uint64_t)progress.bound);
        story_expect(&story, progress.bound >= last, "bounds rise");
        last = progress.bound;
    }
    story_expect_listing(&story, &source->expected, &actual);
    struct progress progress = search_progress(&search);
    story_expect(&story, progress.complete, "it says that it is complete");
    story_expect_count(&story, 0, progress.pending);
    listing_free(&actual);
    search_close(&search);
}

static void each_runs_once_by_bound(void **state)
{
    const struct bounding *bounding = *state;
    struct source source = source_begin(PROGRAMS);
    while (source_next(&source)) {
        expect_bounds(&source, bounding, NO_BOUND);
        for (int32_t bound = BOUNDS; bound-- > 0;) {
            keep_bound(&source.expected, bounding->cost, (uint32_t)bound);
            expect_bounds(&source, bounding, bound);
        }
    }
}

/* Steps after which another thread may go on for nothing: it waits, gives way or, once, ends. */
static bool may_stop(enum toy_kind kind)
{
    return kind == TOY_LOCK || kind == TOY_WAIT || kind == TOY_JOIN || kind == TOY_YIELD ||
           kind == TOY_SLEEP;
}

struct size { /* of a program: n threads, each of at most k steps, of which at most b stop it */
    uint64_t n, k, b;
};

static struct size size_of(const struct toy_program *program)
{
    struct size size = {.n = program->thread_count};
    for (uint32_t i = 0; i < program->thread_count; i++) {
        const struct toy_list *list = &program->lists[i];
        uint64_t steps = 1, stops = 1; /* main exits, all end */
        for (uint32_t op = 0; op < list->count; op++) {
            steps += 1 + (list->ops[op].kind == TOY_WAIT);
            stops += may_stop(list->ops[op].kind);
        }
        size.k = steps > size.k ? steps : size.k;
        size.b = stops > size.b ? stops : size.b;
    }
    return size;
}

/* C(nk, c) (nb + c)! (Musuvathi and Qadeer 2007, theorem 1); data choices have no part in it. */
static double most_with(const struct size *size, uint64_t preemptions)
{
    double most = 1;
    for (uint64_t i = 0; i < preemptions; i++)
        most *= (double)(size->n * size->k - i) / (double)(i + 1);
    for (uint64_t i = 2; i <= size->n * size->b + preemptions; i++)
        most *= (double)i;
    return most;
}

static void preemptions_bound_executions(void **state)
{
    struct source source = source_begin(PROGRAMS);
    uint64_t programs = 0;
    while (source_next(&source)) {
        if (toy_has(&source.program, TOY_CHOOSE) || toy_has(&source.program, TOY_SIGNAL))
            continue;
        struct story story = {"theorem of context bounding", &source.program, "C(nk, c) (nb + c)!"};
        struct size size = size_of(&source.program);
        uint64_t counts[BOUNDS] = {0};
        struct search search;
        search_open(&search, &source.program, "preempt",
                    (struct strategy_options){.bound = BOUNDS - 1});
        while (search_next(&search))
            counts[search_progress(&search).bound]++;
        search_close(&search);
        for (uint64_t bound = 0; bound < BOUNDS; bound++)
            story_expect(&story, (double)counts[bound] <= most_with(&size, bound),
                         "no more executions than the theorem allows");
        story_expect(&story, counts[0] > 0, "one without a preemption");
        programs++;
    }
    assert_true(programs > 0);
}

static struct hierarchy ordered_by(const char *text)
{
    struct hierarchy hierarchy;
    size_t length;
    CHECK(hierarchy_parse(&hierarchy, text, &length) == NULL);
    return hierarchy;
}

static const char *const hierarchies[] = {
    "pb",       "dpor",          "mdpor",   "ss", "rand",
    "mdpor,pb", "ss,mdpor,rand", "pb,rand", "df", "rand,ss,pb,dpor,mdpor",
    "near",     "near,mdpor,pb"};
enum { HIERARCHIES = sizeof hierarchies / sizeof *hierarchies };

static uint64_t decisions_of(const struct trace *trace)
{
    uint64_t count = 0;
    for (uint32_t step = 0; step < trace->count; step++)
        count += trace->steps[step].choice != 0 ||
                 trace->steps[step].thread != default_thread(trace, step);
    return count;
}

/* Fewer preemptions first, or fewer decisions; within them, and by any other priority, in whatever
 * order. */
static uint64_t expect_best(struct source *source, const char *text, int32_t bound, uint64_t seed)
{
    struct story story = {"best runs each once", &source->program,
                          "those that the independent counter lists within the bound"};
    struct listing actual = {0};
    struct search search;
    uint64_t order = 0, before = 0, decisions_before = 0;
    search_open(
        &search, &source->program, "best",
        (struct strategy_options){.bound = bound, .seed = seed, .hierarchy = ordered_by(text)});
    while (search_next(&search) && actual.count <= source->expected.count) {
        search_list(&search, &actual);
        order = order * 31 + search.trace.fingerprint;
        story_expect(&story, search_replays(&search), "every trace replays");
        uint64_t preemptions = actual.items[actual.count - 1].costs[LISTED_PREEMPTIONS];
        story_expect(&story, strncmp(text, "pb", 2) != 0 || preemptions >= before,
                     "pb: those with fewer preemptions come first");
        before = preemptions;
        uint64_t decisions = decisions_of(&search.trace);
        story_expect(&story, strncmp(text, "near", 4) != 0 || decisions >= decisions_before,
                     "near: those with fewer decisions come first");
        decisions_before = decisions;
    }
    story_expect_listing(&story, &source->expected, &actual);
    struct progress progress = search_progress(&search);
    story_expect(&story, progress.complete, "it says that it is complete");
    story_expect(&story, bound != NO_BOUND || progress.claim == CLAIM_ALL,
                 "without a bound it claims every interleaving");
    story_expect_count(&story, 0, progress.pending);
    listing_free(&actual);
    search_close(&search);
    return order;
}

static void best_runs_each_once(void **state)
{
    struct source source = source_begin(PROGRAMS / 10);
    uint32_t orders = 0, programs = 0;
    while (source_next(&source)) {
        for (int i = 0; i < HIERARCHIES; i++)
            expect_best(&source, hierarchies[i], NO_BOUND, 1);
        programs += source.expected.count > 20;
        uint64_t first = expect_best(&source, "rand", NO_BOUND, 1);
        assert_true(first == expect_best(&source, "rand", NO_BOUND, 1));
        orders += first != expect_best(&source, "rand", NO_BOUND, 2) && source.expected.count > 20;
        for (int32_t bound = 3; bound-- > 0;) {
            keep_bound(&source.expected, LISTED_PREEMPTIONS, (uint32_t)bound);
            for (int i = bound; i < HIERARCHIES; i += 3)
                expect_best(&source, hierarchies[i], bound, 1);
        }
    }
    assert_true(orders >= programs - programs / 10);
}

static struct listing reduced_by(const struct toy_program *program, const char *text, uint64_t seed)
{
    struct listing actual = {0};
    struct search search;
    search_open(&search, program, "best",
                (struct strategy_options){.bound = NO_BOUND,
                                          .seed = seed,
                                          .reduction = REDUCTION_CLASSIC,
                                          .hierarchy = ordered_by(text)});
    while (search_next(&search) && actual.count <= EXECUTIONS_MAX)
        search_list(&search, &actual);
    search_close(&search);
    return actual;
}

static void best_reduces_alike_in_any_order(void **state)
{
    struct source source = source_begin(PROGRAMS / 10);
    uint64_t plain = 0, reduced = 0;
    while (source_next(&source)) {
        struct story story = {"best reduces alike in any order", &source.program,
                              "those that are run by fewest preemptions"};
        struct listing first = reduced_by(&source.program, "pb", 1);
        plain += source.expected.count;
        reduced += first.count;
        for (int i = 0; i < HIERARCHIES; i++) {
            struct listing other = reduced_by(&source.program, hierarchies[i], (uint64_t)i);
            story_expect_listing(&story, &first, &other);
            listing_free(&other);
        }
        listing_free(&first);
    }
    assert_true(reduced < plain / 2);
}

/* Each of them is an execution that there is, and none comes twice. */
static bool is_part_of(struct listing *part, struct listing *whole)
{
    listing_sort(part);
    listing_sort(whole);
    size_t at = 0;
    for (size_t i = 0; i < part->count; i++, at++) {
        while (at < whole->count && strcmp(whole->items[at].name, part->items[i].name) < 0)
            at++;
        if (at == whole->count || strcmp(whole->items[at].name, part->items[i].name) != 0)
            return false;
    }
    return true;
}

/* After so many executions there is no memory for more that wait. Returns how many were dropped. */
static uint64_t expect_rest(struct source *source, const char *strategy, uint64_t after)
{
    struct story story = {"a search without memory goes on", &source->program, strategy};
    struct listing actual = {0};
    struct search search;
    search_open(&search, &source->program, strategy, (struct strategy_options){.bound = NO_BOUND});
    while (search_next(&search) && actual.count <= source->expected.count) {
        search_list(&search, &actual);
        if (actual.count == after)
            search_fill(&search);
    }
    struct progress progress = search_progress(&search);
    story_expect(&story, is_part_of(&actual, &source->expected),
                 "executions that there are, each once");
    story_expect(&story, (progress.lost > 0) == (actual.count < source->expected.count),
                 "it says that some were dropped, if and only if some were");
    story_expect_count(&story, 0, progress.pending);
    listing_free(&actual);
    search_close(&search);
    return progress.lost;
}

static void a_search_without_memory_goes_on(void **state)
{
    static const char *const strategies[] = {"preempt", "delay", "depth", "best"};
    struct source source = source_begin(PROGRAMS / 10);
    uint64_t lost = 0, whole = 0;
    for (uint64_t after = 1; source_next(&source); after = after % 40 + 1)
        for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
            uint64_t dropped = expect_rest(&source, strategies[i], after);
            lost += dropped > 0;
            whole += dropped == 0;
        }
    assert_true(lost > 0 && whole > 0);
}

struct class_set {
    uint64_t (*classes)[2];
    size_t count;
};

static int compare_classes(const void *left, const void *right)
{
    return memcmp(left, right, sizeof(uint64_t[2]));
}

/* The classes that a search comes to the end of, each once. */
static struct class_set classes_of(const struct toy_program *program, const char *strategy,
                                   int32_t bound, bool cache, struct progress *progress)
{
    struct class_set set = {.classes = calloc(EXECUTIONS_MAX + 1, sizeof *set.classes)};
    struct search search;
    CHECK(set.classes != NULL);
    search_open(&search, program, strategy,
                (struct strategy_options){
                    .bound = bound, .cache = cache, .hierarchy = ordered_by("mdpor,pb,rand")});
    while (search_next(&search)) {
        if (search.trace.outcome == OUTCOME_CUT_STRATEGY)
            continue;
        CHECK(set.count <= EXECUTIONS_MAX);
        memcpy(set.classes[set.count++], search.trace.class, sizeof search.trace.class);
    }
    *progress = search_progress(&search);
    search_close(&search);
    qsort(set.classes, set.count, sizeof *set.classes, compare_classes);
    size_t kept = 0;
    for (size_t i = 0; i < set.count; i++)
        if (i == 0 || compare_classes(set.classes[i], set.classes[kept - 1]) != 0)
            memmove(set.classes[kept++], set.classes[i], sizeof *set.classes);
    set.count = kept;
    return set;
}

static void cached_searches_find_all_classes(void **state)
{
    static const struct {
        const char *strategy;
        int32_t bound;
    } cases[] = {{"dfs", NO_BOUND}, {"preempt", NO_BOUND}, {"preempt", 0}, {"preempt", 1},
                 {"preempt", 2},    {"delay", NO_BOUND},   {"delay", 0},   {"delay", 1},
                 {"delay", 3},      {"depth", NO_BOUND},   {"depth", 1},   {"depth", 3},
                 {"depth", 6},      {"best", NO_BOUND},    {"best", 0},    {"best", 1},
                 {"best", 2}};
    struct source source = source_begin(PROGRAMS / 4);
    while (source_next(&source)) {
        struct progress whole;
        struct class_set all = classes_of(&source.program, "dfs", NO_BOUND, false, &whole);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            struct story story = {"cached searches find all classes", &source.program,
                                  "the classes of the search without a cache"};
            struct progress plain, cached;
            struct class_set want =
                classes_of(&source.program, cases[i].strategy, cases[i].bound, false, &plain);
            struct class_set got =
                classes_of(&source.program, cases[i].strategy, cases[i].bound, true, &cached);
            story_expect_count(&story, want.count, got.count);
            story_expect(&story,
                         memcmp(want.classes, got.classes, want.count * sizeof *want.classes) == 0,
                         "the same classes");
            story_expect(&story, cached.complete, "it says that it is complete");
            story_expect(&story, plain.claim != CLAIM_ALL || cached.claim == CLAIM_ALL_CLASSES,
                         "it claims all classes where all interleavings exist");
            story_expect(&story, cached.claim != CLAIM_ALL_CLASSES || got.count == all.count,
                         "it claims all classes only if it found them");
            free(want.classes);
            free(got.classes);
        }
        free(all.classes);
    }
}

/* Equivalent pasts meet all the time where operations are independent. */
static void a_cache_saves_executions(void **state)
{
    struct toy_program program = {.name = "3 threads x 3 independent operations", .bare = true};
    for (uint32_t i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            toy_add(&program, i, (struct toy_op){.kind = TOY_STORE, .object = (uint8_t)i});
    struct story story = {"a cache saves executions", &program,
                          "a grid of 4 x 4 x 4 pasts has one edge less than 3 * 48"};
    struct search search;
    search_open(&search, &program, "dfs",
                (struct strategy_options){.bound = NO_BOUND, .cache = true});
    uint64_t whole = 0, cut = 0;
    while (search_next(&search)) {
        whole += search.trace.outcome == OUTCOME_FINISHED;
        cut += search.trace.outcome == OUTCOME_CUT_STRATEGY;
    }
    search_close(&search);
    story_expect_count(&story, 144 - 63 + 1, whole + cut);
}

static bool is_listed(const struct listing *sorted, const struct listed *item)
{
    size_t low = 0, high = sorted->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(sorted->items[middle].name, item->name);
        if (order == 0)
            return sorted->items[middle].end == item->end &&
                   memcmp(sorted->items[middle].costs, item->costs, sizeof item->costs) == 0;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static void samples_are_executions(void **state)
{
    enum { WALKS = 50 };
    const char *strategy = *state;
    struct source source = source_begin(PROGRAMS / 4);
    while (source_next(&source)) {
        struct story story = {strategy, &source.program,
                              "those that the independent counter lists"};
        listing_sort(&source.expected);
        uint64_t sums[3] = {0};
        for (uint32_t time = 0; time < 3; time++) {
            struct listing actual = {0};
            struct search search;
            search_open(&search, &source.program, strategy,
                        (struct strategy_options){.seed = source.seed + time / 2,
                                                  .bound = NO_BOUND,
                                                  .executions_max = WALKS});
            while (search_next(&search)) {
                search_list(&search, &actual);
                sums[time] = sums[time] * 31 + search.trace.fingerprint;
                story_expect(&story, search_replays(&search), "every trace replays");
                story_expect(&story, is_listed(&source.expected, &actual.items[actual.count - 1]),
                             "every sample is an execution of the program");
            }
            story_expect_count(&story, WALKS, actual.count);
            story_expect(&story, search_progress(&search).claim == CLAIM_SAMPLED,
                         "nothing is claimed but a sample");
            listing_free(&actual);
            search_close(&search);
        }
        story_expect(&story, sums[0] == sums[1], "the same seed gives the same executions");
        story_expect(&story, sums[0] != sums[2] || source.expected.count < 10,
                     "another seed gives others");
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
    enum { ALL = PROGRAMS * SANITIZED };
    struct source source = source_begin(ALL);
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
    if (programs < ALL)
        return; /* one was asked for */
    assert_true(deadlocks > programs / 20);
    assert_true(failures > programs / 20);
    assert_true(choices > programs / 20);
    assert_true(large > programs / 4);
    assert_true(yields > programs / 20);
}

int main(int argc, char **argv)
{
    static struct bounding boundings[] = {
        {"preempt runs each once, by bound", "preempt", LISTED_PREEMPTIONS, false},
        {"delay runs each once, by bound", "delay", LISTED_DELAYS, false},
        {"depth runs each once, by bound", "depth", LISTED_DEPTH, true},
    };
    const struct CMUnitTest tests[] = {
        {"programs have everything", programs_have_everything, NULL, NULL, NULL},
        {"dfs runs each once, in order", dfs_runs_each_once_in_order, NULL, NULL, NULL},
        {boundings[0].test, each_runs_once_by_bound, NULL, NULL, &boundings[0]},
        {boundings[1].test, each_runs_once_by_bound, NULL, NULL, &boundings[1]},
        {boundings[2].test, each_runs_once_by_bound, NULL, NULL, &boundings[2]},
        {"theorem of context bounding", preemptions_bound_executions, NULL, NULL, NULL},
        {"best runs each once", best_runs_each_once, NULL, NULL, NULL},
        {"best reduces alike in any order", best_reduces_alike_in_any_order, NULL, NULL, NULL},
        {"a search without memory goes on", a_search_without_memory_goes_on, NULL, NULL, NULL},
        {"cached searches find all classes", cached_searches_find_all_classes, NULL, NULL, NULL},
        {"a cache saves executions", a_cache_saves_executions, NULL, NULL, NULL},
        {"random", samples_are_executions, NULL, NULL, "random"},
        {"pct", samples_are_executions, NULL, NULL, "pct"},
        {"pos", samples_are_executions, NULL, NULL, "pos"},
        {"surw", samples_are_executions, NULL, NULL, "surw"},
        {"rf", samples_are_executions, NULL, NULL, "rf"},
        {"rare", samples_are_executions, NULL, NULL, "rare"},
        {"few", samples_are_executions, NULL, NULL, "few"},
        {"random walks reach everything", random_walks_reach_everything, NULL, NULL, NULL},
        {"random walks are uniform", random_walks_are_uniform, NULL, NULL, NULL},
    };
    return story_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
