#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "core/finding.h"
#include "core/op.h"

static void every_operation_has_a_word_of_its_own(void **state)
{
    for (int i = 0; i < OP_KINDS; i++) {
        assert_non_null(op_word(i));
        for (int k = 0; k < i; k++)
            assert_string_not_equal(op_word(i), op_word(k));
    }
}

static void only_loads_read(void **state)
{
    assert_int_equal(op_access(OP_ATOMIC_LOAD), OP_ACCESS_READ);
    assert_int_equal(op_access(OP_READ), OP_ACCESS_READ);
    assert_int_equal(op_access(OP_MUTEX_LOCK), OP_ACCESS_WRITE);
    assert_int_equal(op_access(OP_ATOMIC_COMPARE), OP_ACCESS_WRITE);
    assert_int_equal(op_access(OP_CREATE), OP_ACCESS_NONE);
}

static void yields_sleeps_and_timers_give_way(void **state)
{
    for (int i = 0; i < OP_KINDS; i++)
        assert_int_equal(op_gives_way(i), i == OP_YIELD || i == OP_SLEEP || i == OP_TIMER_EXPIRE);
}

static void what_is_in_the_way_decides(void **state)
{
    assert_true(op_is_possible(OP_MUTEX_LOCK, 0));
    assert_false(op_is_possible(OP_MUTEX_LOCK, 3));
    assert_false(op_is_possible(OP_COND_WAKE, COND_ASLEEP));
    assert_false(op_is_possible(OP_SEM_WAIT, 0));
    assert_true(op_is_possible(OP_SEM_WAIT, 2));
    assert_true(op_is_possible(OP_RWLOCK_READ, 2));
    assert_false(op_is_possible(OP_RWLOCK_READ, RWLOCK_WRITTEN));
    assert_false(op_is_possible(OP_RWLOCK_READ, 2 | RWLOCK_QUEUED));
    assert_false(op_is_possible(OP_RWLOCK_WRITE, 2));
    assert_false(op_is_possible(OP_RWLOCK_WRITE, 2 | RWLOCK_QUEUED));
    assert_true(op_is_possible(OP_RWLOCK_WRITE, RWLOCK_QUEUED));
    assert_true(op_is_possible(OP_RWLOCK_WRITE, RWLOCK_QUEUED | RWLOCK_ROBBED));
    assert_false(op_is_possible(OP_RWLOCK_WRITE, RWLOCK_WRITTEN));
    assert_false(op_is_possible(OP_RWLOCK_WRITE, 1 | RWLOCK_ROBBED));
    assert_true(op_is_possible(OP_RWLOCK_READ, 1 | RWLOCK_ROBBED));
    assert_false(op_is_possible(OP_MUTEX_LOCK, RWLOCK_QUEUED));
    assert_true(op_is_possible(OP_ATOMIC_STORE, 7));
    struct op compare = {.kind = OP_ATOMIC_COMPARE, .second = 5};
    assert_true(op_fails(&compare, 6));
    assert_false(op_fails(&compare, 5));
    struct op lock = {.kind = OP_MUTEX_LOCK}, try = {.kind = OP_MUTEX_TRYLOCK};
    assert_false(op_fails(&lock, 1)); /* it waits */
    assert_true(op_fails(&try, 1));
    assert_int_equal(op_access_failed(OP_MUTEX_TRYLOCK), OP_ACCESS_READ);
    assert_int_equal(op_access_failed(OP_RWLOCK_TRYWRITE), OP_ACCESS_WRITE);
}

static void every_finding_has_a_word_of_its_own(void **state)
{
    for (int i = 0; i < FINDING_KINDS; i++)
        for (int k = 0; k < i; k++)
            assert_string_not_equal(finding_word(i), finding_word(k));
    assert_string_equal(finding_word(FINDING_USE_AFTER_FREE), "use-after-free");
}

static void a_race_is_no_error_that_ends_a_search(void **state)
{
    struct finding race = {.kind = FINDING_RACE, .severity = SEVERITY_ERROR};
    struct finding crash = {.kind = FINDING_CRASH, .severity = SEVERITY_ERROR};
    struct finding warning = {.kind = FINDING_EXIT, .severity = SEVERITY_WARNING};
    assert_false(finding_is_error(&race));
    assert_true(finding_is_error(&crash));
    assert_false(finding_is_error(&warning));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation_has_a_word_of_its_own),
        cmocka_unit_test(only_loads_read),
        cmocka_unit_test(yields_sleeps_and_timers_give_way),
        cmocka_unit_test(what_is_in_the_way_decides),
        cmocka_unit_test(every_finding_has_a_word_of_its_own),
        cmocka_unit_test(a_race_is_no_error_that_ends_a_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
