// Of both sides of a race the report has the stack and the locks.
// build: gcc -O1
// build: clang -O1
// run: -s preempt -b 1 -k
// expect: finding race
// expect: output holding
// expect: output stack of T0: add at
// expect: output stack of T1: add at
// expect: output from_thread at
// expect: output from_main at
// expect: output holding own
// expect: output holding other
// run: -s preempt -b 1 -k -- same
// expect: no finding
#include <pthread.h>

static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static volatile int same;

static __attribute__((noinline)) void add(void)
{
    counter++;
}

static void *from_thread(void *unused)
{
    pthread_mutex_lock(&own);
    add();
    pthread_mutex_unlock(&own);
    return unused;
}

static __attribute__((noinline)) void from_main(void)
{
    pthread_mutex_t *lock = same ? &own : &other;
    pthread_mutex_lock(lock);
    add();
    pthread_mutex_unlock(lock);
}

int main(int count, char **arguments)
{
    (void)arguments;
    same = count > 1;
    pthread_t thread;
    pthread_create(&thread, NULL, from_thread, NULL);
    from_main();
    pthread_join(thread, NULL);
    return 0;
}
