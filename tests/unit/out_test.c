#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>
#include <unistd.h>

#include "base/out.h"

static void text_and_numbers_are_written(void **state)
{
    char buffer[128];
    struct out out = out_to(-1, buffer, sizeof buffer);
    out_text(&out, "a ");
    out_number(&out, 0);
    out_char(&out, ' ');
    out_number(&out, UINT64_MAX);
    out_char(&out, ' ');
    out_hex(&out, 0xdead0);
    out_char(&out, ' ');
    out_hex(&out, 0);
    assert_string_equal(out_string(&out), "a 0 18446744073709551615 0xdead0 0x0");
}

static void text_is_cut_where_the_buffer_ends(void **state)
{
    char buffer[5] = "zzzz";
    struct out out = out_to(-1, buffer, 4);
    out_text(&out, "abcdef");
    assert_string_equal(out_string(&out), "abc");
    assert_int_equal(buffer[4], 0);
}

static void a_full_buffer_goes_to_the_descriptor(void **state)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    char buffer[8], got[64] = {0};
    struct out out = out_to(ends[1], buffer, sizeof buffer);
    out_text(&out, "longer than the buffer is");
    out_flush(&out);
    assert_int_equal(read(ends[0], got, sizeof got), 25);
    assert_string_equal(got, "longer than the buffer is");
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_and_numbers_are_written),
        cmocka_unit_test(text_is_cut_where_the_buffer_ends),
        cmocka_unit_test(a_full_buffer_goes_to_the_descriptor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
