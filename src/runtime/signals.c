#define _GNU_SOURCE
#include "runtime/signals.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "base/os.h"
#include "base/out.h"
#include "runtime/board.h"
#include "runtime/frames.h"
#include "runtime/modules.h"
#include "runtime/refuse.h"
#include "runtime/scheduler.h"
#include "runtime/snapshot/snapshot.h"

static const int ours[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGNAL_HANG};

struct kernel_action { /* what the kernel takes: libc's differs */
    void *handler;
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};
#define RESTORER 0x04000000

__asm__(".text\n"
        ".type signal_return, @function\n"
        "signal_return: movq $15, %rax\n" /* rt_sigreturn; unwinders know these bytes */
        "syscall\n");
extern void signal_return(void) __attribute__((visibility("hidden")));

bool signal_is_ours(int number)
{
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        if (ours[i] == number)
            return true;
    return false;
}

static bool near_guard(const void *address)
{
    const struct stack *stack = &rt.stacks[ex.current];
    return (const char *)address < stack->low && (const char *)address >= stack->low - 16 * PAGE;
}

static const char *crash_message(int number, const siginfo_t *info)
{
    switch (number) {
    case SIGSEGV: return near_guard(info->si_addr) ? "stack overflow" : "segmentation fault";
    case SIGBUS: return "bus error";
    case SIGFPE: return "arithmetic exception";
    case SIGILL: return "illegal instruction";
    case SIGABRT: return "abort";
    case SIGTRAP: return "trap";
    case SIGSYS: return "bad system call";
    default: return "an endless loop, or a call that never returns";
    }
}

/* Where the program was: if one of our functions was stopped, the call of it. */
static uintptr_t program_site(const greg_t *registers)
{
    const struct stack *stack = &rt.stacks[ex.current];
    uintptr_t site = (uintptr_t)registers[REG_RIP] + 1;
    const uintptr_t *frame = (const uintptr_t *)registers[REG_RBP];
    while (module_is_ours(site) && (const char *)frame >= stack->low &&
           (const char *)(frame + 2) <= stack->top) {
        site = frame[1];
        frame = (const uintptr_t *)frame[0];
    }
    return site;
}

static _Noreturn void program_failed(int number, const siginfo_t *info, const greg_t *registers)
{
    rt.in_signal = true;
    bool hang = number == SIGNAL_HANG;
    bool overflow = number == SIGSEGV && near_guard(info->si_addr);
    uintptr_t pc = (uintptr_t)registers[REG_RIP], site = program_site(registers);
    const char *message = crash_message(number, info);
    /* which of many calls is one too many, or where a loop is stopped, says nothing */
    struct finding *finding = finding_add(hang ? FINDING_HANG : FINDING_CRASH, message,
                                          hang || overflow ? 0 : site, (uint64_t)number);
    if (finding != NULL) {
        finding->status = number;
        finding->places[0].site = site;
        if (number == SIGSEGV || number == SIGBUS)
            finding->address = (uint64_t)info->si_addr;
        if (rt.options->detail)
            frames_at_signal(
                &the_board->flight.frames[the_board->flight.finding_count - 1][0], pc);
    }
    rt.in_signal = false;
    execution_fail();
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    if (number == SIGSEGV && info->si_code == SEGV_ACCERR &&
        the_board->control.tracking == TRACKING_PROTECT && !rt.forked &&
        snapshot_fault(info->si_addr))
        return;
    if (rt.child != 0) { /* again, without us */
        struct kernel_action usual = {.flags = RESTORER, .restorer = signal_return};
        os_call(SYS_rt_sigaction, number, (long)&usual, 0, 8, 0, 0);
        return;
    }
    const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    if (rt.running)
        program_failed(number, info, registers);
    if (number == SIGNAL_HANG)
        return; /* between two executions: nothing hangs */
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
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        os_call(SYS_rt_sigaction, ours[i], (long)&action, 0, 8, 0, 0);
}
