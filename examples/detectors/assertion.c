/* Two customers and one seat: both may see that it is free before one of them takes it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int free_seats = 1;

static void *book(void *unused)
{
#ifdef FIXED
    int seen = atomic_load(&free_seats);
    while (seen > 0 && !atomic_compare_exchange_weak(&free_seats, &seen, seen - 1))
        ;
#else
    if (atomic_load(&free_seats) > 0)
        atomic_fetch_sub(&free_seats, 1);
#endif
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, book, NULL);
    pthread_create(&second, NULL, book, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(free_seats >= 0);
    return 0;
}
