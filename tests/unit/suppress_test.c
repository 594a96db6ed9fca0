#include "coordinator/minimise/suppress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void patterns_are_those_of_threadsanitizer(void **state)
{
    static const struct {
        const char *pattern, *text;
        bool matches;
    } rows[] = {
        {"foo", "foo", true},       {"foo", "a_foo_b", true},
        {"foo", "fo", false},       {"^foo", "foo_b", true},
        {"^foo", "a_foo", false},   {"foo$", "a_foo", true},
        {"foo$", "foo_b", false},   {"^foo$", "foo", true},
        {"^foo$", "foofoo", false}, {"f*o", "a_fxxo_b", true},
        {"^f*o$", "fxo_b", false},  {"a*b*c", "aXbYc", true},
        {"a*b*c", "acb", false},    {"*", "", true},
        {"*x", "abc", false},       {"lib/*.c", "my/lib/f.c", true},
        {"a$b", "a$b", true},       {"foo", NULL, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (suppression_pattern_matches(rows[i].pattern, rows[i].text) != rows[i].matches)
            fail_msg("%s in %s", rows[i].pattern, rows[i].text);
}

static bool suppressed(const char *rules, const struct reported *reported)
{
    struct suppressions suppressions;
    struct problem why;
    assert_true(suppressions_parse(&suppressions, rules, "file", &why));
    return suppressions_match(&suppressions, reported);
}

static void types_and_frames_decide(void **state)
{
    struct named_site frames[] = {{.function = "inner", .file = "a.c", .module = "libx.so.1"},
                                  {.function = "outer", .file = "b.c", .module = "program"}};
    struct reported race = {.finding = {.kind = FINDING_RACE}, .object = "counter"};
    race.stacks[0] = (struct named_stack){.frames = frames, .count = 2};
    race.places[0] = frames[0];
    assert_true(suppressed("race:outer\n", &race));
    assert_true(suppressed("race:^inner$", &race));
    assert_true(suppressed("race:b.c", &race));
    assert_true(suppressed("race:^counter$", &race));
    assert_true(suppressed("race_top:inner", &race));
    assert_false(suppressed("race_top:outer", &race));
    assert_true(suppressed("called_from_lib:libx.so", &race));
    assert_false(suppressed("called_from_lib:program", &race));
    assert_false(suppressed("deadlock:outer\nmutex:outer\nthread:outer\nsignal:outer", &race));
    assert_true(suppressed("# known\n\n  deadlock:no\r\n\trace:outer  \n", &race));
    struct story_wait wait = {.at = frames[1]};
    struct reported deadlock = {
        .finding = {.kind = FINDING_DEADLOCK}, .waits = &wait, .wait_count = 1};
    assert_true(suppressed("deadlock:outer", &deadlock));
    assert_false(suppressed("race:outer", &deadlock));
    struct reported leak = {.finding = {.kind = FINDING_LEAK}, .at = frames[1]};
    assert_true(suppressed("leak:outer", &leak));
    assert_false(suppressed("use-after-free:outer", &leak));
    struct reported unsafe = {.finding = {.kind = FINDING_SIGNAL_UNSAFE}, .at = frames[1]};
    assert_true(suppressed("signal:outer", &unsafe));
    assert_true(suppressed("signal-unsafe:outer", &unsafe));
    assert_false(suppressed("mutex:outer", &unsafe));
}

static void a_line_that_is_not_understood_is_named(void **state)
{
    static const struct {
        const char *text, *line;
    } rows[] = {{"race:a\nrice:b\n", "line 2 "},
                {"race", "line 1 "},
                {"\n#\nrace:\n", "line 3 "},
                {":x", "line 1 "},
                {"race :x", "line 1 "}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct suppressions suppressions;
        struct problem why;
        assert_false(suppressions_parse(&suppressions, rows[i].text, "the-file", &why));
        assert_non_null(strstr(why.text, rows[i].line));
        assert_non_null(strstr(why.text, "called_from_lib:"));
        assert_non_null(strstr(why.text, "the-file"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_are_those_of_threadsanitizer),
        cmocka_unit_test(types_and_frames_decide),
        cmocka_unit_test(a_line_that_is_not_understood_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
