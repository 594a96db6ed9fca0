#include "coordinator/symbols/function_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void expect(const char *name, const char *wanted)
{
    assert_string_equal(function_name_short(name, 0), wanted);
}

static void only_the_last_parameters_go(void **state)
{
    expect("f", "f");
    expect("f(int, long)", "f");
    expect("Lru::move(int, int)", "Lru::move");
    expect("A::get(int) const", "A::get");
    expect("A::get(void (*)(int)) const &&", "A::get");
    expect("main::{lambda(int)#3}::operator()(int) const", "main::{lambda(int)#3}::operator()");
    expect("run(int)::{lambda()#1}::operator()() const", "run(int)::{lambda()#1}::operator()");
    expect("(anonymous namespace)::f(int)", "(anonymous namespace)::f");
    expect("A::operator()", "A::operator()");
    expect("A::operator()()", "A::operator()");
}

static void types_go(void **state)
{
    expect("std::vector<int, std::allocator<int> >::at(unsigned long)", "std::vector::at");
    expect("void std::__invoke_impl<void, f>(std::__invoke_other, f&&)", "std::__invoke_impl");
    expect("std::pair<int, int> make<int>(int)", "make");
    expect("A<int>::operator bool() const", "A::operator bool");
    expect("A::operator unsigned long<int>()", "A::operator unsigned long");
    expect("bool operator< <int>(A<int> const&, A<int> const&)", "operator<");
    expect("A<int>::operator->() const", "A::operator->");
    expect("A<int>::operator<=>(A<int> const&) const", "A::operator<=>");
}

static void what_is_short_stays(void **state)
{
    const char *name = "void f<int>(int)";
    assert_string_equal(function_name_short(name, strlen(name)), name);
    assert_string_equal(function_name_short(name, strlen(name) - 1), "f<int>");
}

static void what_is_no_function_stays(void **state)
{
    expect("", "");
    expect(")", ")");
    expect("()", "()");
    expect("f)", "f)");
    expect(" const", "const");
    expect("f<", "f");
    expect("operator", "operator");
    expect("operator<", "operator<");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_last_parameters_go),
        cmocka_unit_test(types_go),
        cmocka_unit_test(what_is_short_stays),
        cmocka_unit_test(what_is_no_function_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
