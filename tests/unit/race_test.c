#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/watched.h"

enum { THREADS = 4 };

static const struct race_atomic load = {.reads = true}, store = {.writes = true},
                                update = {.reads = true, .writes = true};

static struct race_atomic with(struct race_atomic atomic, bool acquire, bool release)
{
    atomic.acquire = acquire;
    atomic.release = release;
    return atomic;
}

/* Threads 0, 1, 2, which nothing orders. */
static int set_up(void **state)
{
    watched_clear();
    watched_open(THREADS);
    race_start(&watched, 1, 0);
    race_start(&watched, 2, 0);
    return 0;
}

static void run(thread_id thread)
{
    race_switch(&watched, thread);
}

static void write_at(uint32_t offset, uint32_t size, uint64_t site)
{
    watched_plain(offset, size, true, site);
}

static void read_at(uint32_t offset, uint32_t size, uint64_t site)
{
    watched_plain(offset, size, false, site);
}

/* The only pair reported so far; for each of its bytes it may be told again. */
static void assert_race(uint64_t earlier, uint64_t later)
{
    assert_true(told_count > 0);
    for (uint32_t i = 0; i < told_count; i++) {
        assert_false(told[i].after_free);
        assert_int_equal(told[i].earlier.site, earlier);
        assert_int_equal(told[i].site, later);
    }
}

static void unordered_writes_race(void **state)
{
    write_at(0, 4, 10);
    run(1);
    write_at(0, 4, 20);
    assert_race(10, 20);
    assert_int_equal(told[0].earlier.thread, 0);
    assert_true(told[0].earlier.writes);
    assert_false(told[0].earlier.atomic);
    assert_int_equal(told[0].earlier.size, 4);
    assert_true(told[0].writes);
    assert_int_equal(told[0].size, 4);
}

static void a_write_races_with_every_reader(void **state)
{
    read_at(0, 4, 10);
    run(1);
    read_at(0, 4, 20);
    assert_int_equal(told_count, 0);
    run(2);
    write_at(0, 4, 30);
    uint64_t sites = 0;
    for (uint32_t i = 0; i < told_count; i++)
        sites |= 1ul << told[i].earlier.site;
    assert_int_equal(sites, 1ul << 10 | 1ul << 20);
}

/* Though it has read it before, and nothing has changed since. */
static void every_access_races_with_an_unordered_write(void **state)
{
    run(1);
    write_at(0, 4, 10);
    run(2);
    read_at(0, 4, 20);
    assert_race(10, 20);
    told_count = 0;
    read_at(0, 4, 21);
    assert_race(10, 21);
    told_count = 0;
    write_at(0, 4, 22);
    assert_race(10, 22);
    told_count = 0;
    read_at(0, 4, 23);
    write_at(0, 4, 24);
    assert_int_equal(told_count, 0);
    run(1);
    read_at(0, 4, 11);
    assert_race(24, 11);
}

static void what_a_creator_did_before_is_ordered(void **state)
{
    write_at(0, 4, 10);
    race_start(&watched, 3, 0);
    write_at(4, 4, 11);
    run(3);
    write_at(0, 4, 20);
    assert_int_equal(told_count, 0);
    write_at(4, 4, 21);
    assert_race(11, 21);
}

static void a_join_orders(void **state)
{
    run(1);
    write_at(0, 4, 10);
    run(0);
    race_join(&watched, 1);
    write_at(0, 4, 20);
    assert_int_equal(told_count, 0);
}

static void a_mutex_orders_one_way(void **state)
{
    struct sync mutex = {0};
    race_acquire(&watched, &mutex);
    write_at(0, 4, 10);
    race_release(&watched, &mutex);
    write_at(4, 4, 11);
    run(1);
    race_acquire(&watched, &mutex);
    read_at(0, 4, 20);
    assert_int_equal(told_count, 0);
    read_at(4, 4, 21);
    assert_race(11, 21);
}

static void neighbouring_bytes_do_not_race(void **state)
{
    write_at(0, 1, 10);
    run(1);
    write_at(1, 1, 20);
    run(2);
    write_at(2, 2, 30);
    assert_int_equal(told_count, 0);
    write_at(1, 2, 31);
    assert_race(20, 31);
}

static void accesses_of_different_widths_meet(void **state)
{
    write_at(0, 8, 10);
    run(1);
    read_at(7, 1, 20);
    assert_race(10, 20);
    assert_int_equal(told[0].earlier.size, 8);
    assert_int_equal(told[0].offset, 7);
}

