#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "detector/lost_wakeup.h"

enum { COND = 7, OTHER = 8, MUTEX = 1 };

static struct step step(thread_id thread, enum op_kind kind, uint32_t cond)
{
    bool wakes = kind == OP_COND_WAKE;
    return (struct step){.thread = thread,
                         .op = {.kind = (uint8_t)kind,
                                .object = wakes ? MUTEX : cond,
                                .second = wakes ? cond : MUTEX}};
}

static void expect(struct step *steps, uint32_t count, int signal, int wait)
{
    struct trace trace = {.steps = steps, .count = count};
    struct lost_wakeup lost;
    bool found = lost_wakeup_find(&trace, 1, &lost);
    assert_int_equal(found, signal >= 0);
    if (found) {
        assert_int_equal(lost.signal, signal);
        assert_int_equal(lost.wait, wait);
    }
}
#define EXPECT(signal, wait, ...)                                                                  \
    do {                                                                                           \
        struct step steps[] = {__VA_ARGS__};                                                       \
        expect(steps, sizeof steps / sizeof steps[0], signal, wait);                               \
    } while (0)

static void a_signal_before_the_wait_is_lost(void **state)
{
    EXPECT(0, 1, step(2, OP_COND_SIGNAL, COND), step(1, OP_COND_WAIT, COND));
    EXPECT(0, 1, step(2, OP_COND_BROADCAST, COND), step(1, OP_COND_WAIT, COND));
    EXPECT(1, 2, step(2, OP_COND_SIGNAL, COND), step(2, OP_COND_SIGNAL, COND),
           step(1, OP_COND_WAIT, COND));
}

static void a_signal_that_wakes_somebody_is_not(void **state)
{
    EXPECT(-1, 0, step(3, OP_COND_WAIT, COND), step(2, OP_COND_SIGNAL, COND),
           step(1, OP_COND_WAIT, COND));
    EXPECT(-1, 0, step(3, OP_COND_WAIT, COND), step(2, OP_COND_BROADCAST, COND),
           step(3, OP_COND_WAKE, COND), step(1, OP_COND_WAIT, COND));
    EXPECT(2, 3, step(3, OP_COND_WAIT, COND), step(2, OP_COND_SIGNAL, COND),
           step(2, OP_COND_SIGNAL, COND), step(1, OP_COND_WAIT, COND));
    EXPECT(2, 3, step(3, OP_COND_WAIT, COND), step(3, OP_COND_WAKE, COND), /* it timed out */
           step(2, OP_COND_SIGNAL, COND), step(1, OP_COND_WAIT, COND));
}

static void other_objects_and_other_ends_do_not_count(void **state)
{
    EXPECT(-1, 0, step(2, OP_COND_SIGNAL, OTHER), step(1, OP_COND_WAIT, COND));
    EXPECT(-1, 0, step(1, OP_COND_WAIT, COND), step(2, OP_COND_SIGNAL, COND));
    EXPECT(-1, 0, step(2, OP_COND_SIGNAL, COND), step(1, OP_COND_WAIT, COND),
           step(1, OP_COND_WAKE, COND));
    EXPECT(-1, 0, step(2, OP_COND_SIGNAL, COND));
}

static struct step in_vain(struct step step)
{
    step.flags = STEP_FAILED;
    return step;
}

static bool futex_loses(struct step *steps, uint32_t count, uint32_t signal)
{
    struct trace trace = {.steps = steps, .count = count};
    struct lost_wakeup lost;
    bool found = lost_futex_find(&trace, 1, &lost);
    if (found)
        assert_int_equal(lost.signal, signal);
    return found;
}

static void the_last_wake_of_a_futex_may_be_lost(void **state)
{
    struct step wake = step(2, OP_FUTEX_SIGNAL, COND), wait = step(1, OP_FUTEX_WAIT, COND);
    struct step lost[] = {in_vain(wake), wait};
    assert_true(futex_loses(lost, 2, 0));
    struct step before[] = {in_vain(wake), wake, wait};
    assert_false(futex_loses(before, 3, 0));
    struct step other[] = {in_vain(step(2, OP_FUTEX_SIGNAL, OTHER)), wait};
    assert_false(futex_loses(other, 2, 0));
    struct step behind[] = {wait, in_vain(wake)};
    assert_false(futex_loses(behind, 2, 0));
}

static void a_signal_is_lost_once_it_is_handled(void **state)
{
    struct lost_wakeup lost;
    struct step steps[] = {step(2, OP_SIGNAL_SEND, COND), step(3, OP_SIGNAL_HANDLE, COND),
                           step(1, OP_SIGNAL_HANDLE, COND), step(3, OP_SIGNAL_HANDLE, COND)};
    struct trace trace = {.steps = steps, .count = 4};
    assert_true(lost_signal_find(&trace, 1, &lost));
    assert_int_equal(lost.signal, 0);
    assert_int_equal(lost.wait, 2);
    assert_false(lost_signal_find(&trace, 2, &lost)); /* it has handled none */
    trace.steps++;
    trace.count--;
    assert_false(lost_signal_find(&trace, 1, &lost)); /* nobody sent it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_before_the_wait_is_lost),
        cmocka_unit_test(a_signal_that_wakes_somebody_is_not),
        cmocka_unit_test(other_objects_and_other_ends_do_not_count),
        cmocka_unit_test(the_last_wake_of_a_futex_may_be_lost),
        cmocka_unit_test(a_signal_is_lost_once_it_is_handled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
