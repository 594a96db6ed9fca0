#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "core/board.h"
#include "support/search.h"

static void strategies_are_found_by_name(void **state)
{
    for (int i = 0; strategies[i] != NULL; i++) {
        assert_ptr_equal(strategy_find(strategies[i]->name), strategies[i]);
        assert_true(strategies[i]->state_size <= STATE_MAX);
        assert_true(strlen(strategies[i]->summary) > 0);
    }
    assert_null(strategy_find("no such strategy"));
    assert_null(strategy_find(""));
}

static void the_first_ones_are_there(void **state)
{
    assert_non_null(strategy_find("dfs"));
    assert_non_null(strategy_find("random"));
    assert_string_equal(strategy_find("preempt")->traits.bound_name, "preemptions");
    assert_string_equal(strategy_find("delay")->traits.bound_name, "delays");
    assert_null(strategy_find("dfs")->traits.bound_name);
}

/* After some executions the program is another one: that must not be claimed to be explored. */
static struct progress progress_of_a_changing_program(const char *strategy)
{
    struct toy_program program = toy_lockers(2, 3), other = toy_lockers(2, 3);
    for (uint32_t list = 1; list <= 2; list++)
        for (uint32_t i = 0; i < other.lists[list].count; i++)
            other.lists[list].ops[i] = (struct toy_op){.kind = TOY_ADD, .value = 1};
    struct search search;
    bool diverged = false;
    search_open(&search, &program, strategy, (struct strategy_options){.bound = NO_BOUND});
    while (search_next(&search)) {
        assert_true(search.executions < 10000);
        diverged |= search.trace.outcome == OUTCOME_DIVERGED;
        if (search.executions == 20)
            search.program = &other;
    }
    assert_true(diverged);
    struct progress progress = search_progress(&search);
    search_close(&search);
    return progress;
}

static void nothing_is_claimed_of_a_program_that_changes(void **state)
{
    static const char *const names[] = {"dfs", "depth", "preempt", "delay"};
    for (int i = 0; i < 4; i++) {
        struct progress progress = progress_of_a_changing_program(names[i]);
        assert_int_equal(progress.claim, CLAIM_NOTHING);
        assert_false(progress.complete);
    }
}

static void a_search_can_be_opened_again(void **state)
{
    static const char *const names[] = {"dfs", "depth", "preempt", "delay"};
    struct toy_program program = toy_lockers(2, 2);
    for (int i = 0; i < 4; i++) {
        struct search search;
        search_open(&search, &program, names[i], (struct strategy_options){.bound = NO_BOUND});
        for (int k = 0; k < 10; k++)
            assert_true(search_next(&search));
        search_restart(&search, (struct strategy_options){.bound = NO_BOUND});
        while (search_next(&search))
            ;
        assert_int_equal(search.executions, 42);
        search_close(&search);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strategies_are_found_by_name),
        cmocka_unit_test(the_first_ones_are_there),
        cmocka_unit_test(nothing_is_claimed_of_a_program_that_changes),
        cmocka_unit_test(a_search_can_be_opened_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
