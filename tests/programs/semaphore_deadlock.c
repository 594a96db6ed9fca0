// Nobody posts: a deadlock. A loop that looks at the value waits for a change, a livelock.
// build: gcc -O1
// build: clang -O1
// run: -s dfs -- wait
// expect: finding deadlock
// expect: output semaphore wait ready
// run: -s dfs -- look
// expect: finding livelock
#include <semaphore.h>
#include <string.h>

static sem_t ready;

int main(int argc, char **argv)
{
    int value = 0;
    sem_init(&ready, 0, 1);
    sem_wait(&ready);
    if (strcmp(argv[argc - 1], "wait") == 0)
        sem_wait(&ready);
    while (value == 0)
        sem_getvalue(&ready, &value);
    return 0;
}
