// A mutex is initialised beside a thread that uses it: then its lock guards nothing, and the order of atomic blocks
// does not show all that can happen. ExitBlock proves nothing here; that m is unlocked while free comes from within a
// block.
// build: gcc -O1
// build: clang -O1
// expect: finding race
// run: -k -s dpor
// expect: finding misuse
// run: -k -s exitblock
// expect: claim.kind == nothing
// run: -k -s exitblock-rw
// expect: claim.kind == nothing
#include <pthread.h>
static pthread_mutex_t m;
static int x;
static void *adds(void *argument)
{
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return argument;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, adds, NULL);
    pthread_mutex_init(&m, NULL);
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&m);
    return 0;
}
