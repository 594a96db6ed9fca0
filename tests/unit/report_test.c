#include "report/report.h"

#include "core/control.h"
#include "core/version.h"
#include "report/fingerprint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

static struct options options = {
    .strategy = "preempt", .points = POINTS_RACE, .isolate = ISOLATE_RESET};
static struct tally tally = {
    .executions = 43,
    .steps = 812,
    .restarts = 1,
    .classes = 12,
    .first_bug = 43,
    .buggy = 1,
    .threads = 3,
    .max_enabled = 3,
    .max_points = 10,
    .max_steps = 21,
    .bounds = 2,
    .per_bound = {{.bound = 0, .executions = 6, .classes = 5},
                  {.bound = 1, .executions = 28, .classes = 7}},
    .fingerprint_sum = 0xabc,
    .class_sum = 0xdef,
    .estimate =
        {.kind = ESTIMATE_PARTS,
         .parts = {.left = 8, .done = 5, .begun = 1, .current = 4, .sum = 50, .squares = 500}},
};
static struct control control = {.tracking = TRACKING_PROTECT, .checkpoints = 2, .verified = 9};
static char *arguments[] = {"a", "not utf-8: \xff", NULL};

enum { STEPS = 40 };
static struct story_step steps[STEPS];
static struct reported reported;

static struct verdict example(uint32_t threads)
{
    for (uint32_t i = 0; i < STEPS; i++)
        steps[i] = (struct story_step){.number = i,
                                       .thread = (thread_id)(i < 30 ? 0 : i % threads),
                                       .kind = OP_MUTEX_LOCK,
                                       .preempts = i > 30,
                                       .choices = 1,
                                       .object = "a_mutex_with_a_name_that_is_rather_long",
                                       .at = {.file = "src/some/file.c", .line = 1000 + i}};
    reported = (struct reported){
        .finding = {.kind = FINDING_ASSERTION,
                    .severity = SEVERITY_ERROR,
                    .thread = 1,
                    .count = 1,
                    .execution = 43,
                    .preemptions = 1,
                    .delays = 2,
                    .switches = 4,
                    .steps = 19,
                    .message = "x == y"},
        .found = {.preemptions = 3, .delays = 5, .switches = 8},
        .found_steps = 30,
        .fewest = FEWEST_PROVED,
        .at = {.file = "reorder.c", .line = 31, .function = "check"},
        .steps = steps,
        .step_count = STEPS,
        .output = "hello\n\033[31mred",
        .replay = "bohr-out/assertion-1.bohr",
        .confirmed = true,
    };
    struct verdict verdict = {
        .answer = ANSWER_BUG,
        .program = "./t",
        .arguments = arguments,
        .options = &options,
        .tally = &tally,
        .control = &control,
        .claim = {.kind = CLAIM_WITHIN_BOUND,
                  .bound = "preemptions",
                  .value = 0,
                  .unreduced = 1 << UNREDUCED_SIGNALS | 1 << UNREDUCED_TIMERS,
                  .text = "so far"},
        .wall_seconds = 0.5,
        .cpu_seconds = 0.25,
        .peak_bytes = 1234567,
        .findings = &reported,
        .finding_count = 1,
        .notes = {"a note"},
        .note_count = 1,
    };
    return verdict;
}

static char *written(const char *name, const struct verdict *verdict, struct report_style style)
{
    char *text = NULL;
    size_t count;
    FILE *file = open_memstream(&text, &count);
    assert_non_null(file);
    report_find(name)->write(verdict, &style, file);
    assert_int_equal(fclose(file), 0);
    return text;
}

