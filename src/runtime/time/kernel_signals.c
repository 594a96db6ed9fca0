#define _GNU_SOURCE
#include "runtime/time/kernel_signals.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "base/os.h"
#include "base/out.h"
#include "runtime/arch/x86_64/signals.h"
#include "runtime/engine/able.h"
#include "runtime/engine/flight.h"
#include "runtime/engine/frames.h"
#include "runtime/engine/guard.h"
#include "runtime/engine/modules.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/snapshot/snapshot.h"
#include "runtime/time/disposition.h"
#include "runtime/time/signal.h"

static const int ours[] = {SIGSEGV, SIGBUS, SIGFPE,  SIGILL,     SIGABRT,
                           SIGTRAP, SIGSYS, SIGPIPE, SIGNAL_HANG};
enum { OURS = sizeof ours / sizeof ours[0] };

struct kernel_action { /* what the kernel takes: libc's differs */
    void *handler;
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};
#define RESTORER 0x04000000

static struct kernel_action found[OURS]; /* before ours */

void signal_found(int number, struct sigaction *action)
{
    struct kernel_action kept = {0};
    size_t i = 0;
    while (i < OURS && ours[i] != number)
        i++;
    if (i < OURS)
        kept = found[i];
    else
        os_call(SYS_rt_sigaction, number, 0, (long)&kept, 8, 0, 0);
    *action = (struct sigaction){.sa_handler = (void (*)(int))kept.handler,
                                 .sa_flags = (int)(kept.flags & ~(unsigned long)RESTORER)};
    memcpy(&action->sa_mask, &kept.mask, sizeof kept.mask);
}

static bool near_guard(const void *address)
{
    const struct stack *stack = &rt.stacks[ex.current];
    return (const char *)address < stack->low && (const char *)address >= stack->low - 16 * PAGE;
}

static const char *crash_message(int number, const siginfo_t *info, uintptr_t pc)
{
    if (number == SIGNAL_HANG)
        return FINDING_ENDLESS;
    if (number == SIGSEGV && (uintptr_t)info->si_addr == pc)
        return FINDING_LOST_CALL;
    if (number == SIGSEGV && guard_stops(info->si_addr, pc))
        return "a write to memory that is not the program's";
    return number == SIGSEGV && near_guard(info->si_addr) ? "stack overflow"
                                                          : signal_message(number);
}

/* The caller of an address without code, as through a function pointer that is NULL: the call has
 * just left its return address on the stack. 0: not known. */
static uintptr_t lost_caller(const greg_t *registers)
{
    const struct stack *stack = &rt.stacks[ex.current];
    const uintptr_t *top = (const uintptr_t *)registers[REG_RSP];
    bool on_stack = (const char *)top >= stack->low && (const char *)(top + 1) <= stack->top;
    return !module_has((uintptr_t)registers[REG_RIP]) && on_stack && module_has(*top) ? *top : 0;
}

/* Where the program was: if one of our functions was stopped, the call of it. */
static uintptr_t program_site(const greg_t *registers)
{
    const struct stack *stack = &rt.stacks[ex.current];
    uintptr_t caller = lost_caller(registers);
    uintptr_t site = caller != 0 ? caller : (uintptr_t)registers[REG_RIP] + 1;
    const uintptr_t *frame = (const uintptr_t *)registers[REG_RBP];
    while (module_is_ours(site) && (const char *)frame >= stack->low &&
           (const char *)(frame + 2) <= stack->top) {
        site = frame[1];
        frame = (const uintptr_t *)frame[0];
    }
    return site;
}

/* Where a thread computes that was stopped. The unwinder knows it also before a function of ours
 * has set up its frame, where the frame pointer leads past the function that called. */
static uintptr_t computing_site(const greg_t *registers)
{
    static struct frames frames; /* too large for the stack of a signal */
    uintptr_t pc = (uintptr_t)registers[REG_RIP];
    if (module_is_ours(pc)) {
        frames_at_signal(&frames, pc, lost_caller(registers));
        if (frames.pc[0] != pc)
            return frames.pc[0];
    }
    return program_site(registers);
}

