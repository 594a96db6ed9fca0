/* Links that follow one execution after the other are those of a new beginning. */
#include "strategy/guided/links.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"

enum { STEPS = 60, THREADS = 4, OBJECTS = 5, EXECUTIONS = 400, DECISIONS = 3, BYTES = 1 << 22 };

static _Alignas(16) char memory[2][BYTES];
static struct step steps[STEPS];

/* A decision leads to something else after another past. */
static uint32_t make_steps(const struct decision *decisions, uint32_t count)
{
    struct rng rng = {.state = 7};
    uint32_t next = 0, length = STEPS;
    for (uint32_t i = 0; i < STEPS; i++) {
        if (next < count && decisions[next].step == i) {
            rng.state += 1000 * i + decisions[next++].thread + 1u;
            length = STEPS - rng_below(&rng, 5);
        }
        steps[i] = (struct step){.thread = (thread_id)rng_below(&rng, THREADS),
                                 .op = {.kind = OP_MUTEX_LOCK, .object = rng_below(&rng, OBJECTS)}};
        for (thread_id thread = 0; thread < THREADS; thread++)
            thread_set_add(&steps[i].enabled, thread);
    }
    return length;
}

static void open_in(struct links *links, int which)
{
    memset(memory[which], 0, BYTES);
    struct arena arena = {.bytes = memory[which], .capacity = BYTES};
    links_open(links, &arena, STEPS);
}

static void are_those_of(const struct links *links, const struct links *wanted, uint32_t count)
{
    assert_int_equal(links->count, count);
    for (uint32_t i = 1; i <= count; i++)
        assert_memory_equal(&links->all[i], &wanted->all[i], sizeof(struct link));
    for (thread_id thread = 0; thread < THREADS; thread++)
        for (uint32_t step = 0; step < count; step++) {
            uint32_t own = step;
            while (own < count && steps[own].thread != thread)
                own++;
            assert_int_equal(links_next(links, step, thread), own < count ? own + 1 : 0);
        }
    for (uint32_t object = 0; object < OBJECTS; object++)
        assert_int_equal(links_last(links, &(struct op){.object = object}),
                         links_last(wanted, &(struct op){.object = object}));
}

static void followed_links_are_those_of_a_new_beginning(void **state)
{
    struct links links, fresh;
    struct rng rng = {.state = 1};
    open_in(&links, 0);
    for (int i = 0; i < EXECUTIONS; i++) {
        struct decision decisions[DECISIONS] = {0};
        uint32_t count = rng_below(&rng, DECISIONS + 1), step = 0;
        for (uint32_t k = 0; k < count; k++) {
            step += rng_below(&rng, 15);
            decisions[k] =
                (struct decision){.step = step++, .thread = (thread_id)rng_below(&rng, 2)};
        }
        struct trace trace = {.steps = steps, .count = make_steps(decisions, count)};
        uint32_t first = links_follow(&links, &trace, decisions, count);
        assert_true(first <= trace.count);
        open_in(&fresh, 1);
        assert_int_equal(links_follow(&fresh, &trace, decisions, count), 0);
        are_those_of(&links, &fresh, trace.count);
        if (i % 7 != 0) /* now and then it is broken off */
            links_settle(&links);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(followed_links_are_those_of_a_new_beginning),
    };
    return cmocka_run_group_tests_name("links", tests, NULL, NULL);
}
