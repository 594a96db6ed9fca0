// A read-modify-write that leaves the value as it was is a write: it synchronises, so the order of two
// of them decides whether the accesses behind them race. A failed compare-exchange is a read.
// build: gcc -O0
// build: clang -O2
// run: -k -s dpor -- or
// expect: finding assertion
// expect: finding race
// expect: complete == true
// run: -k -s bpor -- or
// expect: finding assertion
// expect: finding race
// run: -k -s best --reduction classic -- or
// expect: finding assertion
// expect: finding race
// run: -k -s dpor -j 2 -- or
// expect: finding assertion
// expect: finding race
// run: -k -s dpor -- and
// expect: finding assertion
// expect: finding race
// run: -k -s dpor -- add
// expect: finding assertion
// expect: finding race
// run: -k -s dpor -- xor
// expect: finding assertion
// expect: finding race
// run: -k -s dpor -- exchange
// expect: finding assertion
// expect: finding race
// run: -k -s dpor -- set
// expect: finding assertion
// expect: finding race
// run: -k -s dpor -- compare
// expect: finding assertion
// expect: finding race
// run: -k -s dfs -- mixed
// expect: finding assertion
// expect: finding race
// run: -k -s dpor -- mixed
// expect: finding assertion
// expect: finding race
// run: -s dfs -- count
// expect: classes 2
// run: -s dpor -- count
// expect: executions 2
// expect: classes 2
// run: -s dfs -- fail
// expect: classes 1
// run: -s dpor -- fail
// expect: executions 1
// expect: classes 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int x = 1;
static int data;
static const char *how;

static int is(const char *what)
{
    return strcmp(how, what) == 0;
}

static void same_value(void)
{
    int one = 1;
    if (is("or"))
        atomic_fetch_or(&x, 1);
    else if (is("and"))
        atomic_fetch_and(&x, 1);
    else if (is("add"))
        atomic_fetch_add(&x, 0);
    else if (is("xor"))
        atomic_fetch_xor(&x, 0);
    else if (is("exchange") || is("mixed"))
        atomic_exchange(&x, 1);
    else if (is("set"))
        __atomic_test_and_set((char *)&x, __ATOMIC_SEQ_CST);
    else if (is("compare"))
        atomic_compare_exchange_strong(&x, &one, 1);
}

static void *first(void *unused)
{
    data = 1;
    same_value();
    return NULL;
}

static void *second(void *unused)
{
    if (is("mixed"))
        atomic_fetch_or(&x, 0);
    else
        same_value();
    assert(data == 1);
    return NULL;
}

static void *count(void *unused)
{
    atomic_fetch_or(&x, 1);
    return NULL;
}

static void *fail(void *unused)
{
    int zero = 0;
    atomic_compare_exchange_strong(&x, &zero, 2);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    how = argv[1];
    pthread_create(&threads[0], NULL, is("count") ? count : is("fail") ? fail : first, NULL);
    pthread_create(&threads[1], NULL, is("count") ? count : is("fail") ? fail : second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
