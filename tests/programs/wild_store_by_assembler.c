// A store that no instrumentation sees, into the memory in which the search is kept, is a crash at its place before
// it does harm: at the options, at the counts, in the tree of the search.
// run: -s dfs -- 100000000040
// expect: finding crash
// expect: output a write to memory that is not the program's
// run: -s dfs -- 100000002000
// expect: finding crash
// expect: output a write to memory that is not the program's
// run: -s dfs -- 100100000000
// expect: finding crash
// expect: output a write to memory that is not the program's
// run: -s dfs --isolate fork -- 100000000040
// expect: finding crash
// expect: output a write to memory that is not the program's
// run: -s dfs --isolate exec -- 100000002000
// expect: finding crash
// run: -s dfs --isolate fork --carrier kernel -- 100100000000
// expect: finding crash
#include <pthread.h>
#include <stdlib.h>

static long address;

static void *store(void *unused)
{
    __asm__ volatile("movb $1, (%0)" : : "r"(address) : "memory");
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    address = argc > 1 ? strtol(argv[1], NULL, 16) : 0;
    pthread_create(&thread, NULL, store, NULL);
    pthread_join(thread, NULL);
    return 0;
}
