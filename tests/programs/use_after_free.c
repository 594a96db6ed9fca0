// A block that one thread frees while the other still reads it.
// build: gcc -O1
// build: clang -O1
// run: -s preempt -k --races off
// expect: finding use-after-free
// expect: output use_after_free.c
#include <pthread.h>
#include <stdlib.h>

struct request {
    pthread_mutex_t mutex;
    int done;
};

static struct request *request;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *finish(void *unused)
{
    pthread_mutex_lock(&mutex);
    free(request);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    request = calloc(1, sizeof *request);
    pthread_t thread;
    pthread_create(&thread, NULL, finish, NULL);
    pthread_mutex_lock(&mutex);
    request->done = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