/* The example of the design, field by field. */
static void json_has_the_fields_of_the_design(void **state)
{
    struct verdict verdict = example(3);
    char *text = written("json", &verdict, (struct report_style){0});
    json_error_t error;
    json_t *got = json_loads(text, 0, &error);
    assert_non_null(got);
    static const char expected[] =
        "{'bohr': '" BOHR_VERSION "', 'program': './t', 'arguments': ['a', 'not utf-8: ?'],"
        "'strategy': 'preempt', 'cache': false, 'symmetry': false, 'spurious': 0, 'points': "
        "'race', 'verdict': "
        "'bug', 'claim': {'kind':"
        "'within-bound', 'bound': 'preemptions', 'value': 0, 'text': 'so far', "
        "'unreduced': ['signals', 'timers'], 'uninstrumented': [], 'unknown_functions': [], "
        "'shared_with': null}, "
        "'complete': false,"
        "'executions': 43, 'restarts': 1, 'steps': 812, 'classes': 12, 'first_bug': 43, 'buggy': 1,"
        "'cut': 0, 'per_bound': [{'bound': 0, 'executions': 6, 'classes': 5}, {'bound': 1,"
        "'executions': 28, 'classes': 7}], 'threads': 3, 'max_enabled': 3, 'max_points': 10,"
        "'max_steps': 21, 'strategies': null, 'remaining': {'executions': 86.0, 'low': 86.0, "
        "'high': 86.0, 'seconds':"
        "1.0}, 'new_class_probability': null, 'wall_seconds': 0.5, 'cpu_seconds': 0.25, "
        "'executions_per_second': 86,"
        "'peak_bytes': 1234567, 'waiting': 0, 'waiting_bytes': 0, 'spilled_bytes': 0, 'lost': 0, "
        "'findings': [{'kind': 'assertion', 'severity': 'error', 'message':"
        "'x == y', 'cause': null, 'thread': 1, 'file': 'reorder.c', 'line': 31, 'function': "
        "'check',"
        "'execution': 43, 'count': 1, 'always': false, 'preemptions': 1, 'delays': 2, 'switches': "
        "4, 'spurious': 0, "
        "'pairs': null, 'pair_count': null, 'output': null, 'errors': null, 'steps': 19,"
        "'fewest_preemptions': true, 'adjacent': null, 'found': {'preemptions': 3, 'delays': 5, "
        "'switches': 8,"
        "'steps': 30}, 'cycle': null, 'diverged': null,"
        "'replay': 'bohr-out/assertion-1.bohr', 'object': null, 'confirmed': true, 'why':"
        "null, 'explanation': null, 'known': false, 'leaks': [], 'leak_count': 0}], 'fingerprint':"
        "'0000000000000abc', 'class_set': '0000000000000def', 'isolate': 'reset', 'carrier': "
        "'fibers', 'tracking': 'protect',"
        "'checkpoints': 2, 'verified': 9, 'refusal': null, 'shortfall': null, 'state': null, "
        "'notes': ['a note']}";
    char quoted[sizeof expected];
    for (size_t i = 0; i < sizeof expected; i++)
        quoted[i] = expected[i] == '\'' ? '"' : expected[i];
    json_t *wanted = json_loads(quoted, 0, &error);
    assert_non_null(wanted);
    json_t *finding = json_array_get(json_object_get(got, "findings"), 0);
    assert_string_equal(json_string_value(json_object_get(finding, "fingerprint")),
                        fingerprint_of(&reported).text);
    json_object_del(finding, "fingerprint");
    if (!json_equal(got, wanted))
        fail_msg("got %s", text);
    json_decref(got);
    json_decref(wanted);
    free(text);
}

static void what_is_unknown_is_null(void **state)
{
    struct verdict verdict = example(3);
    struct tally unknown = {.classes = CLASSES_UNKNOWN};
    verdict.tally = &unknown;
    verdict.claim.kind = CLAIM_NOTHING;
    reported.finding.thread = NO_THREAD;
    char *text = written("json", &verdict, (struct report_style){0});
    assert_non_null(strstr(text, "\"classes\": null"));
    assert_non_null(strstr(text, "\"first_bug\": null"));
    assert_non_null(strstr(text, "\"thread\": null"));
    assert_non_null(strstr(text, "\"value\": null"));
    free(text);
}

static void expect_narrow(const char *text)
{
    int width = 0;
    for (const char *at = text; *at != 0; at++) {
        width = *at == '\n' ? 0 : width + ((*at & 0xc0) != 0x80);
        if (width > 100)
            fail_msg("a line is wider than 100 columns:\n%s", text);
    }
}

static void lines_fit_on_the_page(void **state)
{
    for (uint32_t threads = 1; threads <= 12; threads++) {
        struct verdict verdict = example(threads);
        char *text = written("terminal", &verdict, (struct report_style){0});
        expect_narrow(text);
        free(text);
    }
}

/* The columns of the line with this text in it. */
static int width_of(const char *text, const char *part)
{
    const char *from = strstr(text, part);
    if (from == NULL)
        fail_msg("no line has '%s':\n%s", part, text);
    const char *end = from + strcspn(from, "\n");
    while (from > text && from[-1] != '\n')
        from--;
    int width = 0;
    for (; from < end; from++)
        width += (*from & 0xc0) != 0x80;
    return width;
}

