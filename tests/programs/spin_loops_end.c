// Loops that wait end under every strategy, with and without fairness of their own: the waiter is an
// await or gives way, and no execution is cut.
// build: gcc -O1
// build: clang -O2
// expect: no finding
// expect: cut == 0
// run: -s dfs -- yield
// expect: complete == true
// run: -s preempt -- yield
// expect: complete == true
// run: -s random -n 200 -- yield
// run: -s dfs -- pause
// expect: complete == true
// run: -s preempt -- pause
// expect: complete == true
// run: -s random -n 200 -- pause
// run: -s dfs -- sleep
// expect: complete == true
// run: -s preempt -- sleep
// expect: complete == true
// run: -s random -n 200 -- sleep
// run: -s dfs -- trylock
// expect: complete == true
// run: -s preempt -- trylock
// expect: complete == true
// run: -s random -n 200 -- trylock
// run: -s dfs -- compare
// expect: complete == true
// run: -s preempt -- compare
// expect: complete == true
// run: -s random -n 200 -- compare
// run: -s dfs -- exchange
// expect: complete == true
// run: -s preempt -- exchange
// expect: complete == true
// run: -s random -n 200 -- exchange
// run: -s dfs -- futex
// expect: complete == true
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int value;
static const char *what;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static bool is(const char *name)
{
    return strcmp(what, name) == 0;
}

static void await(void)
{
    if (is("yield"))
        while (atomic_load(&word) != 1)
            sched_yield();
    else if (is("pause"))
        while (atomic_load(&word) != 1)
            __builtin_ia32_pause();
    else if (is("sleep"))
        while (atomic_load(&word) != 1)
            usleep(10);
    else if (is("futex"))
        while (syscall(SYS_futex, &word, FUTEX_WAIT, 2, NULL) == -1 && atomic_load(&word) != 1)
            ;
}

static void acquire(void)
{
    int expected = 0;
    if (is("trylock"))
        while (pthread_mutex_trylock(&mutex) != 0)
            ;
    else if (is("compare"))
        while (!atomic_compare_exchange_strong(&word, &expected, 1))
            expected = 0;
    else if (is("exchange"))
        while (atomic_exchange(&word, 1) != 0)
            while (atomic_load(&word) != 0)
                ;
}

static void release(void)
{
    if (is("trylock"))
        pthread_mutex_unlock(&mutex);
    else
        atomic_store(&word, 0);
}

static bool is_lock(void)
{
    return is("trylock") || is("compare") || is("exchange");
}

static void *work(void *unused)
{
    if (is_lock()) {
        acquire();
        value++;
        release();
    } else {
        await();
        assert(value == 1);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    what = argc > 1 ? argv[1] : "yield";
    pthread_create(&thread, NULL, work, NULL);
    if (is_lock()) {
        work(NULL);
    } else {
        value = 1;
        atomic_store(&word, 1);
    }
    pthread_join(thread, NULL);
    assert(value == (is_lock() ? 2 : 1));
    return 0;
}
