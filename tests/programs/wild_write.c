// A write that would land in the memory of the tool itself is a finding before it happens: in the state
// of the execution and of the runtime, which lie below two gigabytes, on the board, and in the shadow.
// build: gcc -O1
// build: clang -O1
// run: -s dfs -n 5 -- 71000008
// expect: finding crash
// expect: output a write to memory that is not the program's
// run: -s dfs -n 5 -- 70000000
// expect: finding crash
// expect: output a write to memory that is not the program's
// run: -s dfs -n 5 -- 100000000000
// expect: finding crash
// expect: output a write to memory that is not the program's
// run: -s dfs -n 5 -- 120000000000
// expect: finding crash
// expect: output a write to memory that is not the program's
#include <pthread.h>
#include <stdlib.h>

static long address;

static void *write_there(void *unused)
{
    *(volatile char *)address = 1;
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    address = argc > 1 ? strtol(argv[1], NULL, 16) : 0;
    pthread_create(&thread, NULL, write_there, NULL);
    pthread_join(thread, NULL);
    return 0;
}
