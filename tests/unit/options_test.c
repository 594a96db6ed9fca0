#include "cli/settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "detector/detector.h"
#include "strategy/strategy.h"

#define WORDS(...) ((char *[]){__VA_ARGS__, NULL})

static int count_of(char **words)
{
    int count = 0;
    while (words[count] != NULL)
        count++;
    return count;
}

static struct settings parsed(char **words, int *first)
{
    struct settings settings = settings_default();
    struct problem why = {""};
    bool good = options_parse(&settings, COMMAND_RUN, count_of(words), words, first, &why) &&
                options_settle(&settings, &why);
    if (!good)
        fail_msg("%s", why.text);
    return settings;
}

static void expect_problem(char **words, const char *text)
{
    struct settings settings = settings_default();
    struct problem why = {""};
    int first;
    bool good = options_parse(&settings, COMMAND_RUN, count_of(words), words, &first, &why) &&
                options_settle(&settings, &why);
    assert_false(good);
    assert_string_equal(why.text, text);
}

static void sizes_have_units(void **state)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } rows[] = {{"1", 1},        {"1500", 1500},    {"3K", 3072},
                {"2M", 2 << 20}, {"4G", 4ul << 30}, {"1T", 1ul << 40}};
    int first;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct settings settings = parsed(WORDS("--memory", (char *)rows[i].text), &first);
        assert_int_equal(settings.options.memory_max, rows[i].bytes);
    }
    struct settings settings = parsed(WORDS("./t"), &first);
    assert_int_equal(settings.options.memory_max, 0);
}

static void defaults_are_those_of_the_design(void **state)
{
    int first;
    struct settings settings = parsed(WORDS("./t", "-n", "5"), &first);
    assert_int_equal(first, 0); /* what follows the program is the program's */
    assert_string_equal(settings.options.strategy, "auto");
    assert_int_equal(settings.options.bound, NO_BOUND);
    assert_int_equal(settings.options.steps_max, 20000);
    assert_int_equal(settings.options.points, POINTS_RACE);
    assert_int_equal(settings.options.races, RACES_ERROR);
    assert_int_equal(settings.options.detect, detectors_default());
    assert_int_equal(settings.options.seed, 1);
    assert_int_equal(settings.options.executions_max, 0);
    assert_int_equal(settings.options.expect_exit, 0);
    assert_int_equal(settings.options.checkpoint, 1);
    assert_true(settings.time_limit == 60);
    assert_true(settings.hang_seconds == 5);
    assert_string_equal(settings.output, "bohr-out");
}

static void every_option_is_read(void **state)
{
    int first;
    struct settings settings = parsed(
        WORDS("-s", "preempt", "--bound=2", "-n7", "-t", "5m", "--steps", "100", "-k", "--seed",
              "9", "-j", "4", "--points", "all", "--races", "warn", "--isolate", "exec",
              "--carrier", "kernel", "--tracking", "protect", "--no-checkpoint", "--verify", "10",
              "--exit", "wait", "--expect-exit", "3", "--hang", "250ms", "-o", "out", "--json", "-",
              "-q", "-v", "--color", "--no-progress", "--trace", "--", "./t"),
        &first);
    assert_int_equal(settings.options.bound, 2);
    assert_int_equal(settings.options.executions_max, 7);
    assert_true(settings.time_limit == 300);
    assert_int_equal(settings.options.steps_max, 100);
    assert_true(settings.options.keep_going);
    assert_int_equal(settings.options.seed, 9);
    assert_int_equal(settings.workers, 4);
    assert_int_equal(settings.options.points, POINTS_ALL);
    assert_int_equal(settings.options.races, RACES_WARN);
    assert_int_equal(settings.options.isolate, ISOLATE_EXEC);
    assert_int_equal(settings.options.carrier, CARRIER_KERNEL);
    assert_int_equal(settings.options.tracking, TRACKING_PROTECT);
    assert_int_equal(settings.options.checkpoint, 0);
    assert_int_equal(settings.options.verify_every, 10);
    assert_true(settings.options.exit_waits);
    assert_int_equal(settings.options.expect_exit, 3);
    assert_true(settings.hang_seconds == 0.25);
    assert_string_equal(settings.output, "out");
    assert_string_equal(settings.reports[REPORT_json], "-");
    assert_true(settings.quiet && settings.verbose && settings.no_progress && settings.whole);
    assert_int_equal(settings.color, COLOR_ALWAYS);
    assert_int_equal(first, 42);
}

