// Objects that are never destroyed, and threads that run when main ends: warnings.
// build: gcc -O1
// build: clang -O1
// run: -s dfs --detect -untidy
// expect: no finding
// run: -s dfs --detect untidy
// expect: finding misuse
// expect: exit 0
// expect: output a mutex is never destroyed
// expect: output a condition variable is never destroyed
// expect: buggy 0
// expect: findings[0].severity == warning
// expect: findings[1].severity == warning
// run: -s dfs --detect untidy -- thread
// expect: finding misuse
// expect: exit 0
// expect: findings[0].count == 2
// expect: output a thread still runs when the program ends
// run: -s dfs --detect untidy -- tidy
// expect: no finding
// run: -s dfs --detect untidy --exit wait -- waits
// expect: no finding
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static pthread_mutex_t mutex, fixed = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond;
static sem_t semaphore;

static void *work(void *unused)
{
    pthread_mutex_lock(&fixed);
    pthread_mutex_unlock(&fixed);
    return unused;
}

int main(int count, char **arguments)
{
    const char *way = count > 1 ? arguments[1] : "";
    int runs = strcmp(way, "thread") == 0 || strcmp(way, "waits") == 0;
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    if (runs)
        return 0;
    pthread_mutex_init(&mutex, NULL);
    pthread_cond_init(&cond, NULL);
    sem_init(&semaphore, 0, 0);
    sem_destroy(&semaphore);
    if (strcmp(way, "tidy") == 0) {
        pthread_mutex_destroy(&mutex);
        pthread_cond_destroy(&cond);
    }
    pthread_join(thread, NULL);
    return 0;
}
