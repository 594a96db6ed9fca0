/* Names of addresses: equal for equal objects of processes that lie elsewhere, and back again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "core/address_name.h"

static struct board *here, *there;

static void add_module(struct board *board, const char *path, uint64_t base, uint64_t size)
{
    struct module *module = &board->modules[board->module_count++];
    *module = (struct module){.base = base, .start = base, .end = base + size};
    strcpy(module->path, path);
}

static struct board *new_board(uint64_t program, uint64_t kernel, uint64_t library)
{
    struct board *board = aligned_alloc(_Alignof(struct board), sizeof *board);
    CHECK(board != NULL);
    memset(board, 0, sizeof *board);
    add_module(board, "/bin/program", program, 0x5000);
    add_module(board, "linux-vdso.so.1", kernel, 0x2000);
    add_module(board, "/lib/first.so", library, 0x9000);
    add_module(board, "/lib/second.so", library - 0x20000, 0x8000);
    board->modules_at_start = board->module_count;
    return board;
}

static int set_up(void **state)
{
    here = new_board(0x555555554000, 0x7ffff7fc1000, 0x7ffff7d00000);
    there = new_board(0x561230000000, 0x7ffe12345000, 0x7f0123400000);
    return 0;
}

static int tear_down(void **state)
{
    free(here);
    free(there);
    return 0;
}

static void expect_moved(uint64_t from, uint64_t to)
{
    assert_int_equal(address_name(here, from), address_name(there, to));
    assert_int_equal(address_moved(there, here, from), to);
    assert_int_equal(address_moved(here, there, to), from);
    assert_int_equal(address_named(here, address_name(here, from)), from);
    assert_true(from == 0 || address_name(here, from) >= NAME_LEAST);
    assert_true(address_name(here, from) <= NAME_LARGEST);
}

static void objects_keep_their_names(void **state)
{
    expect_moved(0, 0);
    expect_moved(0x555555554000, 0x561230000000);
    expect_moved(0x555555558ffc, 0x561230004ffc);
    expect_moved(0x7ffff7fc1010, 0x7ffe12345010);
    expect_moved(0x7ffff7d08fff, 0x7f0123408fff);
    expect_moved(0x7ffff7ce0008, 0x7f01233e0008);
}

static void own_mappings_go_by_their_distance_from_libraries(void **state)
{
    expect_moved(0x7ffff7cd0000, 0x7f01233d0000);
    expect_moved(0x7ffff7d20000, 0x7f0123420000);
}

static void ranges_of_threads_are_everywhere(void **state)
{
    expect_moved(0x200600000040, 0x200600000040);
    expect_moved(0x201000000040, 0x201000000040);
    expect_moved(0x70001000, 0x70001000);
}

static void marks_stay(void **state)
{
    const uint64_t marks[] = {SITE_WIDE, SITE_OF_THREADS, SITE_WIDE | SITE_OF_THREADS};
    for (int i = 0; i < 3; i++) {
        expect_moved(0x555555555123 | marks[i], 0x561230001123 | marks[i]);
        expect_moved(0x7ffff7cd0000 | marks[i], 0x7f01233d0000 | marks[i]);
        assert_int_not_equal(address_name(here, 0x555555555123 | marks[i]),
                             address_name(here, 0x555555555123));
    }
}

/* The order in which a program loads libraries may depend on the schedule. */
static void libraries_loaded_later_are_mappings(void **state)
{
    add_module(here, "/lib/late.so", 0x7ffff7a00000, 0x1000);
    expect_moved(0x7ffff7a00010, 0x7f0123100010);
}

static void nothing_moves_before_both_have_come_up(void **state)
{
    there->modules_at_start = 0;
    assert_int_equal(address_moved(there, here, 0x555555554000), 0x555555554000);
    assert_int_equal(address_moved(here, there, 0x555555554000), 0x555555554000);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(objects_keep_their_names),
        TEST(own_mappings_go_by_their_distance_from_libraries),
        TEST(ranges_of_threads_are_everywhere),
        TEST(marks_stay),
        TEST(libraries_loaded_later_are_mappings),
        TEST(nothing_moves_before_both_have_come_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
