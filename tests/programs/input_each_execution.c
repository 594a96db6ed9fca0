// Standard input is given to each execution from its beginning, through stdio and read.
// input: first line\nsecond line\n
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions > 1
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void *read_line(void *unused)
{
    char line[64];
    pthread_mutex_lock(&mutex);
    assert(fgets(line, sizeof line, stdin) != NULL);
    assert(strcmp(line, lines++ == 0 ? "first line\n" : "second line\n") == 0);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, read_line, NULL);
    pthread_create(&second, NULL, read_line, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    char rest;
    assert(read(STDIN_FILENO, &rest, 1) == 0);
    return 0;
}
