// Polite philosophers take the fork to the left, try for the one to the right, and put the first one back if that is
// taken. Each of them can go on so forever, with all others: the search through states shows how.
// build: gcc -O2
// run: -s stateful
// expect: finding livelock
// expect: output threads can loop forever, and every thread that can run takes part
// expect: findings[0].cycle == 9
// run: -s stateful -k
// expect: finding livelock
// expect: claim.kind == all-states
// expect: complete == true
// expect: states_not_compared == 0
#include <pthread.h>
enum { PHILOSOPHERS = 3 };
static pthread_mutex_t forks[PHILOSOPHERS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void *dine(void *argument)
{
    long me = (long)argument;
    pthread_mutex_t *left = &forks[me], *right = &forks[(me + 1) % PHILOSOPHERS];
    for (;;) {
        pthread_mutex_lock(left);
        if (pthread_mutex_trylock(right) == 0)
            break;
        pthread_mutex_unlock(left);
    }
    pthread_mutex_unlock(right);
    pthread_mutex_unlock(left);
    return NULL;
}
int main(void)
{
    pthread_t threads[PHILOSOPHERS];
    for (long i = 0; i < PHILOSOPHERS; i++)
        pthread_create(&threads[i], NULL, dine, (void *)i);
    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
