// Threads that look at a flag under a lock until main sets it: no livelock, and the search ends. A poller
// that has come back twice, alone, gives way. With one of them main comes before its first turn, after it,
// or after the second. tests/support/count_polling.py counts for several.
// To the reduction only the order matters in which they see the flag.
// modes: all
// run: -s dfs -- mutex 2
// expect: no finding
// expect: executions 148
// expect: complete == true
// expect: cut == 0
// expect: claim.kind == all
// run: -s dfs -- mutex 1
// expect: no finding
// expect: executions 3
// expect: classes 3
// run: -s dfs -- spin 1
// expect: no finding
// expect: executions 3
// run: -s dfs -- write 1
// expect: no finding
// expect: executions 3
// run: -s preempt -- two-locks 1
// expect: no finding
// expect: complete == true
// run: -s dpor -- mutex 2
// expect: no finding
// expect: executions 2
// expect: claim.kind == all-classes
// run: -s pct -n 200 -- mutex 2
// expect: no finding
// expect: cut == 0
// run: -s surw -n 200 -- read 2
// expect: no finding
// expect: cut == 0
// run: -s dfs -n 200 --steps 100 -- counted 1
// expect: no finding
// expect: complete == true
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static int stop;
static const char *way;

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static int visit(int sets)
{
    int seen;
    if (is("spin"))
        pthread_spin_lock(&spin);
    else if (is("write") || (is("read") && sets))
        pthread_rwlock_wrlock(&lock);
    else if (is("read"))
        pthread_rwlock_rdlock(&lock);
    else
        pthread_mutex_lock(&mutex);
    if (is("two-locks"))
        pthread_mutex_lock(&other);
    if (sets)
        stop = 1;
    seen = stop;
    if (is("two-locks"))
        pthread_mutex_unlock(&other);
    if (is("spin"))
        pthread_spin_unlock(&spin);
    else if (is("write") || is("read"))
        pthread_rwlock_unlock(&lock);
    else
        pthread_mutex_unlock(&mutex);
    return seen;
}

/* One that counts its turns does not wait for anybody. */
static void *poll(void *unused)
{
    for (int turns = 0; turns < 4 && is("counted"); turns++)
        visit(0);
    while (!is("counted") && !visit(0))
        ;
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    way = argc > 1 ? argv[1] : "mutex";
    int count = argc > 2 ? atoi(argv[2]) : 1;
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, poll, NULL);
    visit(1);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
