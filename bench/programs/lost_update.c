/* Two threads add without a lock, twice each: a race in every execution, a failed assertion in
 * many. Once the racing accesses are steps: 13. */
#include <assert.h>
#include <pthread.h>

static int counter;

/* Not inlined, or the compiler makes one addition of two. */
__attribute__((noinline)) static void add(void)
{
    int seen = counter;
    counter = seen + 1;
}

static void *work(void *unused)
{
    add();
    add();
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(counter == 4);
    return 0;
}
