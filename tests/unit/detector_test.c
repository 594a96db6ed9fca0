#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "detector/detector.h"

static uint32_t changed(const char *list)
{
    uint32_t set = detectors_default();
    size_t length;
    assert_null(detectors_change(&set, list, &length));
    return set;
}

static void a_list_changes_the_default_from_the_left(void **state)
{
    uint32_t usual = detectors_default(), misuse = 1u << DETECT_MISUSE, race = 1u << DETECT_RACE;
    assert_true(detects(usual, DETECT_RACE) && detects(usual, DETECT_HEAP));
    assert_int_equal(changed("race"), usual);
    assert_int_equal(changed("-misuse"), usual & ~misuse);
    assert_int_equal(changed("-misuse,misuse"), usual);
    assert_int_equal(changed("none"), 0);
    assert_int_equal(changed("none,race,misuse"), race | misuse);
    assert_int_equal(changed("race,none"), 0);
    assert_int_equal(changed("all,-race"), ((1ul << DETECTORS) - 1) & ~race);
}

static void what_is_no_detector_is_named(void **state)
{
    static const struct {
        const char *list, *unknown;
    } rows[] = {
        {"rice", "rice"},   {"race,rice,heap", "rice"}, {"", ""},       {"race,", ""},
        {"-none", "-none"}, {"--race", "--race"},       {"rac", "rac"}, {"races", "races"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t set = 0;
        size_t length;
        const char *unknown = detectors_change(&set, rows[i].list, &length);
        assert_non_null(unknown);
        assert_int_equal(length, strlen(rows[i].unknown));
        assert_memory_equal(unknown, rows[i].unknown, length);
    }
}

static void words_differ_and_every_kind_has_a_detector_or_none(void **state)
{
    for (int i = 0; i < DETECTORS; i++)
        for (int k = 0; k < i; k++)
            assert_string_not_equal(detectors[i]->word, detectors[k]->word);
    for (int kind = 0; kind < FINDING_KINDS; kind++)
        assert_true(detector_of((enum finding_kind)kind) <= NO_DETECTOR);
    assert_int_equal(detector_of(FINDING_ASSERTION), NO_DETECTOR);
    assert_int_equal(detector_of(FINDING_OUT_OF_BOUNDS), DETECT_HEAP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_changes_the_default_from_the_left),
        cmocka_unit_test(what_is_no_detector_is_named),
        cmocka_unit_test(words_differ_and_every_kind_has_a_detector_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
