#define _GNU_SOURCE
#include "runtime/worker/execute.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/os.h"
#include "runtime/engine/fiber.h"
#include "runtime/engine/flight.h"
#include "runtime/engine/guard.h"
#include "runtime/engine/object.h"
#include "runtime/engine/real.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/process/left_behind.h"
#include "runtime/process/process_calls.h"
#include "runtime/snapshot/snapshot.h"
#include "runtime/worker/checkpoint.h"

/* The next execution begins in this process. */
bool execution_resets(void)
{
    return rt.options->isolate != ISOLATE_FORK && rt.options->isolate != ISOLATE_EXEC &&
           !rt.carriers.kernel_threads;
}

static void program_begin(void)
{
    real_start_main(program_main, rt.program.start.argc, rt.program.start.argv,
                    rt.program.start.init, rt.program.start.fini, rt.program.start.rtld_fini,
                    rt.program.start.stack_end);
    UNREACHABLE();
}

static void prepare(uint32_t steps_buffer)
{
    struct board *board = the_board;
    uint32_t which = board->which;
    rt.trace.steps = board_at(board, board->layout.steps[steps_buffer]);
    rt.trace.touches = board_at(board, board->layout.touches[steps_buffer]);
    rt.trace.count = 0;
    rt.trace.capacity = rt.options->steps_max;
    rt.trace.status = 0;
    board->trace[which].count = 0;
    board->trace[which].outcome = OUTCOME_NONE;
    board->trace[which].restarts = board->tally.restarts;
    board->trace[which].sites = board->tally.site_count;
    board->flight.finding_count = board->flight.site_count = 0;
    board->flight.enabled_max = 1;
    board->flight.clock_seen = board->flight.overlap_seen = board->flight.unreduced = 0;
    board->flight.vain = board->flight.waits = 0;
    board->flight.points = board->flight.spun = board->flight.unpromoted = 0;
    board->flight.told_apart = board->flight.failure_seen = board->flight.wide_seen = 0;
    board->flight.always_seen = board->flight.passed = 0;
    board->flight.left = board->flight.late = board->flight.accesses = 0;
    board->flight.looks = board->flight.unkept = board->flight.blocked_count = 0;
    board->flight.shared = (struct shared_memory){0};
    rt.schedule = (struct schedule){.prefix = board_at(board, board->layout.decisions[which]),
                                    .prefix_count = board->schedule[which].count,
                                    .prefix_capacity = rt.options->steps_max,
                                    .seed = board->schedule[which].seed,
                                    .hint = board->schedule[which].hint,
                                    .check_step = board->schedule[which].check_step,
                                    .check = board->schedule[which].check};
    rt.position = 0;
    schedule_look_ahead();
    rt.by_default = rt.choose == choose_default;
    rt.sign_of_life = &board->trace[which].count;
    rt.pilot = (struct pilot){
        .state = board->state, .schedule = &rt.schedule, .rng = {.state = rt.schedule.seed}};
    rt.at = (struct choice_point){.live = &ex.live,
                                  .pending = ex.pending,
                                  .steps = rt.trace.steps,
                                  .touches = rt.trace.touches};
    rt.reduces = !rt.options->replay && strategy_reduces(rt.strategy, board->state);
    rt.turns_skipped = rt.reduces && rt.strategy->traits.turns == TURNS_SKIPPED;
    board->trace[which].turns_skipped = rt.turns_skipped;
    rt.asks = rt.reduces || (rt.strategy->traits.compares && !rt.options->replay);
    /* The steps of the set-up are recorded once for all. */
    rt.notes = rt.reduces || (rt.strategy->reduces_now != NULL && rt.checkpoint_wanted);
    rt.symmetry = rt.options->symmetry;
    rt.progress.wipes = options_compare_locals(rt.options);
    rt.progress.spin.left = rt.progress.spin.rounds = 0;
    rt.progress.spin.due = false;
    rt.progress.busy_tries = 0;
    rt.progress.patience = 1 << 20;
}

/* Where a checkpoint is to be taken, one whose place among the set-ups is free. */
static void new_generation(void)
{
    do
        rt.generation++;
    while (rt.checkpoint_wanted && rt.generation % RACE_SETUPS != rt.worker.checkpoint.count);
}

static void go_on_in_new_generation(void)
{
    new_generation();
    ex.race.generation = rt.generation;
    race_switch(&ex.race, ex.current);
}

static void begin(bool at_checkpoint)
{
    if (at_checkpoint) {
        go_on_in_new_generation();
    } else {
        new_generation();
        execution_open();
        ex.threads[0].sp = fiber_context(rt.stacks[0].start, program_begin);
    }
    rt.attention = ex.attention;
    ex.careful &= CAREFUL_BY_PROGRAM;
    if (rt.checkpoint_wanted || rt.options->detail || rt.options->cache ||
        rt.carriers.kernel_threads || rt.symmetry)
        ex.careful |= CAREFUL_BY_OPTIONS;
    memory_quicken();
    if (__libc_single_threaded) /* libstdc++ asks: whether it counts atomically is not to hang on
                                   the carrier */
        __libc_single_threaded =
            0; /* where it is so already, no page is written that would be put back */
    rt.running = true;
}

