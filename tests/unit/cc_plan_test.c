#include "cli/cc_plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct cc_plan plan_of(char **words)
{
    int count = 0;
    while (words[count] != NULL)
        count++;
    return cc_plan(count, words);
}

#define PLAN(...) plan_of((char *[]){__VA_ARGS__, NULL})

static void programs_are_linked(void **state)
{
    assert_true(PLAN("a.c", "-o", "a").links);
    assert_true(PLAN("-O2", "a.o", "b.o", "-lm").links);
    assert_true(PLAN("-x", "c", "-").links);
    assert_true(PLAN("@files").links);
    assert_true(PLAN("-shared", "-fPIC", "a.o", "-o", "liba.so").links);
}

static void steps_before_linking_are_compiled_only(void **state)
{
    static char *early[] = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-r"};
    for (size_t i = 0; i < sizeof early / sizeof early[0]; i++) {
        struct cc_plan plan = PLAN(early[i], "a.c", "-o", "a.o");
        assert_true(plan.has_input);
        assert_false(plan.links);
    }
}

static void questions_have_no_input(void **state)
{
    assert_false(PLAN("--version").has_input);
    assert_false(PLAN("-v").has_input);
    assert_false(PLAN("-dumpmachine").has_input);
    assert_false(PLAN("-print-search-dirs").has_input);
    assert_false(PLAN("-print-file-name=libtsan.so").has_input);
    assert_false(PLAN("-o", "a", "-I", "include", "-D", "X").has_input);
    assert_false(PLAN("-o", "a", "-I", "include", "-D", "X").links);
}

static void static_programs_are_refused(void **state)
{
    assert_string_equal(PLAN("-static", "a.c").refused, "-static");
    assert_string_equal(PLAN("a.c", "-static-libtsan").refused, "-static-libtsan");
    assert_null(PLAN("-static", "-c", "a.c").refused);
    assert_null(PLAN("-static-libgcc", "a.c").refused);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_are_linked),
        cmocka_unit_test(steps_before_linking_are_compiled_only),
        cmocka_unit_test(questions_have_no_input),
        cmocka_unit_test(static_programs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
