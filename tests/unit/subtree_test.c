#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/rng.h"
#include "core/subtree.h"
#include "support/trap.h"

enum { ROUNDS = 20000, LONGEST = 200000 };

static uint8_t bytes[PARCEL_BYTES];
static struct decision written[LONGEST], prefix[LONGEST];

enum { OWN_MAX = 12 };
static uint64_t own[OWN_MAX];
static uint32_t own_count;

static uint64_t any(struct rng *rng) /* small and large ones */
{
    return rng_next(rng) >> rng_below(rng, 64);
}

static struct subtree random_subtree(struct rng *rng)
{
    struct subtree subtree = {
        .bound = (int32_t)any(rng),
        .floor = (uint32_t)any(rng),
        .check = (uint32_t)any(rng),
        .first = any(rng),
        .count = any(rng),
        .prefix = written,
        .prefix_count = rng_below(rng, 30),
    };
    own_count = rng_below(rng, OWN_MAX);
    for (uint32_t i = 0; i < own_count; i++)
        own[i] = any(rng);
    uint32_t length = 1 + rng_below(rng, SUBTREE_NAME_MAX - 1), step = 0;
    for (uint32_t i = 0; i < length; i++)
        subtree.strategy[i] = (char)('a' + rng_below(rng, 26));
    for (uint32_t i = 0; i < subtree.prefix_count; i++) {
        step += (uint32_t)(any(rng) & 0xffffff);
        written[i] =
            (struct decision){step++, (thread_id)rng_below(rng, THREADS_MAX), (uint16_t)any(rng)};
    }
    return subtree;
}

static void expect_equal(const struct subtree *left, const struct subtree *right)
{
    assert_memory_equal(left->strategy, right->strategy, SUBTREE_NAME_MAX);
    assert_int_equal(left->bound, right->bound);
    assert_int_equal(left->floor, right->floor);
    assert_int_equal(left->check, right->check);
    assert_int_equal(left->first, right->first);
    assert_int_equal(left->count, right->count);
    assert_int_equal(left->prefix_count, right->prefix_count);
    for (uint32_t i = 0; i < left->prefix_count; i++) {
        assert_int_equal(left->prefix[i].step, right->prefix[i].step);
        assert_int_equal(left->prefix[i].thread, right->prefix[i].thread);
        assert_int_equal(left->prefix[i].choice, right->prefix[i].choice);
    }
}

static struct parcel write_one(const struct subtree *subtree)
{
    struct parcel parcel = {.bytes = bytes, .size = sizeof bytes};
    struct numbers numbers = parcel_begin(&parcel, subtree);
    for (uint32_t i = 0; i < own_count; i++)
        numbers_put(&numbers, own[i]);
    parcel_end(&parcel, &numbers);
    return (struct parcel){.bytes = bytes, .size = parcel.used};
}

static void what_is_written_is_read(void **state)
{
    struct rng rng = {.state = 1};
    for (int round = 0; round < ROUNDS; round++) {
        struct subtree subtree = random_subtree(&rng), got;
        struct parcel parcel = write_one(&subtree);
        assert_true(parcel.size <= SUBTREE_HEAD_BYTES +
                                       subtree.prefix_count * SUBTREE_DECISION_BYTES +
                                       own_count * NUMBER_BYTES);
        assert_true(parcel_is_sound(bytes, parcel.size));
        assert_true(parcel_take(&parcel, &got, prefix, LONGEST));
        expect_equal(&subtree, &got);
        for (uint32_t i = 0; i < own_count; i++)
            assert_int_equal(numbers_take(&got.rest, UINT64_MAX), own[i]);
        assert_true(numbers_end(&got.rest));
        assert_int_equal(parcel.used, parcel.size);
        assert_false(parcel_take(&parcel, &got, prefix, LONGEST));
    }
}

static void a_usual_one_is_short(void **state)
{
    struct subtree subtree = {
        .strategy = "preempt", .bound = 2, .prefix = written, .prefix_count = 20};
    for (uint32_t i = 0; i < 20; i++)
        written[i] = (struct decision){10 * i, 3, 0};
    own_count = 0;
    assert_true(write_one(&subtree).size < 100);
}

static void a_parcel_holds_several(void **state)
{
    static struct decision kept[64][30];
    struct subtree subtrees[64], got;
    struct rng rng = {.state = 2};
    struct parcel parcel = {.bytes = bytes, .size = sizeof bytes};
    uint32_t count = 0;
    for (; count < 64; count++) {
        subtrees[count] = random_subtree(&rng);
        memcpy(kept[count], written, sizeof kept[count]);
        subtrees[count].prefix = kept[count];
        assert_true(parcel_has_room(&parcel, subtrees[count].prefix_count));
        parcel_put(&parcel, &subtrees[count]);
    }
    struct parcel reading = {.bytes = bytes, .size = parcel.used};
    assert_true(parcel_is_sound(bytes, parcel.used));
    for (uint32_t i = 0; i < count; i++) {
        assert_true(parcel_take(&reading, &got, prefix, LONGEST));
        expect_equal(&subtrees[i], &got);
    }
    assert_false(parcel_take(&reading, &got, prefix, LONGEST));
}

