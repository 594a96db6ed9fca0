/* Text to recording. Anybody may have written the text: every line is checked before it is
 * believed. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/record/replay_reader.h"
#include "coordinator/symbols/trust.h"
#include "coordinator/text.h"
#include "core/verdict.h"
#include "core/version.h"
#include "detector/detector.h"
#include "strategy/strategy.h"

enum { ARGUMENTS_MAX = 4096, FRESH_MAX = 256, INPUT_MAX = 1 << 30 };

static bool read_program(struct reader *reader, const char *value)
{
    return replay_read_text(value, &reader->out->program);
}

static bool read_build_id(struct reader *reader, const char *value)
{
    reader->out->build_id = text_copy(value, strlen(value));
    return *value != 0;
}

static bool read_source(struct reader *reader, const char *value)
{
    return replay_read_text(value, &reader->out->source);
}

static bool read_directory(struct reader *reader, const char *value)
{
    return replay_read_text(value, &reader->out->directory);
}

static bool read_argument(struct reader *reader, const char *value)
{
    const char *text;
    if (reader->argument_count == ARGUMENTS_MAX || !replay_read_text(value, &text))
        return false;
    reader->out->arguments[reader->argument_count++] = (char *)text;
    return true;
}

static bool read_input(struct reader *reader, const char *value)
{
    size_t count;
    const char *bytes = replay_quoted(value, &count);
    size_t size = reader->out->input_size;
    if (bytes == NULL || size + count > INPUT_MAX)
        return false;
    if (size + count > reader->input_capacity) {
        reader->input_capacity = 2 * (size + count);
        char *larger = text_room(reader->input_capacity + 1);
        if (size > 0)
            memcpy(larger, reader->input, size);
        reader->input = larger;
    }
    memcpy(reader->input + size, bytes, count);
    reader->out->input = reader->input;
    reader->out->input_size = size + count;
    return true;
}

static bool read_fresh(struct reader *reader, const char *value)
{
    const char *text;
    if (reader->fresh_count == FRESH_MAX || !replay_read_text(value, &text) || *text != '/')
        return false;
    if (reader->out->fresh_paths == NULL)
        reader->out->fresh_paths = text_room((FRESH_MAX + 1) * sizeof text);
    reader->out->fresh_paths[reader->fresh_count++] = text;
    return true;
}

static bool read_output(struct reader *reader, const char *value)
{
    struct options *options = &reader->out->options;
    const char *path;
    int length = 0;
    if (sscanf(value, "0x%" SCNx64 " 0x%" SCNx64 " %n", &options->expect_output.size,
               &options->expect_output.hash, &length) != 2 ||
        length == 0 || !replay_read_text(value + length, &path) || strlen(path) >= OUTPUT_PATH_MAX)
        return false;
    options->output = OUTPUT_EXPECTED;
    strcpy(options->output_path, path);
    return *path == 0 || *path == '/';
}

static bool read_strategy(struct reader *reader, const char *value)
{
    struct options *options = &reader->out->options;
    const struct strategy *strategy = strategy_find(value);
    options->plain_loops =
        strategy != NULL && strategy->traits.compares; /* otherwise other accesses would be steps */
    return snprintf(options->strategy, sizeof options->strategy, "%s", value) <
           (int)sizeof options->strategy;
}

static bool read_seed(struct reader *reader, const char *value)
{
    return replay_number(value, 10, UINT64_MAX, &reader->out->options.seed);
}

static bool read_points(struct reader *reader, const char *value)
{
    for (uint8_t points = POINTS_SYNC; points <= POINTS_ALL; points++)
        if (strcmp(value, points_word(points)) == 0) {
            reader->out->options.points = points;
            return true;
        }
    return false;
}

static bool read_exit(struct reader *reader, const char *value)
{
    reader->out->options.exit_waits = strcmp(value, "wait") == 0;
    return reader->out->options.exit_waits || strcmp(value, "end") == 0;
}

static bool read_detect(struct reader *reader, const char *value)
{
    size_t length;
    return detectors_change(&reader->out->options.detect, value, &length) == NULL;
}

static bool read_trust(struct reader *reader, const char *value)
{
    const char *names;
    struct problem why;
    return replay_read_text(value, &names) && trust_add(&reader->out->options.trust, names, &why);
}

static bool read_races(struct reader *reader, const char *value)
{
    uint32_t races = 0;
    bool good = replay_read_u32(value, RACES_ERROR, &races);
    reader->out->options.races = (uint8_t)races;
    return good;
}

static bool read_steps_max(struct reader *reader, const char *value)
{
    return replay_read_u32(value, STEPS_LIMIT, &reader->out->options.steps_max) &&
           reader->out->options.steps_max > 0;
}

