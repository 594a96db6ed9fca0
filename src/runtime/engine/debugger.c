#include "runtime/engine/debugger.h"

#include <sys/syscall.h>

#include "base/os.h"
#include "runtime/engine/runtime.h"

#define SHOWN __attribute__((visibility("default"), used))

/* Words that the debugger reads and writes by their place. */
SHOWN struct bohr_gdb {
    volatile uint32_t until; /* by the debugger: it wants to hear of no step before this one */
    volatile uint32_t step;  /* the one that comes next, or is being taken */
    volatile uint32_t thread;
    volatile uint32_t
        carriers[THREADS_MAX]; /* the kernel's numbers of threads; 0: it was not met */
} bohr_gdb = {.step = UINT32_MAX};

/* For breakpoints. */
SHOWN __attribute__((noinline)) void bohr_gdb_step(void)
{
    __asm__ volatile("" : : : "memory");
}

SHOWN __attribute__((noinline)) void bohr_gdb_end(void)
{
    __asm__ volatile("" : : : "memory");
}

void debug_thread(void)
{
    bohr_gdb.carriers[ex.current] = (uint32_t)os_call(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

void debug_step(void)
{
    bohr_gdb.step = rt.trace.count - 1;
    bohr_gdb.thread = ex.current;
    if (bohr_gdb.step >= bohr_gdb.until)
        bohr_gdb_step();
}

void debug_end(void)
{
    bohr_gdb_end();
}
