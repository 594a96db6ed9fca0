#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "strategy/frontier.h"
#include "support/trap.h"

static struct {
    struct journal journal;
    char arena[4096] __attribute__((aligned(16)));
} kept;
static struct frontier frontier;

static int set_up(void **state)
{
    memset(&kept, 0, sizeof kept);
    kept.journal.origin = (char *)&kept;
    struct arena arena = {.bytes = kept.arena, .capacity = sizeof kept.arena};
    frontier_open(&frontier, &arena, &kept.journal);
    journal_begin(&kept.journal);
    return 0;
}

static struct decision leave_at(uint32_t step)
{
    return (struct decision){.step = step, .thread = 1};
}

static void the_first_execution_has_an_empty_schedule(void **state)
{
    struct schedule schedule = {.prefix_count = 5};
    uint32_t first = frontier_pop(&frontier, &frontier.stacks[0]);
    assert_int_not_equal(first, 0);
    frontier_schedule(&frontier, first, &schedule);
    assert_int_equal(schedule.prefix_count, 0);
    assert_int_equal(schedule.check_step, 0);
    assert_int_equal(frontier_pop(&frontier, &frontier.stacks[0]), 0);
    assert_int_equal(frontier.waiting, 0);
}

static void a_schedule_lists_the_differences_of_all_ancestors(void **state)
{
    struct decision prefix[4];
    struct schedule schedule = {.prefix = prefix, .prefix_capacity = 4};
    uint32_t node = frontier_pop(&frontier, &frontier.stacks[0]);
    for (uint32_t step = 3; step <= 9; step += 3) {
        frontier_push_child(&frontier, &frontier.stacks[0], node, leave_at(step), step * 100);
        frontier_settle(&frontier, node, 1);
        node = frontier_pop(&frontier, &frontier.stacks[0]);
    }
    frontier_schedule(&frontier, node, &schedule);
    assert_int_equal(schedule.prefix_count, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(prefix[i].step, 3 + 3 * i);
    assert_int_equal(schedule.check_step, 9);
    assert_int_equal(schedule.check, 900);
}

static void stacks_are_last_in_first_out(void **state)
{
    uint32_t node = frontier_pop(&frontier, &frontier.stacks[0]);
    frontier_push_child(&frontier, &frontier.stacks[1], node, leave_at(1), 0);
    frontier_push_child(&frontier, &frontier.stacks[0], node, leave_at(2), 0);
    frontier_push_child(&frontier, &frontier.stacks[0], node, leave_at(3), 0);
    frontier_settle(&frontier, node, 3);
    assert_int_equal(frontier.waiting, 3);
    assert_int_equal(frontier.nodes[frontier_pop(&frontier, &frontier.stacks[0])].step, 3);
    assert_int_equal(frontier.nodes[frontier_pop(&frontier, &frontier.stacks[0])].step, 2);
    assert_int_equal(frontier_pop(&frontier, &frontier.stacks[0]), 0);
    frontier_swap(&frontier);
    assert_int_equal(frontier.nodes[frontier_pop(&frontier, &frontier.stacks[0])].step, 1);
}

static void a_finished_branch_is_used_again(void **state)
{
    uint32_t first = frontier_pop(&frontier, &frontier.stacks[0]);
    frontier_push_child(&frontier, &frontier.stacks[0], first, leave_at(0), 0);
    frontier_settle(&frontier, first, 1);
    for (uint32_t step = 1; step < 1000; step++) {
        uint32_t node = frontier_pop(&frontier, &frontier.stacks[0]);
        frontier_push_sibling(&frontier, &frontier.stacks[0], node, leave_at(step), 0);
        frontier_settle(&frontier, node, 0);
    }
    assert_int_equal(frontier.used, 4); /* the first, one that waits, one that is free */
    frontier_settle(&frontier, frontier_pop(&frontier, &frontier.stacks[0]), 0);
    uint32_t free_count = 0;
    for (uint32_t node = frontier.free; node != 0; node = frontier.nodes[node].link)
        free_count++;
    assert_int_equal(free_count, 3);
}

static void a_node_from_elsewhere_keeps_its_ancestors(void **state)
{
    struct decision decisions[3] = {leave_at(2), leave_at(5), leave_at(7)}, prefix[4];
    struct schedule schedule = {.prefix = prefix, .prefix_capacity = 4};
    frontier_adopt(&frontier, &frontier.stacks[0], decisions, 3, 77);
    assert_int_equal(frontier.waiting, 2);
    uint32_t node = frontier_pop(&frontier, &frontier.stacks[0]);
    assert_int_equal(frontier_depth(&frontier, node), 3);
    frontier_push_sibling(&frontier, &frontier.stacks[0], node, leave_at(6), 66);
    frontier_settle(&frontier, node, 0);
    node = frontier_pop(&frontier, &frontier.stacks[0]);
    frontier_schedule(&frontier, node, &schedule);
    assert_int_equal(schedule.prefix_count, 3);
    assert_int_equal(prefix[1].step, 5);
    assert_int_equal(prefix[2].step, 6);
    assert_int_equal(schedule.check, 66);
    frontier_settle(&frontier, node, 0);
    assert_int_equal(frontier_depth(&frontier, frontier_pop(&frontier, &frontier.stacks[0])), 0);
}

static void what_is_dropped_is_gone_with_its_ancestors(void **state)
{
    struct decision decisions[2] = {leave_at(2), leave_at(5)};
    frontier_adopt(&frontier, &frontier.stacks[0], decisions, 2, 0);
    frontier_adopt(&frontier, &frontier.stacks[0], decisions, 1, 0);
    uint32_t top = frontier.stacks[0].top;
    frontier_drop_after(&frontier, &frontier.stacks[0], top);
    assert_int_equal(frontier.waiting, 2);
    uint32_t free_count = 0;
    for (uint32_t node = frontier.free; node != 0; node = frontier.nodes[node].link)
        free_count++;
    assert_int_equal(free_count, 3);
    assert_int_equal(frontier_pop(&frontier, &frontier.stacks[0]), top);
    assert_int_equal(frontier_depth(&frontier, frontier_pop(&frontier, &frontier.stacks[0])), 0);
    assert_int_equal(frontier_pop(&frontier, &frontier.stacks[0]), 0);
}

static void fill(void *argument)
{
    uint32_t first = frontier_pop(&frontier, &frontier.stacks[0]);
    for (int i = 0; i < 1000; i++)
        frontier_push_child(&frontier, &frontier.stacks[0], first, leave_at(1), 0);
}

static void a_full_frontier_is_noticed(void **state)
{
    assert_true(traps(fill, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_first_execution_has_an_empty_schedule, set_up),
        cmocka_unit_test_setup(a_schedule_lists_the_differences_of_all_ancestors, set_up),
        cmocka_unit_test_setup(stacks_are_last_in_first_out, set_up),
        cmocka_unit_test_setup(a_finished_branch_is_used_again, set_up),
        cmocka_unit_test_setup(a_node_from_elsewhere_keeps_its_ancestors, set_up),
        cmocka_unit_test_setup(what_is_dropped_is_gone_with_its_ancestors, set_up),
        cmocka_unit_test_setup(a_full_frontier_is_noticed, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
