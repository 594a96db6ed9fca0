#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/schedule.h"
#include "support/trap.h"

/* Threads 1, 4 and 5 are enabled, with 1, 3 and 2 outcomes; thread 4 ran last. */
static struct op pending[THREADS_MAX];

static struct choice_point point(thread_id last)
{
    struct choice_point at = {.step = 9, .last = last, .pending = pending};
    static const uint16_t choices[] = {[1] = 1, [4] = 3, [5] = 2};
    for (thread_id i = 1; i <= 5; i++)
        if (choices[i] > 0) {
            thread_set_add(&at.enabled, i);
            pending[i] = (struct op){.kind = OP_CHOOSE, .choices = choices[i]};
        }
    at.alternatives = schedule_alternatives(&at.enabled, pending);
    return at;
}

static void alternatives_are_outcomes_of_the_enabled(void **state)
{
    assert_int_equal(point(4).alternatives, 6);
}

static void expect_order(thread_id last, const struct decision expected[6])
{
    struct choice_point at = point(last);
    for (uint32_t n = 0; n < 6; n++) {
        struct decision decision = decision_nth(&at, n);
        assert_int_equal(decision.step, 9);
        assert_int_equal(decision.thread, expected[n].thread);
        assert_int_equal(decision.choice, expected[n].choice);
    }
}

static void the_thread_that_ran_last_is_the_default(void **state)
{
    expect_order(4, (const struct decision[]){
                        {9, 4, 0}, {9, 4, 1}, {9, 4, 2}, {9, 5, 0}, {9, 5, 1}, {9, 1, 0}});
}

static void else_the_next_in_creation_order_is(void **state)
{
    expect_order(2, (const struct decision[]){
                        {9, 4, 0}, {9, 4, 1}, {9, 4, 2}, {9, 5, 0}, {9, 5, 1}, {9, 1, 0}});
    expect_order(6, (const struct decision[]){
                        {9, 1, 0}, {9, 4, 0}, {9, 4, 1}, {9, 4, 2}, {9, 5, 0}, {9, 5, 1}});
}

static void ask_too_far(void *argument)
{
    struct choice_point at = point(4);
    decision_nth(&at, 6);
}

static void there_is_no_alternative_beyond_the_last(void **state)
{
    assert_true(traps(ask_too_far, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alternatives_are_outcomes_of_the_enabled),
        cmocka_unit_test(the_thread_that_ran_last_is_the_default),
        cmocka_unit_test(else_the_next_in_creation_order_is),
        cmocka_unit_test(there_is_no_alternative_beyond_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
