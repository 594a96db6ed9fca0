// Two threads swap values in rounds: each stores its own, meets the other with two semaphores, and
// reads the other's. Nobody waits until the other has read: the faster one stores the value of its
// next round over the one that the slower has still to read.
// group: idioms
// threads: 3
// finds: assertion
// lines: 35 37
// pb: 0
// db: 0
// options: --exit wait
// variants: rendezvous
// variants: rendezvous_fixed -DFIXED
// finds rendezvous_fixed: nothing
// pb rendezvous_fixed: -
// db rendezvous_fixed: -
// twin: rendezvous_fixed
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

enum { SIDES = 2, ROUNDS = 2 };

static sem_t arrived[SIDES];
static int values[SIDES];

static void meet(int self)
{
    sem_post(&arrived[self]);
    sem_wait(&arrived[!self]);
}

static int swap(int self, int value)
{
    values[self] = value;
    meet(self);
    int other = values[!self];
#ifdef FIXED
    meet(self);
#endif
    return other;
}

static void *play(void *argument)
{
    int self = *(int *)argument;
    for (int round = 0; round < ROUNDS; round++)
        assert(swap(self, round) == round);
    return NULL;
}

int main(void)
{
    pthread_t players[SIDES];
    int sides[SIDES];
    for (int i = 0; i < SIDES; i++)
        sem_init(&arrived[i], 0, 0);
    for (int i = 0; i < SIDES; i++) {
        sides[i] = i;
        pthread_create(&players[i], NULL, play, &sides[i]);
    }
    for (int i = 0; i < SIDES; i++)
        pthread_join(players[i], NULL);
    return 0;
}
