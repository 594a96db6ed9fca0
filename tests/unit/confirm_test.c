#include "coordinator/minimise/confirm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { STEPS = 4 };

static const struct taken expected[STEPS] = {
    {.thread = 0, .kind = OP_CREATE},
    {.thread = 1, .kind = OP_MUTEX_LOCK, .object = 1},
    {.thread = 0, .kind = OP_COND_SIGNAL, .object = 2, .choice = 1},
    {.thread = 1, .kind = OP_MUTEX_UNLOCK, .object = 1},
};

static void objects_are_named_by_first_use(void **state)
{
    struct taken steps[] = {{.object = 70}, {.object = 0}, {.object = 9},
                            {.object = 70}, {.object = 3}, {.object = 9}};
    const uint32_t names[] = {1, 0, 2, 1, 3, 2};
    taken_rename(steps, 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(steps[i].object, names[i]);
    taken_rename(steps, 6); /* nothing more to do */
    for (int i = 0; i < 6; i++)
        assert_int_equal(steps[i].object, names[i]);
}

static void equal_steps_are_equal(void **state)
{
    struct diverged diverged;
    assert_true(steps_compare(expected, STEPS, expected, STEPS, NULL, &diverged));
    assert_true(steps_compare(expected, 0, expected, 0, NULL, &diverged));
}

static void expect_difference(const struct taken *got, uint32_t count,
                              const struct story_step *named, struct diverged wanted)
{
    struct diverged diverged;
    assert_false(steps_compare(expected, STEPS, got, count, named, &diverged));
    assert_int_equal(diverged.step, wanted.step);
    assert_string_equal(diverged.expected, wanted.expected);
    assert_string_equal(diverged.got, wanted.got);
}

static void the_first_difference_is_told(void **state)
{
    struct taken got[STEPS + 1] = {{0}};
    memcpy(got, expected, sizeof expected);
    got[1].thread = 2;
    expect_difference(got, STEPS, NULL,
                      (struct diverged){1, "T1 lock object #1", "T2 lock object #1"});
    memcpy(got, expected, sizeof expected);
    got[2].choice = 0;
    expect_difference(
        got, STEPS, NULL,
        (struct diverged){2, "T0 signal object #2 with outcome 1", "T0 signal object #2"});
    memcpy(got, expected, sizeof expected);
    expect_difference(got, STEPS - 1, NULL, (struct diverged){3, "T1 unlock object #1", "the end"});
    got[STEPS] = (struct taken){.thread = 0, .kind = OP_EXIT};
    expect_difference(got, STEPS + 1, NULL, (struct diverged){4, "the end", "T0 exit"});
}

static void objects_are_called_by_their_names(void **state)
{
    struct taken got[STEPS] = {{0}};
    memcpy(got, expected, sizeof expected);
    const struct story_step named[STEPS] = {
        {.object = "T1"}, {.object = "mutex"}, {.object = "ready"}, {.object = "ready"}};
    got[3].object = 2;
    expect_difference(got, STEPS, named,
                      (struct diverged){3, "T1 unlock mutex", "T1 unlock ready"});
    memcpy(got, expected, sizeof expected);
    got[2] = (struct taken){.thread = 0, .kind = OP_EXIT};
    expect_difference(got, STEPS, named,
                      (struct diverged){2, "T0 signal another object with outcome 1", "T0 exit"});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_are_named_by_first_use),
        cmocka_unit_test(equal_steps_are_equal),
        cmocka_unit_test(the_first_difference_is_told),
        cmocka_unit_test(objects_are_called_by_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
