// Operations of trusted functions, and of what they call, are no scheduling points. Let main create T1
// and T2 (c2) and join them (j1, j2); each thread adds to a counter and then writes a line under a lock.
// With the line trusted a thread is one operation for the search (A, B): A before c2, then B and j1 in
// either order; A after c2, then B before A, between A and j1, or after j1: 2 + 3 = 5 executions. A thread
// that must wait in trusted code is left there (wait): T1 waits until main has set what it waits for.
// build: gcc -O1
// build: clang -O1
// modes: all
// run: -s dfs --trust log_line
// expect: no finding
// expect: executions 5
// expect: complete == true
// expect: output no thread was interrupted before operations of trusted code
// run: -s dfs
// expect: no finding
// expect: executions > 20
// run: -s dfs --trust log_line -- wait
// expect: no finding
// expect: complete == true
// run: -s dfs --trust log_line -- jump
// expect: finding assertion
// run: -s dpor --trust log_line
// expect: no finding
// expect: claim.kind == all-classes
// expect: classes 2
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int counter;
static int lines, ready;
static const char *way = "";

__attribute__((noinline)) static void put_line(jmp_buf *out)
{
    pthread_mutex_lock(&mutex);
    while (strcmp(way, "wait") == 0 && !ready)
        pthread_cond_wait(&changed, &mutex);
    lines++;
    pthread_mutex_unlock(&mutex);
    if (out != NULL)
        longjmp(*out, 1);
}

__attribute__((noinline)) void log_line(jmp_buf *out)
{
    put_line(out);
    __asm__ volatile(""); /* so that the call is not its end */
}

static void *work(void *unused)
{
    atomic_fetch_add(&counter, 1);
    log_line(NULL);
    return unused;
}

/* Code after a jump out of a trusted function can be interrupted. */
static void *jump(void *unused)
{
    jmp_buf out;
    if (setjmp(out) == 0)
        log_line(&out);
    int seen = atomic_load(&counter);
    atomic_store(&counter, seen + 1);
    return unused;
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "";
    int jumps = strcmp(way, "jump") == 0;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, jumps ? jump : work, NULL);
    if (strcmp(way, "wait") == 0) {
        pthread_mutex_lock(&mutex);
        ready = 1;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 2 && lines == 2);
    return 0;
}
