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
        "signal_return: movl $15, %eax\n" /* rt_sigreturn */
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

static _Noreturn void program_failed(int number, const siginfo_t *info, uintptr_t pc)
{
    bool hang = number == SIGNAL_HANG;
    const char *message = crash_message(number, info);
    struct finding *finding = finding_add(hang ? FINDING_HANG : FINDING_CRASH, message,
                                          hang ? 0 : pc + 1, (uint64_t)number);
    if (finding != NULL) {
        finding->status = number;
        finding->places[0].site = pc + 1;
        if (number == SIGSEGV || number == SIGBUS)
            finding->address = (uint64_t)info->si_addr;
        if (rt.options->detail)
            frames_at_signal(
                &the_board->flight.frames[the_board->flight.finding_count - 1][0], pc);
    }
    execution_fail();
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    if (number == SIGSEGV && info->si_code == SEGV_ACCERR && snapshot_fault(info->si_addr))
        return;
    uintptr_t pc = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    if (rt.running)
        program_failed(number, info, pc);
    if (number == SIGNAL_HANG)
        return; /* between two executions: nothing hangs */
    char buffer[256];
    struct out out = out_to(-1, buffer, sizeof buffer);
    out_text(&out, "internal error: signal ");
    out_number(&out, (uint64_t)number);
    out_text(&out, " in the runtime at ");
    out_hex(&out, pc - the_board->modules[0].base);
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
