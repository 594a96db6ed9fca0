#define _GNU_SOURCE
#include "coordinator/worker/boards.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/mix.h"
#include "base/os.h"
#include "coordinator/worker/spill_file.h"
#include "core/class_table.h"
#include "core/sum.h"
#include "strategy/strategy.h"

enum { RECOUNT_LEVELS_MAX = 6 };

bool board_make(struct board_handle *out, const struct options *options, struct problem *why)
{
    struct layout layout;
    board_lay_out(&layout, options);
    int fd = memfd_create("bohr-board", MFD_CLOEXEC);
    if (fd < 0)
        return problem_is(why, "cannot make shared memory", NULL, errno);
    if (ftruncate(fd, (off_t)layout.size) != 0) {
        int error = errno;
        close(fd);
        return problem_is(why, "cannot make shared memory of the size needed", NULL, error);
    }
    struct board *board = os_map_file(0, layout.size, fd);
    if (board == NULL) {
        close(fd);
        return problem_is(why, "cannot map shared memory; is there a limit (ulimit -v)?", NULL, 0);
    }
    int spill = -1;
    if (options->memory_max > 0 &&
        !spill_open(&spill, board_at(board, layout.arena), layout.arena_size, why)) {
        os_unmap(board, layout.size);
        close(fd);
        return false;
    }
    board->magic = BOARD_MAGIC;
    board->version = BOARD_VERSION;
    board->options = *options;
    board->layout = layout;
    board->tally.first_status = -1; /* none yet, as for bounds */
    board->tally.bound = board->tally.bound_done = NO_BOUND;
    tally_seal(&board->tally);
    board->control.granted = options->executions_max > 0 ? options->executions_max : UINT64_MAX;
    *out = (struct board_handle){.board = board, .fd = fd, .spill = spill, .size = layout.size};
    return true;
}

void board_drop(struct board_handle *handle)
{
    os_unmap(handle->board, handle->size);
    close(handle->fd);
    if (handle->spill >= 0)
        close(handle->spill);
    handle->board = NULL;
    handle->fd = -1;
}

static bool findings_are_sound(const struct board *board)
{
    if (board->tally.finding_count > FINDINGS_MAX)
        return false;
    for (uint32_t i = 0; i < board->tally.finding_count; i++) {
        const struct finding *finding = &board->findings[i];
        if (finding->kind >= FINDING_KINDS || finding->severity > SEVERITY_ERROR ||
            finding->message[FINDING_TEXT_MAX - 1] != 0 ||
            finding->file[FINDING_TEXT_MAX - 1] != 0 || finding->sites > SITES_MAX ||
            finding->sites_first > SITES_MAX - finding->sites ||
            finding->held_count[0] > FINDING_HELD_MAX ||
            finding->held_count[1] > FINDING_HELD_MAX ||
            board->saved_count[i] > board->options.steps_max)
            return false;
        const struct taken *taken = board_saved(board, i);
        for (uint32_t step = 0; step < board->saved_count[i]; step++)
            if (taken[step].kind >= OP_KINDS)
                return false;
        for (int place = 0; place < FINDING_PLACES_MAX; place++)
            if (board->finding_frames[i][place].count > FRAMES_MAX)
                return false;
    }
    return true;
}

static bool samples_are_sound(const struct board *board)
{
    for (uint32_t i = 0; board->options.samples && i < SAMPLES_MAX; i++) {
        uint32_t count = board->saved_count[FINDINGS_MAX + i];
        if (count > board->options.steps_max || board->sample_sites[i] > SITES_MAX)
            return false;
        const struct taken *taken = board_saved(board, FINDINGS_MAX + i);
        for (uint32_t step = 0; step < count; step++)
            if (taken[step].kind >= OP_KINDS)
                return false;
    }
    return true;
}

static bool trace_is_sound(const struct board *board, uint32_t which)
{
    const struct board_trace *trace = &board->trace[which];
    if (trace->count > board->options.steps_max || trace->outcome >= OUTCOMES ||
        trace->thread_count > THREADS_MAX)
        return false;
    const struct step *steps = board_steps(board, which);
    for (uint32_t i = 0; i < trace->count; i++)
        if (steps[i].op.kind >= OP_KINDS || steps[i].thread >= THREADS_MAX)
            return false;
    for (uint32_t i = 0; i < THREADS_MAX; i++)
        if (trace->pending[i].kind >= OP_KINDS || trace->pending_frames[i].count > FRAMES_MAX)
            return false;
    return true;
}