/* While the scheduler asks whether a thread's pending operation can go on, that thread's object may
 * turn out to be gone: then it is the thread that fails, not the one that runs. */
static thread_id thread_at_fault(const siginfo_t *info, uintptr_t pc)
{
    enum { OBJECT_SIZE = 64 }; /* at least that of any object that is waited for */
    if (!module_is_ours(pc))
        return ex.current;
    THREADS_EACH(thread, &ex.live)
    {
        const struct op *op = &ex.pending[thread];
        enum op_waits waits = op_traits(op->kind)->waits;
        uintptr_t object = (uintptr_t)ex.threads[thread].mutex;
        bool is_there = object != 0 && (uintptr_t)info->si_addr - object < OBJECT_SIZE;
        if (thread != ex.current && is_there &&
            (waits == OP_WAITS_MODEL || waits == OP_WAITS_MUTEX))
            return thread;
    }
    return ex.current;
}

/* The stack of a thread that does not run is that of its pending operation. */
static void tell_stack(struct finding *finding, thread_id culprit, bool hang,
                       const greg_t *registers)
{
    uintptr_t pc = (uintptr_t)registers[REG_RIP];
    struct frames *frames = &the_board->flight.frames[the_board->flight.finding_count - 1][0];
    if (culprit != ex.current) {
        *frames = the_board->trace[the_board->which].pending_frames[culprit];
        return;
    }
    frames_at_signal(frames, pc, lost_caller(registers));
    if (hang && frames->pc[0] != pc) /* a call of ours, however far that was */
        finding->places[0].site = frames->pc[0];
}

static bool has_stepped(thread_id thread)
{
    for (uint32_t i = 0; i < rt.trace.count; i++)
        if (rt.trace.steps[i].thread == thread)
            return true;
    return false;
}

/* A thread that hangs before its first operation runs as a part of the step that creates it, so
 * that no other thread comes first: then its start becomes a step. */
static void make_start_a_step(void)
{
    uintptr_t start = (uintptr_t)ex.me->sync.start;
    if (ex.current == 0 || start == 0 || rt.points == POINTS_SYNC || rt.options->points_fixed ||
        rt.options->replay || site_is_promoted(start) || has_stepped(ex.current))
        return;
    site_promote(start);
    the_board->flight.spun = 1;
    rt.in_signal = false;
    execution_end(OUTCOME_CUT_STRATEGY);
}

static _Noreturn void program_failed(int number, const siginfo_t *info, const greg_t *registers)
{
    rt.in_signal = true;
    bool hang = number == SIGNAL_HANG;
    bool overflow = number == SIGSEGV && near_guard(info->si_addr);
    uintptr_t pc = (uintptr_t)registers[REG_RIP];
    bool faults = number == SIGSEGV || number == SIGBUS;
    thread_id culprit = faults ? thread_at_fault(info, pc) : ex.current;
    uintptr_t site = culprit != ex.current ? ex.pending[culprit].site
                     : hang                ? computing_site(registers)
                                           : program_site(registers);
    const char *message = crash_message(number, info, pc);
    /* which of many calls is one too many, where a loop is stopped or libc writes, says nothing */
    bool anywhere = hang || overflow || number == SIGPIPE;
    struct finding *finding = finding_add(hang ? FINDING_HANG : FINDING_CRASH, message,
                                          anywhere ? 0 : site, (uint64_t)number);
    if (finding != NULL) {
        finding->status = number;
        finding->places[0].site = site;
        finding->thread = finding->places[0].thread = culprit;
        if (faults)
            finding->address = (uint64_t)info->si_addr;
        if (rt.options->detail)
            tell_stack(finding, culprit, hang, registers);
    }
    rt.in_signal = false;
    if (culprit != ex.current)
        execution_fail_in(culprit);
    execution_fail();
}