static void lines_of_parts_fit_on_a_narrow_page(void **state)
{
    struct verdict verdict = example(3);
    char *text = written("terminal", &verdict, (struct report_style){.width = 20});
    static const char *const parts[] = {"T1 at",     "(check)", "in execution", "shown here",
                                        "explored ", "classes", "restart",      "second)"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_in_range(width_of(text, parts[i]), 1, 20);
    free(text);
}

static void long_stretches_are_folded(void **state)
{
    struct verdict verdict = example(3);
    char *folded = written("terminal", &verdict, (struct report_style){0});
    assert_non_null(strstr(folded, "more steps"));
    char *whole = written("terminal", &verdict, (struct report_style){.whole = true});
    assert_null(strstr(whole, "more steps"));
    for (int i = 0; i < STEPS; i++) {
        char number[16];
        snprintf(number, sizeof number, "\n%6d  ", i);
        assert_non_null(strstr(whole, number));
    }
    free(folded);
    free(whole);
}

static void preemptions_and_the_failing_step_are_marked(void **state)
{
    struct verdict verdict = example(3);
    char *text = written("terminal", &verdict, (struct report_style){0});
    assert_non_null(strstr(text, "T0 is preempted"));
    const char *last = strstr(text, "\n    39  ");
    assert_non_null(last);
    const char *mark = strstr(last, "◀");
    assert_non_null(mark);
    assert_null(memchr(last + 1, '\n', (size_t)(mark - last - 1)));
    free(text);
}

static void the_report_says_how_to_run_it_again(void **state)
{
    struct verdict verdict = example(3);
    char *text = written("terminal", &verdict, (struct report_style){0});
    assert_non_null(strstr(text, "bohr replay bohr-out/assertion-1.bohr"));
    assert_non_null(strstr(text, "a failed assertion: x == y"));
    assert_non_null(strstr(text, "reorder.c:31 (check)"));
    assert_null(strchr(text, '\033')); /* neither colours nor what the program printed */
    free(text);
    text = written("terminal", &verdict, (struct report_style){.color = true});
    assert_non_null(strchr(text, '\033'));
    free(text);
}

static void json_says_where_an_execution_went_another_way(void **state)
{
    struct verdict verdict = example(2);
    verdict.findings[0].finding.kind = FINDING_NONDETERMINISM;
    verdict.findings[0].diverged = (struct diverged){7, "T1 lock a", "the end"};
    char *text = written("json", &verdict, (struct report_style){0});
    json_t *got = json_loads(text, 0, NULL);
    json_t *diverged =
        json_object_get(json_array_get(json_object_get(got, "findings"), 0), "diverged");
    assert_int_equal(json_integer_value(json_object_get(diverged, "step")), 7);
    assert_string_equal(json_string_value(json_object_get(diverged, "expected")), "T1 lock a");
    assert_string_equal(json_string_value(json_object_get(diverged, "got")), "the end");
    json_decref(got);
    free(text);
}

static void the_cycle_of_a_livelock_is_marked(void **state)
{
    struct verdict verdict = example(3);
    verdict.findings[0].finding.cycle = 2;
    char *text = written("terminal", &verdict, (struct report_style){0});
    assert_non_null(strstr(text, "the last 2 steps repeat forever"));
    int marks = -1; /* the sentence has one, too */
    for (const char *at = text; (at = strstr(at, "↻")) != NULL; at++)
        marks++;
    assert_int_equal(marks, 2);
    free(text);
}

static void what_may_be_a_livelock_is_called_so(void **state)
{
    struct verdict verdict = example(3);
    reported.finding.kind = FINDING_LIVELOCK;
    reported.finding.severity = SEVERITY_WARNING;
    reported.finding.cycle = 2;
    char *text = written("terminal", &verdict, (struct report_style){0});
    assert_non_null(strstr(text, "warning 1: perhaps a livelock"));
    assert_non_null(strstr(text, "the last 2 steps repeat again and again"));
    assert_non_null(strstr(text, "in what would have been execution 43"));
    assert_null(strstr(text, "forever"));
    free(text);
    static const char *const formats[] = {"sarif", "html", "junit", "tap", "annotations"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        text = written(formats[i], &verdict, (struct report_style){0});
        assert_non_null(text);
        assert_null(strstr(text, "<failure"));
        assert_null(strstr(text, "not ok"));
        assert_null(strstr(text, "::error"));
        free(text);
    }
}

static void the_report_says_how_simple_the_schedule_is(void **state)
{
    static const struct {
        enum fewest fewest;
        uint32_t found, shown;
        const char *text;
    } rows[] = {
        {FEWEST_NOT_ASKED, 9, 2, "in execution 43, with 2 preemptions\n"},
        {FEWEST_PROVED, 3, 1, "with 3 preemptions; shown here with 1, the fewest that show it\n"},
        {FEWEST_PROVED, 2, 2, "with 2 preemptions, the fewest that show it\n"},
        {FEWEST_PROVED, 0, 0, "with 0 preemptions\n"},
        {FEWEST_PROVED, 1, 0, "with 1 preemption; shown here with 0\n"},
        {FEWEST_UNKNOWN, 3, 2, "with 3 preemptions; shown here with 2 (fewer may show it, too)\n"},
        {FEWEST_UNKNOWN, 1, 1, "with 1 preemption (fewer may show it, too)\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct verdict verdict = example(3);
        reported.fewest = rows[i].fewest;
        reported.found.preemptions = rows[i].found;
        reported.finding.preemptions = rows[i].shown;
        char *text = written("terminal", &verdict, (struct report_style){0});
        if (strstr(text, rows[i].text) == NULL)
            fail_msg("expected %s, got %s", rows[i].text, text);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_has_the_fields_of_the_design),
        cmocka_unit_test(what_is_unknown_is_null),
        cmocka_unit_test(lines_fit_on_the_page),
        cmocka_unit_test(lines_of_parts_fit_on_a_narrow_page),
        cmocka_unit_test(long_stretches_are_folded),
        cmocka_unit_test(preemptions_and_the_failing_step_are_marked),
        cmocka_unit_test(json_says_where_an_execution_went_another_way),
        cmocka_unit_test(the_cycle_of_a_livelock_is_marked),
        cmocka_unit_test(what_may_be_a_livelock_is_called_so),
        cmocka_unit_test(the_report_says_how_to_run_it_again),
        cmocka_unit_test(the_report_says_how_simple_the_schedule_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
