#define _GNU_SOURCE
#include "coordinator/minimise/corpus.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mix.h"
#include "coordinator/record/replay_file.h"
#include "coordinator/record/result_folder.h"
#include "coordinator/text.h"

enum {
    NEARBY = 64,        /* executions near a schedule that found something */
    FINDINGS_KEPT = 64, /* most files in the folder; the oldest are removed first */
    CLASSES_KEPT = 32,
};

static const char suffix[] = ".bohr", class_prefix[] = "class-";

struct names {
    const char **names;
    uint32_t count;
};

static bool is_of_class(const char *name)
{
    return strncmp(name, class_prefix, sizeof class_prefix - 1) == 0;
}

/* Schedules that found something come first. */
static int compare_files(const void *a, const void *b)
{
    const char *left = *(const char *const *)a, *right = *(const char *const *)b;
    int later = is_of_class(left) - is_of_class(right);
    return later != 0 ? later : strcmp(left, right);
}

static bool list_files(const char *folder, struct names *out, struct problem *why)
{
    DIR *directory = opendir(folder);
    uint32_t capacity = 0;
    *out = (struct names){0};
    if (directory == NULL)
        return problem_is(why, "cannot read the folder of --corpus", folder, errno);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        size_t length = strlen(entry->d_name), ending = sizeof suffix - 1;
        if (length <= ending || strcmp(entry->d_name + length - ending, suffix) != 0)
            continue;
        if (out->count == capacity) {
            const char **larger = text_room((capacity = 2 * capacity + 16) * sizeof *larger);
            if (out->count > 0)
                memcpy(larger, out->names, out->count * sizeof *larger);
            out->names = larger;
        }
        out->names[out->count++] = text_copy(entry->d_name, length);
    }
    closedir(directory);
    if (out->count > 0)
        qsort(out->names, out->count, sizeof *out->names, compare_files);
    return true;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Several tests may share a folder, so each takes only its own schedules. */
static bool is_of_job(const struct recording *recording, const struct job *job)
{
    uint32_t i = 0;
    if (strcmp(base_name(recording->arguments[0]), base_name(job->arguments[0])) != 0)
        return false;
    for (i = 1; recording->arguments[i] != NULL && job->arguments[i] != NULL; i++)
        if (strcmp(recording->arguments[i], job->arguments[i]) != 0)
            return false;
    return recording->arguments[i] == job->arguments[i] &&
           recording->step_count <= job->options.steps_max;
}

static void take(struct corpus *corpus, const struct recording *recording)
{
    for (uint32_t i = 0; i < corpus->found_count; i++)
        if (corpus->found[i].finding.key == recording->finding.key)
            return;
    if (corpus->found_count < FINDINGS_MAX)
        corpus->found[corpus->found_count++] = *recording;
}

static bool has_error(const struct corpus *corpus)
{
    for (uint32_t i = 0; i < corpus->found_count; i++)
        if (finding_is_error(&corpus->found[i].finding))
            return true;
    return false;
}

static void note_unusable(struct corpus *corpus, const struct problem *why)
{
    if (corpus->unusable++ == 0)
        corpus->why = text_copy(why->text, strlen(why->text));
}

/* A schedule that does not fit the program any more does not prevent the search. */
static void try_one(struct corpus *corpus, struct worker_pool *pool, const char *path)
{
    struct recording recording;
    struct healed healed;
    struct problem why;
    if (!replay_file_read(&recording, path, &why)) {
        note_unusable(corpus, &why);
        return;
    }
    if (!is_of_job(&recording, pool->job))
        return;
    bool of_nothing = recording.finding.kind == FINDING_KINDS;
    recording.options = pool->job->options;
    recording.options.samples = 0;
    corpus->tried++;
    if (!heal(pool, &recording, of_nothing ? 0 : NEARBY, &healed, &why)) {
        note_unusable(corpus, &why);
        return;
    }
    corpus->executions += healed.executions;
    corpus->last = healed;
    if (healed.outcome == HEAL_PASSES)
        return;
    recording.finding.execution = corpus->executions;
    take(corpus, &recording);
}

