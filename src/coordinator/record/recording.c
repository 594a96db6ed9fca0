#include "coordinator/record/recording.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "coordinator/text.h"
#include "coordinator/worker/boards.h"
#include "core/verdict.h"
#include "strategy/strategy.h"

static struct recorded_site site_of(const struct board *board, uint64_t address)
{
    for (uint32_t i = 0; i < board->module_count; i++) {
        const struct module *module = &board->modules[i];
        if (address < module->start || address >= module->end)
            continue;
        const char *slash = strrchr(module->path, '/');
        const char *name = slash == NULL ? module->path : slash + 1;
        return (struct recorded_site){.module = text_copy(name, strlen(name)),
                                      .base = module->base,
                                      .offset = address - module->base};
    }
    return (struct recorded_site){.module = "", .base = 0, .offset = address};
}

struct options options_again(const struct options *search, const char *strategy)
{
    struct options options = *search;
    if (strategy != NULL) {
        memset(options.strategy, 0, sizeof options.strategy);
        strncpy(options.strategy, strategy, sizeof options.strategy - 1);
        options.bound = NO_BOUND;
        options.cache = 0;
    }
    options.replay = strategy == NULL;
    options.symmetry = 0;
    options.executions_max = options.memory_max = 0;
    options.verify_every = 0;
    options.instrumented = options.marks = 0;
    options.target = 0;
    return options;
}

bool recording_board(struct board_handle *out, const struct recording *recording,
                     const struct options *options, struct problem *why)
{
    if (!board_make(out, options, why))
        return false;
    struct board *board = out->board;
    struct decision *steps = board_at(board, board->layout.replay);
    for (uint32_t i = 0; i < recording->step_count; i++)
        steps[i] = (struct decision){
            .step = i, .thread = recording->steps[i].thread, .choice = recording->steps[i].choice};
    board->replay_count = recording->step_count;
    memcpy(board->control.busy, recording->busy, sizeof recording->busy);
    board->control.busy_count = recording->busy_count;
    for (uint32_t i = 0; i < recording->site_count; i++)
        board->sites[i] = recording->sites[i].base + recording->sites[i].offset;
    board->tally.site_count = recording->site_count;
    return true;
}

struct renaming {
    uint32_t from, to;
};

static int compare_renaming(const void *a, const void *b)
{
    uint32_t left = ((const struct renaming *)a)->from, right = ((const struct renaming *)b)->from;
    return (left > right) - (left < right);
}

void taken_rename(struct taken *steps, uint32_t count)
{
    struct renaming *uses = calloc(count + 1, sizeof *uses); /* by rising `from` */
    CHECK(uses != NULL);
    uint32_t known = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (steps[i].object == NO_OBJECT)
            continue;
        struct renaming wanted = {.from = steps[i].object};
        struct renaming *found = bsearch(&wanted, uses, known, sizeof *uses, compare_renaming);
        if (found == NULL) {
            uint32_t at = known;
            while (at > 0 && uses[at - 1].from > wanted.from)
                at--;
            memmove(uses + at + 1, uses + at, (known - at) * sizeof *uses);
            known++;
            uses[at] = (struct renaming){.from = wanted.from, .to = known};
            found = &uses[at];
        }
        steps[i].object = found->to;
    }
    free(uses);
}

/* A replay stops at the finding, so that it no longer counts as an error of every execution. */
static void stop_at(struct options *options, uint64_t key)
{
    uint32_t index = options_always(options, key);
    if (index < ALWAYS_MAX)
        options->always[index] = options->always[--options->always_count];
}

