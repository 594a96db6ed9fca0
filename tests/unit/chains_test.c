#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "strategy/blocks/chains.h"

enum { A = 1, B, C, ARENA = 1 << 22 };

static struct chains chains;
static uint32_t steps;

static int open_chains(void **state)
{
    struct arena arena = {.bytes = calloc(1, ARENA), .capacity = ARENA};
    assert_non_null(arena.bytes);
    *state = arena.bytes;
    chains = (struct chains){0};
    chains_open(&chains, &arena);
    chains_begin(&chains);
    steps = 0;
    return 0;
}

static int close_chains(void **state)
{
    free(*state);
    return 0;
}

static void take(thread_id thread, uint32_t lock)
{
    struct step step = {.op = {.kind = OP_MUTEX_LOCK, .object = lock, .choices = 1},
                        .thread = thread};
    chains_step(&chains, &step, steps++);
}

static void give(thread_id thread, uint32_t lock)
{
    struct step step = {.op = {.kind = OP_MUTEX_UNLOCK, .object = lock, .choices = 1},
                        .thread = thread};
    chains_step(&chains, &step, steps++);
}

static uint32_t circle(thread_id thread, uint32_t lock)
{
    thread_id others[THREADS_MAX];
    return chains_find(&chains, thread, lock, others);
}

/* Figure 8: the first has a and had b; the second has b and wants a. */
static void opposite_orders_close_a_circle(void **state)
{
    take(0, A);
    take(0, B);
    give(0, B);
    take(1, B);
    assert_int_equal(circle(1, A), 1);
    assert_int_equal(circle(1, C), 0);
    give(0, A);
    assert_int_equal(circle(1, A), 0);
}

static void three_threads_close_a_circle(void **state)
{
    take(0, A);
    take(0, B);
    give(0, B);
    take(1, B);
    take(1, C);
    give(1, C);
    take(2, C);
    assert_int_equal(circle(2, A), 2);
}

/* Locks released before the wanted lock was taken do not count. */
static void the_last_lock_was_taken_under_the_other(void **state)
{
    take(0, B);
    give(0, B);
    take(0, A);
    take(1, B);
    assert_int_equal(circle(1, A), 0);
}

static void locks_that_are_not_nested_are_noticed(void **state)
{
    take(0, A);
    take(0, B);
    assert_false(chains.unnested);
    give(0, A);
    assert_true(chains.unnested);
}

static void orders_of_different_executions_are_put_together(void **state)
{
    uint32_t edges = 0;
    take(0, A);
    edges = chains_note(&chains, edges, 0, B);
    edges = chains_note(&chains, edges, 0, B);
    assert_int_equal(edges, 1);
    assert_false(chains_may_close(&chains, edges));
    chains_begin(&chains);
    take(0, B);
    edges = chains_note(&chains, edges, 0, A);
    assert_false(chains_may_close(&chains, edges)); /* it is one thread */
    chains_begin(&chains);
    take(1, B);
    edges = chains_note(&chains, edges, 1, A);
    assert_int_equal(edges, 3);
    assert_true(chains_may_close(&chains, edges));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_chains, close_chains)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(opposite_orders_close_a_circle),
        TEST(three_threads_close_a_circle),
        TEST(the_last_lock_was_taken_under_the_other),
        TEST(locks_that_are_not_nested_are_noticed),
        TEST(orders_of_different_executions_are_put_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
