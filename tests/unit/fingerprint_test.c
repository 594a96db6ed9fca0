#include "report/fingerprint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct reported race(void)
{
    return (struct reported){
        .finding = {.kind = FINDING_RACE, .places = {{.writes = 1}, {.writes = 0}}},
        .object = "heap block #3 of T0 (24 bytes, from list.c:40)+16",
        .at = {.file = "list.c", .line = 12, .function = "push"},
        .places = {{.file = "list.c", .line = 12, .function = "push"},
                   {.file = "list.c", .line = 30, .function = "pop"}},
    };
}

static bool same(const struct reported *one, const struct reported *other)
{
    struct fingerprint first = fingerprint_of(one), second = fingerprint_of(other);
    return strcmp(first.text, second.text) == 0;
}

static void an_edit_elsewhere_changes_nothing(void **state)
{
    struct reported before = race(), after = race();
    after.at.line = after.places[0].line = 15;
    after.places[1].line = 33;
    after.object = "heap block #4 of T0 (32 bytes, from list.c:43)+24";
    after.at.file = after.places[0].file = after.places[1].file = "src/list.c";
    assert_true(same(&before, &after));
}

static void another_finding_has_another(void **state)
{
    struct reported before = race(), after = race();
    after.finding.kind = FINDING_ATOMICITY;
    assert_false(same(&before, &after));
    after = race();
    after.places[1].function = "peek";
    assert_false(same(&before, &after));
    after = race();
    after.finding.places[1].writes = 1;
    assert_false(same(&before, &after));
    after = race();
    after.object = "counter1";
    struct reported other = race();
    other.object = "counter2";
    assert_false(same(&after, &other));
}

static void who_waits_for_what_matters_where_does_not(void **state)
{
    struct story_wait waits[] = {
        {.kind = OP_MUTEX_LOCK, .object = "file", .at = {.function = "f", .line = 1}}};
    struct story_wait moved[] = {
        {.kind = OP_MUTEX_LOCK, .object = "file", .at = {.function = "f", .line = 9}}};
    struct story_wait others[] = {
        {.kind = OP_MUTEX_LOCK, .object = "folder", .at = {.function = "f", .line = 1}}};
    struct reported one = {.finding = {.kind = FINDING_DEADLOCK}, .waits = waits, .wait_count = 1};
    struct reported two = one, three = one;
    two.waits = moved;
    three.waits = others;
    assert_true(same(&one, &two));
    assert_false(same(&one, &three));
}

static void steps_that_a_message_names_do_not_matter(void **state)
{
    struct reported one = {
        .finding = {.kind = FINDING_NONDETERMINISM, .message = "step 3: expected …"}};
    struct reported two = {
        .finding = {.kind = FINDING_NONDETERMINISM, .message = "step 4: expected …"}};
    assert_true(same(&one, &two));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edit_elsewhere_changes_nothing),
        cmocka_unit_test(another_finding_has_another),
        cmocka_unit_test(who_waits_for_what_matters_where_does_not),
        cmocka_unit_test(steps_that_a_message_names_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
