// The stack and the thread-local variables of a thread are gone when it has ended.
// build: gcc -O1
// build: clang -O1
// run: -s dfs
// expect: finding use-after-return
// expect: output the stack of a thread that has ended is used
// expect: output T1's stack
// run: -s dfs -- write
// expect: finding use-after-return
// run: -s dfs -- copy
// expect: finding use-after-return
// run: -s dfs -- thread-local
// expect: finding use-after-return
// run: -s dfs -- other-thread
// expect: finding use-after-return
// run: -s preempt -- sometimes
// expect: finding use-after-return
// run: -s dfs -- alive
// expect: no finding
// run: -s dfs -- main
// expect: no finding
// run: -s dfs --detect -stack
// expect: no finding
#include <pthread.h>
#include <string.h>

static pthread_barrier_t barrier;
static volatile int *volatile shared;
static _Thread_local volatile int own;
static const char *way = "";
static volatile int sink;

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static void *lend(void *unused)
{
    volatile int local = 1;
    shared = is("thread-local") ? &own : &local;
    *shared = 2;
    if (is("alive") || is("sometimes"))
        pthread_barrier_wait(&barrier);
    if (is("alive"))
        pthread_barrier_wait(&barrier);
    return unused;
}

static void *look(void *unused)
{
    sink = *shared;
    return unused;
}

static void use(void)
{
    int copy;
    if (is("write"))
        *shared = 3;
    else if (is("copy"))
        memcpy(&copy, (const void *)shared, sizeof copy);
    else
        sink = *shared;
}

int main(int count, char **arguments)
{
    way = count > 1 ? arguments[1] : "";
    pthread_t thread, other;
    volatile int mine = 1;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, lend, NULL);
    if (is("alive") || is("sometimes")) {
        pthread_barrier_wait(&barrier);
        use();
    }
    if (is("alive"))
        pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    if (is("main"))
        shared = &mine;
    if (is("other-thread") || is("main")) {
        pthread_create(&other, NULL, look, NULL);
        pthread_join(other, NULL);
    } else if (!is("alive") && !is("sometimes")) {
        use();
    }
    return 0;
}