/* Every bit of it matters, and so does every byte less or more. */
static void what_was_damaged_is_rejected(void **state)
{
    struct rng rng = {.state = 3};
    for (int round = 0; round < 100; round++) {
        struct subtree subtree = random_subtree(&rng), got;
        struct parcel parcel = write_one(&subtree);
        for (uint32_t bit = 0; bit < 8 * parcel.size; bit++) {
            struct parcel reading = parcel;
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            assert_false(parcel_take(&reading, &got, prefix, LONGEST));
            assert_int_equal(reading.used, 0);
            assert_false(parcel_is_sound(bytes, parcel.size));
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        for (uint32_t size = 0; size < parcel.size; size++)
            assert_false(parcel_is_sound(bytes, size));
        bytes[parcel.size] = (uint8_t)rng_below(&rng, 256);
        assert_false(parcel_is_sound(bytes, parcel.size + 1));
    }
}

static uint32_t checksum(uint32_t count) /* FNV-1a, as anybody may write it */
{
    uint32_t sum = 2166136261u;
    for (uint32_t i = 0; i < count; i++)
        sum = (sum ^ bytes[i]) * 16777619u;
    return sum;
}

/* Damage with a checksum that fits: what is read all the same can be written again, byte for
 * byte. */
static void what_is_read_is_what_would_be_written(void **state)
{
    static uint8_t damaged[PARCEL_BYTES];
    struct rng rng = {.state = 4};
    uint32_t accepted = 0, rejected = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct subtree subtree = random_subtree(&rng), got;
        struct parcel parcel = write_one(&subtree);
        for (uint32_t changes = 1 + rng_below(&rng, 3); changes > 0; changes--)
            bytes[6 + rng_below(&rng, parcel.size - 10)] = (uint8_t)rng_below(&rng, 256);
        uint32_t sum = checksum(parcel.size - 4);
        memcpy(bytes + parcel.size - 4, &sum, 4);
        memcpy(damaged, bytes, parcel.size);
        if (!parcel_take(&parcel, &got, prefix, LONGEST)) {
            assert_int_equal(parcel.used, 0);
            rejected++;
            continue;
        }
        memcpy(written, prefix, got.prefix_count * sizeof *prefix);
        got.prefix = written;
        for (own_count = 0; own_count < OWN_MAX && got.rest.used < got.rest.size; own_count++)
            own[own_count] = numbers_take(&got.rest, UINT64_MAX);
        if (!numbers_end(&got.rest)) {
            rejected++;
            continue;
        }
        struct parcel again = write_one(&got);
        assert_int_equal(again.size, parcel.size);
        assert_memory_equal(bytes, damaged, parcel.size);
        accepted++;
    }
    assert_true(accepted > ROUNDS / 10);
    assert_true(rejected > ROUNDS / 10);
}

static void put_too_much(void *argument)
{
    struct subtree subtree = {.strategy = "dfs", .prefix = written, .prefix_count = 10};
    struct parcel parcel = {.bytes = bytes, .size = SUBTREE_HEAD_BYTES};
    parcel_put(&parcel, &subtree);
}

/* Each decision as long as one can be. */
static void no_subtree_is_too_long(void **state)
{
    static uint8_t box[BOX_BYTES + LONGEST * BOX_STEP_BYTES];
    struct subtree subtree = {.strategy = "dfs", .prefix = written, .prefix_count = LONGEST}, got;
    struct parcel parcel = {.bytes = box, .size = (uint32_t)box_bytes(LONGEST)};
    for (uint32_t i = 0; i < LONGEST; i++)
        written[i] = (struct decision){20000 * i + i, THREADS_MAX - 1, UINT16_MAX};
    assert_true(parcel_has_room(&parcel, LONGEST));
    parcel_put(&parcel, &subtree);
    assert_true(parcel_is_sound(box, parcel.used));
    struct parcel reading = {.bytes = box, .size = parcel.used};
    assert_false(parcel_take(&reading, &got, prefix, LONGEST - 1));
    assert_true(parcel_take(&reading, &got, prefix, LONGEST));
    expect_equal(&subtree, &got);
    assert_false(parcel_has_room(&parcel, 0)); /* the journal has room for one such */
}

static void room_is_checked(void **state)
{
    struct parcel parcel = {.bytes = bytes, .size = sizeof bytes};
    assert_true(parcel_has_room(&parcel, 100));
    parcel.used = sizeof bytes;
    assert_false(parcel_has_room(&parcel, 0));
    assert_true(traps(put_too_much, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(a_usual_one_is_short),
        cmocka_unit_test(a_parcel_holds_several),
        cmocka_unit_test(what_was_damaged_is_rejected),
        cmocka_unit_test(what_is_read_is_what_would_be_written),
        cmocka_unit_test(no_subtree_is_too_long),
        cmocka_unit_test(room_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
