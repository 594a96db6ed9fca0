#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/rng.h"
#include "strategy/bounded/pile.h"
#include "support/trap.h"

enum { STEPS = 600, STREAMS = 3 };

static struct {
    struct journal journal;
    char bytes[1 << 20] __attribute__((aligned(16)));
} memory;
static struct chunks chunks;
static struct pile pile, other;

static int set_up(void **state)
{
    memset(&memory, 0, sizeof memory);
    memory.journal.origin = memory.bytes;
    struct arena arena = {.bytes = memory.bytes, .capacity = sizeof memory.bytes};
    journal_begin(&memory.journal);
    pile_open(&pile, &arena, STEPS, &chunks, 0);
    pile_open(&other, &arena, STEPS, &chunks, 1);
    chunks_open(&chunks, &arena, STREAMS, &memory.journal);
    return 0;
}

static uint32_t random_schedule(struct rng *rng, struct decision *decisions)
{
    uint32_t count = rng_below(rng, 12), step = 0;
    for (uint32_t i = 0; i < count; i++) {
        step += rng_below(rng, 3) == 0 ? rng_below(rng, 40000) : rng_below(rng, 3);
        decisions[i] = (struct decision){step++, (thread_id)rng_below(rng, THREADS_MAX),
                                         rng_below(rng, 4) == 0 ? (uint16_t)rng_next(rng) : 0};
    }
    return count;
}

static void expect_top(const struct pile *of, const struct decision *decisions, uint32_t count,
                       uint32_t check)
{
    struct decision prefix[STEPS];
    struct schedule schedule = {.prefix = prefix, .prefix_capacity = STEPS};
    pile_peek(of, &schedule);
    assert_int_equal(schedule.prefix_count, count);
    assert_memory_equal(prefix, decisions, count * sizeof *decisions);
    assert_int_equal(schedule.check, check);
}

static void what_is_put_there_comes_back(void **state)
{
    enum { COUNT = 500 };
    static struct decision all[COUNT][STEPS];
    uint32_t counts[COUNT];
    struct rng rng = {.state = 7};
    for (uint32_t i = 0; i < COUNT; i++) {
        counts[i] = random_schedule(&rng, all[i]);
        pile_push(i % 2 ? &other : &pile, all[i], counts[i], i);
    }
    assert_true(chunks_bytes(&chunks) > 0);
    for (uint32_t i = COUNT; i-- > 0;) {
        struct pile *from = i % 2 ? &other : &pile;
        expect_top(from, all[i], counts[i], i);
        pile_pop(from);
    }
    assert_int_equal(pile_count(&pile) + pile_count(&other), 0);
    assert_int_equal(chunks_bytes(&chunks), 0);
}

static void a_pile_can_turn_to_another_stream(void **state)
{
    struct decision first[] = {{3, 1, 0}}, second[] = {{3, 1, 0}, {9, 2, 5}};
    pile_push(&pile, first, 1, 11);
    pile_push(&pile, second, 2, 22);
    pile_turn_to(&pile, 2);
    assert_int_equal(pile_count(&pile), 0);
    pile_push(&pile, first, 1, 33);
    pile_turn_to(&pile, 0);
    expect_top(&pile, second, 2, 22);
    pile_pop(&pile);
    expect_top(&pile, first, 1, 11);
    pile_turn_to(&pile, 2);
    expect_top(&pile, first, 1, 33);
}

static void what_is_not_sealed_is_undone(void **state)
{
    struct decision decisions[STEPS];
    struct rng rng = {.state = 3};
    for (uint32_t i = 0; i < 300; i++)
        pile_push(i % 3 ? &other : &pile, decisions, random_schedule(&rng, decisions), i);
    journal_seal(&memory.journal);
    static char before[sizeof memory.bytes];
    uint64_t used = chunks_bytes(&chunks), waits = pile_count(&pile);
    memcpy(before, chunks.all + 1, used);
    journal_begin(&memory.journal);
    for (uint32_t i = 0; i < 60; i++)
        pile_pop(&pile);
    for (uint32_t i = 0; i < 200; i++)
        pile_push(i % 2 ? &other : &pile, decisions, random_schedule(&rng, decisions), i);
    journal_roll_back(&memory.journal);
    assert_int_equal(chunks_bytes(&chunks), used);
    assert_int_equal(pile_count(&pile), waits);
    assert_memory_equal(before, chunks.all + 1, used);
}

static void take_too_much(void *argument)
{
    pile_pop(&pile);
}

static void an_empty_pile_gives_nothing(void **state)
{
    assert_true(traps(take_too_much, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(what_is_put_there_comes_back, set_up),
        cmocka_unit_test_setup(a_pile_can_turn_to_another_stream, set_up),
        cmocka_unit_test_setup(what_is_not_sealed_is_undone, set_up),
        cmocka_unit_test_setup(an_empty_pile_gives_nothing, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
