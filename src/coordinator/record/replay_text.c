/* Recording to text. Format 2, one fact a line:
 *     bohr-replay 2
 *     <name> <value>…       texts are quoted, numbers are decimal, keys and offsets hexadecimal
 *     names "<function>" "<object>"      the first such line has number 1, and so on
 *     T<thread> <operation>[.<object>][@<names>][=<choice>][*<times>] …
 *     end <checksum of all before> */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "coordinator/record/replay_check.h"
#include "coordinator/record/replay_file.h"
#include "coordinator/text.h"
#include "core/verdict.h"
#include "core/version.h"
#include "detector/detector.h"

enum { OPERATIONS_A_LINE = 12, INPUT_A_LINE = 1024 };

uint64_t replay_checksum(const char *text, size_t count)
{
    uint64_t sum = 0xcbf29ce484222325; /* FNV-1a: any single wrong byte shows */
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ (uint8_t)text[i]) * 0x100000001b3;
    return sum;
}

void replay_op_name(char *name, size_t size, uint8_t kind)
{
    snprintf(name, size, "%s", op_word(kind));
    for (; *name != 0; name++)
        if (*name == ' ')
            *name = '-';
}

static void write_quoted(FILE *file, const char *bytes, size_t count)
{
    fputc('"', file);
    for (size_t i = 0; i < count; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c < 32 || c >= 127)
            fprintf(file, "\\x%02x", c);
        else
            fputc(c, file);
    }
    fputc('"', file);
}

static void write_text(FILE *file, const char *name, const char *text)
{
    fprintf(file, "%s ", name);
    write_quoted(file, text, strlen(text));
    fputc('\n', file);
}

static void write_head(FILE *file, const struct recording *recording)
{
    const struct options *options = &recording->options;
    fprintf(file, "bohr-replay %d\n", REPLAY_FORMAT);
    fprintf(file, "bohr %s\n", BOHR_VERSION);
    write_text(file, "program", recording->program);
    fprintf(file, "build-id %s\n", recording->build_id);
    if (recording->source != NULL)
        write_text(file, "source", recording->source);
    write_text(file, "directory", recording->directory);
    for (char **argument = recording->arguments; *argument != NULL; argument++)
        write_text(file, "argument", *argument);
    for (size_t at = 0; at < recording->input_size; at += INPUT_A_LINE) {
        size_t left = recording->input_size - at;
        fprintf(file, "input ");
        write_quoted(file, recording->input + at, left < INPUT_A_LINE ? left : INPUT_A_LINE);
        fputc('\n', file);
    }
    for (const char **path = recording->fresh_paths; path != NULL && *path != NULL; path++)
        write_text(file, "fresh", *path);
    if (options->output == OUTPUT_EXPECTED) {
        fprintf(file, "output 0x%" PRIx64 " 0x%" PRIx64 " ", options->expect_output.size,
                options->expect_output.hash);
        write_quoted(file, options->output_path, strlen(options->output_path));
        fputc('\n', file);
    }
    fprintf(file, "strategy %s\n", options->strategy);
    fprintf(file, "seed %" PRIu64 "\n", options->seed);
    fprintf(file, "points %s\n", points_word(options->points));
    fprintf(file, "exit %s\n", options->exit_waits ? "wait" : "end");
    fprintf(file, "races %u\n", options->races);
    fputs("detect none", file);
    for (int i = 0; i < DETECTORS; i++)
        if (detects(options->detect, (enum detector_id)i))
            fprintf(file, ",%s", detectors[i]->word);
    fputc('\n', file);
    if (options->trust.names[0] != 0)
        write_text(file, "trust", options->trust.names);
    fprintf(file, "steps-max %" PRIu32 "\n", options->steps_max);
    if (options->spurious > 0)
        fprintf(file, "spurious %u\n", options->spurious);
    fprintf(file, "expect-exit %" PRId32 "\n", options->expect_exit);
    fprintf(file, "threads-ready %" PRIu32 "\n", options->threads_ready);
    fprintf(file, "stack-size %" PRIu64 "\n", options->stack_size);
}

