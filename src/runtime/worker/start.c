/* How the process comes up. The loader has run, constructors of libraries too; the program's own
 * constructors and main have not: they run in each execution again. */
#include <elf.h>
#include <string.h>

#include "base/os.h"
#include "runtime/arch/x86_64/cpu.h"
#include "runtime/engine/environment.h"
#include "runtime/engine/fiber.h"
#include "runtime/engine/flight.h"
#include "runtime/engine/local_state.h"
#include "runtime/engine/modules.h"
#include "runtime/engine/object.h"
#include "runtime/engine/real.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/stranger.h"
#include "runtime/engine/trusted_code.h"
#include "runtime/heap/heap.h"
#include "runtime/interpose/interpose.h"
#include "runtime/process/process.h"
#include "runtime/process/process_calls.h"
#include "runtime/time/kernel_signals.h"
#include "runtime/worker/worker.h"

enum { THREADS_READY = 8, THREADS_LEAST = 2 };
#define STACK_SIZE (8ul << 20)

bool controlled;

static void map_runtime(void)
{
    if (os_map(RUNTIME_ADDRESS, sizeof(struct runtime)) == NULL ||
        os_map(DRIVER_ADDRESS, DRIVER_SIZE) == NULL ||
        os_map(EXECUTION_ADDRESS, sizeof(struct execution)) == NULL ||
        os_map(ARENA_ADDRESS, ARENA_SIZE) == NULL || os_map(UNDO_ADDRESS, UNDO_SIZE) == NULL ||
        os_map(TOUCHED_ADDRESS, SHADOW_SIZE / (RACE_CHUNK * sizeof(struct cell))) == NULL ||
        os_map(SHADOW_ADDRESS, SHADOW_SIZE) == NULL)
        give_up("no address space for the runtime (is there a limit on virtual memory?)");
}

static void take_options(void)
{
    struct options *options = &the_board->options;
    rt.options = options;
    rt.memory.fault_memory = options->fault != 0 && options->fault_column == OP_FAULT_MEMORY;
    if (options->fault != 0 && options->fault < OP_KINDS && options->fault_column < OP_FAULTS)
        op_break(options->fault, options->fault_column);
    if (options->threads_ready < THREADS_LEAST)
        options->threads_ready = THREADS_READY;
    if (options->threads_ready > THREADS_MAX)
        options->threads_ready = THREADS_MAX;
    if (options->stack_size < STACK_SIZE)
        options->stack_size = STACK_SIZE;
    rt.carriers.kernel_threads = options->carrier == CARRIER_KERNEL;
    rt.threads_ready = rt.carriers.kernel_threads ? THREADS_MAX : options->threads_ready;
    for (int i = 0; i < RACE_SETUPS; i++)
        rt.setups[i] = NO_GENERATION;
}

static void open_runtime(void)
{
    map_runtime();
    take_options();
    environment_clean();
    interpose_find();
    if (kernel_thread_count() != 1)
        refuse("a library starts a thread before the program begins", 0);
    if (!heap_open())
        give_up("no address space for the heap (is there a limit on virtual memory?)");
    controlled = true;
    const char *why;
    if (!fiber_pool_open(rt.carriers.kernel_threads ? 1 : rt.threads_ready, &why))
        give_up(why);
    modules_open();
    trust_open();
    objects_learn();
    live_open();
    signals_open();
    rt.program.main_fs = rt.worker.driver_fs = cpu_tls();
    real_on_exit(end_after_handlers, NULL);
}

/* The kernel's sixteen random bytes, and what the loader made of them: the guard of stack frames
 * and the key that libc hides pointers with. Before all other constructors: those may hide
 * pointers. */
__attribute__((constructor)) static void fix_randomness(int argc, char **argv, char **environment)
{
    bool wanted = false;
    for (; *environment != NULL; environment++)
        wanted |= strncmp(*environment, BOARD_VARIABLE "=", sizeof BOARD_VARIABLE) == 0;
    if (!wanted)
        return;
    processes_open();
    static const uint64_t fixed[2] = {0x6a09e667f3bcc900, 0xbb67ae8584caa73b};
    for (const Elf64_auxv_t *entry = (const void *)(environment + 1); entry->a_type != AT_NULL;
         entry++)
        if (entry->a_type == AT_RANDOM)
            memcpy((void *)entry->a_un.a_val, fixed, sizeof fixed);
    cpu_set_guards(fixed[0], fixed[1]);
}

EXPORT int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                             void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
                             void *stack_end)
{
    real_find();
    if (!board_open())
        return real_start_main(main, argc, argv, init, fini, rtld_fini, stack_end);
    open_runtime();
    rt.program.main = main;
    rt.program.start.argc = argc;
    rt.program.start.argv = argv;
    rt.program.start.init = init;
    rt.program.start.fini = fini;
    rt.program.start.rtld_fini = rtld_fini;
    rt.program.start.stack_end = stack_end;
    void *here;
    fiber_switch(&here, fiber_context((char *)DRIVER_ADDRESS + DRIVER_SIZE, worker_run),
                 rt.worker.driver_fs);
    __builtin_unreachable();
}
