#include "coordinator/explain/why.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Also where next to nothing is known of it. */
static void every_kind_has_a_sentence(void **state)
{
    for (int kind = 0; kind < FINDING_KINDS; kind++) {
        struct reported bare = {.finding = {.kind = (uint8_t)kind}};
        const char *text = why_text(&bare);
        assert_non_null(text);
        assert_true(strlen(text) > 3);
        assert_null(strchr(text, '\n'));
        struct reported known = {.finding = {.kind = (uint8_t)kind,
                                             .thread = 3,
                                             .message = "so it is",
                                             .places = {{.thread = 3, .size = 4}, {.thread = 5}}},
                                 .object = "buffer",
                                 .at = {.file = "src/a.c", .line = 7, .function = "f"},
                                 .places = {{.file = "src/a.c", .line = 7, .function = "f"},
                                            {.file = "src/b.c", .line = 9, .function = "g"}}};
        const char *more = why_text(&known);
        assert_null(strchr(more, '\n'));
        bool deadlock = kind == FINDING_DEADLOCK || kind == FINDING_LIVELOCK;
        bool of_all = kind == FINDING_OUTPUT || kind == FINDING_NONDETERMINISM;
        if (!deadlock && !of_all && kind != FINDING_EXIT)
            assert_non_null(strstr(more, "T3"));
        if (!deadlock && !of_all)
            assert_non_null(strstr(more, "a.c:7"));
    }
}

static void what_may_be_a_livelock(void **state)
{
    struct story_step steps[8] = {0};
    for (int i = 0; i < 8; i++)
        steps[i] = (struct story_step){.thread = (thread_id)(1 + i % 2),
                                       .object = "",
                                       .at = {.file = "src/a.c", .line = 10 + (uint32_t)i / 2}};
    struct reported unended = {
        .finding = {.kind = FINDING_LIVELOCK, .cycle = 4}, .steps = steps, .step_count = 8};
    assert_string_equal(why_text(&unended),
                        "not over after 8 steps, and the last 4 come again and again: T1 and T2 at "
                        "lines 12 and 13 of a.c; nothing shows that it never ends (if it should "
                        "end, raise --steps)");
    steps[7].at.line = 20;
    assert_non_null(strstr(why_text(&unended),
                           ": T1 at lines 12 and 13 of a.c; T2 at lines 12 and 20 of a.c;"));
    unended.finding.cycle = 0;
    assert_non_null(strstr(why_text(&unended), "the same ones come again and again: T1 at line 13 "
                                               "of a.c; T2 at line 20 of a.c;"));
    steps[7].at = (struct named_site){.module = "libx.so"};
    assert_non_null(strstr(why_text(&unended), "T2 in libx.so;"));
}

static void some_sentences(void **state)
{
    struct reported crash = {
        .finding = {.kind = FINDING_CRASH, .thread = 1, .status = SIGSEGV, .address = 16},
        .at = {.file = "src/list.c", .line = 30, .function = "pop"}};
    assert_string_equal(why_text(&crash),
                        "SIGSEGV ends the program, at an access to address 0x10: T1 "
                        "was there (pop, list.c:30)");
    struct story_wait waits[] = {{.thread = 2,
                                  .owner = NO_THREAD,
                                  .kind = OP_COND_WAKE,
                                  .object = "ready, mutex",
                                  .at = {.file = "q.c", .line = 5, .function = "take"}}};
    struct reported stuck = {
        .finding = {.kind = FINDING_DEADLOCK}, .waits = waits, .wait_count = 1};
    assert_string_equal(why_text(&stuck),
                        "waiting forever: T2 at its wake ready, mutex (take, q.c:5)");
    struct story_wait alike[] = {waits[0], waits[0], waits[0], waits[0]};
    alike[1].thread = 3;
    alike[2].thread = 4;
    alike[2].at.line = 9;
    alike[3].thread = 5;
    stuck =
        (struct reported){.finding = {.kind = FINDING_DEADLOCK}, .waits = alike, .wait_count = 4};
    assert_string_equal(why_text(&stuck),
                        "waiting forever: T2, T3 and T5 at their wake ready, mutex (take, q.c:5), "
                        "T4 at its wake ready, mutex (take, line 9)");
    struct reported lockset = {
        .finding = {.kind = FINDING_LOCKSET, .places = {{.thread = 1}, {.thread = 2}}},
        .object = "counter",
        .places = {{.file = "c.c", .line = 1}, {.file = "c.c", .line = 2}}};
    assert_string_equal(why_text(&lockset),
                        "counter: there is no lock that every thread holds that "
                        "uses it, such as T1 (c.c:1) and T2 (line 2)");
}

static const char *outputs(const char *wrong, const char *right)
{
    struct reported reported = {.why = "it", .output = wrong, .explanation = {.output = right}};
    return why_output(&reported);
}

static void the_first_line_that_differs_is_named(void **state)
{
    assert_string_equal(outputs("a\nb\n", "a\nc\n"), "it: line 2 is \"b\" and should be \"c\"");
    assert_string_equal(outputs("a\n", "a\nc\n"), "it: line 2 is missing and should be \"c\"");
    assert_string_equal(outputs("a\nb", NULL), "it: line 1 is \"a\" and should be missing");
    assert_string_equal(outputs("a\033[1m", "a"), "it: line 1 is \"a?[1m\" and should be \"a\"");
    assert_string_equal(outputs("a", "a\n"), "it");
}

static void a_call_of_no_code_is_none_of_memory(void **state)
{
    struct reported crash = {.finding = {.kind = FINDING_CRASH,
                                         .thread = 1,
                                         .status = SIGSEGV,
                                         .message = FINDING_LOST_CALL},
                             .at = {.file = "a.c", .line = 3, .function = "f"}};
    assert_string_equal(why_text(&crash),
                        "SIGSEGV ends the program, at a call of address 0x0, where there is "
                        "no code: T1 was there (f, a.c:3)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_a_sentence),
        cmocka_unit_test(what_may_be_a_livelock),
        cmocka_unit_test(some_sentences),
        cmocka_unit_test(the_first_line_that_differs_is_named),
        cmocka_unit_test(a_call_of_no_code_is_none_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
