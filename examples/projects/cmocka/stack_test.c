#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../cases.h"

static void push(void **state)
{
    assert_int_equal(count_after_pushes(), 2);
}

static void pop(void **state)
{
    assert_int_equal(count_after_pops(), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(push), cmocka_unit_test(pop)};
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
