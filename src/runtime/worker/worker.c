#include "runtime/worker/worker.h"

#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/os.h"
#include "base/out.h"
#include "core/sum.h"
#include "runtime/engine/flight.h"
#include "runtime/engine/object.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/stranger.h"
#include "runtime/engine/upper.h"
#include "runtime/process/left_behind.h"
#include "runtime/snapshot/block_names.h"
#include "runtime/snapshot/snapshot.h"
#include "runtime/time/signal.h"
#include "runtime/worker/account.h"
#include "runtime/worker/aftermath.h"
#include "runtime/worker/arena_file.h"
#include "runtime/worker/checkpoint.h"
#include "runtime/worker/class_set.h"
#include "runtime/worker/execute.h"
#include "runtime/worker/repeat.h"
#include "runtime/worker/share.h"

enum { VERIFY_USUALLY = 1 << 20, STRANGERS_CHECK = 1 << 10 };

static _Noreturn void leave(enum worker_status status)
{
    world_leave();
    the_board->control.status = status;
    os_exit(0);
}

_Noreturn void worker_begin_anew(void)
{
    leave(WORKER_AGAIN);
}

/* Compares the output with the given one, or with that of the first execution. */
static void check_output(void)
{
    const struct tally *tally = &the_board->tally;
    bool given = rt.options->output == OUTPUT_EXPECTED;
    if (rt.options->output == OUTPUT_ANY || rt.trace.outcome != OUTCOME_FINISHED)
        return;
    world_written(&rt.worker.written);
    if (!given && !tally->output_known)
        return;
    if (written_same(&rt.worker.written, given ? &rt.options->expect_output : &tally->first_output))
        return;
    struct finding *finding =
        finding_add(FINDING_OUTPUT,
                    given ? "the program did not write what was expected"
                          : "the program did not write what it wrote at first",
                    0, 0);
    if (finding != NULL)
        finding->thread = NO_THREAD;
}

/* The trace in flight as the strategy and the counters see it. */
static void view_trace(void)
{
    const struct board_trace *trace = &the_board->trace[the_board->which];
    CHECK(trace->count <= rt.options->steps_max);
    rt.trace.steps = board_at(the_board, the_board->layout.steps[the_board->which]);
    rt.trace.count = trace->count;
    rt.trace.outcome = trace->outcome;
    rt.trace.status = trace->status;
    rt.trace.fingerprint = trace->fingerprint;
    rt.trace.class[0] = trace->class[0];
    rt.trace.class[1] = trace->class[1];
    rt.trace.thread_count = trace->thread_count;
    rt.trace.waiting = trace->waiting;
    rt.trace.alive = trace->alive;
    rt.trace.touches = board_at(the_board, the_board->layout.touches[the_board->which]);
    rt.trace.unreduced = the_board->flight.unreduced;
    rt.trace.accesses = the_board->options.instrumented;
    if (account_is_astray())
        the_board->flight.finding_count = 0;
    THREADS_EACH(thread, &trace->alive)
    rt.trace.pending[thread] = trace->pending[thread];
    THREADS_EACH(thread, &trace->waiting)
    {
        rt.trace.pending[thread] = trace->pending[thread];
        rt.trace.owner[thread] = trace->owner[thread];
    }
}

static void check_sometimes(void)
{
    if (!execution_resets()) {
        strangers_refuse();
        return;
    }
    uint32_t every = rt.options->verify_every != 0 ? rt.options->verify_every : VERIFY_USUALLY;
    bool early = rt.worker.executions <= 2; /* the first is often run twice */
    if (early || rt.worker.executions % every == 0) {
        if (!snapshot_verify())
            fall_back("a reset left memory that differs", 0);
        the_board->control.verified++;
    }
    if (early || rt.worker.executions % STRANGERS_CHECK == 0)
        strangers_refuse();
}

static bool plan(bool first)
{
    struct board *board = the_board;
    uint32_t next = 1 - board->which;
    struct schedule schedule = {.prefix = board_at(board, board->layout.decisions[next]),
                                .prefix_capacity = rt.options->steps_max};
    bool planned = rt.strategy->plan(board->state, &schedule);
    rt.worker.plans++;
    if (first || !planned || !rt.strategy->traits.steady) {
        struct progress progress = rt.strategy->progress(board->state);
        account_progress(&progress, planned);
    }
    board->schedule[next].count = schedule.prefix_count;
    board->schedule[next].seed = schedule.seed;
    board->schedule[next].hint = schedule.hint;
    board->schedule[next].check_step = schedule.check_step;
    board->schedule[next].check = schedule.check;
    board->which = next;
    return planned;
}

static void journal_save_heads(void)
{
    journal_save(&the_board->journal, &the_board->planned,
                 3 * sizeof(uint32_t)); /* and which and opened */
}

void worker_change_begin(void)
{
    journal_begin(&the_board->journal);
    journal_save_heads();
    journal_save(&the_board->journal, &the_board->tally, offsetof(struct tally, per_bound));
}

void worker_change_end(void)
{
    the_board->planned = plan(true);
    tally_seal(&the_board->tally);
    journal_seal(&the_board->journal);
}
_Static_assert(offsetof(struct board, which) == offsetof(struct board, planned) + 4 &&
                   offsetof(struct board, opened) == offsetof(struct board, planned) + 8,
               "saved together");

static void points_take_effect(void)
{
    sites_load();
    checkpoint_anew();
}

