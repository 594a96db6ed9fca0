/* Critical orders of random programs' failing executions, against all executions that the
 * independent counter lists: where the search says that all which keep the orders fail, none of
 * those listed keeps them and passes, and there are exactly as many as it says; and every smaller
 * set of orders is kept by one that passes. */
#include <stdlib.h>
#include <string.h>

#include "strategy/minimise/critical.h"
#include "support/search.h"
#include "support/story.h"

enum { PROGRAMS = 4000 / SANITIZED, EXECUTIONS_MAX = 1500, PAIRS_OF_TWO = 150 };

struct world { /* all executions of a program, as they went */
    const struct toy_program *program;
    struct trace *traces;
    size_t count;
    bool chooses; /* there are data choices: what is kept of them is not compared here */
};

static void run_listed(struct trace *trace, const struct toy_program *program,
                       const struct listed *item)
{
    static struct decision decisions[TOY_STEPS_MAX];
    static struct step steps[TOY_STEPS_MAX];
    static struct touch touches[TOY_TOUCHES_MAX];
    int32_t values[TOY_OBJECTS_MAX];
    struct schedule schedule = {.prefix = decisions,
                                .prefix_count = listed_decisions(item, decisions)};
    *trace = (struct trace){.steps = steps, .capacity = TOY_STEPS_MAX, .touches = touches};
    toy_execute(program, strategy_find("dfs"), false, NULL, &schedule, trace, values);
    trace->steps = calloc(trace->count + 1, sizeof *steps);
    assert_non_null(trace->steps);
    memcpy(trace->steps, steps, trace->count * sizeof *steps);
    trace->touches = NULL;
}

static void world_open(struct world *world, const struct toy_program *program,
                       const struct listing *listing)
{
    *world = (struct world){.program = program, .count = listing->count};
    world->traces = calloc(listing->count + 1, sizeof *world->traces);
    assert_non_null(world->traces);
    for (size_t i = 0; i < listing->count; i++) {
        run_listed(&world->traces[i], program, &listing->items[i]);
        for (uint32_t k = 0; k < world->traces[i].count; k++)
            world->chooses |= world->traces[i].steps[k].op.choices > 1;
    }
}

static void world_close(struct world *world)
{
    for (size_t i = 0; i < world->count; i++)
        free(world->traces[i].steps);
    free(world->traces);
}

/* When an event comes in an execution; SIZE_MAX: never. */
static size_t when(const struct trace *trace, const struct event *event)
{
    bool anybody = event->thread == NO_THREAD;
    uint32_t before = 0;
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct step *step = &trace->steps[i];
        bool by = anybody ? step->thread != event->except : step->thread == event->thread;
        if (by && step->op.kind == event->op.kind && step->op.site == event->op.site &&
            (anybody || before++ == event->occurrence))
            return i;
    }
    return SIZE_MAX;
}

static bool keeps(const struct trace *trace, const struct orders *orders, uint32_t pair)
{
    size_t later = when(trace, &orders->events[orders->pairs[pair].later]);
    return later == SIZE_MAX || when(trace, &orders->events[orders->pairs[pair].earlier]) < later;
}

static bool keeps_all(const struct trace *trace, const struct orders *orders, const uint32_t *set,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!keeps(trace, orders, set[i]))
            return false;
    return true;
}

static bool some_pass(const struct world *world, const struct orders *orders, const uint32_t *set,
                      uint32_t count)
{
    for (size_t i = 0; i < world->count; i++)
        if (world->traces[i].outcome == OUTCOME_FINISHED &&
            keeps_all(&world->traces[i], orders, set, count))
            return true;
    return false;
}

struct tries {
    uint32_t all, exhausted, unexplained, orders, nearest;
};

static void check_smaller(const struct story *story, const struct world *world,
                          const struct orders *orders)
{
    uint32_t size = orders->now.set_count, pairs = orders->now.pair_count;
    story_expect(story, size == 0 || some_pass(world, orders, NULL, 0),
                 "without an order some pass");
    for (uint32_t i = 0; size > 1 && i < pairs; i++)
        story_expect(story, some_pass(world, orders, &i, 1), "with one order only some pass");
    for (uint32_t i = 0; size > 2 && pairs <= PAIRS_OF_TWO && i < pairs; i++)
        for (uint32_t k = 0; k < i; k++)
            story_expect(story, some_pass(world, orders, (uint32_t[]){i, k}, 2),
                         "with two orders only some pass");
}

