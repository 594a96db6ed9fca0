#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "detector/lockset.h"

enum { A = 1, B = 2 };
static const uint32_t only_a[] = {A}, only_b[] = {B}, both[] = {A, B};

static void one_thread_needs_no_lock(void **state)
{
    struct lockset_cell cell = {0};
    for (int i = 0; i < 3; i++)
        assert_false(lockset_access(&cell, 0, true, NULL, 0));
    assert_int_equal(cell.state, LOCKSET_EXCLUSIVE);
}

static void readers_need_no_lock(void **state)
{
    struct lockset_cell cell = {0};
    assert_false(lockset_access(&cell, 0, true, NULL, 0));
    for (thread_id thread = 1; thread < 4; thread++)
        assert_false(lockset_access(&cell, thread, false, NULL, 0));
    assert_int_equal(cell.state, LOCKSET_SHARED);
    assert_true(lockset_access(&cell, 1, true, NULL, 0));
}

static void what_all_hold_protects(void **state)
{
    struct lockset_cell cell = {0};
    assert_false(lockset_access(&cell, 0, true, NULL, 0)); /* before it was shared */
    assert_false(lockset_access(&cell, 1, true, both, 2));
    assert_false(lockset_access(&cell, 0, true, only_a, 1));
    assert_false(lockset_access(&cell, 1, false, only_a, 1));
    assert_true(lockset_access(&cell, 1, false, only_b, 1));
}

static void different_locks_do_not(void **state)
{
    struct lockset_cell cell = {0};
    assert_false(lockset_access(&cell, 0, true, only_a, 1));
    assert_false(lockset_access(&cell, 1, true, only_b, 1)); /* the first that counts */
    assert_true(lockset_access(&cell, 0, true, only_a, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_thread_needs_no_lock),
        cmocka_unit_test(readers_need_no_lock),
        cmocka_unit_test(what_all_hold_protects),
        cmocka_unit_test(different_locks_do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
