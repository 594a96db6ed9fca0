#include "coordinator/record/replay_file.h"
#include "core/version.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char *arguments[] = {"./t", "plain", "two words", "quote \" and \\ and \n", NULL};
static const char *fresh_paths[] = {"/home/me/data", "/tmp/with \"quotes\"", NULL};
static struct recorded_site sites[] = {
    {.module = "t", .base = 0x555555554000, .offset = 0x1189},
    {.module = "lib\"odd\".so", .base = 0x7ffff7d00000, .offset = 0x42},
};
static struct taken steps[] = {
    {.thread = 0, .kind = OP_CREATE},
    {.thread = 0, .kind = OP_CREATE},
    {.thread = 1, .kind = OP_MUTEX_LOCK, .object = 1},
    {.thread = 2, .kind = OP_ATOMIC_LOAD, .object = 2},
    {.thread = 2, .kind = OP_ATOMIC_LOAD, .object = 2},
    {.thread = 2, .kind = OP_ATOMIC_LOAD, .object = 2},
    {.thread = 255, .kind = OP_COND_SIGNAL, .object = 3, .choice = 2},
    {.thread = 1, .kind = OP_ATOMIC_COMPARE, .object = 2},
    {.thread = 1, .kind = OP_MUTEX_UNLOCK, .object = 1},
    {.thread = 0, .kind = OP_EXIT},
};

static struct recorded_names names[] = {
    {.function = "main", .object = "T1"},
    {.function = "std::mutex::lock()", .object = "odd \" \"name\\"},
    {.function = "", .object = ""},
};
static uint32_t named[] = {1, 1, 2, 3, 2, 2, 0, 3, 2, 1};

static struct recording example(void)
{
    struct recording recording = {
        .program = "/home/me/t",
        .build_id = "0123abcd",
        .source = "/home/me/t.c",
        .directory = "/home/me",
        .arguments = arguments,
        .fresh_paths = fresh_paths,
        .input = "one\ntwo\0three\xff",
        .input_size = 14,
        .sites = sites,
        .site_count = 2,
        .steps = steps,
        .step_count = sizeof steps / sizeof steps[0],
        .names = names,
        .names_count = 3,
        .named = named,
        .function = "Queue::take(int)",
        .about = "heap block #1 of T0",
        .options = {.strategy = "preempt",
                    .seed = 7,
                    .points = POINTS_RACE,
                    .races = RACES_ERROR,
                    .detect = 5,
                    .steps_max = 500,
                    .expect_exit = 3,
                    .exit_waits = 1,
                    .threads_ready = 8,
                    .stack_size = 8 << 20,
                    .output = OUTPUT_EXPECTED,
                    .expect_output = {.size = 123456, .hash = 0xfedcba9876543210},
                    .output_path = "/home/me/out put",
                    .trust.names = "log_line,Log::write"},
        .finding = {.kind = FINDING_ASSERTION,
                    .severity = SEVERITY_ERROR,
                    .thread = 1,
                    .key = 0xfedcba9876543210,
                    .execution = 43,
                    .preemptions = 2,
                    .delays = 3,
                    .switches = 5,
                    .message = "x == \"y\""},
    };
    return recording;
}

static bool parse(struct recording *out, const char *text, size_t count, struct problem *why)
{
    return replay_parse(out, text, count, "f.bohr", why);
}

