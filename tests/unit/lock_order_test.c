#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "detector/lock_order.h"

enum { A = 1, B, C, GATE };

/* Thread, lock, and those that it holds (0: none). */
static struct lock_taken taken(thread_id thread, uint32_t lock, uint32_t first, uint32_t second)
{
    struct lock_taken made = {.thread = thread, .lock = lock, .held = {first, second}};
    made.held_count = (uint8_t)((first != 0) + (second != 0));
    return made;
}

static bool never(const struct lock_taken *a, const struct lock_taken *b)
{
    return false;
}

static bool first_two_threads(const struct lock_taken *a, const struct lock_taken *b)
{
    return a->thread + b->thread == 1;
}

static uint32_t circle(struct lock_taken *all, uint32_t count,
                       bool (*ordered)(const struct lock_taken *, const struct lock_taken *))
{
    const struct lock_taken *chain[LOCK_CHAIN_MAX];
    for (uint32_t i = 0; i + 1 < count; i++)
        all[i].next = i + 2 < count ? &all[i + 1] : NULL;
    return lock_order_circle(count > 1 ? all : NULL, &all[count - 1], ordered, chain);
}
#define CIRCLE(ordered, ...)                                                                       \
    ({                                                                                             \
        struct lock_taken all[] = {__VA_ARGS__};                                                   \
        circle(all, sizeof all / sizeof all[0], ordered);                                          \
    })

static void opposite_orders_are_a_circle(void **state)
{
    assert_int_equal(CIRCLE(never, taken(0, B, A, 0), taken(1, A, B, 0)), 2);
    assert_int_equal(CIRCLE(never, taken(0, B, A, 0), taken(1, B, A, 0)), 0);
    assert_int_equal(CIRCLE(never, taken(0, B, A, 0)), 0);
}

static void readers_wait_for_writers_only(void **state)
{
    uint32_t a = A | LOCK_SHARED, b = B | LOCK_SHARED, gate = GATE | LOCK_SHARED;
    assert_int_equal(CIRCLE(never, taken(0, b, a, 0), taken(1, a, b, 0)), 0);
    assert_int_equal(CIRCLE(never, taken(0, b, A, 0), taken(1, a, B, 0)), 2);
    assert_int_equal(CIRCLE(never, taken(0, B, a, 0), taken(1, A, b, 0)), 2);
    assert_int_equal(CIRCLE(never, taken(0, b, a, 0), taken(1, A, b, 0)), 0);
    assert_int_equal(CIRCLE(never, taken(0, B, A, gate), taken(1, A, B, gate)), 2);
    assert_int_equal(CIRCLE(never, taken(0, B, A, gate), taken(1, A, B, GATE)), 0);
}

static void three_make_one_that_two_do_not(void **state)
{
    assert_int_equal(CIRCLE(never, taken(0, B, A, 0), taken(1, C, B, 0), taken(2, A, C, 0)), 3);
    assert_int_equal(CIRCLE(never, taken(0, B, A, 0), taken(1, C, B, 0), taken(1, A, C, 0)), 0);
}

static void gates_and_one_thread_and_order_prevent_it(void **state)
{
    assert_int_equal(CIRCLE(never, taken(0, B, GATE, A), taken(1, A, GATE, B)), 0);
    assert_int_equal(CIRCLE(never, taken(0, B, GATE, A), taken(1, A, B, 0)), 2);
    assert_int_equal(CIRCLE(never, taken(0, B, A, 0), taken(0, A, B, 0)), 0);
    assert_int_equal(CIRCLE(first_two_threads, taken(0, B, A, 0), taken(1, A, B, 0)), 0);
    assert_int_equal(CIRCLE(first_two_threads, taken(0, B, A, 0), taken(2, A, B, 0)), 2);
}

static void the_same_again_is_known(void **state)
{
    struct lock_taken one = taken(0, B, A, 0), again = one, more = taken(0, B, A, C);
    again.step = 5;
    assert_true(lock_taken_is_like(&one, &again));
    assert_false(lock_taken_is_like(&one, &more));
    again.site = 1;
    assert_false(lock_taken_is_like(&one, &again));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opposite_orders_are_a_circle),
        cmocka_unit_test(readers_wait_for_writers_only),
        cmocka_unit_test(three_make_one_that_two_do_not),
        cmocka_unit_test(gates_and_one_thread_and_order_prevent_it),
        cmocka_unit_test(the_same_again_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
