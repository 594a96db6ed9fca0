#include "core/library.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void libraries_of_the_system(void **state)
{
    assert_true(library_is_system("/lib/x86_64-linux-gnu/libc.so.6"));
    assert_true(library_is_system("/lib64/ld-linux-x86-64.so.2"));
    assert_true(library_is_system("/usr/lib/x86_64-linux-gnu/libm.so.6"));
    assert_true(library_is_system("/usr/lib/x86_64-linux-gnu/gconv/UTF-16.so"));
    assert_true(library_is_system("linux-vdso.so.1"));
}

static void libraries_of_compilers_lie_anywhere(void **state)
{
    assert_true(library_is_system("/opt/gcc/lib64/libstdc++.so.6"));
    assert_true(library_is_system("/opt/bohr/lib/bohr/libtsan.so.2"));
    assert_true(library_is_runtime("/opt/bohr/lib/bohr/libtsan.so.2"));
}

static void libraries_of_the_program(void **state)
{
    assert_false(library_is_system("./libplain.so"));
    assert_false(library_is_system("libplain.so"));
    assert_false(library_is_system("/home/me/libutil.so"));
    assert_false(library_is_system("/home/me/libc.so.d/queue"));
    assert_false(library_is_system("/usr/lib/x86_64-linux-gnu/libglib-2.0.so.0"));
    assert_false(library_is_system("/home/me/gconv/table.so"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(libraries_of_the_system),
        cmocka_unit_test(libraries_of_compilers_lie_anywhere),
        cmocka_unit_test(libraries_of_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
