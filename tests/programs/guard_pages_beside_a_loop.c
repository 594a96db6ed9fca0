// Memory that the program may not read any more, beside a loop that never ends: the loop is a livelock, and looking
// for that is no crash. What lies in such memory counts, too: where that changes in each turn, the loop ends.
// run: --no-shrink -s dfs -- static
// expect: finding livelock
// run: --no-shrink -s dfs -- heap
// expect: finding livelock
// run: --no-shrink -s dfs --isolate fork --carrier kernel -- heap
// expect: finding livelock
// run: --no-shrink -s dfs --isolate exec -- static
// expect: finding livelock
// run: -s dfs -- counts
// expect: no finding
// expect: complete == true
// run: -s dfs --detect all -- ends
// expect: no finding
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, TURNS = 2000 };

static char pages[3 * PAGE] __attribute__((aligned(PAGE)));
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *way;
static int stop;

static void protect(char *page, int protection)
{
    if (mprotect(page, PAGE, protection) != 0)
        abort();
}

/* How far it has counted is seen only while it looks. */
static int counts(char *page)
{
    int *count = (int *)page;
    protect(page, PROT_READ | PROT_WRITE);
    int over = ++*count == TURNS;
    protect(page, PROT_NONE);
    return over;
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "static";
    char *page = strcmp(way, "heap") == 0 ? aligned_alloc(PAGE, 2 * PAGE) : pages + PAGE;
    memset(page, 0, PAGE);
    protect(page, PROT_NONE);
    for (int over = strcmp(way, "ends") == 0; !over;) {
        pthread_mutex_lock(&mutex);
        over = stop || (strcmp(way, "counts") == 0 && counts(page));
        stop = 0;
        pthread_mutex_unlock(&mutex);
        sched_yield();
    }
    return 0;
}
