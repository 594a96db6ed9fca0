// Philosophers take the lower of their forks first and count those that have eaten; main insists that
// somebody is still hungry after dinner. With two to four of them the counter has no lock, and only
// a lost update hides the wrong check; with five or six it has one, and the check always fails.
// With seven the last place was not laid as part of a ring: the philosopher there takes the same fork
// twice.
// group: cs
// variants: din_phil2 -DSEATS=2
// variants: din_phil3 -DSEATS=3
// variants: din_phil4 -DSEATS=4
// variants: din_phil5 -DSEATS=5 -DCOUNTED
// variants: din_phil6 -DSEATS=6 -DCOUNTED
// variants: din_phil7 -DSEATS=7 -DCOUNTED -DNO_RING
// threads din_phil2: 3
// threads din_phil3: 4
// threads din_phil4: 5
// threads din_phil5: 6
// threads din_phil6: 7
// threads din_phil7: 8
// finds: assertion
// lines: 78
// lines din_phil7: 62
// finds din_phil7: deadlock
// pb: 0
// db: 0
// options: --exit wait
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_mutex_t forks[SEATS];
static int eaten;
#ifdef COUNTED
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
#endif

static int fork_at_right(int seat)
{
#ifdef NO_RING
    return seat + 1 < SEATS ? seat + 1 : seat;
#else
    return (seat + 1) % SEATS;
#endif
}

static void count(void)
{
#ifdef COUNTED
    pthread_mutex_lock(&counting);
#endif
    eaten++;
#ifdef COUNTED
    pthread_mutex_unlock(&counting);
#endif
}

static void *dine(void *seat_number)
{
    int left = (int)(intptr_t)seat_number, right = fork_at_right(left);
    int lower = left < right ? left : right, upper = left < right ? right : left;
    pthread_mutex_lock(&forks[lower]);
    pthread_mutex_lock(&forks[upper]);
    pthread_mutex_unlock(&forks[upper]);
    pthread_mutex_unlock(&forks[lower]);
    count();
    return NULL;
}

int main(void)
{
    pthread_t philosophers[SEATS];
    for (int i = 0; i < SEATS; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (intptr_t i = 0; i < SEATS; i++)
        pthread_create(&philosophers[i], NULL, dine, (void *)i);
    for (int i = 0; i < SEATS; i++)
        pthread_join(philosophers[i], NULL);
    assert(eaten != SEATS);
    return 0;
}
