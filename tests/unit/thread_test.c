#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/thread.h"

static thread_set set_of(const int *threads)
{
    thread_set set = {0};
    for (; *threads >= 0; threads++)
        thread_set_add(&set, (thread_id)*threads);
    return set;
}

static void members_are_kept_in_every_word(void **state)
{
    static const int threads[] = {0, 63, 64, 127, 128, 191, 192, 255, -1};
    thread_set set = set_of(threads);
    assert_int_equal(thread_set_count(&set), 8);
    for (int i = 0; i < THREADS_MAX; i++) {
        bool member = i % 64 == 0 || i % 64 == 63;
        assert_int_equal(thread_set_has(&set, (thread_id)i), member);
    }
    for (int i = 0; threads[i] >= 0; i++)
        thread_set_remove(&set, (thread_id)threads[i]);
    assert_true(thread_set_is_empty(&set));
}

static void nobody_is_no_member(void **state)
{
    thread_set set = {{~0ul, ~0ul, ~0ul, ~0ul}};
    assert_false(thread_set_has(&set, NO_THREAD));
    assert_int_equal(thread_set_count(&set), THREADS_MAX);
}

static void next_goes_upwards(void **state)
{
    thread_set set = set_of((const int[]){3, 70, 255, -1});
    assert_int_equal(thread_set_next(&set, 0), 3);
    assert_int_equal(thread_set_next(&set, 3), 3);
    assert_int_equal(thread_set_next(&set, 4), 70);
    assert_int_equal(thread_set_next(&set, 71), 255);
    assert_int_equal(thread_set_next(&set, 256), NO_THREAD);
    thread_set none = {0};
    assert_int_equal(thread_set_next(&none, 0), NO_THREAD);
}

static void next_around_wraps(void **state)
{
    thread_set set = set_of((const int[]){3, 70, -1});
    assert_int_equal(thread_set_next_around(&set, 71), 3);
    assert_int_equal(thread_set_next_around(&set, 256), 3);
    assert_int_equal(thread_set_next_around(&set, 70), 70);
    thread_set none = {0};
    assert_int_equal(thread_set_next_around(&none, 5), NO_THREAD);
}

static void each_visits_every_member_once(void **state)
{
    thread_set set = set_of((const int[]){0, 1, 64, 200, -1}), seen = {0};
    uint32_t count = 0;
    THREADS_EACH(thread, &set)
    {
        thread_set_add(&seen, thread);
        count++;
    }
    assert_int_equal(count, 4);
    assert_true(thread_set_equal(&set, &seen));
}

static void sets_meet_in_a_common_member(void **state)
{
    thread_set low = set_of((const int[]){1, 2, -1}), high = set_of((const int[]){130, -1});
    thread_set both = set_of((const int[]){2, 130, -1});
    assert_false(thread_set_meets(&low, &high));
    assert_true(thread_set_meets(&low, &both));
    assert_true(thread_set_meets(&high, &both));
    assert_false(thread_set_equal(&low, &both));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_kept_in_every_word),
        cmocka_unit_test(nobody_is_no_member),
        cmocka_unit_test(next_goes_upwards),
        cmocka_unit_test(next_around_wraps),
        cmocka_unit_test(each_visits_every_member_once),
        cmocka_unit_test(sets_meet_in_a_common_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
