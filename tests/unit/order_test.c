/* Results kept from the trace before must not show: the same is found as from the first step on.
 * The traces are random, and so are their touches: no program need make them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "strategy/reduction/order.h"

enum { STEPS = 40, EACH = 4, THREADS = 6, OBJECTS = 5, TRACES = 20000 };

static struct step steps[STEPS];
static struct touch touches[STEPS * EACH];
static struct event taken[STEPS];
static struct trace trace = {.steps = steps, .touches = touches};

enum { ARENA_SIZE = 64 << 20 };

static char *open_order(struct order *order)
{
    struct arena arena = {.bytes = calloc(1, ARENA_SIZE), .capacity = ARENA_SIZE};
    assert_non_null(arena.bytes);
    order_open(order, &arena, STEPS, STEPS * EACH);
    return arena.bytes;
}

static struct op random_op(struct rng *rng)
{
    static const uint8_t kinds[] = {OP_MUTEX_LOCK,   OP_MUTEX_UNLOCK,  OP_ATOMIC_LOAD,
                                    OP_ATOMIC_STORE, OP_MUTEX_TRYLOCK, OP_COND_SIGNAL};
    return (struct op){.kind = kinds[rng_below(rng, sizeof kinds)],
                       .choices = (uint16_t)(1 + (rng_below(rng, 8) == 0)),
                       .object = 1 + rng_below(rng, OBJECTS),
                       .before = rng_below(rng, 2)};
}

static struct touch random_touch(struct rng *rng, const struct op *op, uint32_t number)
{
    if (number == 0)
        return (struct touch){op->object, 1 + rng_below(rng, 2)};
    uint32_t access = rng_below(rng, 4);
    bool thread = access == TOUCH_LEADS || access == TOUCH_FOLLOWS;
    return (struct touch){thread ? rng_below(rng, THREADS) : 1 + rng_below(rng, OBJECTS), access};
}

static void fill(struct rng *rng, uint32_t first)
{
    trace.count = first + rng_below(rng, STEPS - first + 1);
    trace.thread_count = THREADS;
    for (uint32_t step = first; step < trace.count; step++) {
        uint32_t end = trace_touches_begin(steps, step);
        steps[step] = (struct step){.op = random_op(rng),
                                    .thread = (thread_id)rng_below(rng, THREADS),
                                    .flags = rng_below(rng, 12) == 0 ? STEP_ALL : 0};
        steps[step].enabled.word[0] = rng_below(rng, 1 << THREADS) | 1u << steps[step].thread;
        for (uint32_t i = 0, count = rng_below(rng, EACH + 1); i < count; i++)
            touches[end++] = random_touch(rng, &steps[step].op, i);
        steps[step].touches_end = end;
        taken[step] = (struct event){0};
        event_load(&taken[step], steps, touches, step);
    }
    if (trace.count > first && rng_below(rng, 3) == 0) { /* it ends the execution */
        steps[trace.count - 1].flags |= STEP_ENDS;
        event_load(&taken[trace.count - 1], steps, touches, trace.count - 1);
    }
    trace.alive.word[0] = rng_below(rng, 1 << THREADS);
    THREADS_EACH(thread, &trace.alive)
    trace.pending[thread] = random_op(rng);
}

static void expect_same(const struct order *kept, const struct order *anew)
{
    assert_int_equal(kept->reversal_count, anew->reversal_count);
    for (uint32_t i = 0; i < kept->reversal_count; i++) {
        const struct reversal *ours = &kept->reversals[i], *its = &anew->reversals[i];
        assert_int_equal(ours->step, its->step);
        assert_int_equal(ours->drop_first, its->drop_first);
        assert_int_equal(ours->drop_last, its->drop_last);
        assert_int_equal(ours->again, its->again);
        assert_memory_equal(&ours->event, &its->event, sizeof ours->event);
    }
    for (uint32_t step = 0; step < trace.count; step++) {
        assert_memory_equal(kept->by_step[step].clock, anew->by_step[step].clock,
                            THREADS * sizeof(uint32_t));
        assert_int_equal(kept->by_step[step].index, anew->by_step[step].index);
    }
}

static void close_both(char *memory[2])
{
    free(memory[0]);
    free(memory[1]);
}

static void what_is_kept_does_not_show(void **state)
{
    struct order kept, anew;
    struct rng rng = {.state = 1};
    uint64_t reversals = 0;
    char *memory[] = {open_order(&kept), open_order(&anew)};
    for (uint32_t i = 0; i < TRACES; i++) {
        bool ended = trace.count > 0 && steps[trace.count - 1].flags & STEP_ENDS;
        uint32_t same = rng_below(&rng, trace.count + 1 - ended);
        fill(&rng, same);
        order_learn(&kept, &trace, taken, same, same);
        order_clear(&anew);
        order_learn(&anew, &trace, taken, 0, same);
        expect_same(&kept, &anew);
        reversals += kept.reversal_count;
    }
    assert_true(reversals > TRACES);
    close_both(memory);
}

/* A clock gets wider: all are computed again. */
static void more_threads_than_before(void **state)
{
    struct order kept, anew;
    struct rng rng = {.state = 2};
    char *memory[] = {open_order(&kept), open_order(&anew)};
    fill(&rng, 0);
    order_learn(&kept, &trace, taken, 0, 0);
    trace.thread_count = 3 * THREADS;
    order_learn(&kept, &trace, taken, trace.count, 0);
    order_learn(&anew, &trace, taken, 0, 0);
    expect_same(&kept, &anew);
    close_both(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_does_not_show),
        cmocka_unit_test(more_threads_than_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
