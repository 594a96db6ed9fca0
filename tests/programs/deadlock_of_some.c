// Some threads wait for each other forever; main does not wait for them, and ends the program.
// modes: all preload
// run: -s dfs -k
// expect: finding deadlock
// expect: output some threads wait forever, while others go on to the end
// expect: output T1 waits: lock second
// expect: output T2 waits: lock first
// run: -s preempt -- self
// expect: finding deadlock
// expect: output T1 waits: lock first
// run: -s preempt -- left
// expect: finding deadlock
// expect: output some threads wait forever
// run: -s preempt -- joins
// expect: finding deadlock
// run: -s preempt -b 2 -- none
// expect: no finding
// run: -s preempt -b 2 -- slow
// expect: no finding
// run: -s dfs --detect -deadlock
// expect: no finding
#include <pthread.h>
#include <string.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_t threads[2];
static const char *way = "";

static void *forwards(void *unused)
{
    pthread_mutex_lock(&first);
    if (strcmp(way, "self") == 0)
        pthread_mutex_lock(&first);
    if (strcmp(way, "left") == 0)
        return unused;
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return unused;
}

static void *backwards(void *unused)
{
    int same = strcmp(way, "none") == 0 || strcmp(way, "slow") == 0 || strcmp(way, "left") == 0;
    pthread_mutex_lock(same ? &first : &second);
    pthread_mutex_lock(same ? &second : &first);
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    return unused;
}

static void *join_other(void *which)
{
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
    pthread_join(*(pthread_t *)which, NULL);
    return NULL;
}

int main(int count, char **arguments)
{
    way = count > 1 ? arguments[1] : "";
    if (strcmp(way, "joins") == 0) {
        pthread_mutex_lock(&first);
        pthread_create(&threads[0], NULL, join_other, &threads[1]);
        pthread_create(&threads[1], NULL, join_other, &threads[0]);
        pthread_mutex_unlock(&first); /* now both are known */
        return 0;
    }
    pthread_create(&threads[0], NULL, forwards, NULL);
    if (strcmp(way, "self") != 0)
        pthread_create(&threads[1], NULL, backwards, NULL);
    if (strcmp(way, "slow") == 0)
        pthread_mutex_lock(&first); /* main holds it: a thread that waits just came too late */
    return 0;
}
