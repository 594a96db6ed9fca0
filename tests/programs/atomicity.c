// Locks are held at each access, but given up between a read and the write that belongs to it.
// build: gcc -O1
// build: clang -O1
// run: -s preempt -b 1
// expect: no finding
// run: -s preempt -b 1 --detect atomicity
// expect: finding atomicity
// expect: exit 0
// expect: output another thread writes between a read and the write that follows it
// expect: output on counter
// expect: output also involved: T
// run: -s dfs --detect atomicity -- whole
// expect: no finding
// run: -s dfs --detect atomicity -- again
// expect: no finding
// run: -s dfs --detect atomicity -- blind
// expect: no finding
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int counter;
static const char *way = "";

static void add(void)
{
    pthread_mutex_lock(&mutex);
    int seen = counter;
    if (strcmp(way, "whole") != 0) {
        pthread_mutex_unlock(&mutex);
        pthread_mutex_lock(&mutex);
    }
    if (strcmp(way, "again") == 0)
        seen = counter;
    counter = seen + 1;
    pthread_mutex_unlock(&mutex);
}

static void set(void)
{
    pthread_mutex_lock(&mutex);
    counter = 5;
    pthread_mutex_unlock(&mutex);
}

static void *work(void *unused)
{
    if (strcmp(way, "blind") == 0)
        set();
    else
        add();
    return unused;
}

int main(int count, char **arguments)
{
    way = count > 1 ? arguments[1] : "";
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
