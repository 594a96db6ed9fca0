// The exit status 0 is right unless --expect-exit names another one; with `any`, statuses that differ are only a warning.
// build: gcc -O1
// build: clang -O1
// run: -s dfs
// expect: finding exit
// expect: findings[0].severity == error
// run: -s dfs --expect-exit any
// expect: exit 0
// expect: verdict == clean
// expect: findings[0].kind == exit
// expect: findings[0].severity == warning
// run: -s dfs --expect-exit any -- ever
// expect: no finding
// run: -s dfs --expect-exit 7 -- ever
// expect: no finding
// run: -s dfs -- ever
// expect: finding exit
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int written;

static void *write_it(void *unused)
{
    pthread_mutex_lock(&mutex);
    written = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t writer;
    pthread_create(&writer, NULL, write_it, NULL);
    pthread_mutex_lock(&mutex);
    int seen = written;
    pthread_mutex_unlock(&mutex);
    pthread_join(writer, NULL);
    return argc > 1 && argv[1][0] ? 7 : seen;
}
