// Loops that change the protection of memory in each iteration, and never end, may be livelocks. Those that end are none: by
// what they have counted in memory that can be written at times only, wherever that lies, or by how much of it is protected.
// build: gcc -O1
// build: clang -O1
// run: -s dfs --steps 2000 -- round
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// run: -s random -n 2 --steps 2000 -- both
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// run: -s dfs --steps 2000 -- unreadable
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// run: -s dfs -- static
// expect: no finding
// expect: complete == true
// run: -s dfs -- heap
// expect: no finding
// expect: complete == true
// run: -s dfs -- mapped
// expect: no finding
// expect: complete == true
// run: -s dfs -- shared
// expect: no finding
// expect: complete == true
// run: -s dfs --isolate fork --carrier kernel -- heap
// expect: no finding
// run: -s dfs --isolate exec -- static
// expect: no finding
// run: -s dfs -- rights
// expect: no finding
// expect: complete == true
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>

enum { PAGE = 4096, TURNS = 1500, RIGHTS = 1200 };

static char pages[3 * PAGE] __attribute__((aligned(PAGE)));
static char many[RIGHTS][PAGE] __attribute__((aligned(PAGE)));
static const char *way;

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static void protect(char *page, int protection)
{
    if (mprotect(page, PAGE, protection) != 0)
        abort();
}

static char *take_page(void)
{
    int kind = is("shared") ? MAP_SHARED : MAP_PRIVATE;
    return is("heap") ? aligned_alloc(PAGE, PAGE)
           : is("mapped") || is("shared")
               ? mmap(NULL, PAGE, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1, 0)
               : pages + PAGE;
}

/* Nothing of the number is left in registers that calls preserve. */
static __attribute__((noinline)) int counts(int *count)
{
    return ++*count == TURNS;
}

static void *go_round(void *page)
{
    int counting = !is("round") && !is("both") && !is("unreadable");
    for (int over = 0; !over;) {
        protect(page, PROT_READ | PROT_WRITE);
        over = counting && counts(page);
        protect(page, is("unreadable") ? PROT_NONE : PROT_READ);
        sched_yield();
    }
    return NULL;
}

/* Protection of pages is known to the kernel alone. */
static __attribute__((noinline)) int protect_one_more(void)
{
    int at = 0;
    while (at < RIGHTS && uname((struct utsname *)many[at]) != 0 && errno == EFAULT)
        at++;
    if (at < RIGHTS)
        protect(many[at], PROT_READ);
    return at < RIGHTS;
}

static void protect_more(void)
{
    while (protect_one_more())
        sched_yield();
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "round";
    if (is("rights")) {
        for (int i = 0; i < RIGHTS; i++) /* as it will be */
            uname((struct utsname *)many[i]);
        protect_more();
        return 0;
    }
    pthread_t thread;
    if (is("both"))
        pthread_create(&thread, NULL, go_round, pages);
    char *page = take_page();
    memset(page, 0, PAGE);
    protect(page, PROT_READ);
    go_round(page);
    return 0;
}
