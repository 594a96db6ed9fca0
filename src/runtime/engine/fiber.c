#include "runtime/engine/fiber.h"

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "runtime/arch/x86_64/cpu.h"
#include "runtime/engine/real.h"
#include "runtime/engine/stranger.h"

void fiber_begin(void);
_Noreturn void fiber_leave(uint32_t *left);

struct saved { /* what fiber_switch pops, from the lowest address up */
    uint32_t mxcsr;
    uint32_t x87;
    uint64_t r15, r14, r13, r12, rbx, rbp;
    uint64_t rip;
};

void *fiber_context(char *stack_high, void (*function)(void))
{
    uintptr_t top = ((uintptr_t)stack_high & ~15ul) - 16;
    struct saved *saved = (struct saved *)(top - sizeof(struct saved));
    *saved = (struct saved){
        .mxcsr = 0x1f80, .x87 = 0x37f, .r12 = (uint64_t)function, .rip = (uint64_t)fiber_begin};
    return saved;
}

static uint32_t ghost_lives;

static void *ghost_main(void *argument)
{
    struct stack *stack = argument;
    /* The kernel lists it a little longer than it lives. */
    stranger_is_ours(os_call(SYS_gettid, 0, 0, 0, 0, 0, 0));
    stack->fs = cpu_tls();
    /* The fiber starts on the page below, so that TLS stays clean. */
    stack->high = (char *)((uintptr_t)__builtin_frame_address(0) & ~(PAGE - 1));
    fiber_leave(&ghost_lives);
}

/* libc asks the kernel about a thread by the id in its descriptor: let it be a live one. */
static void patch_tid(uintptr_t fs)
{
    const uint32_t *field = real_symbol("_thread_db_pthread_tid"); /* bits, count, offset */
    if (field != NULL)
        *(uint32_t *)(fs + field[2]) = (uint32_t)os_call(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

static bool ghost_make(struct stack *stack)
{
    pthread_attr_t attributes;
    pthread_t thread;
    real_attr_init(&attributes);
    real_attr_setstack(&attributes, stack->low, (size_t)(stack->top - stack->low));
    uint64_t all = ~0ul, old;
    os_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, (long)&old, 8, 0, 0);
    ghost_lives = 1;
    int error = real_create(&thread, &attributes, ghost_main, stack);
    os_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&old, 0, 8, 0, 0);
    if (error != 0)
        return false;
    while (__atomic_load_n(&ghost_lives, __ATOMIC_ACQUIRE) !=
           0) /* the kernel's wake is for all processes */
        os_call(SYS_futex, (long)&ghost_lives, FUTEX_WAIT, 1, 0, 0, 0);
    patch_tid(stack->fs);
    return true;
}

bool fiber_stack_map(uint32_t thread)
{
    size_t size = (the_board->options.stack_size + PAGE - 1) & ~(PAGE - 1);
    size_t stride = size + STACK_EXTRA;
    struct stack *stack = &rt.stacks[thread];
    char *memory = os_map(STACKS_ADDRESS + thread * stride, stride);
    if (memory == NULL)
        return false;
    os_call(SYS_mprotect, (long)memory, PAGE, PROT_NONE, 0, 0, 0);
    stack->low = memory + PAGE;
    stack->high = stack->top = memory + stride;
    return true;
}

bool fiber_pool_open(uint32_t threads, const char **why)
{
    for (uint32_t i = 0; i < threads; i++) {
        struct stack *stack = &rt.stacks[i];
        if (!fiber_stack_map(i)) {
            *why = "no room for the stacks of threads";
            return false;
        }
        if (i > 0 && !ghost_make(stack)) {
            *why = "libc cannot make another thread";
            return false;
        }
        stack->start = stack->high - PAGE + STACK_FIRST;
    }
    return true;
}
