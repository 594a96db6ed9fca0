#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "detector/atomicity.h"

enum { HERE = 1000, NEAR = 1100, FAR = 9000 };

static void a_write_in_between_splits(void **state)
{
    struct atomicity_cell cell = {0};
    assert_false(atomicity_access(&cell, 0, false, HERE));
    assert_false(atomicity_access(&cell, 1, true, FAR));
    assert_true(atomicity_access(&cell, 0, true, NEAR));
    assert_int_equal(cell.writer, 1);
    assert_int_equal(cell.write_site, FAR);
}

static void without_one_nothing_is_split(void **state)
{
    struct atomicity_cell cell = {0};
    assert_false(atomicity_access(&cell, 1, true, HERE));
    assert_false(atomicity_access(&cell, 0, false, HERE));
    assert_false(atomicity_access(&cell, 1, false, HERE));
    assert_false(atomicity_access(&cell, 0, true, NEAR));
    assert_true(atomicity_access(&cell, 1, true, NEAR)); /* it read before that */
}

static void a_new_read_begins_anew(void **state)
{
    struct atomicity_cell cell = {0};
    assert_false(atomicity_access(&cell, 0, false, HERE));
    assert_false(atomicity_access(&cell, 1, true, HERE));
    assert_false(atomicity_access(&cell, 0, false, HERE));
    assert_false(atomicity_access(&cell, 0, true, NEAR));
    assert_false(atomicity_access(&cell, 0, true, NEAR)); /* a second write is none */
}

static void what_is_far_away_is_another_operation(void **state)
{
    struct atomicity_cell cell = {0};
    assert_false(atomicity_access(&cell, 0, false, HERE));
    assert_false(atomicity_access(&cell, 1, true, HERE));
    assert_false(atomicity_access(&cell, 0, true, FAR));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_write_in_between_splits),
        cmocka_unit_test(without_one_nothing_is_split),
        cmocka_unit_test(a_new_read_begins_anew),
        cmocka_unit_test(what_is_far_away_is_another_operation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
