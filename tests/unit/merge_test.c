#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "coordinator/share/merge.h"
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
        boards[i].board->tally.claim = CLAIM_ALL;
        boards[i].board->tally.complete = 1;
    }
    crew_open(&crew, boards, BOARDS, NULL);
    for (int i = 0; i < BOARDS; i++) {
        boards[i].board->shared.search = boards[i].board->sharing.search;
        boards[i].board->shared.adopted = boards[i].board->sharing.delivered;
    }
    crew.over = true;
    return 0;
}

static int tear_down(void **state)
{
    crew_close(&crew);
    for (int i = 0; i < BOARDS; i++)
        board_drop(&boards[i]);
    return 0;
}

static struct tally *tally_of(int board)
{
    return &boards[board].board->tally;
}

static void add_class(int board, uint64_t name, int32_t bound, uint64_t transaction)
{
    struct board *at = boards[board].board;
    at->class_levels = 1;
    struct class_entry *entry = class_table(at, 0) + at->class_counts[0]++;
    *entry = (struct class_entry){
        .class = {name, name}, .transaction = transaction, .bound = (uint64_t)(bound + 1) & 0xff};
}

static void add_row(int board, int32_t bound, uint64_t executions)
{
    struct tally *tally = tally_of(board);
    tally->per_bound[tally->bounds++] =
        (struct bound_row){.bound = bound, .executions = executions};
    tally->executions += executions;
}

static void counts_are_added(void **state)
{
    add_row(0, 0, 5);
    add_row(1, 1, 7);
    add_row(2, 0, 1);
    add_row(2, 1, 2);
    tally_of(0)->fingerprint_sum = ~0ul;
    tally_of(1)->fingerprint_sum = 3;
    tally_of(1)->max_steps = 9;
    tally_of(2)->max_steps = 4;
    tally_of(1)->first_bug = 6;
    tally_of(2)->first_bug = 2;
    crew.bound = 1;
    merge_crew(&crew);
    const struct tally *tally = tally_of(0);
    assert_int_equal(tally->executions, 15);
    assert_int_equal(tally->fingerprint_sum, 2);
    assert_int_equal(tally->max_steps, 9);
    assert_int_equal(tally->first_bug, 2);
    assert_int_equal(tally->bounds, 2);
    assert_int_equal(tally->per_bound[0].bound, 0);
    assert_int_equal(tally->per_bound[0].executions, 6);
    assert_int_equal(tally->per_bound[1].executions, 9);
    assert_true(tally->complete);
    assert_int_equal(tally->bound_done, 1);
}

static void a_class_counts_once_at_its_lowest_bound(void **state)
{
    for (int i = 0; i < BOARDS; i++) {
        add_row(i, 0, 1);
        add_row(i, 1, 1);
        boards[i].board->journal.sequence = 10;
    }
    add_class(0, 100, 1, 3);
    add_class(1, 100, 0, 3);
    add_class(2, 100, 1, 3);
    add_class(2, 200, 1, 10);
    add_class(2, 300, 0, 11); /* of a transaction that was never sealed */
    merge_crew(&crew);
    assert_int_equal(tally_of(0)->classes, 2);
    assert_int_equal(tally_of(0)->per_bound[0].classes, 1);
    assert_int_equal(tally_of(0)->per_bound[1].classes, 1);
}

static void classes_may_be_unknown(void **state)
{
    add_class(0, 1, 0, 1);
    tally_of(2)->classes = CLASSES_UNKNOWN;
    merge_crew(&crew);
    assert_true(tally_of(0)->classes == CLASSES_UNKNOWN);
}

static struct finding *add_finding(int board, uint64_t key, uint32_t count, uint64_t execution,
                                   uint32_t steps)
{
    struct board *at = boards[board].board;
    uint32_t index = at->tally.finding_count++;
    at->findings[index] = (struct finding){.kind = FINDING_DEADLOCK,
                                           .severity = SEVERITY_ERROR,
                                           .key = key,
                                           .count = count,
                                           .execution = execution,
                                           .steps = steps};
    at->saved_count[index] = steps;
    struct taken *taken = (struct taken *)board_saved(at, index);
    for (uint32_t i = 0; i < steps; i++)
        taken[i] = (struct taken){.thread = (uint8_t)board, .object = i};
    return &at->findings[index];
}