static bool read_expect_exit(struct reader *reader, const char *value)
{
    reader->out->options.expect_exit = EXIT_ANY;
    uint32_t status;
    if (strcmp(value, "-1") == 0)
        return true;
    if (!replay_read_u32(value, 255, &status))
        return false;
    reader->out->options.expect_exit = (int32_t)status;
    return true;
}

static bool read_spurious(struct reader *reader, const char *value)
{
    uint32_t count = 0;
    bool good = replay_read_u32(value, SPURIOUS_MAX, &count);
    reader->out->options.spurious = (uint8_t)count;
    return good;
}

static bool read_threads_ready(struct reader *reader, const char *value)
{
    return replay_read_u32(value, THREADS_MAX, &reader->out->options.threads_ready);
}

static bool read_stack_size(struct reader *reader, const char *value)
{
    return replay_number(value, 10, 1ul << 40, &reader->out->options.stack_size);
}

static bool read_finding(struct reader *reader, const char *value)
{
    struct recording *out = reader->out;
    for (out->finding.kind = 0; out->finding.kind < FINDING_KINDS; out->finding.kind++)
        if (strcmp(value, recording_word(out)) == 0)
            return true;
    return strcmp(value, recording_word(out)) == 0;
}

static bool read_severity(struct reader *reader, const char *value)
{
    uint32_t severity = 0;
    bool good = replay_read_u32(value, SEVERITY_ERROR, &severity);
    reader->out->finding.severity = (uint8_t)severity;
    return good;
}

static bool read_thread(struct reader *reader, const char *value)
{
    uint32_t thread = 0;
    bool good = replay_read_u32(value, NO_THREAD, &thread);
    reader->out->finding.thread = (thread_id)thread;
    return good;
}

static bool read_key(struct reader *reader, const char *value)
{
    return strncmp(value, "0x", 2) == 0 &&
           replay_number(value, 16, UINT64_MAX, &reader->out->finding.key);
}

static bool read_execution(struct reader *reader, const char *value)
{
    return replay_number(value, 10, UINT64_MAX, &reader->out->finding.execution);
}

static bool read_preemptions(struct reader *reader, const char *value)
{
    return replay_read_u32(value, UINT32_MAX, &reader->out->finding.preemptions);
}

static bool read_delays(struct reader *reader, const char *value)
{
    return replay_read_u32(value, UINT32_MAX, &reader->out->finding.delays);
}

static bool read_switches(struct reader *reader, const char *value)
{
    return replay_read_u32(value, UINT32_MAX, &reader->out->finding.switches);
}

static bool read_passed(struct reader *reader, const char *value)
{
    uint32_t count;
    if (!replay_read_u32(value, UINT8_MAX, &count))
        return false;
    reader->out->finding.passed = (uint8_t)count;
    return true;
}

static bool read_cycle(struct reader *reader, const char *value)
{
    return replay_read_u32(value, UINT32_MAX, &reader->out->finding.cycle);
}

static bool read_end(struct reader *reader, const char *value)
{
    struct finding *finding = &reader->out->finding;
    finding->stays = strcmp(value, "in a livelock") == 0;
    finding->stops = strcmp(value, "where the search cut it") == 0;
    return finding->stays || finding->stops;
}

static bool read_message(struct reader *reader, const char *value)
{
    const char *text;
    if (!replay_read_text(value, &text) || strlen(text) >= FINDING_TEXT_MAX)
        return false;
    strcpy(reader->out->finding.message, text);
    return true;
}

static bool read_function(struct reader *reader, const char *value)
{
    return replay_read_text(value, &reader->out->function);
}

static bool read_about(struct reader *reader, const char *value)
{
    return replay_read_text(value, &reader->out->about);
}

static bool read_site(struct reader *reader, const char *value)
{
    struct recording *out = reader->out;
    struct recorded_site site;
    int length = 0;
    if (sscanf(value, "0x%" SCNx64 " 0x%" SCNx64 " %n", &site.base, &site.offset, &length) != 2 ||
        length == 0 || !replay_read_text(value + length, &site.module) ||
        out->site_count == SITES_MAX)
        return false;
    if (out->site_count == reader->sites_capacity) {
        reader->sites_capacity = 2 * reader->sites_capacity + 16;
        struct recorded_site *larger = text_room(reader->sites_capacity * sizeof *larger);
        if (out->site_count > 0)
            memcpy(larger, out->sites, out->site_count * sizeof *larger);
        out->sites = larger;
    }
    out->sites[out->site_count++] = site;
    return true;
}

