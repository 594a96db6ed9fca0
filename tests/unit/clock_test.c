#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/rng.h"

enum { WIDEST = 24, ROUNDS = 50 };

/* Memory behind the whole groups of a clock of so many threads belongs to others. */
static uint32_t width_of(uint32_t threads)
{
    return clock_groups(threads) * CLOCK_GROUP;
}

static void fill(struct rng *rng, uint32_t *clock)
{
    for (int i = 0; i < WIDEST; i++)
        clock[i] = rng_below(rng, 2) ? rng_below(rng, 4) : rng_below(rng, INT32_MAX);
}

static void a_clock_is_made_of_whole_groups(void **state)
{
    assert_int_equal(clock_groups(0), 0);
    assert_int_equal(clock_groups(1), 1);
    assert_int_equal(clock_groups(CLOCK_GROUP), 1);
    assert_int_equal(clock_groups(CLOCK_GROUP + 1), 2);
}

static void a_join_has_the_larger_of_both(void **state)
{
    struct rng rng = {.state = 1};
    for (uint32_t threads = 0; threads + CLOCK_GROUP <= WIDEST; threads++)
        for (int round = 0; round < ROUNDS; round++) {
            uint32_t into[WIDEST], from[WIDEST], before[WIDEST];
            fill(&rng, into);
            fill(&rng, from);
            for (int i = 0; i < WIDEST; i++)
                before[i] = into[i];
            clock_join(into, from, threads);
            for (uint32_t i = 0; i < WIDEST; i++)
                assert_int_equal(into[i], i < width_of(threads) && from[i] > before[i] ? from[i]
                                                                                       : before[i]);
        }
}

static void a_copy_has_all_and_no_more(void **state)
{
    struct rng rng = {.state = 2};
    for (uint32_t threads = 0; threads + CLOCK_GROUP <= WIDEST; threads++) {
        uint32_t into[WIDEST] = {0}, from[WIDEST];
        fill(&rng, from);
        clock_copy(into, from, threads);
        for (uint32_t i = 0; i < WIDEST; i++)
            assert_int_equal(into[i], i < width_of(threads) ? from[i] : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clock_is_made_of_whole_groups),
        cmocka_unit_test(a_join_has_the_larger_of_both),
        cmocka_unit_test(a_copy_has_all_and_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
