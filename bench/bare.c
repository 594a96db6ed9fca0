/* The cost of the machine without Bohr, measured beside the rest of the benchmark: one switch
 * between two fibers and one fork with wait, in nanoseconds of CPU time, each the least over many
 * batches.
 */
#include <asm/prctl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SWITCH_BATCHES = 20, SWITCHES = 100000, FORK_BATCHES = 5, FORKS = 20, STACK = 1 << 16 };

void fiber_switch(void **save_sp, void *sp, uintptr_t fs);
void fiber_begin(void);

static void *main_sp, *other_sp;
static uintptr_t fs;

static double microseconds(struct timeval time)
{
    return (double)time.tv_sec * 1e6 + (double)time.tv_usec;
}

/* CPU time of this process and of its children that have ended. */
static double nanoseconds_used(void)
{
    struct rusage self, children;
    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &children);
    return 1e3 * (microseconds(self.ru_utime) + microseconds(self.ru_stime) +
                  microseconds(children.ru_utime) + microseconds(children.ru_stime));
}

static void other(void)
{
    for (;;)
        fiber_switch(&other_sp, main_sp, fs);
}

/* The frame that fiber_switch expects: control words, r15 r14 r13 r12 rbx rbp, return address. */
static void *first_frame(void)
{
    char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED)
        abort();
    uint64_t *frame = (uint64_t *)(stack + STACK) - 10;
    uint32_t *control = (uint32_t *)frame;
    control[0] = 0x1f80;
    control[1] = 0x37f;
    frame[4] = (uint64_t)other;
    frame[7] = (uint64_t)fiber_begin;
    return frame;
}

static void switch_batch(void)
{
    for (int i = 0; i < SWITCHES / 2; i++) /* there and back */
        fiber_switch(&main_sp, other_sp, fs);
}

static void fork_batch(void)
{
    for (int i = 0; i < FORKS; i++) {
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        if (child < 0 || waitpid(child, NULL, 0) != child)
            abort();
    }
}

static double least(void (*batch)(void), int batches, int size)
{
    double best = 0;
    for (int i = 0; i < batches; i++) {
        double begin = nanoseconds_used();
        batch();
        double each = (nanoseconds_used() - begin) / size;
        if (i == 0 || each < best)
            best = each;
    }
    return best;
}

int main(void)
{
    if (syscall(SYS_arch_prctl, ARCH_GET_FS, &fs) != 0)
        abort();
    other_sp = first_frame();
    double one_switch = least(switch_batch, SWITCH_BATCHES, SWITCHES);
    double one_fork = least(fork_batch, FORK_BATCHES, FORKS);
    printf("{\"switch\": %.2f, \"fork\": %.0f}\n", one_switch, one_fork);
    return 0;
}
