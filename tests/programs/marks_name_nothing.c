// The linker's marks (__TMC_END__, __bss_start, _edata, _end) have no size: a variable that begins
// where one stands, as `shared` does here with gcc, is called by its own name.
// build: gcc -O1
// build: clang -O1
// run: -s dfs -k
// expect: finding race
// expect: output on shared
// expect: silence __TMC_END__
// expect: silence _edata
// expect: silence __bss_start
#include <pthread.h>

int other = 5; /* .data ends with it, in the middle of a word */
static int shared;

static void *work(void *unused)
{
    shared += other;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    shared++;
    pthread_join(thread, NULL);
    return 0;
}