/* Nothing has moved for some time. */
static void look_at_hang(const siginfo_t *info, ucontext_t *context)
{
    const greg_t *registers = context->uc_mcontext.gregs;
    uint32_t urge = the_board->control.urge;
    rt.in_signal = true;
    if (urge != URGE_LATE)
        make_start_a_step();
    bool can = busy_believed() && busy_can_stop((uintptr_t)registers[REG_RIP]);
    if (urge == URGE_HANG && (can ? !busy_others_can_run() : !busy_may_wait()))
        program_failed(SIGNAL_HANG, info, registers);
    if (can)
        busy_stop(context, computing_site(registers), lost_caller(registers));
    rt.in_signal = false;
}

/* The frame that the kernel leaves on the stack of a handler, and takes from there when that
 * returns. */
struct kernel_context {
    unsigned long flags;
    void *link;
    stack_t stack;
    mcontext_t machine;
    uint64_t blocked;
};
struct own_frame {
    ucontext_t context; /* which begins with a struct kernel_context */
    siginfo_t info;
    uint64_t blocked; /* of the kernel's: the program sees the model's */
};
enum { RED_ZONE = 128, FLOATS_SIZE = 512, FLOATS_MAGIC = 0x46505853, FLOATS_WORDS = 464 };
enum { DIRECTION_FLAG = 1 << 10 };

static _Noreturn void on_own_stack(struct own_frame *frame)
{
    signal_here(&frame->info, &frame->context);
    memcpy((char *)&frame->context + offsetof(struct kernel_context, blocked), &frame->blocked,
           sizeof frame->blocked);
    signal_leave(frame);
}

static size_t size_of_floats(const void *floats)
{
    uint32_t words[2]; /* magic number, and size with the extensions */
    memcpy(words, (const char *)floats + FLOATS_WORDS, sizeof words);
    return words[0] == FLOATS_MAGIC ? words[1] : FLOATS_SIZE;
}

/* Where the program's handler is to run: on its own other stack, or where the thread was. */
static char *stack_for(int number, uintptr_t sp)
{
    const struct thread_signals *mine = &ex.me->signals;
    bool on_other = sp - (uintptr_t)mine->stack < mine->stack_size;
    bool wants_other = disposition_of(number)->sa_flags & SA_ONSTACK && mine->stack != NULL;
    return wants_other && !on_other ? mine->stack + mine->stack_size : (char *)sp - RED_ZONE;
}

/* Leaves our stack: the program's handler may come to operations, and there others run. The
 * interrupted code is put back by the kernel, as after any handler. */
static void go_to_own_stack(int number, const siginfo_t *info, ucontext_t *context)
{
    greg_t *registers = context->uc_mcontext.gregs;
    void *floats = context->uc_mcontext.fpregs;
    size_t size = size_of_floats(floats);
    char *sp = stack_for(number, (uintptr_t)registers[REG_RSP]);
    char *kept = (char *)((uintptr_t)(sp - size) & ~63ul);
    struct own_frame *frame =
        (struct own_frame *)((uintptr_t)(kept - sizeof(struct own_frame)) & ~15ul);
    memset(frame, 0, sizeof *frame);
    memcpy(&frame->context, context, sizeof(struct kernel_context));
    memcpy(kept, floats, size);
    frame->context.uc_mcontext.fpregs = (void *)kept;
    frame->blocked = ((const struct kernel_context *)context)->blocked;
    frame->info = *info;
    void **top = (void **)frame - 1;
    *top = NULL; /* nothing to return to */
    registers[REG_RDI] = (greg_t)frame;
    registers[REG_RSP] = (greg_t)top;
    registers[REG_RIP] = (greg_t)on_own_stack;
    registers[REG_EFL] &= ~DIRECTION_FLAG;
}

static bool has_room(int number, const siginfo_t *info)
{
    bool overflow = number == SIGSEGV && near_guard(info->si_addr);
    return !overflow ||
           (disposition_of(number)->sa_flags & SA_ONSTACK && ex.me->signals.stack != NULL);
}

