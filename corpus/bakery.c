// Lamport's bakery: draw a number above all others, then wait for everybody with a smaller one.
// While a thread draws, the others must wait until it has its number; without that, one that has
// read the numbers and not yet shown its own is overlooked, and comes in later with an equal or
// smaller one.
// group: idioms
// threads: 3
// finds: assertion
// lines: 38
// pb: 2
// db: 2
// options: --exit wait
// variants: bakery
// variants: bakery_fixed -DFIXED
// finds bakery_fixed: nothing
// pb bakery_fixed: -
// db bakery_fixed: -
// twin: bakery_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { CUSTOMERS = 2 };

static atomic_bool is_drawing[CUSTOMERS];
static atomic_int numbers[CUSTOMERS]; /* 0: not in the shop */
static int inside;

static void draw_number(int self)
{
    int highest = 0;
    for (int i = 0; i < CUSTOMERS; i++) {
        int number = numbers[i];
        if (number > highest)
            highest = number;
    }
    numbers[self] = highest + 1;
}

static bool comes_first(int other, int self)
{
    int theirs = numbers[other], mine = numbers[self];
    return theirs != 0 && (theirs < mine || (theirs == mine && other < self));
}

static void lock(int self)
{
    is_drawing[self] = true;
    draw_number(self);
    is_drawing[self] = false;
    for (int i = 0; i < CUSTOMERS; i++) {
#ifdef FIXED
        while (is_drawing[i])
            ;
#endif
        while (comes_first(i, self))
            ;
    }
}

static void unlock(int self)
{
    numbers[self] = 0;
}

static void *buy(void *argument)
{
    int self = *(int *)argument;
    lock(self);
    inside++;
    assert(inside == 1);
    inside--;
    unlock(self);
    return NULL;
}

int main(void)
{
    pthread_t customers[CUSTOMERS];
    int selves[CUSTOMERS];
    for (int i = 0; i < CUSTOMERS; i++) {
        selves[i] = i;
        pthread_create(&customers[i], NULL, buy, &selves[i]);
    }
    for (int i = 0; i < CUSTOMERS; i++)
        pthread_join(customers[i], NULL);
    return 0;
}
