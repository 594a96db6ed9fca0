// An execution that is longer than --steps is cut, and the claim says so.
// run: -s dfs --steps 50
// expect: exit 2
// expect: cut == 1
// expect: claim.kind == nothing
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}
