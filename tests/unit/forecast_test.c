#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/forecast.h"

static void nothing_is_foretold_at_first(void **state)
{
    struct forecast forecast = {0};
    assert_int_equal(forecast_best(&forecast, 0, 0, 0), 0);
    forecast_note(&forecast, 100);
    assert_int_equal(forecast_best(&forecast, 0, 0, 0), 0);
}

static void what_stays_is_kept(void **state)
{
    struct forecast forecast = {0};
    for (int i = 0; i < 1000; i++)
        forecast_note(&forecast, 100);
    assert_int_equal(forecast_best(&forecast, 0, 5000, 0), 100);
    assert_int_equal(forecast_best(&forecast, 0, 100000, 0), 0); /* for 256 executions that is too much */
    assert_int_equal(forecast_best(&forecast, 95, 5000, 0), 0);
    assert_int_equal(forecast_best(&forecast, 0, 5000, 100), 0);
}

static void a_step_that_seldom_changes_is_passed_by_the_dear_move_only(void **state)
{
    struct forecast forecast = {0};
    for (int i = 1; i <= (1 << 12) + 32; i++)
        forecast_note(&forecast, i % 64 == 0 ? 50 : 90);
    assert_int_equal(forecast_best(&forecast, 0, 10, 0), 90);
    assert_int_equal(forecast_best(&forecast, 0, 1 << 14, 0), 50);
}

static void what_falls_falls_on(void **state)
{
    struct forecast forecast = {0};
    uint32_t step = 10000;
    for (int i = 0; i < 1024; i++)
        forecast_note(&forecast, --step);
    uint32_t best = forecast_best(&forecast, 0, 10000, 0);
    assert_in_range(best, step - 512, step - 32); /* a move pays if it lasts for some hundred executions */
}

static void no_step_is_sure_where_all_change(void **state)
{
    struct forecast forecast = {0};
    for (int i = 0; i < 1000; i++)
        forecast_note(&forecast, i % 2 == 0 ? 0 : 100);
    assert_int_equal(forecast_best(&forecast, 0, 200, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_foretold_at_first),
        cmocka_unit_test(what_stays_is_kept),
        cmocka_unit_test(a_step_that_seldom_changes_is_passed_by_the_dear_move_only),
        cmocka_unit_test(what_falls_falls_on),
        cmocka_unit_test(no_step_is_sure_where_all_change),
    };
    return cmocka_run_group_tests_name("forecast", tests, NULL, NULL);
}