static void the_first_of_equal_findings_is_kept(void **state)
{
    add_finding(0, 77, 2, 30, 5);
    add_finding(1, 88, 1, 1, 1);
    add_finding(1, 77, 3, 10, 8)->preemptions = 2;
    add_finding(2, 77, 4, 10, 6)->preemptions = 1;
    merge_crew(&crew);
    const struct board *first = boards[0].board;
    assert_int_equal(first->tally.finding_count, 2);
    assert_int_equal(first->findings[0].key, 77);
    assert_int_equal(first->findings[0].count, 9);
    assert_int_equal(first->findings[0].execution, 10);
    assert_int_equal(first->findings[0].preemptions, 1);
    assert_int_equal(first->saved_count[0], 6);
    assert_int_equal(board_saved(first, 0)[5].thread, 2);
    assert_int_equal(board_saved(first, 0)[5].object, 5);
    assert_int_equal(first->findings[1].key, 88);
    assert_int_equal(first->tally.findings_dropped, 0);
}

static void set_sites(int board, uint32_t count, const uint64_t *sites)
{
    boards[board].board->tally.site_count = count;
    memcpy(boards[board].board->sites, sites, count * sizeof *sites);
}

static void each_finding_keeps_its_scheduling_points(void **state)
{
    set_sites(0, 2, (uint64_t[]){11, 12});
    set_sites(1, 1, (uint64_t[]){11});
    set_sites(2, 3, (uint64_t[]){12, 13, 14});
    add_finding(0, 1, 1, 1, 1)->sites = 2;
    add_finding(1, 2, 1, 2, 1)->sites = 1;
    add_finding(2, 3, 1, 3, 1)->sites = 2;
    merge_crew(&crew);
    const struct board *first = boards[0].board;
    const uint64_t expected[3][2] = {{11, 12}, {11, 0}, {12, 13}};
    assert_int_equal(first->tally.finding_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        const struct finding *finding = &first->findings[i];
        assert_int_equal(finding->sites, i == 1 ? 1 : 2);
        for (uint32_t k = 0; k < finding->sites; k++)
            assert_int_equal(first->sites[finding->sites_first + k], expected[i][k]);
    }
}

static void sites_that_find_no_room_cost_the_finding(void **state)
{
    static uint64_t many[SITES_MAX];
    for (uint32_t i = 0; i < SITES_MAX; i++)
        many[i] = i + 1;
    set_sites(0, SITES_MAX, many);
    set_sites(1, 1, (uint64_t[]){99999});
    add_finding(1, 2, 1, 2, 1)->sites = 1;
    merge_crew(&crew);
    assert_int_equal(boards[0].board->tally.finding_count, 0);
    assert_int_equal(boards[0].board->tally.findings_dropped, 1);
}

static void what_finds_no_room_is_said(void **state)
{
    for (uint32_t i = 0; i < FINDINGS_MAX; i++)
        add_finding(0, i + 1, 1, 0, 1);
    add_finding(1, 1, 1, 0, 1);
    add_finding(1, 1000, 1, 0, 1);
    merge_crew(&crew);
    assert_int_equal(tally_of(0)->finding_count, FINDINGS_MAX);
    assert_int_equal(tally_of(0)->findings_dropped, 1);
}

/* Nothing may be claimed as long as anybody has something left, or something is on its way. */
static void expect_incomplete(void)
{
    crew.bound = 2;
    crew.bound_done = 1;
    merge_crew(&crew);
    assert_false(tally_of(0)->complete);
    assert_int_equal(tally_of(0)->bound_done, 1);
}

static void one_who_is_not_through_is_enough(void **state)
{
    tally_of(1)->complete = 0;
    expect_incomplete();
}

static void a_stopped_search_is_not_complete(void **state)
{
    crew.over = false;
    expect_incomplete();
}

static void a_parcel_on_its_way_is_not_complete(void **state)
{
    boards[1].board->shared.given++;
    expect_incomplete();
}

static void a_parcel_not_taken_in_is_not_complete(void **state)
{
    boards[2].board->sharing.delivered++;
    expect_incomplete();
}

