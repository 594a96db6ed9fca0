#define _GNU_SOURCE
#include "coordinator/search/saved_search.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coordinator/text.h"
#include "coordinator/worker/program.h"

#define HEAD "bohr state 1\n"
enum { TEXT_MAX = 1 << 20, WORDS_MAX = 1 << 16 };

static const struct unpacked_words words = {
    .unreadable = "cannot read the state of a search",
    .other = "this is no state of a search, or one of another version of bohr",
    .damaged = "this state of a search is damaged or cut short, so it must be begun anew",
};

static void put_number(struct packer *packer, uint64_t number)
{
    packer_put(packer, &number, sizeof number);
}

static void put_text(struct packer *packer, const char *text) /* text may be NULL */
{
    put_number(packer, text == NULL ? UINT64_MAX : strlen(text));
    if (text != NULL)
        packer_put(packer, text, strlen(text));
}

static void put_words(struct packer *packer, const char **list)
{
    for (; *list != NULL; list++)
        put_text(packer, *list);
    put_text(packer, NULL);
}

static bool get_number(struct unpacker *from, uint64_t *out)
{
    return unpacker_get(from, out, sizeof *out);
}

static bool get_text(struct unpacker *from, const char **out)
{
    uint64_t size;
    *out = NULL;
    if (!get_number(from, &size))
        return false;
    if (size == UINT64_MAX)
        return true;
    if (size > TEXT_MAX)
        return false;
    char *text = text_room(size + 1);
    *out = text;
    return unpacker_get(from, text, size);
}

static bool get_words(struct unpacker *from, const char ***out)
{
    uint32_t count = 0, capacity = 16;
    const char **list = text_room(capacity * sizeof *list);
    for (; get_text(from, &list[count]); count++) {
        if (list[count] == NULL) {
            *out = list;
            return true;
        }
        if (count + 1 < capacity)
            continue;
        if (capacity > WORDS_MAX)
            return false;
        const char **larger = text_room(2 * capacity * sizeof *larger);
        memcpy(larger, list, capacity * sizeof *list);
        list = larger;
        capacity *= 2;
    }
    return false;
}

static bool is_damaged(const struct state *state, struct problem *why)
{
    return problem_is(why, words.damaged, state->file.path, 0);
}

/* Identifies the content of a file; the empty text if there is no such file. */
static const char *id_of(const char *path)
{
    struct problem unused;
    const char *id = access(path, R_OK) == 0 ? program_build_id(path, &unused) : NULL;
    return id == NULL ? "" : id;
}

/* A sum of the runtime library. Its build-id would not do: builds that differ in little have the
 * same. */
static uint64_t runtime_sum(const struct job *job)
{
    int fd = open(text_print("%s/libtsan.so.2", job->library), O_RDONLY | O_CLOEXEC);
    uint64_t sum = fd < 0 ? 0 : content_sum(fd);
    if (fd >= 0)
        close(fd);
    return sum;
}

static const char *folder_here(void)
{
    char *folder = getcwd(NULL, 0);
    const char *copy = folder == NULL ? "" : text_copy(folder, strlen(folder));
    free(folder);
    return copy;
}

/* Memory that is mapped from a file without a name. Written pages are stored as offset, size and
 * bytes; 0 0 ends the list. */

struct region {
    char *bytes;
    int fd;
    uint64_t from, to; /* offsets in the file */
};

static void put_region(struct packer *packer, const struct region *region)
{
    off_t at = (off_t)region->from, end = (off_t)region->to;
    while (at < end && (at = lseek(region->fd, at, SEEK_DATA)) >= 0 && at < end) {
        off_t hole = lseek(region->fd, at, SEEK_HOLE);
        if (hole < 0 || hole > end)
            hole = end;
        put_number(packer, (uint64_t)at);
        put_number(packer, (uint64_t)(hole - at));
        packer_put(packer, region->bytes + at, (size_t)(hole - at));
        at = hole;
    }
    put_number(packer, 0);
    put_number(packer, 0);
}

static bool get_region(struct unpacker *from, const struct region *region)
{
    for (;;) {
        uint64_t at, size;
        if (!get_number(from, &at) || !get_number(from, &size))
            return false;
        if (size == 0)
            return true;
        if (at < region->from || at > region->to || size > region->to - at ||
            !unpacker_get(from, region->bytes + at, size))
            return false;
    }
}

/* The parts of the board. With --memory the arena is in a file of its own. */
static uint32_t regions_of(const struct board_handle *handle, const struct layout *layout,
                           struct region out[2])
{
    char *bytes = (char *)handle->board;
    out[0] = (struct region){bytes, handle->fd, 0, handle->size};
    if (handle->spill < 0)
        return 1;
    out[0].to = layout->arena;
    out[1] = (struct region){bytes + layout->arena, handle->spill, 0, layout->arena_size};
    return 2;
}