bool corpus_try(struct corpus *corpus, const char *folder, struct worker_pool *pool,
                struct problem *why)
{
    struct names files;
    memset(corpus, 0, sizeof *corpus);
    corpus->folder = folder;
    if (!folder_make(folder, "cannot make the folder of --corpus", why) ||
        !list_files(folder, &files, why))
        return false;
    if (access(folder, W_OK) != 0)
        return problem_is(why, "cannot write to the folder of --corpus", folder, errno);
    bool keeps_going = pool->job->options.keep_going;
    for (uint32_t i = 0; i < files.count && (keeps_going || !has_error(corpus)); i++)
        try_one(corpus, pool, text_print("%s/%s", folder, files.names[i]));
    return true;
}

static bool is_suppressed(const struct options *options, uint64_t key)
{
    for (uint32_t i = 0; i < options->suppressed_count; i++)
        if (options->suppressed[i] == key)
            return true;
    return false;
}

/* Adds the recording's scheduling points to those of the board, behind the existing ones. */
static void put_sites(struct board *board, const struct recording *recording,
                      struct finding *finding)
{
    uint32_t first = board->tally.site_count;
    if (recording->site_count > SITES_MAX - first)
        return;
    for (uint32_t i = 0; i < recording->site_count; i++)
        board->sites[first + i] = recording->sites[i].base + recording->sites[i].offset;
    size_t size = recording->site_count * sizeof *board->sites;
    bool known =
        recording->site_count <= first && memcmp(board->sites, board->sites + first, size) == 0;
    finding->sites_first = known ? 0 : first;
    finding->sites = recording->site_count;
    board->tally.site_count += known ? 0 : recording->site_count;
}

bool corpus_adopt(const struct corpus *corpus, struct board *board)
{
    bool stop = false;
    const struct healed *last = &corpus->last;
    board->module_count = last->module_count;
    if (last->module_count > 0)
        memcpy(board->modules, last->modules, last->module_count * sizeof *board->modules);
    for (uint32_t i = 0; i < corpus->found_count; i++) {
        const struct recording *recording = &corpus->found[i];
        uint32_t at = board->tally.finding_count;
        if (is_suppressed(&board->options, recording->finding.key))
            continue;
        board->findings[at] = recording->finding;
        board->findings[at].count = 1;
        put_sites(board, recording, &board->findings[at]);
        memcpy((struct taken *)board_saved(board, at), recording->steps,
               recording->step_count * sizeof *recording->steps);
        board->saved_count[at] = recording->step_count;
        board->tally.finding_count++;
        stop |= finding_is_error(&recording->finding);
    }
    stop = stop && !board->options.keep_going;
    if (stop) { /* no worker will fill in the rest */
        board->tally.first_bug = corpus->executions;
        board->options.instrumented = last->instrumented;
        board->options.marks = last->marks;
    }
    return stop;
}

const char *corpus_text(const struct corpus *corpus)
{
    if (corpus->tried == 0 && corpus->unusable == 0)
        return NULL;
    const char *unusable = corpus->unusable == 0 ? ""
                                                 : text_print("; %u could not be used (%s)",
                                                              corpus->unusable, corpus->why);
    return text_print(
        "%u schedule%s of the corpus %s tried first, in %lu execution%s: %s%s", corpus->tried,
        corpus->tried == 1 ? "" : "s", corpus->tried == 1 ? "was" : "were", corpus->executions,
        corpus->executions == 1 ? "" : "s",
        corpus->found_count == 0   ? "nothing showed"
        : corpus->found_count == 1 ? "1 finding showed"
                                   : text_print("%u findings showed", corpus->found_count),
        unusable);
}

static uint64_t hash_text(uint64_t sum, const char *text)
{
    for (; text != NULL && *text != 0; text++)
        sum = mix(sum, (uint8_t)*text);
    return mix(sum, 1);
}

