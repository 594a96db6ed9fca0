#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mix.h"
#include "coordinator/share/census.h"
#include "core/class_table.h"

enum { BOARDS = 3 };

static struct board_handle boards[BOARDS];
static struct crew crew;

static int set_up(void **state)
{
    struct options options = {.strategy = "preempt", .bound = NO_BOUND, .steps_max = 10};
    struct problem why;
    for (int i = 0; i < BOARDS; i++) {
        if (!board_make(&boards[i], &options, &why))
            return 1;
        boards[i].board->opened = 1;
    }
    crew_open(&crew, boards, BOARDS, NULL);
    return 0;
}

static int tear_down(void **state)
{
    crew_close(&crew);
    for (int i = 0; i < BOARDS; i++)
        board_drop(&boards[i]);
    return 0;
}

/* As the runtime does it. */
static void add_class(int number, uint64_t name, bool again)
{
    struct board *board = boards[number].board;
    uint32_t level = board->class_levels;
    if (level == 0 || board->class_counts[level - 1] >= class_table_capacity(level - 1) / 4 * 3)
        level = ++board->class_levels;
    level--;
    struct class_entry *table = class_table(board, level);
    uint64_t class = mix(name, 7), mask = class_table_capacity(level) - 1;
    uint64_t at = class & mask;
    while (table[at].transaction != 0)
        at = (at + 1) & mask;
    table[at] = (struct class_entry){.class = {class, name}, .transaction = 1, .again = again};
    board->class_counts[level]++;
    board->tally.classes++;
}

static struct glance take(void)
{
    struct census census = {0};
    struct glance glance;
    census_take(&census, &crew, &glance);
    return glance;
}

static void few_classes_are_counted(void **state)
{
    for (uint64_t i = 0; i < 1000; i++)
        add_class(0, i, false);
    for (uint64_t i = 900; i < 1200; i++)
        add_class(1, i, i >= 1100);
    struct glance glance = take();
    assert_false(glance.classes_about);
    assert_int_equal(glance.tally.classes, 1200);
    assert_int_equal(glance.tally.singletons, 1000); /* 900 of the first, 100 of the second */
}

static void many_are_found_out_from_some(void **state)
{
    enum { EACH = 200000, COMMON = 100000 };
    for (uint64_t i = 0; i < EACH; i++)
        add_class(0, i, false);
    for (uint64_t i = EACH - COMMON; i < 2 * EACH - COMMON; i++)
        add_class(1, i, false);
    struct glance glance = take();
    assert_true(glance.classes_about);
    assert_in_range(glance.tally.classes, 290000, 310000);
    assert_in_range(glance.tally.singletons, 190000, 210000);
}

static void many_that_nobody_shares_are_exact(void **state)
{
    for (uint64_t i = 0; i < 300000; i++)
        add_class((int)(i % BOARDS), i, false);
    struct glance glance = take();
    assert_false(glance.classes_about);
    assert_in_range(glance.tally.classes, 299999, 300000);
}

static void counters_are_added_up(void **state)
{
    for (int i = 0; i < BOARDS; i++) {
        struct tally *tally = &boards[i].board->tally;
        tally->executions = 10;
        tally->cut = 2;
        tally->bound = i < 2 ? 3 : 2;
        tally->estimate = (struct estimate){
            .kind = ESTIMATE_PARTS,
            .parts = {.left = 5, .begun = 1, .done = 2, .current = 1, .sum = 6, .squares = 18}};
    }
    struct glance glance = take();
    assert_int_equal(glance.tally.executions, 30);
    assert_int_equal(glance.tally.cut, 6);
    assert_int_equal(glance.tally.bound, 3);
    assert_int_equal(glance.tally.estimate.parts.left, 10); /* not of a worker that is behind */
    assert_int_equal(glance.tally.estimate.parts.begun, 2);
    assert_int_equal(glance.tally.estimate.parts.squares, 36);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(few_classes_are_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_are_found_out_from_some, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_that_nobody_shares_are_exact, set_up, tear_down),
        cmocka_unit_test_setup_teardown(counters_are_added_up, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
