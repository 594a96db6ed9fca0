// Two locks taken in opposite orders. The report says which thread holds and waits for which lock.
// build: gcc -O1
// build: clang -O1
// build: plain-tsan -O1
// build: none -O1
// modes: all preload
// run:
// expect: finding deadlock
// expect: findings[0].preemptions == 1
// expect: output left
// expect: output right
// run: -s dfs -k
// expect: finding deadlock
// expect: complete == true
// run: -s random -n 2000
// expect: finding deadlock
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;

static void *left_first(void *unused)
{
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    return unused;
}

static void *right_first(void *unused)
{
    pthread_mutex_lock(&right);
    pthread_mutex_lock(&left);
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left_first, NULL);
    pthread_create(&b, NULL, right_first, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