static void check_nearest(const struct story *story, const struct world *world,
                          const struct orders *orders, struct tries *tries)
{
    uint32_t least = UINT32_MAX, nearest = 0;
    if (orders->now.nearest == EVENT_NEVER) {
        story_expect(story, !some_pass(world, orders, NULL, 0),
                     "none that passes is known, as none does");
        tries->nearest++;
        return;
    }
    for (size_t i = 0; i < world->count; i++) {
        const struct trace *trace = &world->traces[i];
        uint32_t broken = 0, at = 0;
        for (uint32_t k = 0; k < orders->now.pair_count; k++)
            broken += !keeps(trace, orders, k);
        while (at < trace->count && trace->count == orders->passed_steps[orders->now.nearest] &&
               trace->steps[at].thread == orders->passed[orders->now.nearest][at].thread)
            at++;
        if (at == trace->count) {
            story_expect(story, trace->outcome == OUTCOME_FINISHED, "the nearest one passes");
            nearest = broken;
        }
        if (trace->outcome == OUTCOME_FINISHED && broken < least)
            least = broken;
    }
    tries->nearest += nearest == least;
}

static void try_one(const struct world *world, const struct listed *failing, struct tries *tries)
{
    static struct decision start[TOY_STEPS_MAX];
    struct story story = {"critical", world->program, "those that the independent counter lists"};
    struct search search;
    search_open(&search, world->program, "critical",
                (struct strategy_options){.bound = NO_BOUND,
                                          .seed = 1,
                                          .start = start,
                                          .start_count = listed_decisions(failing, start)});
    search.target = failing->end;
    while (search_next(&search))
        story_expect(&story,
                     search.trace.outcome == OUTCOME_CUT_STRATEGY || search_replays(&search),
                     "every whole trace replays");
    const struct critical_result *result = search_arena(&search);
    const struct orders *orders = &result->orders;
    story_expect(&story, result->now.shown, "the failing execution fails");
    story_expect_count(&story, strlen(failing->name), orders->now.failing_count);
    tries->all++;
    tries->exhausted += result->now.all;
    tries->unexplained += orders->now.full;
    tries->orders += orders->now.set_count;
    uint64_t kept = 0;
    for (size_t i = 0; result->now.all && i < world->count; i++) {
        if (!keeps_all(&world->traces[i], orders, orders->now.set, orders->now.set_count))
            continue;
        kept++;
        story_expect(&story, world->traces[i].outcome != OUTCOME_FINISHED,
                     "what keeps all orders fails");
    }
    if (result->now.all)
        story_expect_count(&story, kept, result->now.tried);
    if (!orders->now.full && orders->now.smallest)
        check_smaller(&story, world, orders);
    check_nearest(&story, world, orders, tries);
    search_close(&search);
}

static void orders_make_every_execution_fail(void **state)
{
    struct tries tries = {0};
    uint64_t seed = story_first_seed();
    for (uint32_t left = story_programs(PROGRAMS); left > 0; left--, seed++) {
        struct toy_program program = seed % 2 ? toy_random(seed) : toy_random_more(seed);
        struct listing listing = {0};
        struct world world;
        if (enumerate(&program, EXECUTIONS_MAX, &listing)) {
            const struct listed *found[2] = {NULL, NULL}, *passing = NULL;
            for (size_t i = 0; i < listing.count; i++) {
                const struct listed *item = &listing.items[i];
                passing = item->end == 'f' ? item : passing;
                for (int end = 0; end < 2; end++)
                    if (item->end == "da"[end])
                        found[end] = item;
            }
            /* Programs that always fail are many, and all alike. */
            bool try = passing != NULL || seed % 16 == 0;
            world_open(&world, &program, try ? &listing : &(struct listing){0});
            for (int end = 0; end < 2 && try && !world.chooses; end++)
                if (found[end] != NULL)
                    try_one(&world, found[end], &tries);
            world_close(&world);
        }
        listing_free(&listing);
    }
    print_message("%u failing executions, %u with all that keep their orders run, %u unexplained; "
                  "%u orders; %u times the nearest that passes\n",
                  tries.all, tries.exhausted, tries.unexplained, tries.orders, tries.nearest);
    if (tries.all < 50)
        return; /* --program: one alone says nothing */
    assert_true(tries.exhausted * 100 > tries.all * 90);
    assert_true(tries.unexplained * 100 < tries.all * 5);
    assert_true(tries.nearest * 100 > tries.all * 80);
    assert_true(tries.orders > tries.all / 2);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_make_every_execution_fail),
    };
    return story_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