static void put_modules(struct packer *packer, const struct board *board)
{
    put_number(packer, board->module_count);
    for (uint32_t i = 1; i < board->module_count; i++) { /* the first module is the program */
        put_text(packer, board->modules[i].path);
        put_text(packer, id_of(board->modules[i].path));
    }
}

static bool is_interrupted(void *context)
{
    return worker_pool_is_interrupted(context);
}

bool state_write(FILE *file, const struct state_command *command, struct worker_pool *pool,
                 const struct crew *crew, const struct exploration *so_far, double started)
{
    const struct job *job = pool->job;
    struct crew_state left = crew_state_of(crew);
    struct packer packer;
    packer_open(&packer, file, HEAD);
    packer.stops = is_interrupted;
    packer.context = pool;
    put_text(&packer, folder_here());
    put_text(&packer, command->environment);
    put_words(&packer, command->options);
    put_words(&packer, command->program);
    put_text(&packer, job->build_id);
    put_number(&packer, runtime_sum(job));
    put_number(&packer, content_sum(job->input));
    put_number(&packer, job->options.fresh_size > 0 ? content_sum(job->fresh) : 0);
    put_modules(&packer, crew->members[0].board);
    put_text(&packer, so_far->fallback);
    packer_put(&packer, &so_far->seconds, sizeof so_far->seconds);
    packer_put(&packer, &pool->cpu_seconds, sizeof pool->cpu_seconds);
    packer_put(&packer, &started, sizeof started);
    put_number(&packer, pool->peak_bytes);
    put_number(&packer, job->options.suppressed_count);
    packer_put(&packer, job->options.suppressed, sizeof job->options.suppressed);
    put_number(&packer, job->options.always_count);
    packer_put(&packer, job->options.always, sizeof job->options.always);
    put_number(&packer, crew->count);
    put_number(&packer, sizeof left);
    packer_put(&packer, &left, sizeof left);
    for (uint32_t i = 0; i < crew->count; i++) {
        const struct board_handle *handle = crew->members[i].handle;
        struct region regions[2];
        uint32_t count = regions_of(handle, &handle->board->layout, regions);
        put_number(&packer, handle->size);
        for (uint32_t k = 0; k < count; k++)
            put_region(&packer, &regions[k]);
    }
    if (left.crowned) {
        struct region region = {crew->crown_bytes, crew->crown_fd, 0, CROWN_BYTES};
        put_region(&packer, &region);
    }
    packer_close(&packer);
    return !packer.stopped;
}

bool state_open(struct state *state, const char *path, struct problem *why)
{
    *state = (struct state){.left.crown_fd = -1};
    if (!unpacker_open(&state->file, path, HEAD, &words, why))
        return false;
    struct unpacker *from = &state->file;
    const char *folder;
    bool read = get_text(from, &folder) && folder != NULL;
    if (read && strcmp(folder, folder_here()) != 0) {
        state_close(state);
        return problem_is(why, "the search was begun in another folder, so go there first", folder,
                          0);
    }
    if (read && get_text(from, &state->command.environment) &&
        get_words(from, &state->command.options) && get_words(from, &state->command.program) &&
        state->command.program[0] != NULL)
        return true;
    is_damaged(state, why);
    state_close(state);
    return false;
}

static bool modules_fit(struct state *state, struct problem *why)
{
    uint64_t count;
    bool read = get_number(&state->file, &count) && count <= MODULES_MAX;
    for (uint64_t i = 1; read && i < count; i++) {
        const char *path, *id;
        read = get_text(&state->file, &path) && get_text(&state->file, &id) && path != NULL &&
               id != NULL;
        if (read && strcmp(id_of(path), id) != 0)
            return problem_is(
                why, "a library has changed since the search was left, so it must be begun anew",
                path, 0);
    }
    return read || is_damaged(state, why);
}

static bool get_figures(struct state *state, struct job *job)
{
    struct unpacker *from = &state->file;
    struct options *options = &job->options;
    uint64_t suppressed, always, workers, size;
    bool good = get_text(from, &state->fallback) &&
                unpacker_get(from, &state->seconds, sizeof state->seconds) &&
                unpacker_get(from, &state->cpu_seconds, sizeof state->cpu_seconds) &&
                unpacker_get(from, &state->started, sizeof state->started) &&
                get_number(from, &state->peak_bytes) && get_number(from, &suppressed) &&
                suppressed <= SUPPRESSED_MAX &&
                unpacker_get(from, options->suppressed, sizeof options->suppressed) &&
                get_number(from, &always) && always <= ALWAYS_MAX &&
                unpacker_get(from, options->always, sizeof options->always) &&
                get_number(from, &workers) && workers == job->workers && get_number(from, &size) &&
                size == sizeof state->left.state &&
                unpacker_get(from, &state->left.state, sizeof state->left.state);
    options->suppressed_count = good ? (uint32_t)suppressed : 0;
    options->always_count = good ? (uint32_t)always : 0;
    state->workers = job->workers;
    return good;
}

