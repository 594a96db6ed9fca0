// A program that has a handler for its crashes sees to them itself: jumping out of it (again and
// again: what it blocks is put back), repairing what was wrong, on a stack of its own when the stack
// has overflowed; with operations inside of it, in two threads at a time.
// build: gcc -O0
// build: clang -O0
// modes: all
// run: -s dfs
// expect: no finding
// expect: complete == true
// run: -s dfs -- repairs
// expect: no finding
// expect: complete == true
// run: -s dfs -- dies
// expect: finding crash
// expect: output segmentation fault
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static __thread sigjmp_buf back;
static __thread int repairs;
static char *page;
static int crashes, aborted, overflowed;
static char other_stack[65536];

static void on_crash(int number, siginfo_t *info, void *context)
{
    (void)context;
    char here;
    if (repairs) {
        assert((char *)info->si_addr == page);
        mprotect(page, 4096, PROT_READ | PROT_WRITE);
        repairs = 0;
        return;
    }
    if (&here >= other_stack && &here < other_stack + sizeof other_stack)
        overflowed = 1;
    else {
        assert(number == SIGSEGV && info->si_addr < (void *)4096);
        pthread_mutex_lock(&mutex);
        crashes++;
        pthread_mutex_unlock(&mutex);
    }
    siglongjmp(back, 1);
}

static void *crash(void *nowhere)
{
    volatile double precise = 1.5;
    for (volatile int i = 0; i < 2; i++)
        if (sigsetjmp(back, 1) == 0)
            *(volatile int *)nowhere = 1;
    assert(precise == 1.5);
    return NULL;
}

static void mend(void)
{
    double sum = 0.25;
    page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    repairs = 1;
    *(volatile char *)page = 7;
    assert(*page == 7 && !repairs && sum == 0.25);
}

static int dive(volatile int depth)
{
    volatile char frame[4096];
    frame[0] = (char)depth;
    return dive(depth + 1) + frame[0];
}

static void on_abort(int number)
{
    aborted = number;
    siglongjmp(back, 1);
}

int main(int argc, char **argv)
{
    pthread_t thread;
    struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaction(SIGSEGV, &action, NULL);
    signal(SIGABRT, on_abort);
    if (argc > 1 && strcmp(argv[1], "repairs") == 0)
        mend();
    pthread_create(&thread, NULL, crash, (void *)8);
    crash((void *)16);
    pthread_join(thread, NULL);
    assert(crashes == 4);
    if (sigsetjmp(back, 1) == 0)
        abort();
    assert(aborted == SIGABRT);
    stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof other_stack}, old;
    assert(sigaltstack(&stack, &old) == 0 && old.ss_flags == SS_DISABLE);
    assert(sigaltstack(NULL, &old) == 0 && old.ss_sp == other_stack && old.ss_flags == 0);
    if (sigsetjmp(back, 1) == 0)
        dive(0);
    assert(overflowed);
    if (argc > 1 && strcmp(argv[1], "dies") == 0) {
        signal(SIGSEGV, SIG_DFL);
        *(volatile int *)8 = 1;
    }
    return argv == NULL;
}
