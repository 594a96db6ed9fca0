/* How `auto` shares its first executions: whatever the program, its n-th systematic execution is
 * among the first 5 n + 10 of all, and is the one that `preempt` alone would run; with four threads
 * or more those of `delay` come before, in the first 64. */
#include <string.h>

#include "support/search.h"
#include "support/story.h"

enum { PROGRAMS = 300, EARLY = 512, LEARNING = 64, MANY = 4 };

static bool is_same(const struct trace *left, const struct trace *right)
{
    if (left->count != right->count)
        return false;
    for (uint32_t i = 0; i < left->count; i++)
        if (left->steps[i].thread != right->steps[i].thread ||
            left->steps[i].choice != right->steps[i].choice)
            return false;
    return true;
}

static void check_program(const struct toy_program *program, uint64_t seed, uint32_t *delayed)
{
    struct story story = {
        "turns of auto", program,
        "the n-th execution of preempt is among the first 5 n + 10 of auto, or 64 later"};
    struct search both, alone, delay;
    search_open(&both, program, "auto", (struct strategy_options){.seed = seed, .bound = NO_BOUND});
    search_open(&alone, program, "preempt", (struct strategy_options){.bound = NO_BOUND});
    search_open(&delay, program, "delay", (struct strategy_options){.bound = NO_BOUND});
    uint64_t systematic = 0, delays = 0, late = 10;
    bool delays_left = search_next(&delay);
    for (uint64_t number = 1; number <= EARLY && search_advance(&both); number++) {
        bool sampled = search_progress(&both).sampled;
        search_execute(&both);
        if (number == 1 && both.trace.thread_count >= MANY)
            late += LEARNING;
        if (!sampled) {
            systematic++;
            story_expect(&story, search_next(&alone), "auto ends when preempt ends");
            story_expect(&story, is_same(&both.trace, &alone.trace),
                         "what is systematic comes in the order of preempt");
        } else if (late > LEARNING && delays_left && is_same(&both.trace, &delay.trace)) {
            delays++;
            delays_left = search_next(&delay);
        }
        story_expect(&story, number <= 5 * (systematic + 1) + late,
                     "the next systematic execution comes soon enough");
    }
    *delayed += delays >= 8;
    search_close(&both);
    search_close(&alone);
    search_close(&delay);
}

static void systematic_executions_come_soon(void **state)
{
    uint32_t delayed = 0; /* programs in which delay took turns */
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        struct toy_program program = toy_random(seed);
        check_program(&program, seed, &delayed);
    }
    assert_true(delayed >= 5); /* by chance a sampler does not go along with delay for so long */
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        {"systematic executions come soon", systematic_executions_come_soon, NULL, NULL, NULL},
    };
    return story_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