static void readers_survive_a_split(void **state)
{
    read_at(0, 4, 10);
    run(1);
    read_at(0, 4, 20);
    run(2);
    read_at(0, 1, 30);
    run(0);
    write_at(3, 1, 40);
    assert_race(20, 40);
}

static void atomics_do_not_race_with_each_other(void **state)
{
    for (thread_id thread = 0; thread < 3; thread++) {
        run(thread);
        watched_atomic(0, 4, store, 10);
        watched_atomic(0, 4, load, 11);
        watched_atomic(0, 4, update, 12);
    }
    assert_int_equal(told_count, 0);
}

static void an_atomic_write_races_with_a_plain_read(void **state)
{
    watched_atomic(8, 8, store, 10);
    run(1);
    read_at(12, 2, 20);
    assert_race(10, 20);
    assert_true(told[0].earlier.atomic);
    assert_true(told[0].earlier.writes);
}

static void an_atomic_read_races_with_a_plain_write_only(void **state)
{
    watched_atomic(0, 4, load, 10);
    run(1);
    read_at(0, 4, 20);
    assert_int_equal(told_count, 0);
    write_at(0, 4, 21);
    assert_race(10, 21);
    assert_false(told[0].earlier.writes);
}

static void a_plain_write_races_with_an_atomic_read(void **state)
{
    write_at(0, 4, 10);
    run(1);
    watched_atomic(0, 4, load, 20);
    assert_race(10, 20);
    assert_true(told[0].atomic);
}

static void narrow_atomics_keep_to_their_bytes(void **state)
{
    watched_atomic(0, 1, store, 10);
    run(1);
    write_at(1, 1, 20);
    watched_atomic(2, 2, store, 21);
    assert_int_equal(told_count, 0);
    run(2);
    read_at(2, 1, 30);
    assert_race(21, 30);
}

/* A message in bytes 8..11 with a flag at 0: does its reader come after its writer? */
static bool message_is_ordered(struct race_atomic out, struct race_atomic in)
{
    set_up(NULL);
    write_at(8, 4, 10);
    watched_atomic(0, 4, out, 11);
    run(1);
    watched_atomic(0, 4, in, 20);
    read_at(8, 4, 21);
    return told_count == 0;
}

static void release_and_acquire_must_both_be_there(void **state)
{
    const struct race_atomic outs[] = {store, update}, ins[] = {load, update};
    for (int out = 0; out < 2; out++)
        for (int in = 0; in < 2; in++)
            for (int strength = 0; strength < 4; strength++) {
                bool releases = strength & 1, acquires = strength & 2;
                assert_int_equal(message_is_ordered(with(outs[out], false, releases),
                                                    with(ins[in], acquires, false)),
                                 releases && acquires);
            }
}

static void an_acquire_does_not_release_and_a_release_does_not_acquire(void **state)
{
    assert_false(message_is_ordered(with(update, true, false), with(load, true, false)));
    assert_false(message_is_ordered(with(store, false, true), with(update, false, true)));
}

static void an_update_continues_a_release_sequence(void **state)
{
    write_at(8, 4, 10);
    watched_atomic(0, 4, with(store, false, true), 11);
    run(1);
    watched_atomic(0, 4, update, 20);
    run(2);
    watched_atomic(0, 4, with(load, true, false), 30);
    read_at(8, 4, 31);
    assert_int_equal(told_count, 0);
}

static void a_store_ends_a_release_sequence(void **state)
{
    write_at(8, 4, 10);
    watched_atomic(0, 4, with(store, false, true), 11);
    run(1);
    watched_atomic(0, 4, store, 20);
    run(2);
    watched_atomic(0, 4, with(load, true, false), 30);
    read_at(8, 4, 31);
    assert_race(10, 31);
}

static void fences_carry_relaxed_accesses(void **state)
{
    write_at(8, 4, 10);
    race_fence(&watched, false, true);
    watched_atomic(0, 4, store, 11);
    run(1);
    watched_atomic(0, 4, load, 20);
    race_fence(&watched, true, false);
    read_at(8, 4, 21);
    assert_int_equal(told_count, 0);
}

static void what_follows_a_release_fence_is_not_carried(void **state)
{
    race_fence(&watched, false, true);
    write_at(8, 4, 10);
    watched_atomic(0, 4, store, 11);
    run(1);
    watched_atomic(0, 4, with(load, true, false), 20);
    read_at(8, 4, 21);
    assert_race(10, 21);
}

