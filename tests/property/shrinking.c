/* Shrinking random programs' executions, against the simplest ones that the independent counter
 * lists: an execution that ends in the same way stands for one with the same finding. */
#include <string.h>

#include "support/search.h"
#include "support/story.h"

enum { PROGRAMS = 400, EXECUTIONS_MAX = 2000, WANDERS = 1000 };

struct cost { /* compared in this order */
    uint32_t preemptions, switches, steps;
};

static int compare_costs(struct cost a, struct cost b)
{
    if (a.preemptions != b.preemptions)
        return a.preemptions < b.preemptions ? -1 : 1;
    if (a.switches != b.switches)
        return a.switches < b.switches ? -1 : 1;
    return a.steps < b.steps ? -1 : a.steps > b.steps;
}

static struct cost cost_of(const struct listed *item)
{
    struct cost cost = {.preemptions = item->costs[LISTED_PREEMPTIONS]};
    char last = 0;
    for (const char *at = item->name; *at != 0; at++) {
        if (*at < 'A')
            continue;
        cost.switches += last != 0 && *at != last;
        cost.steps++;
        last = *at;
    }
    return cost;
}

static struct cost cost_of_trace(const struct trace *trace)
{
    struct trace_costs costs = trace_costs(trace);
    return (struct cost){costs.preemptions, costs.switches, trace->count};
}

/* The execution to begin with, and after shrinking, the simplest one that was seen. */
struct subject {
    const struct toy_program *program;
    struct story story;
    char end;
    struct decision steps[TOY_STEPS_MAX];
    uint32_t count;
    struct cost cost;
    uint64_t executions;
};

static void take(struct subject *subject, const struct trace *trace)
{
    subject->count = trace->count;
    for (uint32_t i = 0; i < trace->count; i++)
        subject->steps[i] = (struct decision){i, trace->steps[i].thread, trace->steps[i].choice};
    subject->cost = cost_of_trace(trace);
}

static void shrink(struct subject *subject, const char *strategy)
{
    static struct decision start[TOY_STEPS_MAX];
    struct search search;
    struct cost before = subject->cost;
    memcpy(start, subject->steps, sizeof start);
    search_open(&search, subject->program, strategy,
                (struct strategy_options){.bound = NO_BOUND,
                                          .start = start,
                                          .start_count = subject->count,
                                          .executions_max = WANDERS}); /* shrink ends by itself */
    search.target = subject->end;
    for (bool first = true; search_next(&search); first = false) {
        struct cost cost = cost_of_trace(&search.trace);
        story_expect(&subject->story,
                     !first || (search.trace.shown && compare_costs(cost, before) == 0),
                     "the first execution is the one to be shrunk");
        story_expect(&subject->story, search_replays(&search), "every trace replays");
        if (search.trace.shown && compare_costs(cost, subject->cost) < 0)
            take(subject, &search.trace);
    }
    subject->executions += search.executions;
    search_close(&search);
}

/* As the coordinator does: first an execution like the found one, then all with fewer preemptions
 * in order. */
static void shrink_and_search_below(struct subject *subject)
{
    struct search search;
    shrink(subject, "shrink");
    if (subject->cost.preemptions == 0)
        return;
    search_open(&search, subject->program, "preempt",
                (struct strategy_options){.bound = (int32_t)subject->cost.preemptions - 1});
    search.target = subject->end;
    bool found = false;
    while (!found && search_next(&search))
        found = search.trace.shown;
    if (found)
        take(subject, &search.trace);
    search_close(&search);
    if (found)
        shrink(subject, "shrink");
}

struct tries {
    uint32_t all, alone, wandering, simplest;
    uint64_t executions;
};

static void try_end(const struct toy_program *program, const struct listing *listing, char end,
                    struct tries *tries)
{
    static struct subject subject;
    const struct listed *worst = NULL;
    struct cost least = {UINT32_MAX, 0, 0};
    for (size_t i = 0; i < listing->count; i++) {
        const struct listed *item = &listing->items[i];
        if (item->end != end)
            continue;
        if (worst == NULL || compare_costs(cost_of(item), cost_of(worst)) > 0)
            worst = item;
        if (compare_costs(cost_of(item), least) < 0)
            least = cost_of(item);
    }
    if (worst == NULL || compare_costs(cost_of(worst), least) == 0)
        return;
    subject.program = program;
    subject.story =
        (struct story){"shrinking", program, "those that the independent counter lists"};
    subject.end = end;
    subject.count = listed_decisions(worst, subject.steps);
    subject.cost = cost_of(worst);
    shrink(&subject, "wander");
    story_expect(&subject.story, compare_costs(subject.cost, least) >= 0,
                 "wandering finds nothing simpler than the simplest that exists");
    tries->wandering += subject.cost.preemptions == least.preemptions;
    subject.count = listed_decisions(worst, subject.steps);
    subject.cost = cost_of(worst);
    subject.executions = 0;
    shrink(&subject, "shrink");
    tries->all++;
    tries->alone += subject.cost.preemptions == least.preemptions;
    tries->executions += subject.executions;
    shrink_and_search_below(&subject);
    story_expect_count(&subject.story, least.preemptions, subject.cost.preemptions);
    story_expect(&subject.story, compare_costs(subject.cost, least) >= 0,
                 "nothing is simpler than the simplest that exists");
    tries->simplest += compare_costs(subject.cost, least) == 0;
}

static void shrinks_to_the_fewest_preemptions(void **state)
{
    struct tries tries = {0};
    uint64_t seed = story_first_seed();
    for (uint32_t left = story_programs(PROGRAMS); left > 0;) {
        struct toy_program program = toy_random(seed++);
        struct listing listing = {0};
        if (enumerate(&program, EXECUTIONS_MAX, &listing)) {
            try_end(&program, &listing, 'd', &tries);
            try_end(&program, &listing, 'a', &tries);
            try_end(&program, &listing, 'f', &tries);
            left--;
        }
        listing_free(&listing);
    }
    print_message(
        "%u shrunk, %u to the fewest preemptions without a search, %u by wandering, %u to "
        "the simplest; %lu executions\n",
        tries.all, tries.alone, tries.wandering, tries.simplest, tries.executions);
    if (tries.all < PROGRAMS / 4)
        return; /* --program: one alone says nothing */
    assert_true(tries.alone * 100 > tries.all * 97);
    assert_true(tries.wandering * 100 > tries.all * 97);
    assert_true(tries.simplest * 100 > tries.all * 95);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shrinks_to_the_fewest_preemptions),
    };
    return story_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