bool state_fits(struct state *state, struct job *job, struct problem *why)
{
    struct unpacker *from = &state->file;
    const char *build_id;
    uint64_t runtime, input, fresh;
    if (!get_text(from, &build_id) || build_id == NULL || !get_number(from, &runtime) ||
        !get_number(from, &input) || !get_number(from, &fresh))
        return is_damaged(state, why);
    if (strcmp(build_id, job->build_id) != 0)
        return problem_is(
            why, "the program has changed since the search was left, so it must be begun anew",
            job->name, 0);
    if (runtime != runtime_sum(job))
        return problem_is(why,
                          "another build of bohr has left this search, so it must be begun anew",
                          from->path, 0);
    if (input != content_sum(job->input))
        return problem_is(
            why, "standard input is not what it was when the search was begun: give the same again",
            NULL, 0);
    if (fresh != (job->options.fresh_size > 0 ? content_sum(job->fresh) : 0))
        return problem_is(
            why,
            "the files of --fresh have changed since the search was left, so it must be begun anew",
            NULL, 0);
    return modules_fit(state, why) && (get_figures(state, job) || is_damaged(state, why));
}

/* A dead worker left its status behind: clears it, and all requests to the worker. */
static void wake_board(struct board *board, const struct job *job, uint64_t later_ns)
{
    uint64_t most = job->options.executions_max;
    board->options.executions_max = most;
    board->control.granted = most > 0 ? most : UINT64_MAX;
    board->control.order = ORDER_GO_ON;
    board->control.status = WORKER_NONE;
    board->control.child = board->control.poison = 0;
    for (uint32_t i = 0; i < board->coverage.count && i < COVERAGE_POINTS_MAX; i++)
        board->coverage.points[i].nanoseconds += later_ns;
}

static bool fill_board(struct state *state, const struct job *job,
                       const struct board_handle *handle, uint64_t later_ns, struct problem *why)
{
    struct layout layout = handle->board->layout;
    struct region regions[2];
    uint32_t count = regions_of(handle, &layout, regions);
    uint64_t size;
    if (!get_number(&state->file, &size) || size != handle->size)
        return is_damaged(state, why);
    for (uint32_t i = 0; i < count; i++)
        if (!get_region(&state->file, &regions[i]))
            return is_damaged(state, why);
    if (memcmp(&handle->board->layout, &layout, sizeof layout) != 0)
        return is_damaged(state, why);
    uint64_t limit = handle->board->options.executions_max;
    if (limit > 0 && limit != job->options.executions_max &&
        handle->board->tally.claim == CLAIM_SAMPLED)
        return problem_is(
            why,
            "strategies that sample run as many executions as they were begun with: leave out -n",
            NULL, 0);
    wake_board(handle->board, job, later_ns);
    return board_is_sound(handle, why);
}

static bool fill_crown(struct state *state, struct problem *why)
{
    struct crew_left *left = &state->left;
    left->crown_bytes = crown_memory_open(&left->crown_fd);
    if (left->crown_bytes == NULL)
        return problem_is(why, "cannot make shared memory", NULL, errno);
    struct region region = {left->crown_bytes, left->crown_fd, 0, CROWN_BYTES};
    return get_region(&state->file, &region) || is_damaged(state, why);
}

bool state_fill(struct state *state, const struct job *job, const struct board_handle *boards,
                struct problem *why)
{
    double started = budget_clock() - state->seconds;
    uint64_t later_ns = (uint64_t)(int64_t)((started - state->started) * 1e9);
    state->started = started;
    for (uint32_t i = 0; i < state->workers; i++)
        if (!fill_board(state, job, &boards[i], later_ns, why))
            return false;
    if (state->left.state.crowned && !fill_crown(state, why))
        return false;
    uint64_t limit = job->options.executions_max, executions = 0;
    for (uint32_t i = 0; i < state->workers; i++)
        executions += boards[i].board->tally.executions + boards[i].board->tally.cut;
    return limit == 0 || executions < limit ||
           problem_is(
               why,
               text_print("%lu executions have been run: give a larger -n to go on", executions),
               NULL, 0);
}

void state_close(struct state *state)
{
    unpacker_close(&state->file);
}
