// Each thread has a clock for its own work; sleeping does not count, others' work does not either.
// modes: all
// run: -s dfs
// expect: no finding
// expect: complete == true
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static long on(clockid_t clock)
{
    struct timespec now;
    assert(clock_gettime(clock, &now) == 0);
    return now.tv_sec * 1000000000l + now.tv_nsec;
}

static void *work(void *unused)
{
    clockid_t mine;
    assert(pthread_getcpuclockid(pthread_self(), &mine) == 0);
    for (int i = 1; i <= 10; i++)
        assert(on(i % 2 ? mine : CLOCK_THREAD_CPUTIME_ID) == i * 1000);
    sleep(5);
    assert(on(mine) == 11000);
    return unused;
}

int main(void)
{
    clockid_t of_thread, of_process;
    pthread_t thread;
    assert(clock_getcpuclockid(0, &of_process) == 0);
    assert(clock_getcpuclockid(getpid(), &of_process) == 0);
    assert(clock_getcpuclockid(getpid() + 1000, &of_process) == ESRCH);
    pthread_create(&thread, NULL, work, NULL);
    assert(pthread_getcpuclockid(thread, &of_thread) == 0);
    pthread_join(thread, NULL);
    assert(on(of_process) == 12000);
    assert(on(CLOCK_THREAD_CPUTIME_ID) == 2000);
    return 0;
}