static void an_acquire_fence_must_follow_the_load(void **state)
{
    write_at(8, 4, 10);
    watched_atomic(0, 4, with(store, false, true), 11);
    run(1);
    race_fence(&watched, true, false);
    watched_atomic(0, 4, load, 20);
    read_at(8, 4, 21);
    assert_race(10, 21);
}

/* An object that is initialised plainly before its first atomic store. */
static void an_acquiring_load_comes_after_what_it_acquires(void **state)
{
    write_at(0, 4, 10);
    watched_atomic(0, 4, with(store, false, true), 11);
    run(1);
    watched_atomic(0, 4, with(load, true, false), 20);
    assert_int_equal(told_count, 0);
}

static void a_releasing_store_is_part_of_what_it_releases(void **state)
{
    watched_atomic(0, 4, with(store, false, true), 10);
    run(1);
    watched_atomic(0, 4, with(load, true, false), 20);
    write_at(0, 4, 21);
    assert_int_equal(told_count, 0);
}

static void a_free_races_with_a_use_before_it(void **state)
{
    read_at(5, 1, 10);
    run(1);
    watched_free(0, 8, 20);
    assert_race(10, 20);
    assert_true(told[0].writes);
}

static void a_free_races_with_an_atomic_use_before_it(void **state)
{
    watched_atomic(4, 2, load, 10);
    run(1);
    watched_free(0, 8, 20);
    assert_race(10, 20);
}

static void a_use_after_a_free_is_told_with_its_race(void **state)
{
    watched_free(0, 8, 10);
    run(1);
    read_at(4, 4, 20);
    assert_int_equal(told_count, 2);
    assert_true(told[0].earlier.frees);
    assert_false(told[0].after_free);
    assert_true(told[1].after_free);
    assert_int_equal(told[1].earlier.site, 10);
}

static void an_ordered_use_after_a_free_is_no_race(void **state)
{
    watched_free(0, 8, 10);
    watched_atomic(4, 4, load, 11);
    assert_int_equal(told_count, 1);
    assert_true(told[0].after_free);
    read_at(8, 4, 12);
    assert_int_equal(told_count, 1);
}

static void unordered_frees_race(void **state)
{
    watched_free(0, 4, 10);
    run(1);
    watched_free(0, 4, 20);
    assert_race(10, 20);
    assert_true(told[0].earlier.frees);
}

/* Memory that is used again: accesses of its old owner do not count, those of the new one do. */
static void what_is_renewed_was_not_freed(void **state)
{
    read_at(0, 2, 9);
    watched_free(0, 8, 10);
    watched_renew(0, 8);
    run(1);
    write_at(0, 4, 20);
    assert_int_equal(told_count, 0);
    run(2);
    write_at(0, 4, 30);
    assert_race(20, 30);
}

static void the_latest_site_is_told(void **state)
{
    write_at(0, 4, 10);
    write_at(0, 4, 11);
    run(1);
    write_at(0, 4, 20);
    assert_race(11, 20);
}

static void an_execution_starts_with_nothing(void **state)
{
    write_at(0, 4, 10);
    watched_free(8, 4, 11);
    watched_open(THREADS);
    race_start(&watched, 1, 0);
    run(1);
    write_at(0, 4, 20);
    read_at(8, 4, 21);
    assert_int_equal(told_count, 0);
}

static void what_a_set_up_did_comes_back(void **state)
{
    write_at(0, 4, 10);
    watched_checkpoint();
    for (int times = 0; times < 3; times++) {
        run(1);
        write_at(0, 4, 20);
        assert_race(10, 20);
        watched_return();
    }
}

static void what_came_after_a_set_up_is_gone(void **state)
{
    write_at(0, 1, 10);
    watched_checkpoint();
    read_at(0, 4, 11);
    write_at(4, 4, 12);
    watched_free(8, 4, 13);
    watched_return();
    run(1);
    write_at(2, 1, 20);
    write_at(4, 4, 21);
    write_at(8, 4, 22);
    assert_int_equal(told_count, 0);
    write_at(0, 1, 23);
    assert_race(10, 23);
}

static void uses_of_an_object_do_not_race(void **state)
{
    watched_use(0, 10);
    run(1);
    watched_use(0, 20);
    run(0);
    watched_use(0, 11);
    read_at(0, 4, 12);
    assert_int_equal(told_count, 0);
}