/* A new search: may be interrupted and begun again at any point until it is sealed. */
static void open_search(void)
{
    struct board *board = the_board;
    classes_clear();
    memset(board->state, 0, sizeof board->state);
    if (os_call(SYS_madvise, (long)board_at(board, board->layout.arena),
                (long)board->layout.arena_size, MADV_REMOVE, 0, 0, 0) != 0)
        give_up("memory that was used before cannot be given back");
    rt.worker.spill.bytes = rt.worker.spill.most = 0;
    struct arena arena = {.bytes = board_at(board, board->layout.arena),
                          .capacity = board->layout.arena_size};
    struct strategy_options options = {
        .seed = rt.options->seed,
        .executions_max = rt.options->executions_max,
        .bound = rt.options->bound,
        .steps_max = rt.options->steps_max,
        .reduction = rt.options->reduction,
        .hierarchy = rt.options->hierarchy,
        .objects = board->objects,
        .cache = rt.options->cache,
        .shared = board->sharing.shared,
        .worker = board->sharing.number,
        .fails = board->tally.fails,
        .sites = board->sites,
        .site_count = board->tally.site_count,
        .memo = rt.options->remember ? board_at(board, board->layout.memo) : NULL,
        .memory_max = rt.options->memory_max,
        .start = board_at(board, board->layout.replay),
        .start_count = board->replay_count,
        .seeks = rt.options->target_kind != 0};
    for (int kind = 0; kind < NAMED_KINDS; kind++) {
        struct interest *named = &options.hierarchy.named[kind];
        for (uint32_t i = 0; i < named->range_count && i < NAMED_RANGES_MAX; i++) {
            named->ranges[i].start += board->modules[0].base;
            named->ranges[i].end += board->modules[0].base;
        }
    }
    CHECK(rt.strategy->state_size <= STATE_MAX);
    objects_refresh();
    worker_change_begin();
    share_open();
    rt.strategy->open(board->state, &options, &arena, &board->journal);
    board->tally.bound = NO_BOUND;
    board->opened = 1;
    worker_change_end();
    points_take_effect();
}

static bool commit(void)
{
    struct board *board = the_board;
    if (unlikely(!tally_adds_up(&board->tally)))
        give_up(DOES_NOT_ADD_UP);
    view_trace();
    check_output();
    rt.trace.shown = account_shows_target();
    journal_begin(&board->journal);
    journal_save_heads();
    account_execution();
    bool stop = account_wants_stop(), more = !stop && account_wants_points();
    bool anew = more && rt.strategy->more_points == NULL;
    if (more)
        account_add_points();
    if (anew) {
        account_restart();
        board->opened = 0;
    } else {
        rt.strategy->learn(board->state, &rt.trace);
        if (more)
            rt.strategy->more_points(board->state);
        if (share_is_asked() && !stop)
            share_give();
        board->planned = plan(false);
        if (stop)
            board->tally.complete = board->tally.over = 0;
    }
    tally_seal(&board->tally);
    journal_seal(&board->journal);
    share_count();
    if (more && !anew)
        points_take_effect();
    return !stop;
}

static bool work_is_done(void)
{
    uint64_t max = rt.options->work_max;
    return max > 0 && tally_work(&the_board->tally, rt.options->work_each) >= max;
}

static bool limit_reached(void)
{
    return the_board->control.order != ORDER_GO_ON || !share_is_granted() || work_is_done();
}

static void search(void)
{
    checkpoint_anew(); /* a search may go on in another process */
    spill_tell();
    for (;;) {
        if (!the_board->opened && share_may_open())
            open_search();
        if (!the_board->opened || !the_board->planned || limit_reached()) {
            if (!share_rest())
                return;
            continue;
        }
        if (unlikely(rt.generation >= GENERATION_LAST)) /* cells of old executions must look old */
            leave(WORKER_AGAIN);
        if (unlikely(the_board->control.poison != 0)) {
            execution_is_poisoned();
        } else {
            if (the_board->repeat.pending) {
                repeat_end();
            } else {
                checkpoint_place();
                worker_execute(the_board->which);
                if (repeat_is_due() && !repeat_begin())
                    leave(WORKER_AGAIN);
            }
            divergence_explain();
            check_sometimes();
        }
        if (!commit())
            return;
        spill();
        if (rt.options->isolate == ISOLATE_EXEC)
            leave(WORKER_AGAIN);
    }
}

/* One schedule, every step of it listed, in full detail. */
static void replay(void)
{
    struct board *board = the_board;
    uint32_t count = board->replay_count;
    CHECK(count <= rt.options->steps_max);
    board->which = 0;
    memcpy(board_at(board, board->layout.decisions[0]), board_at(board, board->layout.replay),
           count * sizeof(struct decision));
    memset(&board->schedule[0], 0, sizeof board->schedule[0]);
    board->schedule[0].count = count;
    sites_load();
    worker_execute(0);
    view_trace();
    check_output();
    journal_begin(&board->journal);
    account_execution();
    tally_seal(&board->tally);
    journal_seal(&board->journal);
}

void worker_run(void)
{
    struct board *board = the_board;
    rt.strategy = strategy_of_worker(board->options.strategy);
    if (rt.strategy == NULL)
        give_up("unknown strategy");
    rt.choose = board->options.replay  ? choose_default
                : board->options.cache ? rt.strategy->choose_unseen
                                       : rt.strategy->choose;
    board->journal.origin = (char *)board;
    journal_roll_back(&board->journal);
    board->started++;
    board->control.status = WORKER_SEARCHING;
    signals_begin();
    orphans_adopt();
    aftermath_open();
    if (execution_resets())
        snapshot_take();
    if (rt.strategy->traits.compares && !blocks_open())
        give_up("no address space to compare states (is there a limit on virtual memory?)");
    world_open();
    sites_load();
    if (rt.options->replay)
        replay();
    else
        search();
    strangers_refuse();
    leave(WORKER_DONE);
}