static void expect_equal(const struct recording *got, const struct recording *expected)
{
    assert_string_equal(got->program, expected->program);
    assert_string_equal(got->build_id, expected->build_id);
    assert_string_equal(got->source, expected->source);
    assert_string_equal(got->directory, expected->directory);
    for (int i = 0; expected->fresh_paths[i] != NULL || got->fresh_paths[i] != NULL; i++)
        assert_string_equal(got->fresh_paths[i], expected->fresh_paths[i]);
    assert_int_equal(got->options.output, expected->options.output);
    assert_true(written_same(&got->options.expect_output, &expected->options.expect_output));
    assert_string_equal(got->options.output_path, expected->options.output_path);
    assert_string_equal(got->options.trust.names, expected->options.trust.names);
    for (int i = 0; expected->arguments[i] != NULL || got->arguments[i] != NULL; i++)
        assert_string_equal(got->arguments[i], expected->arguments[i]);
    assert_int_equal(got->input_size, expected->input_size);
    assert_memory_equal(got->input, expected->input, expected->input_size);
    assert_memory_equal(&got->options, &expected->options, sizeof got->options);
    assert_int_equal(got->finding.kind, expected->finding.kind);
    assert_int_equal(got->finding.severity, expected->finding.severity);
    assert_int_equal(got->finding.thread, expected->finding.thread);
    assert_true(got->finding.key == expected->finding.key);
    assert_int_equal(got->finding.execution, expected->finding.execution);
    assert_int_equal(got->finding.preemptions, expected->finding.preemptions);
    assert_int_equal(got->finding.delays, expected->finding.delays);
    assert_int_equal(got->finding.switches, expected->finding.switches);
    assert_string_equal(got->finding.message, expected->finding.message);
    assert_int_equal(got->site_count, expected->site_count);
    for (uint32_t i = 0; i < got->site_count; i++) {
        assert_string_equal(got->sites[i].module, expected->sites[i].module);
        assert_true(got->sites[i].base == expected->sites[i].base);
        assert_true(got->sites[i].offset == expected->sites[i].offset);
    }
    assert_int_equal(got->step_count, expected->step_count);
    assert_memory_equal(got->steps, expected->steps, got->step_count * sizeof *got->steps);
    assert_string_equal(got->function, expected->function);
    assert_string_equal(got->about, expected->about);
    assert_int_equal(got->names_count, expected->names_count);
    for (uint32_t i = 0; i < got->names_count; i++) {
        assert_string_equal(got->names[i].function, expected->names[i].function);
        assert_string_equal(got->names[i].object, expected->names[i].object);
    }
    for (uint32_t i = 0; i < got->step_count; i++)
        assert_int_equal(got->named[i], expected->named == NULL ? 0 : expected->named[i]);
}

static void what_is_written_is_read(void **state)
{
    struct recording recording = example(), got;
    struct problem why = {""};
    size_t count;
    char *text = replay_text(&recording, &count);
    if (!parse(&got, text, count, &why))
        fail_msg("%s", why.text);
    expect_equal(&got, &recording);
}

static void long_inputs_and_schedules_survive(void **state)
{
    enum { STEPS = 500, INPUT = 70000 };
    static struct taken many[STEPS];
    static char input[INPUT];
    for (int i = 0; i < STEPS; i++)
        many[i] = (struct taken){.thread = (uint8_t)(i / 40),
                                 .kind = OP_MUTEX_LOCK + i % 2,
                                 .object = (uint32_t)(i % 7 + 1)};
    for (int i = 0; i < INPUT; i++)
        input[i] = (char)(i * 31);
    struct recording recording = example(), got;
    struct problem why = {""};
    recording.steps = many;
    recording.step_count = STEPS;
    recording.named = NULL;
    recording.input = input;
    recording.input_size = INPUT;
    size_t count;
    char *text = replay_text(&recording, &count);
    if (!parse(&got, text, count, &why))
        fail_msg("%s", why.text);
    expect_equal(&got, &recording);
}

static void every_truncation_is_noticed(void **state)
{
    struct recording recording = example(), got;
    struct problem why;
    size_t count;
    char *text = replay_text(&recording, &count);
    for (size_t cut = 0; cut < count; cut++) {
        why.text[0] = 0;
        assert_false(parse(&got, text, cut, &why));
        bool short_head = cut < strlen("bohr-replay ");
        if (text[cut == 0 ? 0 : cut - 1] == '\n' || short_head)
            assert_string_equal(why.text, short_head
                                              ? "it is not a replay file: name one that "
                                                "bohr run wrote: f.bohr"
                                              : "the replay file is cut off (its last line is "
                                                "missing): search again: f.bohr");
        assert_true(why.text[0] != 0);
    }
}

static void every_flipped_byte_is_noticed(void **state)
{
    struct recording recording = example(), got;
    struct problem why;
    size_t count;
    char *text = replay_text(&recording, &count);
    for (size_t at = 0; at < count; at++)
        for (int bit = 0; bit < 8; bit++) {
            text[at] ^= (char)(1 << bit);
            why.text[0] = 0;
            if (parse(&got, text, count, &why))
                fail_msg("a flip of bit %d of byte %zu was not noticed", bit, at);
            assert_true(why.text[0] != 0);
            text[at] ^= (char)(1 << bit);
        }
    assert_true(parse(&got, text, count, &why));
}

static void anything_after_the_end_is_noticed(void **state)
{
    struct recording recording = example(), got;
    struct problem why;
    size_t count;
    char *text = replay_text(&recording, &count), longer[8192];
    assert_true(count + 8 < sizeof longer);
    memcpy(longer, text, count);
    memcpy(longer + count, "end\n", 4);
    assert_false(parse(&got, longer, count + 4, &why));
    longer[count] = '\n';
    assert_false(parse(&got, longer, count + 1, &why));
}