static void write_finding(FILE *file, const struct recording *recording)
{
    const struct finding *finding = &recording->finding;
    fprintf(file, "finding %s\n", recording_word(recording));
    fprintf(file, "severity %u\n", finding->severity);
    fprintf(file, "thread %u\n", finding->thread);
    fprintf(file, "key 0x%" PRIx64 "\n", finding->key);
    fprintf(file, "execution %" PRIu64 "\n", finding->execution);
    fprintf(file, "preemptions %" PRIu32 "\n", finding->preemptions);
    fprintf(file, "delays %" PRIu32 "\n", finding->delays);
    fprintf(file, "switches %" PRIu32 "\n", finding->switches);
    if (finding->passed > 0)
        fprintf(file, "passed %u\n", finding->passed);
    if (finding->cycle > 0)
        fprintf(file, "cycle %" PRIu32 "\n", finding->cycle);
    if (finding->stays && finding->kind != FINDING_LIVELOCK)
        fputs("ends in a livelock\n", file);
    if (finding->stops)
        fputs("ends where the search cut it\n", file);
    write_text(file, "message", finding->message);
}

static void write_names(FILE *file, const struct recording *recording)
{
    for (uint32_t i = 0; i < recording->names_count; i++) {
        fputs("names ", file);
        write_quoted(file, recording->names[i].function, strlen(recording->names[i].function));
        fputc(' ', file);
        write_quoted(file, recording->names[i].object, strlen(recording->names[i].object));
        fputc('\n', file);
    }
}

static uint32_t named_of(const struct recording *recording, uint32_t step)
{
    return recording->named == NULL ? 0 : recording->named[step];
}

static void write_steps(FILE *file, const struct recording *recording)
{
    const struct taken *steps = recording->steps;
    uint32_t count = recording->step_count;
    fprintf(file, "steps %" PRIu32 "\n", count);
    uint32_t on_line = 0;
    for (uint32_t i = 0, times; i < count; i += times) {
        times = 1;
        uint32_t named = named_of(recording, i);
        while (i + times < count && memcmp(&steps[i], &steps[i + times], sizeof *steps) == 0 &&
               named_of(recording, i + times) == named)
            times++;
        bool same_thread = i > 0 && steps[i].thread == steps[i - 1].thread;
        if (i == 0 || !same_thread || on_line == OPERATIONS_A_LINE) {
            fprintf(file, "%sT%u", i == 0 ? "" : "\n", steps[i].thread);
            on_line = 0;
        }
        char name[64];
        replay_op_name(name, sizeof name, steps[i].kind);
        fprintf(file, " %s", name);
        if (steps[i].object != NO_OBJECT)
            fprintf(file, ".%" PRIu32, steps[i].object);
        if (named != 0)
            fprintf(file, "@%" PRIu32, named);
        if (steps[i].choice != 0)
            fprintf(file, "=%u", steps[i].choice);
        if (times > 1)
            fprintf(file, "*%" PRIu32, times);
        on_line++;
    }
    if (count > 0)
        fputc('\n', file);
}

char *replay_text(const struct recording *recording, size_t *count)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, count);
    CHECK(file != NULL);
    write_head(file, recording);
    write_finding(file, recording);
    if (recording->function != NULL && *recording->function != 0)
        write_text(file, "function", recording->function);
    if (recording->about != NULL && *recording->about != 0)
        write_text(file, "about", recording->about);
    for (uint32_t i = 0; i < recording->site_count; i++) {
        const struct recorded_site *site = &recording->sites[i];
        fprintf(file, "site 0x%" PRIx64 " 0x%" PRIx64 " ", site->base, site->offset);
        write_quoted(file, site->module, strlen(site->module));
        fputc('\n', file);
    }
    write_names(file, recording);
    write_steps(file, recording);
    fflush(file);
    fprintf(file, "end %016" PRIx64 "\n", replay_checksum(text, *count));
    CHECK(fclose(file) == 0);
    char *kept = text_copy(text, *count);
    free(text);
    return kept;
}
