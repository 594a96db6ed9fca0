#include "report/remaining.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void nothing_is_known_at_first(void **state)
{
    struct remaining remaining;
    assert_false(remaining_estimate(&remaining, &(struct estimate){0}));
    struct estimate parts = {.kind = ESTIMATE_PARTS, .parts = {.left = 10, .done = 3, .sum = 30}};
    assert_false(remaining_estimate(&remaining, &parts));
    struct estimate shares = {.kind = ESTIMATE_SHARES, .shares = {{8, 1ul << 60}, {4, 1ul << 59}}};
    assert_false(remaining_estimate(&remaining, &shares));
}

static void equal_parts_leave_no_doubt(void **state)
{
    struct estimate estimate = {
        .kind = ESTIMATE_PARTS,
        .parts = {.left = 10, .done = 5, .begun = 1, .current = 4, .sum = 50, .squares = 500}};
    struct remaining remaining;
    assert_true(remaining_estimate(&remaining, &estimate));
    assert_float_equal((float)remaining.left, 10 * 10 + 6, 1e-3f);
    assert_float_equal((float)remaining.low, remaining.left, 1e-3f);
    assert_float_equal((float)remaining.high, remaining.left, 1e-3f);
}

static void unequal_parts_widen_the_interval(void **state)
{
    /* 5, 15, 5, 15, 10: variance 25 */
    struct estimate estimate = {
        .kind = ESTIMATE_PARTS,
        .parts = {.left = 20, .done = 5, .begun = 1, .current = 10, .sum = 50, .squares = 600}};
    struct remaining remaining;
    assert_true(remaining_estimate(&remaining, &estimate));
    assert_float_equal((float)remaining.left, 200, 1e-3f);
    assert_float_equal((float)remaining.high, 200 + 2 * 50,
                       1e-3f); /* 5 * sqrt(20 + 400 / 5) = 50 */
    assert_float_equal((float)remaining.low, 100, 1e-3f);
    estimate.parts.squares = 60000;
    assert_true(remaining_estimate(&remaining, &estimate));
    assert_float_equal((float)remaining.low, 20, 1e-3f); /* one execution a part */
}

static void shares_give_the_size_of_the_tree(void **state)
{
    /* 63 took a quarter; before that they seemed to take more or less. */
    struct estimate estimate = {
        .kind = ESTIMATE_SHARES,
        .shares = {{64, 1ul << 62}, {32, 1ul << 60}, {16, 1ul << 62}, {8, 1ul << 61}}};
    struct remaining remaining;
    assert_true(remaining_estimate(&remaining, &estimate));
    assert_float_equal((float)remaining.left, 252 - 64, 1e-3f);
    /* 7 * 8 was the farthest from 63 * 4, by a factor of 4.5; three quarters of the tree are
     * unknown. */
    float factor = powf(2 * powf(4.5f, 2.0f / 3), 0.75f);
    assert_float_equal((float)remaining.high, 252 * factor - 64, 0.1f);
    assert_float_equal((float)remaining.low, 252 / factor - 64, 0.1f);
    estimate = (struct estimate){
        .kind = ESTIMATE_SHARES,
        .shares = {{64, 1ul << 63}, {32, 1ul << 62}, {16, 1ul << 61}, {8, 1ul << 60}}};
    assert_true(remaining_estimate(&remaining, &estimate));
    assert_true(remaining.low > 0 && remaining.high < 3 * remaining.left);
}

static void what_will_be_cut_is_no_execution(void **state)
{
    struct tally tally = {
        .executions = 30,
        .cut = 10,
        .estimate = {.kind = ESTIMATE_PARTS,
                     .parts = {.left = 10, .done = 4, .sum = 40, .squares = 400}}};
    struct remaining remaining;
    assert_true(remaining_executions(&remaining, &tally));
    assert_float_equal((float)remaining.left, 75, 1e-3f);
    assert_float_equal((float)remaining.low, 75, 1e-3f);
    assert_float_equal((float)remaining.high, 75, 1e-3f);
    tally.estimate.kind = ESTIMATE_NONE;
    assert_false(remaining_executions(&remaining, &tally));
}

static void new_classes_are_as_likely_as_single_ones(void **state)
{
    struct tally tally = {.classes = 30, .singletons = 5, .classified = 100};
    double probability;
    assert_true(new_class_probability(&probability, &tally));
    assert_float_equal((float)probability, 0.05, 1e-3f);
    tally.classes = CLASSES_UNKNOWN;
    assert_false(new_class_probability(&probability, &tally));
    tally = (struct tally){0};
    assert_false(new_class_probability(&probability, &tally));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_known_at_first),
        cmocka_unit_test(equal_parts_leave_no_doubt),
        cmocka_unit_test(unequal_parts_widen_the_interval),
        cmocka_unit_test(shares_give_the_size_of_the_tree),
        cmocka_unit_test(what_will_be_cut_is_no_execution),
        cmocka_unit_test(new_classes_are_as_likely_as_single_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
