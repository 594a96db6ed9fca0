#include "strategy/reduction/pace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { EIGHTH_LOG = 61 };

/* 101 executions: the first 11 explored an eighth, the first 41 two eighths, the others the rest.
 */
static const struct pace pace = {.total = 101, .count = 3};
static const struct pace_point points[] = {
    {0, 0}, {11, 1ul << EIGHTH_LOG}, {41, 2ul << EIGHTH_LOG}};

static double part(uint64_t executions, uint64_t share)
{
    return (double)pace_part(&pace, points, executions, share) / 0x1p64;
}

static void expect(double got, double wanted)
{
    assert_true(got > wanted - 1e-9 && got < wanted + 1e-9);
}

static void a_share_is_reached_as_at_the_bound_before(void **state)
{
    expect(part(1000, 0), 0);
    expect(part(1000, 1ul << EIGHTH_LOG), 11 / 101.0);
    expect(part(1000, 3ul << (EIGHTH_LOG - 1)), 26 / 101.0);
    expect(part(1000, 5ul << EIGHTH_LOG), 71 / 101.0);
    expect(part(1000, UINT64_MAX), 1);
}

static void there_are_at_least_as_many(void **state)
{
    expect(part(20, 5ul << EIGHTH_LOG), 20 / 101.0);
    expect(part(20, 1ul << EIGHTH_LOG), 11 / 101.0);
}

static void points_are_few(void **state)
{
    static struct pace_point room[PACE_POINTS_MAX];
    struct pace counted = {0};
    for (uint64_t i = 1; i < 1 << 16; i++)
        if (pace_is_due(i))
            pace_note(&counted, room, i, i);
    assert_in_range(counted.count, 48, 64);
    assert_int_equal(room[counted.count - 1].executions, 7 * (1 << 13) - 1);
    for (uint64_t i = 1ul << 16; i < 1ul << 62; i += i / 4)
        pace_note(&counted, room, i, i);
    for (int i = 0; i < 2 * PACE_POINTS_MAX; i++)
        pace_note(&counted, room, 1ul << 62, 1);
    assert_int_equal(counted.count, PACE_POINTS_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_share_is_reached_as_at_the_bound_before),
        cmocka_unit_test(there_are_at_least_as_many),
        cmocka_unit_test(points_are_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
