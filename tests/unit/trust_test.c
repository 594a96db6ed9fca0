#include "coordinator/symbols/trust.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static bool names(const char *symbol, const char *name)
{
    return trust_names(symbol, name, strlen(name));
}

static void functions_by_name(void **state)
{
    assert_true(names("write", "write"));
    assert_true(names("write.part.0", "write"));
    assert_true(names("write.isra.0", "write"));
    assert_false(names("write_all", "write"));
    assert_false(names("rewrite", "write"));
    assert_true(names("_ZN3Log5writeEPKc", "Log::write"));
    assert_true(names("_ZN3Log5writeIiEEvT_", "Log::write")); /* void Log::write<int>(int) */
    assert_false(names("_ZN3Log5writeEPKc", "write"));
    assert_false(names("_Z3useiN3Log4LineIiEE", "Log::Line")); /* only takes one */
    assert_true(names("_ZN12_GLOBAL__N_14lineEv", "(anonymous namespace)::line"));
}

static void names_add_up(void **state)
{
    struct trust trust = {0};
    struct problem why;
    assert_true(trust_add(&trust, "a,b", &why));
    assert_true(trust_add(&trust, "c", &why));
    assert_string_equal(trust.names, "a,b,c");
    assert_false(trust_add(&trust, "", &why));
    assert_false(trust_add(&trust, "d,", &why));
    assert_false(trust_add(&trust, "d,,e", &why));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_by_name),
        cmocka_unit_test(names_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
