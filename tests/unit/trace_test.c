#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/trace.h"

static thread_set enabled(const char *threads)
{
    thread_set set = {0};
    for (; *threads != 0; threads++)
        thread_set_add(&set, (thread_id)(*threads - '0'));
    return set;
}

static struct step step(thread_id thread, const char *could_run, enum op_kind kind)
{
    return (struct step){.thread = thread,
                         .enabled = enabled(could_run),
                         .op = {.kind = (uint8_t)kind, .choices = 1},
                         .alternatives = 1};
}

static void leaving_an_enabled_thread_preempts(void **state)
{
    struct step steps[] = {
        step(0, "0", OP_CREATE),
        step(1, "01", OP_MUTEX_LOCK),
        step(0, "01", OP_JOIN),
    };
    struct trace trace = {.steps = steps, .count = 3};
    assert_false(trace_step_preempts(&trace, 0));
    assert_true(trace_step_preempts(&trace, 1));
    assert_true(trace_step_preempts(&trace, 2));
    assert_true(trace_step_switches(&trace, 1));
}

static void leaving_a_disabled_thread_does_not(void **state)
{
    struct step steps[] = {step(0, "0", OP_CREATE), step(1, "12", OP_MUTEX_LOCK)};
    struct trace trace = {.steps = steps, .count = 2};
    assert_false(trace_step_preempts(&trace, 1));
    assert_true(trace_step_switches(&trace, 1));
}

static void leaving_a_thread_that_gave_way_does_not(void **state)
{
    static const enum op_kind kinds[] = {OP_YIELD, OP_SLEEP};
    for (int i = 0; i < 2; i++) {
        struct step steps[] = {step(0, "0", kinds[i]), step(1, "01", OP_MUTEX_LOCK)};
        struct trace trace = {.steps = steps, .count = 2};
        assert_false(trace_step_preempts(&trace, 1));
    }
}

static void going_on_costs_nothing(void **state)
{
    struct step steps[] = {step(0, "0", OP_CREATE), step(0, "01", OP_MUTEX_LOCK)};
    struct trace trace = {.steps = steps, .count = 2};
    assert_false(trace_step_preempts(&trace, 1));
    assert_false(trace_step_switches(&trace, 1));
    assert_int_equal(trace_step_delays(&trace, 1), 0);
}

static void delays_are_enabled_threads_skipped(void **state)
{
    struct step steps[] = {
        step(2, "2", OP_CREATE), step(1, "1245", OP_MUTEX_LOCK), /* skips 2, 4 and 5 */
        step(5, "245", OP_MUTEX_LOCK),                           /* 1 is disabled: skips 2 and 4 */
    };
    struct trace trace = {.steps = steps, .count = 3};
    assert_int_equal(trace_step_delays(&trace, 0), 0);
    assert_int_equal(trace_step_delays(&trace, 1), 3);
    assert_int_equal(trace_step_delays(&trace, 2), 2);
}

static void costs_add_up(void **state)
{
    struct step steps[] = {
        step(0, "0", OP_CREATE), step(1, "012", OP_MUTEX_LOCK), /* preempts 0: one delay */
        step(2, "02", OP_YIELD),                                /* 1 ended: free */
        step(0, "02", OP_JOIN),                                 /* 2 gave way: free, one delay */
    };
    struct trace trace = {.steps = steps, .count = 4};
    struct trace_costs costs = trace_costs(&trace);
    assert_int_equal(costs.preemptions, 1);
    assert_int_equal(costs.delays, 2);
    assert_int_equal(costs.switches, 3);
    assert_int_equal(costs.points, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaving_an_enabled_thread_preempts),
        cmocka_unit_test(leaving_a_disabled_thread_does_not),
        cmocka_unit_test(leaving_a_thread_that_gave_way_does_not),
        cmocka_unit_test(going_on_costs_nothing),
        cmocka_unit_test(delays_are_enabled_threads_skipped),
        cmocka_unit_test(costs_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
