#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/problem.h"

static void a_problem_is_one_sentence(void **state)
{
    struct problem why;
    assert_false(problem_is(&why, "cannot open the trace", "x.bohr", ENOENT));
    assert_string_equal(why.text,
                        "cannot open the trace: x.bohr (there is no such file or folder)");
    assert_false(problem_is(&why, "nothing to run", NULL, 0));
    assert_string_equal(why.text, "nothing to run");
    assert_false(problem_is(&why, "cannot start", "x", 12345));
    assert_string_equal(why.text, "cannot start: x (error 12345)");
}

static void a_long_subject_is_cut(void **state)
{
    struct problem why;
    char subject[2000];
    memset(subject, 'x', sizeof subject - 1);
    subject[sizeof subject - 1] = 0;
    assert_false(problem_is(&why, "cannot open", subject, EACCES));
    assert_true(strlen(why.text) < sizeof why.text);
    assert_memory_equal(why.text, "cannot open: xxx", 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_problem_is_one_sentence),
        cmocka_unit_test(a_long_subject_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
