// Long loops that are no livelocks: they end by a counter, wherever that lies, by a time, by what they read
// from a file, or because another thread ends them.
// build: gcc -O1
// build: clang -O1
// build: gcc -O0
// run: -s dfs -- register
// expect: no finding
// expect: complete == true
// run: -s dfs -- global
// expect: no finding
// expect: complete == true
// run: -s dfs -- heap
// expect: no finding
// expect: complete == true
// run: -s dfs -- caller
// expect: no finding
// expect: complete == true
// run: -s dfs -- tls
// expect: no finding
// expect: complete == true
// run: -s dfs -- libc
// expect: no finding
// expect: complete == true
// run: -s dfs -- stream
// expect: no finding
// expect: complete == true
// run: -s dfs -- file
// expect: no finding
// expect: complete == true
// run: -s dfs -- time
// expect: no finding
// expect: complete == true
// run: -s dfs --isolate fork --carrier kernel -- caller
// expect: no finding
// run: -s dfs --isolate exec -- libc
// expect: no finding
// run: -s random -n 20 -- helper
// expect: no finding
// expect: cut == 0
// run: -s pct -n 20 -- helper
// expect: no finding
// expect: cut == 0
// run: -s random -n 5 -- handed
// expect: no finding
// expect: cut == 0
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TURNS = 3000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t mine, yours;
static int global, stop;
static _Thread_local int own;
static const char *way;

static void pass(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static void by_libc(void)
{
    char text[TURNS + 1], *rest = NULL;
    for (int i = 0; i < TURNS; i++)
        text[i] = i % 2 == 0 ? 'x' : ' ';
    text[TURNS] = 0;
    for (char *word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        pass();
}

static void by_stream(const char *zeros)
{
    FILE *in = fmemopen((void *)zeros, TURNS, "r");
    while (getc(in) != EOF)
        pass();
    fclose(in);
}

static void by_file(const char *zeros)
{
    char byte;
    int file = memfd_create("zeros", 0);
    if (write(file, zeros, TURNS) != TURNS || lseek(file, 0, SEEK_SET) != 0)
        abort();
    while (read(file, &byte, 1) == 1)
        pass();
    close(file);
}

static void by_time(void)
{
    struct timespec now, end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec++;
    do {
        pass();
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (now.tv_sec < end.tv_sec);
}

static void *work(void *counter)
{
    static char zeros[TURNS];
    int *heap = calloc(1, sizeof *heap), turns = 0;
    if (is("libc"))
        by_libc();
    else if (is("stream"))
        by_stream(zeros);
    else if (is("file"))
        by_file(zeros);
    else if (is("time"))
        by_time();
    else if (is("helper"))
        while (pthread_mutex_lock(&mutex), turns = stop, pthread_mutex_unlock(&mutex), !turns)
            ;
    else if (is("handed"))
        for (; turns < TURNS / 4; turns++)
            sem_wait(&mine), sem_post(&yours);
    else
        while ((is("global") ? global++ : is("heap") ? (*heap)++ : is("tls") ? own++
                : is("caller") ? (*(int *)counter)++ : turns++) < TURNS)
            pass();
    free(heap);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int counter = 0;
    way = argc > 1 ? argv[1] : "register";
    sem_init(&mine, 0, 1);
    sem_init(&yours, 0, 0);
    pthread_create(&thread, NULL, work, &counter);
    if (is("helper")) {
        pthread_mutex_lock(&mutex);
        stop = 1;
        pthread_mutex_unlock(&mutex);
    }
    for (int i = 0; is("handed") && i < TURNS / 4; i++)
        sem_wait(&yours), sem_post(&mine);
    pthread_join(thread, NULL);
    return 0;
}