static struct recording record(const struct job *job, const struct board *board, uint32_t saved,
                               const struct finding *finding)
{
    struct recording recording = {
        .program = job->program,
        .build_id = job->build_id,
        .source = job->source,
        .arguments = job->arguments,
        .fresh_paths = job->fresh_paths,
        .options = board->options,
        .finding = *finding,
        .step_count = board->saved_count[saved],
    };
    memcpy(recording.busy, board->control.busy, sizeof recording.busy);
    recording.busy_count =
        board->control.busy_count < BUSY_MAX ? board->control.busy_count : BUSY_MAX;
    stop_at(&recording.options, finding->key);
    if (recording.options.output == OUTPUT_SAME) {
        recording.options.output = OUTPUT_EXPECTED;
        recording.options.expect_output = board->tally.first_output;
    }
    char *here = getcwd(NULL, 0);
    recording.directory = here == NULL ? "/" : text_copy(here, strlen(here));
    free(here);
    recording.input = text_of_file(job->input, &recording.input_size);
    if (recording.input == NULL)
        recording.input = "";
    recording.sites = text_room((recording.finding.sites + 1) * sizeof *recording.sites);
    for (uint32_t i = 0; i < recording.finding.sites; i++) {
        uint64_t site = board->sites[recording.finding.sites_first + i];
        /* marked entries are no scheduling points */
        if ((site & (SITE_OF_THREADS | SITE_WIDE)) == 0)
            recording.sites[recording.site_count++] = site_of(board, site);
    }
    recording.steps = text_room((recording.step_count + 1) * sizeof *recording.steps);
    memcpy(recording.steps, board_saved(board, saved),
           recording.step_count * sizeof *recording.steps);
    taken_rename(recording.steps, recording.step_count);
    return recording;
}

struct recording recording_of(const struct job *job, const struct board *board, uint32_t finding)
{
    CHECK(finding < board->tally.finding_count);
    return record(job, board, finding, &board->findings[finding]);
}

struct recording recording_of_sample(const struct job *job, const struct board *board,
                                     uint32_t sample)
{
    CHECK(sample < SAMPLES_MAX);
    struct finding nothing = {
        .kind = FINDING_KINDS, .thread = NO_THREAD, .sites = board->sample_sites[sample]};
    return record(job, board, FINDINGS_MAX + sample, &nothing);
}

static const char *or_empty(const char *text)
{
    return text == NULL ? "" : text;
}

struct names_of_step { /* the names of a step, to be sorted */
    struct recorded_names names;
    uint32_t step;
};

static int compare_names(const struct recorded_names *a, const struct recorded_names *b)
{
    int order = strcmp(a->function, b->function);
    return order != 0 ? order : strcmp(a->object, b->object);
}

static int compare_names_of_step(const void *a, const void *b)
{
    const struct names_of_step *left = a, *right = b;
    int order = compare_names(&left->names, &right->names);
    return order != 0 ? order : (left->step > right->step) - (left->step < right->step);
}

void recording_name(struct recording *recording, const struct reported *told)
{
    uint32_t count = recording->step_count;
    recording->function = or_empty(told->at.function);
    recording->about = or_empty(told->object);
    if (told->step_count != count || count == 0)
        return;
    struct names_of_step *sorted = calloc(count, sizeof *sorted);
    CHECK(sorted != NULL);
    for (uint32_t i = 0; i < count; i++)
        sorted[i] =
            (struct names_of_step){.step = i,
                                   .names = {.function = or_empty(told->steps[i].at.function),
                                             .object = or_empty(told->steps[i].object)}};
    qsort(sorted, count, sizeof *sorted, compare_names_of_step);
    recording->names = text_room(count * sizeof *recording->names);
    recording->named = text_room(count * sizeof *recording->named);
    recording->names_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || compare_names(&sorted[i].names, &sorted[i - 1].names) != 0)
            recording->names[recording->names_count++] = sorted[i].names;
        recording->named[sorted[i].step] = recording->names_count;
    }
    free(sorted);
}

struct landmarks recording_marks(const struct recording *recording)
{
    struct landmarks marks = {.count = recording->step_count};
    marks.steps = text_room((marks.count + 1) * sizeof *marks.steps);
    for (uint32_t i = 0; i < marks.count; i++) {
        uint32_t named = recording->named == NULL ? 0 : recording->named[i];
        struct recorded_names names = {"", ""};
        if (named > 0)
            names = recording->names[named - 1];
        marks.steps[i] = (struct landmark){.thread = recording->steps[i].thread,
                                           .kind = recording->steps[i].kind,
                                           .choice = recording->steps[i].choice,
                                           .function = names.function,
                                           .object = names.object};
    }
    return marks;
}

const char *recording_word(const struct recording *recording)
{
    return recording->finding.kind == FINDING_KINDS ? "nothing"
                                                    : finding_word(recording->finding.kind);
}
