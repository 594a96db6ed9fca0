#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"

/* The published outputs of splitmix64 for seed 1234567. */
static void numbers_are_those_of_splitmix64(void **state)
{
    static const uint64_t expected[] = {6457827717110365317u, 3203168211198807973u,
                                        9817491932198370423u, 4593380528125082431u,
                                        16408922859458223821u};
    struct rng rng = {.state = 1234567};
    for (int i = 0; i < 5; i++)
        assert_int_equal(rng_next(&rng), expected[i]);
}

static void equal_seeds_give_equal_numbers(void **state)
{
    struct rng left = {.state = 42}, right = {.state = 42}, other = {.state = 43};
    bool differs = false;
    for (int i = 0; i < 100; i++) {
        uint64_t number = rng_next(&left);
        assert_int_equal(number, rng_next(&right));
        differs |= number != rng_next(&other);
    }
    assert_true(differs);
}

static void below_stays_below_and_reaches_all(void **state)
{
    struct rng rng = {.state = 1};
    for (uint32_t limit = 1; limit <= 40; limit++) {
        uint64_t seen = 0;
        for (int i = 0; i < 2000; i++) {
            uint32_t number = rng_below(&rng, limit);
            assert_true(number < limit);
            seen |= 1ul << number;
        }
        assert_int_equal(seen, (1ul << limit) - 1);
    }
    for (int i = 0; i < 1000; i++)
        assert_true(rng_below(&rng, UINT32_MAX) < UINT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_splitmix64),
        cmocka_unit_test(equal_seeds_give_equal_numbers),
        cmocka_unit_test(below_stays_below_and_reaches_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
