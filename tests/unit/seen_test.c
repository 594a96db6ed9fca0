#include "strategy/seen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"

enum { BYTES = 1 << 20 };

static struct {
    struct journal journal;
    char arena[2 * BYTES] __attribute__((aligned(16)));
} * kept;

static int set_up(void **state)
{
    kept = calloc(1, sizeof *kept);
    kept->journal.origin = (char *)kept;
    struct arena arena = {.bytes = kept->arena, .capacity = sizeof kept->arena};
    *state = seen_open(&arena, BYTES);
    return 0;
}

static int tear_down(void **state)
{
    free(kept);
    return 0;
}

static void begin(struct seen *seen)
{
    journal_begin(&kept->journal);
    seen_begin(seen, &kept->journal);
}

static void what_was_added_is_there_after_the_seal(void **state)
{
    struct seen *seen = *state;
    const uint64_t key[2] = {1, 2}, other[2] = {1, 3};
    begin(seen);
    assert_true(seen_add(seen, key, &kept->journal));
    assert_false(seen_has(seen, key, &kept->journal));
    assert_true(seen_has_by_now(seen, key, &kept->journal));
    assert_false(seen_has_by_now(seen, other, &kept->journal));
    journal_seal(&kept->journal);
    assert_true(seen_has(seen, key, &kept->journal));
    assert_false(seen_has(seen, other, &kept->journal));
    begin(seen);
    assert_true(seen_has_by_now(seen, key, &kept->journal));
    assert_false(seen_add(seen, key, &kept->journal));
    assert_true(seen_add(seen, other, &kept->journal));
}

static void a_killed_transaction_leaves_nothing(void **state)
{
    struct seen *seen = *state;
    const uint64_t key[2] = {5, 6};
    begin(seen);
    seen_add(seen, key, &kept->journal);
    journal_roll_back(&kept->journal);
    assert_false(seen_has(seen, key, &kept->journal));
    assert_int_equal(seen->now.levels, 0);
    begin(seen);
    assert_false(seen_has_by_now(seen, key, &kept->journal));
    assert_true(seen_add(seen, key, &kept->journal));
    journal_seal(&kept->journal);
    assert_true(seen_has(seen, key, &kept->journal));
    assert_int_equal(seen->now.filled[0], 1);
}

static void tables_grow_until_there_is_no_room(void **state)
{
    enum { MANY = 60000 };
    struct seen *seen = *state;
    struct rng rng = {.state = 1};
    uint64_t keys[200][2], there = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        uint64_t key[2] = {rng_next(&rng), rng_next(&rng)};
        begin(seen);
        assert_true(seen_add(seen, key, &kept->journal));
        journal_seal(&kept->journal);
        if (i < 200)
            keys[i][0] = key[0], keys[i][1] = key[1];
        there += seen_has(seen, key, &kept->journal);
    }
    assert_true(seen->now.levels > 1);
    assert_true(there > 1 << 14);
    assert_true(there < MANY); /* a megabyte does not hold them all */
    for (uint32_t i = 0; i < 200; i++)
        assert_true(seen_has(seen, keys[i], &kept->journal));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_added_is_there_after_the_seal, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_killed_transaction_leaves_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tables_grow_until_there_is_no_room, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
