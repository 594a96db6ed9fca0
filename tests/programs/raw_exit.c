// A program that ends its process by an instruction of its own is refused in every isolation mode: its exit is no crash.
// build: gcc -O1
// run: -s dfs
// expect: exit 3
// expect: no finding
// expect: executions 0
// run: -s dfs --isolate fork
// expect: exit 3
// expect: no finding
// run: -s dfs --isolate exec
// expect: exit 3
// expect: no finding
#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>

static void *run(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    long status = 0;
    __asm__ volatile("syscall" : : "a"(SYS_exit_group), "D"(status) : "rcx", "r11", "memory");
    return 0;
}
