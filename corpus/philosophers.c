// Philosophers take both forks at once or wait: one that puts the forks down looks whether a
// neighbour can eat now. This one looks after the left neighbour only; the right one, if hungry, is
// never told.
// group: idioms
// threads: 4
// finds: deadlock
// lines: 54 59
// pb: 1
// db: 1
// options: --exit wait
// variants: philosophers
// variants: philosophers_fixed -DFIXED
// finds philosophers_fixed: nothing
// pb philosophers_fixed: -
// db philosophers_fixed: -
// twin: philosophers_fixed
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

enum { SEATS = 3 };
enum state { THINKING, HUNGRY, EATING };

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static enum state states[SEATS];
static sem_t may_eat[SEATS];

static int left_of(int seat)
{
    return (seat + SEATS - 1) % SEATS;
}

static int right_of(int seat)
{
    return (seat + 1) % SEATS;
}

static void feed_if_possible(int seat)
{
    if (states[seat] == HUNGRY && states[left_of(seat)] != EATING &&
        states[right_of(seat)] != EATING) {
        states[seat] = EATING;
        sem_post(&may_eat[seat]);
    }
}

static void take_forks(int seat)
{
    pthread_mutex_lock(&table);
    states[seat] = HUNGRY;
    feed_if_possible(seat);
    pthread_mutex_unlock(&table);
    sem_wait(&may_eat[seat]);
}

static void put_forks(int seat)
{
    pthread_mutex_lock(&table);
    states[seat] = THINKING;
    feed_if_possible(left_of(seat));
#ifdef FIXED
    feed_if_possible(right_of(seat));
#endif
    pthread_mutex_unlock(&table);
}

static void *dine(void *argument)
{
    int seat = *(int *)argument;
    take_forks(seat);
    put_forks(seat);
    return NULL;
}

int main(void)
{
    pthread_t philosophers[SEATS];
    int seats[SEATS];
    for (int i = 0; i < SEATS; i++)
        sem_init(&may_eat[i], 0, 0);
    for (int i = 0; i < SEATS; i++) {
        seats[i] = i;
        pthread_create(&philosophers[i], NULL, dine, &seats[i]);
    }
    for (int i = 0; i < SEATS; i++)
        pthread_join(philosophers[i], NULL);
    for (int i = 0; i < SEATS; i++)
        assert(states[i] == THINKING);
    return 0;
}
