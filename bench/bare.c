/* What the machine costs without us, measured in the same run as the rest of the benchmark: one
 * switch between two fibers (CPU time) and one fork with wait (wall time), in nanoseconds. */
#include <asm/prctl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SWITCHES = 20000000, FORKS = 2000, STACK = 1 << 16, REPEATS = 5 };

void fiber_switch(void **save_sp, void *sp, uintptr_t fs);
void fiber_begin(void);

static void *main_sp, *other_sp;
static uintptr_t fs;

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void other(void)
{
    for (;;)
        fiber_switch(&other_sp, main_sp, fs);
}

/* The frame that fiber_switch expects: control words, r15 r14 r13 r12 rbx rbp, return address. */
static void *first_frame(void)
{
    uint64_t *top = (uint64_t *)((char *)mmap(NULL, STACK, PROT_READ | PROT_WRITE,
                                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) + STACK);
    uint64_t *frame = top - 10;
    uint32_t *control = (uint32_t *)frame;
    control[0] = 0x1f80;
    control[1] = 0x37f;
    frame[4] = (uint64_t)other;
    frame[7] = (uint64_t)fiber_begin;
    return frame;
}

static double switch_nanoseconds(void)
{
    double best = 1e9;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
        for (int i = 0; i < SWITCHES / 2 / REPEATS; i++)
            fiber_switch(&main_sp, other_sp, fs);
        double each = (seconds(CLOCK_PROCESS_CPUTIME_ID) - begin) * 1e9 / (SWITCHES / REPEATS);
        best = each < best ? each : best;
    }
    return best;
}

static double fork_nanoseconds(void)
{
    double begin = seconds(CLOCK_MONOTONIC);
    for (int i = 0; i < FORKS; i++) {
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        if (child < 0 || waitpid(child, NULL, 0) != child)
            abort();
    }
    return (seconds(CLOCK_MONOTONIC) - begin) * 1e9 / FORKS;
}

int main(void)
{
    syscall(SYS_arch_prctl, ARCH_GET_FS, &fs);
    other_sp = first_frame();
    printf("{\"switch\": %.2f, ", switch_nanoseconds());
    printf("\"fork\": %.0f}\n", fork_nanoseconds());
    return 0;
}
