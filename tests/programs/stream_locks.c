// A stream that one thread holds by flockfile makes others wait in a step of ours, not in libc: each of
// two threads holds stdout over a critical section, prints with every kind of function and lets go.
// The thread that holds it first goes through (the other one waits), so there are 2 executions; printing
// without waiting is no step.
//
// print: T1 does F L U f (the stream, the mutex, and back), main l u and prints, which is a step P only
// if T1 holds the stream then: lu FLUf, lFu LUfP, Flu LUfP, FLU lufP, FLU lfu, FLUf lu: 6 executions;
// the second and third are one class, and so are the last two.
// modes: all preload
// build: gcc -O0
// build: gcc -O2
// build: clang -O2
// run: -s dfs
// expect: no finding
// expect: executions 2
// expect: classes 2
// run: -s random -n 50
// expect: no finding
// run: -s dfs -- print
// expect: no finding
// expect: executions 6
// expect: classes 4
// run: -s dfs -- try
// expect: no finding
// expect: complete == true
// run: -s dfs -- order
// expect: finding deadlock
// expect: output lock stream stdout
// expect: output T1 holds it
// run: -s dfs -- exit
// expect: no finding
// expect: complete == true
// run: -s dfs -- assert
// expect: finding assertion
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *way = "";
static int inside;

static void critical(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static void print_with_list(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}

static void print_all(void)
{
    char text[64];
    double half = 0.5;
    printf("%d %f %s %g %g %g %g %g %g %g %g\n", 1, half, "text", half, half, half, half, half, half,
           half, half * 16);
    print_with_list("%f\n", half);
    fprintf(stdout, "%f", half);
    puts("line");
    fputs("text", stdout);
    putchar('c');
    putc('c', stdout);
    assert(fwrite("text", 1, 4, stdout) == 4);
    assert(fflush(stdout) == 0);
    assert(fflush(NULL) == 0);
    assert(ferror(stdout) == 0);
    snprintf(text, sizeof text, "%f", half);
    assert(strcmp(text, "0.500000") == 0);
}

static void *hold(void *unused)
{
    flockfile(stdout);
    flockfile(stdout);
    assert(++inside == 1);
    critical();
    print_all();
    inside--;
    funlockfile(stdout);
    funlockfile(stdout);
    print_all();
    return unused;
}

/* main only prints: before T1's flockfile, or when T1 has let go. */
static void *hold_once(void *unused)
{
    flockfile(stdout);
    inside++;
    critical();
    inside--;
    funlockfile(stdout);
    return unused;
}

static void *try_it(void *unused)
{
    while (ftrylockfile(stdout) != 0)
        continue;
    assert(++inside == 1);
    critical();
    inside--;
    funlockfile(stdout);
    return unused;
}

static void *stream_first(void *unused)
{
    flockfile(stdout);
    critical();
    funlockfile(stdout);
    return unused;
}

static void *hold_for_ever(void *unused)
{
    flockfile(stdout);
    critical();
    return unused;
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "";
    pthread_t thread;
    if (strcmp(way, "print") == 0) {
        critical();
        pthread_create(&thread, NULL, hold_once, NULL);
        critical();
        puts("printed");
    } else if (strcmp(way, "try") == 0) {
        pthread_create(&thread, NULL, try_it, NULL);
        try_it(NULL);
    } else if (strcmp(way, "order") == 0) {
        pthread_create(&thread, NULL, stream_first, NULL);
        pthread_mutex_lock(&mutex);
        puts("waits for the stream while it holds the mutex");
        pthread_mutex_unlock(&mutex);
    } else if (strcmp(way, "exit") == 0 || strcmp(way, "assert") == 0) {
        pthread_create(&thread, NULL, hold_for_ever, NULL);
        critical();
        assert(way[0] == 'e');
        exit(0);
    } else {
        pthread_create(&thread, NULL, hold, NULL);
        hold(NULL);
    }
    pthread_join(thread, NULL);
    return 0;
}
