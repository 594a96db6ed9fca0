// An atomic section counts as one operation for the search. Let main create T1 and T2 (c2), each with
// one section (A, B), and join them (j1, j2). A before c2: B and j1 in either order; A after c2: B
// before A, between A and j1, or after j1: 2 + 3 = 5 executions, as for threads of one operation.
// Without the marks each section is three steps, and 69 orders keep c2 before B, A before j1, B before
// j2.
// modes: all
// run: -s dfs
// expect: no finding
// expect: executions 5
// expect: output sections that the program marks as atomic were not interrupted
// run: -s dfs -- open
// expect: no finding
// expect: executions 69
// run: -s dfs -- nested
// expect: no finding
// expect: executions 5
// run: -s dfs -- twice
// expect: finding misuse
// expect: output bohr_atomic_end without bohr_atomic_begin
#include <bohr.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int counter;
static const char *way = "";

static void *work(void *unused)
{
    int open = strcmp(way, "open") == 0;
    if (!open)
        bohr_atomic_begin();
    int first = atomic_fetch_add(&counter, 1);
    if (strcmp(way, "nested") == 0) {
        bohr_atomic_begin();
        bohr_atomic_end();
    }
    int second = atomic_fetch_add(&counter, 1);
    int third = atomic_load(&counter);
    if (!open) {
        bohr_assert(second == first + 1 && third == second + 1);
        bohr_atomic_end();
    }
    if (strcmp(way, "twice") == 0)
        bohr_atomic_end();
    return unused;
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "";
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