static void execute_here(void)
{
    bool back = rt.worker.checkpoint.count > 0;
    begin(back);
    if (back)
        checkpoint_return();
    guard_raise();
    checkpoint_time_begins();
    for (;;) {
        fiber_enter(&rt.worker.driver_sp, ex.me->sp,
                    ex.me->fs == rt.worker.driver_fs ? 0 : ex.me->fs);
        rt.running = false;
        if (rt.worker.call == CALL_ENDED)
            break;
        if (checkpoint_take())
            go_on_in_new_generation();
        rt.running = true;
    }
    checkpoint_time_ends();
    guard_lower();
    if (execution_resets())
        snapshot_reset();
}

/* Pending operations of the others are not known: as if they depended on everything. */
static void note_death(struct board_trace *trace)
{
    trace->alive = (thread_set){0};
    trace->thread_count = 1;
    if (!rt.notes || trace->count == 0 || trace->count > rt.options->steps_max)
        return;
    struct step *last = &rt.trace.steps[trace->count - 1];
    last->flags |= STEP_ENDS;
    trace->alive = last->enabled;
    thread_set_remove(&trace->alive, last->thread);
    THREADS_EACH(thread, &trace->alive)
    trace->pending[thread] = (struct op){.kind = OP_EXIT, .choices = 1};
    for (uint32_t i = 0; i < trace->count; i++)
        THREADS_EACH(thread, &rt.trace.steps[i].enabled)
    if (thread >= trace->thread_count)
        trace->thread_count = thread + 1u;
}

static void died(int status)
{
    int number = WTERMSIG(status);
    struct board_trace *trace = &the_board->trace[the_board->which];
    trace->outcome = OUTCOME_FAILED;
    trace->waiting = (thread_set){0};
    note_death(trace);
    trace->status = 0;
    trace->class[0] = trace->class[1] = 0;
    trace->fingerprint = 0;
    ex.current = 0;
    rt.trace.count = trace->count;
    struct finding *finding =
        finding_add(FINDING_CRASH, "the process was killed", 0, (uint64_t)number);
    if (finding != NULL)
        finding->status = number;
}

/* A hanging execution would outlive every process that could end it. */
static void end_with(long parent)
{
    os_call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0);
    if (os_call(SYS_getppid, 0, 0, 0, 0, 0, 0) != parent)
        os_exit(1); /* it has ended before */
}

static void execute_in_child(void)
{
    struct control *control = &the_board->control;
    long me = os_call(SYS_getpid, 0, 0, 0, 0, 0, 0);
    for (int attempt = 0;; attempt++) {
        long child = rt.carriers.kernel_threads ? real_fork() : os_call(SYS_fork, 0, 0, 0, 0, 0, 0);
        if (child < 0)
            give_up("cannot make another process");
        if (child == 0) {
            end_with(me);
            rt.forked = true;
            begin(false);
            guard_raise_always();
            fiber_switch(&rt.worker.driver_sp, ex.me->sp, ex.me->fs);
            UNREACHABLE();
        }
        control->child = (uint32_t)child;
        int status = 0;
        while (os_call(SYS_wait4, child, (long)&status, 0, 0, 0, 0) != child)
            ;
        control->child = 0;
        orphans_end();
        objects_learn();
        if (control->status != WORKER_SEARCHING)
            os_exit(0);
        if (the_board->trace[the_board->which].outcome != OUTCOME_NONE)
            return;
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && attempt == 0) {
            prepare(the_board->which); /* not the program's doing: once more */
            world_ready();
            continue;
        }
        if (!WIFSIGNALED(status))
            refuse("it ends its process by a system call of its own", 0);
        died(status);
        return;
    }
}

/* In the process that the debugger started; it ends with the execution. */
static _Noreturn void execute_once(void)
{
    rt.forked = true;
    begin(false);
    fiber_switch(&rt.worker.driver_sp, ex.me->sp, ex.me->fs);
    UNREACHABLE();
}

RETURNS_BY_JUMP void worker_execute(uint32_t steps_buffer)
{
    prepare(steps_buffer);
    world_ready();
    if (rt.options->debugged)
        execute_once();
    else if (rt.options->isolate == ISOLATE_FORK || rt.carriers.kernel_threads)
        execute_in_child();
    else
        execute_here();
    rt.worker.executions++;
}

/* The coordinator says that the execution in flight killed its process twice: it is a finding. */
void execution_is_poisoned(void)
{
    uint32_t poison = the_board->control.poison;
    struct board_trace *trace = &the_board->trace[the_board->which];
    uint32_t count = trace->count, enabled_max = the_board->flight.enabled_max;
    uint32_t points = the_board->flight.points;
    prepare(the_board->which);
    the_board->flight.enabled_max = enabled_max;
    the_board->flight.points = points;
    trace->count = count <= rt.options->steps_max ? count : 0;
    trace->outcome = OUTCOME_FAILED;
    trace->class[0] = trace->class[1] = 0;
    trace->fingerprint = 0;
    trace->thread_count = 1;
    note_death(trace);
    rt.trace.count = trace->count;
    ex.current = 0;
    bool hang = poison == POISON_HANG;
    struct finding *finding =
        finding_add(hang ? FINDING_HANG : FINDING_CRASH,
                    hang ? FINDING_ENDLESS : "the process was killed", 0, poison);
    if (finding != NULL)
        finding->status = hang ? 0 : (int)poison;
    the_board->control.poison = 0;
}
