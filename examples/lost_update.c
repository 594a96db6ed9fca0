/* Two threads add to one counter without a lock. `hits++` reads, adds and writes: an addition that
 * comes between the other's read and write is lost.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int hits;

static void *serve(void *unused)
{
    hits++;
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, serve, NULL);
    pthread_create(&second, NULL, serve, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(hits == 2);
    return 0;
}
