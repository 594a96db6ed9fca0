// Long loops that are no livelocks: they end by a counter, wherever that lies (also in the bytes of a pipe, or how
// many there are), by a time, by what they read from a file, by chance, or because another thread ends them.
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
// run: -s dfs -- random
// expect: no finding
// expect: complete == true
// run: -s dfs -- backlog
// expect: no finding
// expect: complete == true
// run: -s dfs -- carried
// expect: no finding
// expect: complete == true
// run: -s dfs -- counted
// expect: no finding
// expect: complete == true
// run: -s dfs -- list
// expect: no finding
// expect: complete == true
// run: -s dfs -- ticks
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
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
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

/* Nothing else changes than what is in the pipe. */
static void by_pipe(const char *zeros)
{
    int ends[2];
    uint16_t number = 0;
    if (pipe(ends) != 0 || write(ends[1], zeros, is("backlog") ? TURNS : sizeof number) < 0)
        abort();
    if (is("backlog"))
        close(ends[1]);
    while (read(ends[0], &number, is("backlog") ? 1 : sizeof number) > 0 && number < TURNS) {
        number += is("carried");
        if (is("carried") && write(ends[1], &number, sizeof number) < 0)
            abort();
        number = 0;
        pass();
    }
}

static void by_event(void)
{
    uint64_t one = 1;
    struct pollfd full = {.fd = eventfd(0, EFD_NONBLOCK), .events = POLLOUT};
    uint64_t most = UINT64_MAX - 1 - TURNS;
    if (write(full.fd, &most, sizeof most) < 0)
        abort();
    while (poll(&full, 1, 0) == 1) {
        if (write(full.fd, &one, sizeof one) < 0)
            abort();
        pass();
    }
}

static void by_list(void)
{
    struct node {
        struct node *next;
    } *first = NULL;
    for (int i = 0; i < TURNS; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = first;
        first = node;
    }
    while (first != NULL) {
        struct node *old = first;
        free(malloc(100));
        first = first->next;
        free(old);
        pass();
    }
}

static void by_ticks(void)
{
    struct itimerspec often = {.it_value.tv_nsec = 1, .it_interval.tv_nsec = 1000000};
    uint64_t times, all = 0;
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(timer, 0, &often, NULL);
    for (; all < TURNS; all += times)
        if (read(timer, &times, sizeof times) < 0)
            abort();
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
    else if (is("random"))
        while (arc4random_uniform(TURNS / 2) != 7)
            pass();
    else if (is("backlog") || is("carried"))
        by_pipe(zeros);
    else if (is("counted"))
        by_event();
    else if (is("list"))
        by_list();
    else if (is("ticks"))
        by_ticks();
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