static bool coverage_is_sound(const struct coverage *coverage)
{
    if (coverage->count > COVERAGE_POINTS_MAX)
        return false;
    for (uint32_t i = 1; i < coverage->count; i++) {
        const struct coverage_point *before = &coverage->points[i - 1], *at = before + 1;
        if (at->executions <= before->executions || at->classes < before->classes)
            return false;
    }
    return true;
}

static bool memo_is_sound(const struct board *board)
{
    const struct memo *memo = board_at(board, board->layout.memo);
    return !board->options.remember || memo->count <= MEMO_MAX;
}

/* Pages that were never written are holes in the file. */
static bool is_empty(const struct board_handle *handle, uint64_t low, uint64_t high)
{
    off_t at = lseek(handle->fd, (off_t)low, SEEK_DATA);
    return at < 0 ? errno == ENXIO : (uint64_t)at >= high;
}

static bool unused_is_empty(const struct board_handle *handle)
{
    const struct layout *layout = &handle->board->layout;
    uint64_t unused = offsetof(struct board, unused), too = offsetof(struct board, unused_too);
    return is_empty(handle, unused, unused + UNUSED_BYTES) &&
           is_empty(handle, (too + BOARD_PAGE - 1) & ~(BOARD_PAGE - 1ul), too + UNUSED_TOO_BYTES) &&
           is_empty(handle, layout->unused, layout->unused + layout->unused_size);
}

/* Counts the classes in the tables again. Very large tables are not searched: that would take
 * long. */
static bool classes_agree(const struct board *board)
{
    uint64_t count = 0, sum = 0;
    if (!board->opened || board->class_levels > RECOUNT_LEVELS_MAX)
        return true;
    for (uint32_t level = 0; level < board->class_levels; level++) {
        const struct class_entry *table = class_table(board, level);
        for (uint32_t i = 0; i < class_table_capacity(level); i++)
            if (table[i].transaction != 0 && table[i].transaction <= board->journal.sequence) {
                count++;
                sum += mix(table[i].class[0], table[i].class[1]);
            }
    }
    return count == board->tally.classes && sum == board->tally.class_sum;
}

/* Whether counts that are kept in two places agree. */
static bool counts_agree(const struct board *board)
{
    const struct tally *tally = &board->tally;
    uint64_t executions = 0, classes = 0;
    for (uint32_t i = 0; i < tally->bounds && i < BOUNDS_MAX; i++) {
        executions += tally->per_bound[i].executions;
        classes += tally->per_bound[i].classes;
    }
    bool known = tally->classes != CLASSES_UNKNOWN;
    return tally_adds_up(tally) && executions <= tally->executions &&
           (!known || (classes <= tally->classes && tally->classes <= tally->executions &&
                       classes_agree(board)));
}

bool board_is_sound(const struct board_handle *handle, struct problem *why)
{
    const struct board *board = handle->board;
    bool sound = board->magic == BOARD_MAGIC && board->version == BOARD_VERSION &&
                 board->layout.size == handle->size && board->which < 2 &&
                 board->tally.bounds <= BOUNDS_MAX && board->tally.site_count <= SITES_MAX &&
                 board->module_count <= MODULES_MAX && board->object_count < OBJECTS_MAX &&
                 board->label_count <= LABELS_MAX && board->tally.guarantee.depth <= BOUNDS_MAX &&
                 coverage_is_sound(&board->coverage) && memo_is_sound(board) &&
                 findings_are_sound(board) && samples_are_sound(board) &&
                 trace_is_sound(board, 0) && trace_is_sound(board, 1);
    for (uint32_t i = 0; sound && i < board->module_count; i++)
        sound = board->modules[i].path[MODULE_PATH_MAX - 1] == 0;
    for (uint32_t i = 0; sound && i < LEAKS_MAX; i++)
        sound = board->leaks[i] <= board->object_count;
    for (uint32_t i = 0; sound && i < board->label_count; i++)
        sound = board->labels[i].text[LABEL_TEXT_MAX - 1] == 0;
    sound = sound && unused_is_empty(handle) && counts_agree(board);
    if (!sound)
        return problem_is(why, DOES_NOT_ADD_UP "; try --isolate fork", NULL, 0);
    return true;
}

void board_settle(struct board *board)
{
    if (!journal_is_open(&board->journal))
        return;
    board->journal.origin = (char *)board;
    journal_roll_back(&board->journal);
}

const struct taken *board_saved(const struct board *board, uint32_t finding)
{
    CHECK(finding < FINDINGS_MAX + SAMPLES_MAX);
    const struct taken *saved = board_at(board, board->layout.saved);
    return saved + (size_t)finding * board->options.steps_max;
}

const struct step *board_steps(const struct board *board, uint32_t which)
{
    CHECK(which < 2);
    return board_at(board, board->layout.steps[which]);
}