static void a_write_of_an_object_races_with_every_use(void **state)
{
    watched_use(4, 10);
    run(1);
    watched_use(4, 20);
    run(2);
    write_at(0, 12, 30);
    uint64_t sites = 0;
    for (uint32_t i = 0; i < told_count; i++)
        sites |= 1ul << told[i].earlier.site;
    assert_int_equal(sites, 1ul << 10 | 1ul << 20);
    assert_true(told[0].earlier.atomic);
}

static void every_use_races_with_an_unordered_write(void **state)
{
    run(1);
    watched_use(0, 10);
    run(2);
    write_at(0, 8, 20);
    told_count = 0;
    run(1);
    watched_use(0, 11);
    assert_race(20, 11);
    told_count = 0;
    watched_use(0, 12);
    assert_race(20, 12);
}

static void a_free_races_with_a_use_of_an_object(void **state)
{
    watched_use(0, 10);
    run(1);
    watched_free(0, 8, 20);
    assert_race(10, 20);
    told_count = 0;
    run(0);
    watched_use(0, 11);
    assert_int_equal(told_count, 2);
    assert_true(told[1].after_free);
}

static void an_ordered_write_of_an_object_is_no_race(void **state)
{
    struct sync sync = {.by = NO_THREAD};
    write_at(0, 8, 9);
    race_release(&watched, &sync);
    run(1);
    race_acquire(&watched, &sync);
    watched_use(0, 10);
    watched_use(0, 11);
    race_release(&watched, &sync);
    run(2);
    race_acquire(&watched, &sync);
    write_at(0, 8, 20);
    watched_use(0, 21);
    assert_int_equal(told_count, 0);
}

static void a_use_in_a_set_up_comes_back(void **state)
{
    watched_use(0, 10);
    watched_checkpoint();
    run(1);
    watched_use(0, 20);
    watched_return();
    run(2);
    write_at(0, 8, 30);
    assert_race(10, 30);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, set_up)
    const struct CMUnitTest tests[] = {
        TEST(unordered_writes_race),
        TEST(a_write_races_with_every_reader),
        TEST(every_access_races_with_an_unordered_write),
        TEST(what_a_creator_did_before_is_ordered),
        TEST(a_join_orders),
        TEST(a_mutex_orders_one_way),
        TEST(neighbouring_bytes_do_not_race),
        TEST(accesses_of_different_widths_meet),
        TEST(readers_survive_a_split),
        TEST(atomics_do_not_race_with_each_other),
        TEST(an_atomic_write_races_with_a_plain_read),
        TEST(an_atomic_read_races_with_a_plain_write_only),
        TEST(a_plain_write_races_with_an_atomic_read),
        TEST(narrow_atomics_keep_to_their_bytes),
        TEST(release_and_acquire_must_both_be_there),
        TEST(an_acquire_does_not_release_and_a_release_does_not_acquire),
        TEST(an_update_continues_a_release_sequence),
        TEST(a_store_ends_a_release_sequence),
        TEST(fences_carry_relaxed_accesses),
        TEST(what_follows_a_release_fence_is_not_carried),
        TEST(an_acquire_fence_must_follow_the_load),
        TEST(an_acquiring_load_comes_after_what_it_acquires),
        TEST(a_releasing_store_is_part_of_what_it_releases),
        TEST(a_free_races_with_a_use_before_it),
        TEST(a_free_races_with_an_atomic_use_before_it),
        TEST(a_use_after_a_free_is_told_with_its_race),
        TEST(an_ordered_use_after_a_free_is_no_race),
        TEST(unordered_frees_race),
        TEST(what_is_renewed_was_not_freed),
        TEST(the_latest_site_is_told),
        TEST(an_execution_starts_with_nothing),
        TEST(what_a_set_up_did_comes_back),
        TEST(what_came_after_a_set_up_is_gone),
        TEST(uses_of_an_object_do_not_race),
        TEST(a_write_of_an_object_races_with_every_use),
        TEST(every_use_races_with_an_unordered_write),
        TEST(a_free_races_with_a_use_of_an_object),
        TEST(an_ordered_write_of_an_object_is_no_race),
        TEST(a_use_in_a_set_up_comes_back),
    };
    return cmocka_run_group_tests_name("race", tests, NULL, NULL);
}