/* The file name for a finding: equal for the same finding, whatever was edited around it. */
static const char *finding_path(const char *folder, const struct recording *recording)
{
    uint64_t sum = hash_text(1, base_name(recording->arguments[0]));
    for (char **argument = recording->arguments + 1; *argument != NULL; argument++)
        sum = hash_text(sum, *argument);
    sum = hash_text(sum, recording->function);
    sum = hash_text(sum, recording->about);
    sum = hash_text(sum, recording->finding.message);
    return text_print("%s/%s-%016lx%s", folder, recording_word(recording), sum, suffix);
}

static const char *class_path(const char *folder, const struct recording *recording)
{
    uint64_t sum = hash_text(1, base_name(recording->arguments[0]));
    for (char **argument = recording->arguments + 1; *argument != NULL; argument++)
        sum = hash_text(sum, *argument);
    struct landmarks marks = recording_marks(recording);
    for (uint32_t i = 0; i < marks.count; i++) {
        const struct landmark *mark = &marks.steps[i];
        sum = mix(sum, mark->thread | (uint64_t)mark->kind << 16 | (uint64_t)mark->choice << 32);
        sum = hash_text(hash_text(sum, mark->function), mark->object);
    }
    return text_print("%s/%s%016lx%s", folder, class_prefix, sum, suffix);
}

struct aged {
    const char *path;
    struct timespec written;
};

static int compare_age(const void *a, const void *b)
{
    const struct timespec *left = &((const struct aged *)a)->written;
    const struct timespec *right = &((const struct aged *)b)->written;
    if (left->tv_sec != right->tv_sec)
        return left->tv_sec < right->tv_sec ? -1 : 1;
    return (left->tv_nsec > right->tv_nsec) - (left->tv_nsec < right->tv_nsec);
}

static bool prune(const char *folder, bool of_classes, uint32_t most, struct problem *why)
{
    struct names files;
    if (!list_files(folder, &files, why))
        return false;
    struct aged *aged = text_room((files.count + 1) * sizeof *aged);
    uint32_t count = 0;
    for (uint32_t i = 0; i < files.count; i++) {
        struct stat status;
        const char *path = text_print("%s/%s", folder, files.names[i]);
        if (is_of_class(files.names[i]) == of_classes && stat(path, &status) == 0)
            aged[count++] = (struct aged){.path = path, .written = status.st_mtim};
    }
    qsort(aged, count, sizeof *aged, compare_age);
    for (uint32_t i = 0; count > most && i < count - most; i++)
        if (unlink(aged[i].path) != 0)
            return problem_is(why, "cannot remove from the folder of --corpus", aged[i].path,
                              errno);
    return true;
}

static bool keep_findings(const struct corpus *corpus, const struct verdict *verdict,
                          struct problem *why)
{
    for (uint32_t i = 0; i < verdict->finding_count; i++) {
        const struct reported *reported = &verdict->findings[i];
        struct recording recording;
        if (reported->replay == NULL || reported->finding.severity != SEVERITY_ERROR)
            continue;
        if (!replay_file_read(&recording, reported->replay, why) ||
            !replay_file_write(&recording, finding_path(corpus->folder, &recording), why))
            return false;
    }
    return prune(corpus->folder, false, FINDINGS_KEPT, why);
}

/* Keeps the schedules of classes that the folder does not have yet. */
static bool keep_classes(const struct corpus *corpus, struct worker_pool *pool,
                         const struct board *board, struct problem *why)
{
    for (uint32_t i = 0; i < SAMPLES_MAX; i++) {
        if (board->saved_count[FINDINGS_MAX + i] == 0)
            continue;
        struct recording recording = recording_of_sample(pool->job, board, i);
        if (!heal_name(pool, &recording, why))
            return false;
        const char *path = class_path(corpus->folder, &recording);
        if (access(path, F_OK) != 0 && !replay_file_write(&recording, path, why))
            return false;
    }
    return prune(corpus->folder, true, CLASSES_KEPT, why);
}

bool corpus_keep(const struct corpus *corpus, struct worker_pool *pool, const struct board *board,
                 const struct verdict *verdict, struct problem *why)
{
    return keep_findings(corpus, verdict, why) && keep_classes(corpus, pool, board, why);
}
