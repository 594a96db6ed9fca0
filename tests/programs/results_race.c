// A store of a function through its pointers is a write of its caller: a thread that reads the place at the same
// time races with the call, and both orders are explored.
// run: -k -s dfs -- handle
// expect: finding race
// expect: finding assertion
// run: -k -s dpor -- handle
// expect: finding race
// expect: finding assertion
// run: -k -s bpor -- handle
// expect: finding race
// expect: finding assertion
// run: -k -s preempt -- c11handle
// expect: finding race
// expect: finding assertion
// run: -k -s dpor -- self
// expect: finding race
// run: -k -- key
// expect: finding race
// expect: finding assertion
// run: -k -s dpor -- memalign
// expect: finding race
// expect: finding assertion
// run: -k -s dpor -- asprintf
// expect: finding race
// expect: finding assertion
// run: -k -s dpor -- stat
// expect: finding race
// expect: finding assertion
// run: -k -s dpor -- date
// expect: finding race
// expect: finding assertion
// run: -k -s dpor -- address
// expect: finding race
// expect: finding assertion
// run: -k -s dpor -- attributes
// expect: finding race
// run: -k -s dpor -- environment
// expect: finding race
// expect: finding assertion
// run: -k -s dpor -- signals
// expect: finding race
// expect: finding assertion
// run: -k -s dpor -- joined
// expect: finding race
// expect: finding assertion
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <threads.h>
#include <time.h>

static const char *what;
static pthread_t inner;
static thrd_t inner_c11;
static pthread_key_t key;
static void *place, *result;
static char *text;
static struct stat status;
static struct tm date;
static struct in_addr address;
static pthread_attr_t attributes;
static sigset_t set;

static int is(const char *name)
{
    return strcmp(what, name) == 0;
}

static void *nothing(void *argument)
{
    if (is("self"))
        place = (void *)inner;
    return argument;
}

static int nothing_c11(void *argument)
{
    return argument != NULL;
}

static void *call(void *argument)
{
    time_t day = 86400l * 365;
    pthread_t joined;
    if (is("handle") || is("self")) {
        pthread_create(&inner, NULL, nothing, NULL);
        pthread_join(inner, NULL);
    } else if (is("c11handle")) {
        thrd_create(&inner_c11, nothing_c11, NULL);
        thrd_join(inner_c11, NULL);
    } else if (is("key")) {
        pthread_key_create(&key, NULL);
    } else if (is("memalign")) {
        if (posix_memalign(&place, 64, 64) == 0)
            return argument;
    } else if (is("asprintf")) {
        if (asprintf(&text, "%d", 7) < 0)
            return NULL;
    } else if (is("stat")) {
        stat("/", &status);
    } else if (is("date")) {
        gmtime_r(&day, &date);
    } else if (is("address")) {
        inet_pton(AF_INET, "1.2.3.4", &address);
    } else if (is("attributes")) {
        pthread_attr_init(&attributes);
    } else if (is("environment")) {
        setenv("CHANGED", "1", 1);
    } else if (is("signals")) {
        sigaddset(&set, SIGUSR1);
    } else {
        pthread_create(&joined, NULL, nothing, &place);
        pthread_join(joined, &result);
    }
    return argument;
}

int main(int count, char **words)
{
    pthread_t thread;
    what = words[count - 1];
    key = 1000;
    pthread_create(&thread, NULL, call, NULL);
    if (is("handle"))
        assert(inner == 0);
    else if (is("c11handle"))
        assert(inner_c11 == 0);
    else if (is("key"))
        assert(key == 1000);
    else if (is("memalign"))
        assert(place == NULL);
    else if (is("asprintf"))
        assert(text == NULL);
    else if (is("stat"))
        assert(status.st_mode == 0);
    else if (is("date"))
        assert(date.tm_year == 0);
    else if (is("address"))
        assert(address.s_addr == 0);
    else if (is("attributes"))
        pthread_attr_destroy(&attributes);
    else if (is("environment"))
        assert(getenv("CHANGED") == NULL);
    else if (is("signals"))
        assert(!sigismember(&set, SIGUSR1));
    else
        assert(result == NULL);
    pthread_join(thread, NULL);
    return 0;
}