static void the_weakest_claim_counts(void **state)
{
    tally_of(2)->claim = CLAIM_WITHIN_BOUND;
    merge_crew(&crew);
    assert_int_equal(tally_of(0)->claim, CLAIM_WITHIN_BOUND);
}

static void statuses_are_compared(void **state)
{
    tally_of(1)->first_status = 3;
    tally_of(2)->first_status = 3;
    merge_crew(&crew);
    assert_int_equal(tally_of(0)->first_status, 3);
    assert_false(tally_of(0)->statuses_differ);
}

static void add_point(int board, uint64_t executions, int32_t bound, uint64_t nanoseconds,
                      uint64_t transaction)
{
    struct coverage *coverage = &boards[board].board->coverage;
    coverage->points[coverage->count++] = (struct coverage_point){.executions = executions,
                                                                  .bound = bound,
                                                                  .nanoseconds = nanoseconds,
                                                                  .transaction = transaction};
}

static void expect_point(uint32_t at, uint64_t executions, uint64_t classes, int32_t bound,
                         uint64_t nanoseconds)
{
    const struct coverage_point *point = &boards[0].board->coverage.points[at];
    assert_int_equal(point->executions, executions);
    assert_int_equal(point->classes, classes);
    assert_int_equal(point->bound, bound);
    assert_int_equal(point->nanoseconds, nanoseconds);
}

/* The first board is at bound 1 while the second is still at bound 0: bounds come first. */
static void growth_counts_a_class_once_when_anybody_has_it(void **state)
{
    enum { A = 100, B, C, D };
    boards[0].board->journal.sequence = boards[1].board->journal.sequence = 10;
    add_point(0, 1, 0, 10, 1);
    add_point(0, 3, 1, 15, 5);
    add_point(1, 2, 0, 20, 3);
    add_point(1, 4, 1, 40, 9);
    add_class(0, A, 0, 1);
    add_class(0, B, 1, 4);
    add_class(1, A, 0, 2);
    add_class(1, C, 0, 3);
    add_class(1, B, 1, 8);
    add_class(1, D, 1, 10); /* after the last point */
    merge_crew(&crew);
    assert_int_equal(boards[0].board->coverage.count, 4);
    expect_point(0, 1, 1, 0, 10);
    expect_point(1, 3, 2, 0, 20);
    expect_point(2, 5, 3, 1, 20);
    expect_point(3, 7, 3, 1, 40);
    assert_int_equal(tally_of(0)->classes, 4);
}

static void statuses_differ(void **state)
{
    tally_of(1)->first_status = 3;
    tally_of(2)->first_status = 0;
    merge_crew(&crew);
    assert_true(tally_of(0)->statuses_differ);
}

/* Stopped after somebody found new scheduling points: the last search has not begun. */
static void an_unfinished_restart_counts_from_zero(void **state)
{
    add_row(0, 0, 5);
    add_row(1, 0, 5);
    add_class(0, 1, 0, 0);
    boards[1].board->opened = 0;
    boards[1].board->sites[0] = 0x1000;
    tally_of(1)->site_count = 1;
    crew.over = false;
    merge_crew(&crew);
    const struct tally *tally = tally_of(0);
    assert_int_equal(tally->executions, 10);
    assert_int_equal(tally->restarts, 1);
    assert_int_equal(tally->bounds, 0);
    assert_int_equal(tally->classes, 0);
    assert_int_equal(tally->site_count, 1);
    assert_int_equal(boards[0].board->sites[0], 0x1000);
    assert_int_equal(tally->bound_done, NO_BOUND);
    assert_false(tally->complete);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(counts_are_added, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_class_counts_once_at_its_lowest_bound, set_up, tear_down),
        cmocka_unit_test_setup_teardown(growth_counts_a_class_once_when_anybody_has_it, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(classes_may_be_unknown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_first_of_equal_findings_is_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_finding_keeps_its_scheduling_points, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(sites_that_find_no_room_cost_the_finding, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_finds_no_room_is_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_who_is_not_through_is_enough, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_stopped_search_is_not_complete, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_parcel_on_its_way_is_not_complete, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_parcel_not_taken_in_is_not_complete, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_weakest_claim_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(statuses_are_compared, set_up, tear_down),
        cmocka_unit_test_setup_teardown(statuses_differ, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_unfinished_restart_counts_from_zero, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
