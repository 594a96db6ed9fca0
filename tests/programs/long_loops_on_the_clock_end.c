// Long loops that look at the clock in each turn and end: by a moment, however far away it is, by what they
// have counted, also where that looks like a time, at a single date, or because another thread ends them. None is a
// livelock; of a date that is too far off for the limit of steps a warning says that it may be one.
// build: gcc -O1
// build: clang -O1
// run: -s dfs -- moment
// expect: no finding
// expect: complete == true
// run: -s dfs -- years
// expect: no finding
// expect: complete == true
// run: -s dfs -- turns
// expect: no finding
// expect: complete == true
// run: -s dfs -- hour
// expect: no finding
// expect: complete == true
// run: -s dfs -- night
// expect: no finding
// expect: complete == true
// run: -s dfs -- sum
// expect: no finding
// expect: complete == true
// run: -s dfs -- inner
// expect: no finding
// expect: complete == true
// run: -s dfs -- schedule
// expect: no finding
// expect: complete == true
// run: -s dfs -- likeness
// expect: no finding
// expect: complete == true
// run: -s dfs -- seconds
// expect: no finding
// expect: complete == true
// run: -s dfs -- date
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// expect: cut == 1
// run: -s dfs -- day
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// expect: cut == 1
// run: -s dfs --isolate fork --carrier kernel -- moment
// expect: no finding
// run: -s dfs --isolate exec -- turns
// expect: no finding
// run: -s random -n 10 -- helper
// expect: no finding
// expect: cut == 0
// run: -s pct -n 10 -- helper
// expect: no finding
// expect: cut == 0
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TURNS = 3000, MILLISECOND = 1000000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int stop;
static const char *way;

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void rest(uint64_t nanoseconds)
{
    struct timespec time = {.tv_sec = (time_t)(nanoseconds / 1000000000),
                            .tv_nsec = (long)(nanoseconds % 1000000000)};
    nanosleep(&time, NULL);
}

static void wait_a_little(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_cond_timedwait(&cond, &mutex, &until);
}

static void wait_until_hour(int wanted)
{
    struct tm parts;
    time_t date;
    do {
        sleep(60);
        date = time(NULL);
        gmtime_r(&date, &parts);
    } while (parts.tm_hour != wanted);
}

static void busy_for(uint64_t nanoseconds)
{
    uint64_t start = now();
    while (now() - start < nanoseconds) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
}

static void *work(void *unused)
{
    uint64_t start = now(), turns = 0, sum = 0, last = start, day = 86400ul * 1000 * MILLISECOND;
    if (is("moment"))
        while (now() < start + 5000ul * MILLISECOND)
            rest(MILLISECOND);
    else if (is("years"))
        while (now() < start + 9000 * day)
            rest(day);
    else if (is("hour"))
        while (time(NULL) % 3600 != 0)
            sleep(1);
    else if (is("date")) /* at one second of all */
        while (time(NULL) != 2000000000)
            sleep(1);
    else if (is("day"))
        while (time(NULL) / 86400 != 23000)
            sleep(1);
    else if (is("night"))
        wait_until_hour(21); /* it is 22:13 when the program begins */
    else if (is("sum"))
        for (; sum < 4000ul * MILLISECOND; last = now()) {
            rest(MILLISECOND);
            sum += now() - last;
        }
    else if (is("inner"))
        for (; turns < 40; turns++)
            busy_for(50 * 1000);
    else if (is("schedule")) /* of its own, whatever the clock says */
        for (; last < start + (uint64_t)TURNS * MILLISECOND; last += MILLISECOND)
            rest(now() < last ? last - now() : 1);
    else if (is("likeness")) /* a number that is near a time */
        for (; last < start + TURNS; last++)
            rest(now() > 0 ? MILLISECOND : 0);
    else if (is("seconds"))
        for (last = start / 1000000000; last < start / 1000000000 + TURNS; last++)
            rest(now() > 0 ? 1000 * MILLISECOND : 0);
    else if (is("turns") || is("helper")) {
        pthread_mutex_lock(&mutex);
        for (; is("helper") ? !stop : turns < TURNS; turns++)
            wait_a_little();
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    way = argc > 1 ? argv[1] : "moment";
    pthread_create(&thread, NULL, work, NULL);
    if (is("helper")) {
        pthread_mutex_lock(&mutex);
        stop = 1;
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, NULL);
    return 0;
}
