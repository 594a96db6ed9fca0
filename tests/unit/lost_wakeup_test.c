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
                         .op = {.kind = (uint8_t)kind, .object = wakes ? MUTEX : cond,
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
#define EXPECT(signal, wait, ...)                                        \
    do {                                                                 \
        struct step steps[] = {__VA_ARGS__};                             \
        expect(steps, sizeof steps / sizeof steps[0], signal, wait);     \
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_before_the_wait_is_lost),
        cmocka_unit_test(a_signal_that_wakes_somebody_is_not),
        cmocka_unit_test(other_objects_and_other_ends_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