/* The program sees to it itself. */
static bool is_programs(int number, const siginfo_t *info)
{
    bool blocked = ex.me->signals.blocked >> (number - 1) & 1;
    return number != SIGNAL_HANG && signal_has_handler(number) && !blocked &&
           has_room(number, info);
}

/* The kernel gives what is meant for the process to whichever thread it likes. Where one hangs
 * shows in its own registers: the others hand it on to the one that runs. */
static bool hand_on(int number)
{
    long process = os_call(SYS_getpid, 0, 0, 0, 0, 0, 0);
    long carrier = ex.me == &ex.threads[0] ? process : ex.me->carrier;
    return rt.carriers.kernel_threads && carrier != 0 &&
           carrier != os_call(SYS_gettid, 0, 0, 0, 0, 0, 0) &&
           os_call(SYS_tgkill, process, carrier, number, 0, 0, 0) == 0;
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    if (number == SIGSEGV && info->si_code == SEGV_ACCERR &&
        the_board->control.tracking == TRACKING_PROTECT && !rt.forked &&
        snapshot_fault(info->si_addr))
        return;
    if ((number == SIGSEGV || number == SIGBUS) &&
        (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] == (uintptr_t)memory_probe) {
        ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] = (greg_t)memory_probe_fails;
        return;
    }
    const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    uintptr_t pc = (uintptr_t)registers[REG_RIP];
    if (number == SIGSEGV && guard_lets_pass(info->si_addr, pc))
        return;
    if (rt.process.child != 0) { /* again, without us */
        struct kernel_action usual = {.flags = RESTORER, .restorer = signal_return};
        os_call(SYS_rt_sigaction, number, (long)&usual, 0, 8, 0, 0);
        return;
    }
    if (spill_is_full(number, info->si_addr)) {
        if (spill_can_go_on())
            worker_begin_anew();
        give_up("no space is left for the file of --memory; TMPDIR names its folder");
    }
    bool wild = number == SIGSEGV && guard_stops(info->si_addr, pc);
    if (rt.running && !wild && is_programs(number, info)) {
        go_to_own_stack(number, info, context);
        return;
    }
    if (number == SIGPIPE && (!rt.running || signal_is_ignored(number)))
        return;
    if (number == SIGNAL_HANG && rt.running && hand_on(number))
        return;
    if (number == SIGNAL_HANG && rt.running) {
        look_at_hang(info, context);
        return;
    }
    if (rt.running)
        program_failed(number, info, registers);
    if (number == SIGNAL_HANG) { /* between two executions nothing hangs */
        if (the_board->control.urge == URGE_HANG)
            frames_put_off_hang();
        return;
    }
    char buffer[256];
    struct out out = out_to(-1, buffer, sizeof buffer);
    out_text(&out, "internal error: signal ");
    out_number(&out, (uint64_t)number);
    out_text(&out, " in the runtime at ");
    out_hex(&out, (uintptr_t)registers[REG_RIP] - the_board->modules[0].base);
    out_text(&out, ", address ");
    out_hex(&out, (uint64_t)info->si_addr);
    give_up(out_string(&out));
}

void signals_stack(uint32_t thread)
{
    char *memory = (char *)SIGNAL_ADDRESS + thread * SIGNAL_SIZE;
    stack_t stack = {.ss_sp = memory, .ss_size = SIGNAL_SIZE};
    os_call(SYS_sigaltstack, (long)&stack, 0, 0, 0, 0, 0);
}

void signals_open(void)
{
    if (os_map(SIGNAL_ADDRESS, THREADS_MAX * SIGNAL_SIZE) == NULL)
        give_up("no room for the stacks of signal handlers");
    signals_stack(0);
    struct kernel_action action = {.handler = (void *)on_signal,
                                   .flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | RESTORER,
                                   .restorer = signal_return};
    for (size_t i = 0; i < OURS; i++)
        os_call(SYS_rt_sigaction, ours[i], (long)&action, (long)&found[i], 8, 0, 0);
}
