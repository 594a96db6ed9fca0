// A program that something else than the schedule decides is told so, and nothing is claimed.
// replay: no (by its nature it may not come out the same)
// run: -s dfs --isolate exec -k
// expect: finding nondeterminism
// expect: claim.kind == nothing
// expect: complete == false
// run: -s preempt --isolate exec -k
// expect: finding nondeterminism
// expect: claim.kind == nothing
// expect: complete == false
// run: -s delay --isolate exec -k
// expect: finding nondeterminism
// expect: claim.kind == nothing
// expect: complete == false
// run: -s dpor --isolate exec -k
// expect: finding nondeterminism
// expect: claim.kind == nothing
// expect: complete == false
// run: -s dpor --reduction source --isolate exec -k
// expect: finding nondeterminism
// expect: claim.kind == nothing
// expect: complete == false
// run: -s bpor --isolate exec -k
// expect: finding nondeterminism
// expect: claim.kind == nothing
// expect: complete == false
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *work(void *unused)
{
    unsigned char random = 0;
    int fd = open("/proc/sys/kernel/random/uuid", O_RDONLY);
    for (int i = 0; i < 8; i++) {
        if (read(fd, &random, 1) != 1)
            return unused;
        pthread_mutex_lock(&mutexes[random % 2]);
        pthread_mutex_unlock(&mutexes[random % 2]);
    }
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