static const struct {
    const char *name;
    bool (*read)(struct reader *reader, const char *value);
    bool required;
} lines[] = {
    {"program", read_program, true},
    {"build-id", read_build_id, true},
    {"source", read_source, false},
    {"directory", read_directory, true},
    {"argument", read_argument, true},
    {"input", read_input, false},
    {"fresh", read_fresh, false},
    {"output", read_output, false},
    {"strategy", read_strategy, true},
    {"seed", read_seed, true},
    {"points", read_points, true},
    {"exit", read_exit, true},
    {"races", read_races, true},
    {"detect", read_detect, false},
    {"trust", read_trust, false},
    {"steps-max", read_steps_max, true},
    {"spurious", read_spurious, false},
    {"expect-exit", read_expect_exit, true},
    {"threads-ready", read_threads_ready, true},
    {"stack-size", read_stack_size, true},
    {"finding", read_finding, true},
    {"severity", read_severity, true},
    {"thread", read_thread, true},
    {"key", read_key, true},
    {"execution", read_execution, true},
    {"preemptions", read_preemptions, true},
    {"delays", read_delays, true},
    {"switches", read_switches, true},
    {"passed", read_passed, false},
    {"cycle", read_cycle, false},
    {"ends", read_end, false},
    {"message", read_message, true},
    {"function", read_function, false},
    {"about", read_about, false},
    {"site", read_site, false},
    {"names", replay_read_names, false},
    {"steps", replay_read_steps, true},
};
enum { LINES = sizeof lines / sizeof lines[0] };

static char *next_line(struct reader *reader)
{
    if (reader->at == reader->end)
        return NULL;
    const char *newline = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    size_t length = (size_t)((newline != NULL ? newline : reader->end) - reader->at);
    char *line = text_copy(reader->at, length);
    reader->at += length + (newline != NULL);
    return line;
}

static bool read_body(struct reader *reader)
{
    bool seen[LINES] = {0};
    for (char *line; (line = next_line(reader)) != NULL;) {
        if (line[0] == 'T') {
            if (!replay_read_thread_line(reader, line))
                return false;
            continue;
        }
        char *value = strchr(line, ' ');
        if (value == NULL)
            return false;
        *value++ = 0;
        int i = 0;
        while (i < LINES && strcmp(line, lines[i].name) != 0)
            i++;
        if (i == LINES || !lines[i].read(reader, value))
            return false;
        seen[i] = true;
    }
    for (int i = 0; i < LINES; i++)
        if (lines[i].required && !seen[i])
            return false;
    return reader->out->step_count == reader->steps_wanted &&
           reader->out->finding.cycle <= reader->out->step_count &&
           reader->steps_wanted <= reader->out->options.steps_max;
}

/* Checks the last line and cuts it off. */
static bool check_end(const char *text, size_t *count, const char *path, struct problem *why)
{
    char expected[32];
    const char *last = NULL;
    if (*count > 0 && text[*count - 1] == '\n')
        last = memrchr(text, '\n', *count - 1);
    size_t body = last == NULL ? 0 : (size_t)(last + 1 - text);
    if (last == NULL || strncmp(last + 1, "end ", 4) != 0)
        return problem_is(
            why, "the replay file is cut off (its last line is missing): search again", path, 0);
    snprintf(expected, sizeof expected, "end %016" PRIx64 "\n", replay_checksum(text, body));
    if (*count - body != strlen(expected) || memcmp(last + 1, expected, *count - body) != 0)
        return problem_is(
            why, "the replay file is damaged (its checksum does not fit): search again", path, 0);
    *count = body;
    return true;
}

bool replay_parse(struct recording *out, const char *text, size_t count, const char *path,
                  struct problem *why)
{
    static const char start[] = "bohr-replay ";
    if (count < sizeof start - 1 || memcmp(text, start, sizeof start - 1) != 0)
        return problem_is(why, "it is not a replay file: name one that bohr run wrote", path, 0);
    struct reader reader = {.at = text, .end = text + count, .out = out};
    memset(out, 0, sizeof *out);
    const char *format = next_line(&reader) + sizeof start - 1;
    uint64_t number;
    if (replay_number(format, 10, UINT32_MAX, &number) && number != REPLAY_FORMAT)
        return problem_is(why,
                          text_print("the replay file has format %s, and this bohr reads "
                                     "format %d: search again",
                                     format, REPLAY_FORMAT),
                          path, 0);
    if (!check_end(text, &count, path, why))
        return false;
    reader.end = text + count;
    const char *version = reader.at < reader.end ? next_line(&reader) : "";
    if (strcmp(version, "bohr " BOHR_VERSION) != 0)
        return problem_is(
            why,
            text_print("the replay file was written by %s, and this is bohr " BOHR_VERSION
                       ": search again",
                       version),
            path, 0);
    out->arguments = text_room((ARGUMENTS_MAX + 1) * sizeof *out->arguments);
    out->input = out->function = out->about = "";
    out->options.expect_exit = EXIT_ANY;
    out->options.detect = detectors_default();
    if (!read_body(&reader))
        return problem_is(why, "the replay file is malformed", path, 0);
    out->finding.steps = out->step_count;
    out->finding.count = 1;
    out->finding.sites = out->site_count;
    out->options.lockset_warns =
        out->finding.kind == FINDING_LOCKSET && out->finding.severity == SEVERITY_WARNING;
    return true;
}
