#include "detector/recurrence.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "base/rng.h"

enum { COUNT = 4000, QUARTER = COUNT / 2 };

static uint64_t names[COUNT], room[QUARTER];
static uint32_t cycle;

static bool goes_round(void)
{
    return recurrence_find(names, COUNT, room, &cycle);
}

static void one_round_again_and_again(void **state)
{
    static const uint32_t lengths[] = {1, 2, 3, 7, 500, QUARTER / 2};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (uint32_t k = 0; k < COUNT; k++) /* what comes before does not matter */
            names[k] = k < QUARTER ? k : 1000000 + (k - QUARTER) % lengths[i];
        assert_true(goes_round());
        assert_int_equal(cycle, lengths[i]);
    }
}

static void a_round_inside_of_a_round(void **state)
{
    for (uint32_t k = 0; k < COUNT; k++)
        names[k] = k % 100 == 99 ? 2 : 1;
    assert_true(goes_round());
    assert_int_equal(cycle, 100);
    names[COUNT - 1] = 3;
    assert_false(goes_round()); /* what is new has not come before */
}

static void a_round_that_was_gone_less_than_twice(void **state)
{
    for (uint32_t k = 0; k < COUNT; k++)
        names[k] = k % (QUARTER / 2 + 1);
    assert_false(goes_round());
}

static void in_any_order(void **state)
{
    struct rng rng = {.state = 1};
    for (uint32_t k = 0; k < COUNT; k++)
        names[k] = 5 + rng_below(&rng, 12);
    assert_true(goes_round());
    assert_int_equal(cycle, 0);
    for (uint32_t k = 0; k < QUARTER; k++) /* one of them only later */
        names[k] = names[k] == 7 ? 8 : names[k];
    assert_false(goes_round());
}

static void too_many(void **state)
{
    struct rng rng = {.state = 1};
    for (uint32_t k = 0; k < COUNT; k++)
        names[k] = rng_below(&rng, QUARTER / 16 + 100);
    assert_false(goes_round());
}

static void what_gets_on(void **state)
{
    for (uint32_t k = 0; k < COUNT; k++)
        names[k] = k % 2 == 0 ? 1 : k;
    assert_false(goes_round());
}

static void few_steps_say_nothing(void **state)
{
    for (uint32_t k = 0; k < COUNT; k++)
        names[k] = 1;
    assert_false(recurrence_find(names, RECURRENCE_STEPS_LEAST / 2 - 2, room, &cycle));
    assert_true(recurrence_find(names, RECURRENCE_STEPS_LEAST / 2, room, &cycle));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_round_again_and_again),
        cmocka_unit_test(a_round_inside_of_a_round),
        cmocka_unit_test(a_round_that_was_gone_less_than_twice),
        cmocka_unit_test(in_any_order),
        cmocka_unit_test(too_many),
        cmocka_unit_test(what_gets_on),
        cmocka_unit_test(few_steps_say_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