static void the_word_of_an_option_may_be_left_out(void **state)
{
    static const struct {
        char *words[4];
        enum color color;
        int first;
    } rows[] = {{{"./t"}, COLOR_AUTO, 0},
                {{"--color", "./t"}, COLOR_ALWAYS, 1},
                {{"--color"}, COLOR_ALWAYS, 1},
                {{"--color", "--quiet", "./t"}, COLOR_ALWAYS, 2},
                {{"--color", "never", "./t"}, COLOR_NEVER, 2},
                {{"--color", "auto", "./t"}, COLOR_AUTO, 2},
                {{"--color", "always", "./t"}, COLOR_ALWAYS, 2},
                {{"--color=never", "always"}, COLOR_NEVER, 1},
                {{"--color", "--", "never"}, COLOR_ALWAYS, 2},
                {{"--color", "alwa", "./t"}, COLOR_ALWAYS, 1},
                {{"--color", "./never"}, COLOR_ALWAYS, 1},
                {{"--color", ""}, COLOR_ALWAYS, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int first;
        assert_int_equal(parsed((char **)rows[i].words, &first).color, rows[i].color);
        assert_int_equal(first, rows[i].first);
    }
    expect_problem(WORDS("--color=often", "./t"), "--color takes auto|always|never, not 'often'");
    expect_problem(WORDS("--color=", "./t"), "--color takes auto|always|never, not ''");
}

static void a_limit_of_the_user_replaces_the_time_limit(void **state)
{
    int first;
    assert_true(parsed(WORDS("-n", "5", "./t"), &first).time_limit == 0);
    assert_true(parsed(WORDS("-b", "1", "./t"), &first).time_limit == 0);
    assert_true(parsed(WORDS("-s", "dfs", "./t"), &first).time_limit == 0);
    assert_true(parsed(WORDS("-k", "./t"), &first).time_limit == 60);
}

static void kernel_threads_mean_fork(void **state)
{
    int first;
    struct settings settings = parsed(WORDS("--carrier", "kernel", "./t"), &first);
    assert_int_equal(settings.options.isolate, ISOLATE_FORK);
    expect_problem(WORDS("--carrier", "kernel", "--isolate", "reset"),
                   "--carrier kernel works with --isolate fork or exec: kernel threads cannot be "
                   "reset");
}

static void wrong_use_is_one_sentence(void **state)
{
    expect_problem(WORDS("--wat"), "there is no such option (see --help); there is --tap: --wat");
    expect_problem(WORDS("-n"), "-n needs a value: N");
    expect_problem(WORDS("-n", "x"), "--executions takes a whole number from 1, not 'x'");
    expect_problem(WORDS("-n", "0"), "--executions takes a whole number from 1, not '0'");
    expect_problem(WORDS("-n", "-3"), "--executions takes a whole number from 1, not '-3'");
    expect_problem(WORDS("-n", "99999999999999999999"),
                   "--executions takes a whole number from 1, not '99999999999999999999'");
    expect_problem(WORDS("-b", "64"), "--bound takes a whole number from 0 to 63, not '64'");
    expect_problem(WORDS("-b", "-1"), "--bound takes a whole number from 0 to 63, not '-1'");
    expect_problem(WORDS("--steps", "1048577"),
                   "--steps takes a whole number from 1 to 1048576, not '1048577'");
    expect_problem(WORDS("-t", "5q"), "--time takes a duration such as 30s or 5m, not '5q'");
    expect_problem(WORDS("-t", "0"), "--time takes a duration such as 30s or 5m, not '0'");
    expect_problem(WORDS("-t", "nan"), "--time takes a duration such as 30s or 5m, not 'nan'");
    static const char *const sizes[] = {
        "0", "0M", "-1", "", "M", "1.5G", "2GB", "1 M", "1X", "99999999999999999999", "16777216T"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char text[128];
        snprintf(text, sizeof text, "--memory takes a size such as 500M or 2G, not '%s'", sizes[i]);
        expect_problem(WORDS("--memory", (char *)sizes[i]), text);
    }
    expect_problem(WORDS("--points", "none"), "--points takes sync|race|all, not 'none'");
    expect_problem(WORDS("--expect-exit", "256"),
                   "--expect-exit takes a whole number from 0 to 255, or any, not '256'");
    expect_problem(WORDS("--quiet=1"), "--quiet takes no value");
    expect_problem(WORDS("-j", "0"), "--jobs takes a whole number from 1 to 64, not '0'");
    expect_problem(WORDS("-j", "x"), "--jobs takes a whole number from 1 to 64, not 'x'");
    expect_problem(WORDS("-j", "65"), "--jobs takes a whole number from 1 to 64, not '65'");
    expect_problem(WORDS("-s", "dfs", "-b", "2"), "strategy dfs has no bound: leave out --bound");
    expect_problem(WORDS("-s", "pct", "-b", "0"), "strategy pct takes a --bound from 1");
    expect_problem(WORDS("-s", "dfs", "--reduction", "source"),
                   "strategy dfs reduces nothing: leave out --reduction");
    expect_problem(WORDS("-s", "bpor", "--reduction", "source"),
                   "strategy bpor reduces in one way only: leave out --reduction");
    expect_problem(WORDS("--fault", "nap"),
                   "--fault takes a kind of operation such as lock or sync:lock, not 'nap'");
    expect_problem(
        WORDS("-s", "delay", "--symmetry"),
        "strategy delay tells equal threads apart: leave out --symmetry, or take dfs, preempt, "
        "dpor or best");
    expect_problem(WORDS("-s", "dfs", "--cache", "--symmetry"),
                   "--symmetry works without --cache and --carrier kernel: leave it out");
    expect_problem(WORDS("-s", "bpor", "--cache"), "strategy bpor has no cache: leave out --cache");
    expect_problem(WORDS("-s", "dpor", "--bound", "1"),
                   "strategy dpor has no bound: leave out --bound");
    expect_problem(WORDS("-s", "dpor", "--reduction", "source", "-j", "2"),
                   "only --reduction optimal works with several workers: leave out --jobs");
    expect_problem(WORDS("-s", "pos", "--cache"), "strategy pos has no cache: leave out --cache");
    expect_problem(WORDS("-o", ""), "--output takes a folder, not ''");
}

static void an_unknown_strategy_lists_the_known_ones(void **state)
{
    struct settings settings = settings_default();
    struct problem why;
    int first;
    assert_false(options_parse(&settings, COMMAND_RUN, 2, WORDS("-s", "wishful"), &first, &why));
    assert_non_null(strstr(why.text, "there is no strategy 'wishful'"));
    for (int i = 0; strategies[i] != NULL; i++)
        assert_non_null(strstr(why.text, strategies[i]->name));
}

static void environment_comes_before_the_command_line(void **state)
{
    struct settings settings = settings_default();
    struct problem why;
    int first;
    assert_true(options_parse_text(&settings, COMMAND_RUN, "  -n 3\t--seed 8 -k", &why));
    assert_true(options_parse(&settings, COMMAND_RUN, 2, WORDS("-n", "5"), &first, &why));
    assert_int_equal(settings.options.executions_max, 5);
    assert_int_equal(settings.options.seed, 8);
    assert_true(settings.options.keep_going);
}

static void environment_is_checked_too(void **state)
{
    struct settings settings = settings_default();
    struct problem why;
    assert_false(options_parse_text(&settings, COMMAND_RUN, "-n z", &why));
    assert_string_equal(why.text,
                        "in BOHR_OPTIONS: --executions takes a whole number from 1, not 'z'");
    assert_false(options_parse_text(&settings, COMMAND_RUN, "-n 1 program", &why));
    assert_string_equal(why.text, "in BOHR_OPTIONS: this is no option: program");
    settings = settings_default();
    assert_true(options_parse_text(&settings, COMMAND_REPLAY, "-n 9 -q", &why)); /* -n is of run */
    assert_int_equal(settings.options.executions_max, 0);
    assert_true(settings.quiet);
    assert_true(options_parse_text(&settings, COMMAND_RUN, NULL, &why));
}

static void replay_knows_only_its_own_options(void **state)
{
    struct settings settings = settings_default();
    struct problem why;
    int first;
    assert_false(options_parse(&settings, COMMAND_REPLAY, 2, WORDS("-n", "5"), &first, &why));
    assert_string_equal(why.text, "there is no such option (see --help): bohr run has it: -n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_have_units),
        cmocka_unit_test(defaults_are_those_of_the_design),
        cmocka_unit_test(every_option_is_read),
        cmocka_unit_test(the_word_of_an_option_may_be_left_out),
        cmocka_unit_test(a_limit_of_the_user_replaces_the_time_limit),
        cmocka_unit_test(kernel_threads_mean_fork),
        cmocka_unit_test(wrong_use_is_one_sentence),
        cmocka_unit_test(an_unknown_strategy_lists_the_known_ones),
        cmocka_unit_test(environment_comes_before_the_command_line),
        cmocka_unit_test(environment_is_checked_too),
        cmocka_unit_test(replay_knows_only_its_own_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
