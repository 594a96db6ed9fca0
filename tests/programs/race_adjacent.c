// A race is shown in steps that follow each other, where that takes no more preemptions than it takes to
// show it at all, whatever the threads do before and after. Otherwise the report says how many it takes:
// here T1 and T2 do the same, and go on after the access, so that without a preemption the whole rest of
// one comes between. The earlier side has a stack, also if it is atomic.
// build: gcc -O1
// build: clang -O1
// modes: all
// run: -s dfs
// expect: finding race
// expect: findings[0].adjacent == true
// expect: findings[0].preemptions == 0
// expect: output one right after the other, in steps
// run: -s dfs -- both
// expect: finding race
// expect: findings[0].adjacent == false
// expect: findings[0].preemptions == 0
// expect: output one right after the other it takes 1 preemption
// run: -s dfs -- atomic
// expect: finding race
// expect: findings[0].adjacent == true
// expect: output unordered with: T1 atomically writes 4 bytes
// expect: output stack of T1: publish at
// expect: output stack of T2: consume at
// run: -s dfs --points sync
// expect: finding race
// expect: findings[0].adjacent == false
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data, used;
static _Atomic int flag;
static const char *way = "";

static void pause_a_while(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static void *use(void *unused)
{
    data = 1;
    pause_a_while();
    return unused;
}

static void *use_late(void *unused)
{
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&own);
    pthread_mutex_unlock(&own);
    data = 2;
    return unused;
}

__attribute__((noinline)) static void publish(void)
{
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    __asm__ volatile("");
}

static void *store(void *unused)
{
    publish();
    return unused;
}

__attribute__((noinline)) static void consume(void)
{
    used += *(int *)&flag;
    __asm__ volatile("");
}

static void *look(void *unused)
{
    consume();
    return unused;
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "";
    int atomic = strcmp(way, "atomic") == 0, both = strcmp(way, "both") == 0;
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, atomic ? store : use, NULL);
    pthread_create(&threads[1], NULL, atomic ? look : both ? use : use_late, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return data + used > 100;
}
