// Where what the program prints is compared, printing is a step: two lines come in either order. T1 prints after its
// creation and before it is joined, T2 the same: 5 interleavings of 2 classes. Otherwise printing is none.
// build: gcc -O1
// build: clang -O1
// modes: all first
// run: -s dfs -k --same-output -
// expect: finding output
// expect: executions == 5
// expect: classes == 2
// run: -s dpor -k --same-output -
// expect: finding output
// expect: executions == 2
// run: -s dfs -k --same-output - -- locked
// expect: no finding
// run: -s dfs -k
// expect: no finding
// expect: executions == 1
#include <pthread.h>
#include <stdio.h>

static void *print(void *line)
{
    puts(line);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t first, second;
    pthread_create(&first, NULL, print, "one");
    if (argc > 1) /* one after the other */
        pthread_join(first, NULL);
    pthread_create(&second, NULL, print, "two");
    if (argc == 1)
        pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