/* A file that says something else but carries the right checksum for it. */
static void expect_rewritten(const char *from, const char *to, const char *expected)
{
    struct recording recording = example(), got;
    struct problem why = {""};
    size_t count;
    const char *text = replay_text(&recording, &count);
    const char *at = strstr(text, from), *end = strstr(text, "\nend ");
    assert_non_null(at);
    assert_non_null(end);
    char other[8192];
    int length = snprintf(other, sizeof other, "%.*s%s%.*s\n", (int)(at - text), text, to,
                          (int)(end - at - (long)strlen(from)), at + strlen(from));
    uint64_t sum = 0xcbf29ce484222325;
    for (int i = 0; i < length; i++)
        sum = (sum ^ (uint8_t)other[i]) * 0x100000001b3;
    length += sprintf(other + length, "end %016lx\n", sum);
    assert_false(parse(&got, other, (size_t)length, &why));
    assert_string_equal(why.text, expected);
}

static void other_versions_are_refused(void **state)
{
    expect_rewritten("bohr-replay 2\n", "bohr-replay 1\n",
                     "the replay file has format 1, and this bohr reads format 2: search again: "
                     "f.bohr");
    expect_rewritten("bohr " BOHR_VERSION, "bohr 0.0.9",
                     "the replay file was written by bohr 0.0.9, and this is bohr " BOHR_VERSION
                     ": search again: f.bohr");
}

static void nonsense_with_a_right_checksum_is_refused(void **state)
{
    static const char *const changes[][2] = {
        {"points race", "points maybe"},
        {"steps 10", "steps 11"},
        {"steps 10", "steps 9"},
        {"steps 10", "steps 99999999"},
        {"lock.1", "lick.1"},
        {"lock.1", "lock.x"},
        {"lock.1", "lock.1*0"},
        {"lock.1@2", "lock.1@4"},
        {"lock.1@2", "lock.1@0"},
        {"names \"main\" ", "names \"main\""},
        {"names \"main\" ", "names "},
        {"lock.1", "lock.1*4000000000"},
        {"T255", "T256"},
        {"T255", "T"},
        {"signal.3=2", "signal.3=65536"},
        {"key 0xfed", "key fed"},
        {"finding assertion", "finding x"},
        {"thread 1", "thread 65536"},
        {"thread 1\n", ""},
        {"seed 7", "seed -7"},
        {"seed 7", "sad 7"},
        {"steps-max 500", "steps-max 9"},
        {"message \"", "message "},
        {"site 0x555555554000 ", "site "},
        {"expect-exit 3", "expect-exit 300"},
        {"\\x0a", "\\xg0"},
        {"program \"/home", "program \"\\x00/home"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
        expect_rewritten(changes[i][0], changes[i][1], "the replay file is malformed: f.bohr");
}

static void files_are_replaced_whole(void **state)
{
    char folder[] = "/tmp/bohr-test-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/assertion-1.bohr", folder);
    struct recording recording = example(), got;
    struct problem why = {""};
    for (int i = 0; i < 2; i++)
        assert_true(replay_file_write(&recording, path, &why));
    assert_true(replay_file_read(&got, path, &why));
    expect_equal(&got, &recording);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0); /* nothing else was left behind */
}

static void files_that_cannot_be_are_one_sentence(void **state)
{
    struct recording recording = example(), got;
    struct problem why;
    assert_false(replay_file_write(&recording, "/nonexistent/a.bohr", &why));
    assert_string_equal(why.text, "cannot write the replay file: /nonexistent/a.bohr (there is no "
                                  "such file or folder)");
    assert_false(replay_file_read(&got, "/nonexistent/a.bohr", &why));
    assert_string_equal(why.text, "cannot open the replay file: /nonexistent/a.bohr (there is no "
                                  "such file or folder)");
    assert_false(replay_file_read(&got, "/", &why));
    assert_string_equal(why.text, "cannot read the replay file: / (it is a folder)");
    assert_false(replay_file_read(&got, "/proc/self/exe", &why));
    assert_string_equal(why.text,
                        "it is not a replay file: name one that bohr run wrote: /proc/self/exe");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(long_inputs_and_schedules_survive),
        cmocka_unit_test(every_truncation_is_noticed),
        cmocka_unit_test(every_flipped_byte_is_noticed),
        cmocka_unit_test(anything_after_the_end_is_noticed),
        cmocka_unit_test(other_versions_are_refused),
        cmocka_unit_test(nonsense_with_a_right_checksum_is_refused),
        cmocka_unit_test(files_are_replaced_whole),
        cmocka_unit_test(files_that_cannot_be_are_one_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
