// Synchronisation that Bohr does not see, told by annotations: here a flag that both sides only touch
// where accesses are ignored. Without the annotations the two accesses of `data` race; with them only
// where the reader looked before the writer was done, which the flag prevents. They are steps: of the
// two orders of before and after both are explored.
// build: gcc -O1
// build: clang -O1
// modes: all
// run: -s dfs
// expect: no finding
// expect: executions > 1
// expect: complete == true
// run: -s dfs -- tsan
// expect: no finding
// expect: complete == true
// run: -s dfs -- annotate
// expect: no finding
// expect: complete == true
// run: -s dpor
// expect: no finding
// run: -s dfs -- silent
// expect: finding race
// expect: output data
// run: -s dfs -- late
// expect: finding race
// run: -s dpor -- late
// expect: finding race
#include <bohr.h>
#include <pthread.h>
#include <string.h>

void __tsan_acquire(void *object);
void __tsan_release(void *object);
void AnnotateHappensBefore(const char *file, int line, const volatile void *object);
void AnnotateHappensAfter(const char *file, int line, const volatile void *object);
#pragma weak __tsan_acquire
#pragma weak __tsan_release
#pragma weak AnnotateHappensBefore
#pragma weak AnnotateHappensAfter

static int data, flag;
static const char *way = "";

static int is(const char *word)
{
    return strcmp(way, word) == 0;
}

static void before(void)
{
    if (is("tsan"))
        __tsan_release(&flag);
    else if (is("annotate"))
        AnnotateHappensBefore(__FILE__, __LINE__, &flag);
    else if (!is("silent"))
        bohr_happens_before(&flag);
    bohr_ignore_begin();
    flag = 1;
    bohr_ignore_end();
}

static int after(void)
{
    bohr_ignore_begin();
    int set = flag;
    bohr_ignore_end();
    if (is("tsan"))
        __tsan_acquire(&flag);
    else if (is("annotate"))
        AnnotateHappensAfter(__FILE__, __LINE__, &flag);
    else if (!is("silent"))
        bohr_happens_after(&flag);
    return set;
}

static void *writer(void *unused)
{
    data = 1;
    before();
    return unused;
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "";
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&own);
    pthread_mutex_unlock(&own);
    if (after() || is("late"))
        bohr_assert(data == 1 || is("late"));
    pthread_join(thread, NULL);
    return 0;
}
