// Functions that libc carries out as they are, and of which only the accesses are noted (pointers.def): they do what
// they do without Bohr, and nothing races where each thread has its own.
// modes: all
// run: -s dfs
// expect: no finding
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

void *__memcpy_chk(void *to, const void *from, size_t size, size_t room);
void *__memmove_chk(void *to, const void *from, size_t size, size_t room);
void *__mempcpy_chk(void *to, const void *from, size_t size, size_t room);
void *__memset_chk(void *to, int byte, size_t size, size_t room);
char *__strcpy_chk(char *to, const char *from, size_t room);
char *__stpcpy_chk(char *to, const char *from, size_t room);
char *__strncpy_chk(char *to, const char *from, size_t size, size_t room);
char *__strcat_chk(char *to, const char *from, size_t room);
int __asprintf_chk(char **to, int level, const char *format, ...);
int __vasprintf_chk(char **to, int level, const char *format, va_list list);
int __xpg_strerror_r(int error, char *text, size_t size);
int pthread_attr_setstackaddr(pthread_attr_t *attributes, void *stack);
int pthread_attr_getstackaddr(const pthread_attr_t *attributes, void **stack);

static void attributes_of_threads(void)
{
    pthread_attr_t all;
    int number;
    size_t size;
    void *stack;
    cpu_set_t set;
    sigset_t signals;
    struct sched_param priority;
    static char room[1 << 16];
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    sigemptyset(&signals);
    assert(pthread_attr_init(&all) == 0);
    assert(pthread_attr_setdetachstate(&all, PTHREAD_CREATE_DETACHED) == 0);
    assert(pthread_attr_getdetachstate(&all, &number) == 0 && number == PTHREAD_CREATE_DETACHED);
    assert(pthread_attr_setguardsize(&all, 4096) == 0);
    assert(pthread_attr_getguardsize(&all, &size) == 0 && size == 4096);
    assert(pthread_attr_setinheritsched(&all, PTHREAD_EXPLICIT_SCHED) == 0);
    assert(pthread_attr_getinheritsched(&all, &number) == 0 && number == PTHREAD_EXPLICIT_SCHED);
    assert(pthread_attr_setschedpolicy(&all, SCHED_OTHER) == 0);
    assert(pthread_attr_getschedpolicy(&all, &number) == 0 && number == SCHED_OTHER);
    assert(pthread_attr_getschedparam(&all, &priority) == 0);
    assert(pthread_attr_setschedparam(&all, &priority) == 0);
    assert(pthread_attr_setscope(&all, PTHREAD_SCOPE_SYSTEM) == 0);
    assert(pthread_attr_getscope(&all, &number) == 0);
    assert(pthread_attr_setaffinity_np(&all, sizeof set, &set) == 0);
    assert(pthread_attr_getaffinity_np(&all, sizeof set, &set) == 0 && CPU_ISSET(0, &set));
    assert(pthread_attr_setsigmask_np(&all, &signals) == 0);
    assert(pthread_attr_setstacksize(&all, sizeof room) == 0);
    assert(pthread_attr_getstacksize(&all, &size) == 0 && size == sizeof room);
    assert(pthread_attr_setstack(&all, room, sizeof room) == 0);
    assert(pthread_attr_getstack(&all, &stack, &size) == 0 && stack == room);
    assert(pthread_attr_setstackaddr(&all, room + sizeof room) == 0);
    assert(pthread_attr_getstackaddr(&all, &stack) == 0);
    assert(pthread_attr_destroy(&all) == 0);
}

static void attributes_of_locks(void)
{
    pthread_mutexattr_t mutex;
    pthread_condattr_t cond;
    pthread_rwlockattr_t rwlock;
    pthread_barrierattr_t barrier;
    clockid_t clock;
    int number;
    pthread_mutexattr_init(&mutex);
    pthread_mutexattr_settype(&mutex, PTHREAD_MUTEX_RECURSIVE);
    assert(pthread_mutexattr_gettype(&mutex, &number) == 0 && number == PTHREAD_MUTEX_RECURSIVE);
    pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_PRIVATE);
    pthread_mutexattr_getpshared(&mutex, &number);
    pthread_mutexattr_setprotocol(&mutex, PTHREAD_PRIO_INHERIT);
    pthread_mutexattr_getprotocol(&mutex, &number);
    pthread_mutexattr_setprioceiling(&mutex, 5);
    pthread_mutexattr_getprioceiling(&mutex, &number);
    pthread_mutexattr_setrobust(&mutex, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_getrobust(&mutex, &number);
    pthread_mutexattr_destroy(&mutex);
    pthread_condattr_init(&cond);
    pthread_condattr_setpshared(&cond, PTHREAD_PROCESS_PRIVATE);
    pthread_condattr_getpshared(&cond, &number);
    pthread_condattr_setclock(&cond, CLOCK_MONOTONIC);
    assert(pthread_condattr_getclock(&cond, &clock) == 0 && clock == CLOCK_MONOTONIC);
    pthread_condattr_destroy(&cond);
    pthread_rwlockattr_init(&rwlock);
    pthread_rwlockattr_setpshared(&rwlock, PTHREAD_PROCESS_PRIVATE);
    pthread_rwlockattr_getpshared(&rwlock, &number);
    pthread_rwlockattr_setkind_np(&rwlock, PTHREAD_RWLOCK_PREFER_READER_NP);
    pthread_rwlockattr_getkind_np(&rwlock, &number);
    pthread_rwlockattr_destroy(&rwlock);
    pthread_barrierattr_init(&barrier);
    pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_PRIVATE);
    pthread_barrierattr_getpshared(&barrier, &number);
    pthread_barrierattr_destroy(&barrier);
}

static void dates(void)
{
    time_t day = 86400;
    struct tm date;
    char text[64];
    assert(gmtime_r(&day, &date) == &date && date.tm_mday == 2);
    assert(timegm(&date) == day && mktime(&date) != -1);
    assert(localtime_r(&day, &date) == &date);
    assert(gmtime(&day)->tm_mday == 2 && localtime(&day) != NULL);
    assert(asctime_r(&date, text) == text && ctime_r(&day, text) == text);
    assert(strlen(asctime(&date)) == 25 && strlen(ctime(&day)) == 25);
    assert(strftime(text, sizeof text, "%Y", &date) == 4);
}

static void system_and_environment(void)
{
    char text[4096];
    struct utsname names;
    struct sysinfo info;
    struct rlimit limit;
    struct rlimit64 limit64;
    static char put[] = "PUT=1";
    assert(setenv("SET", "1", 1) == 0 && strcmp(getenv("SET"), "1") == 0);
    assert(secure_getenv("SET") != NULL && unsetenv("SET") == 0 && putenv(put) == 0);
    assert(clearenv() == 0 && getenv("PUT") == NULL);
    assert(getcwd(text, sizeof text) == text && realpath("/", text) == text);
    assert(readlink("/", text, sizeof text) == -1);
    assert(readlinkat(-1, "/", text, sizeof text) == -1);
    assert(uname(&names) == 0 && gethostname(text, sizeof text) == 0 && sysinfo(&info) == 0);
    assert(getrlimit(RLIMIT_CORE, &limit) == 0 && getrlimit64(RLIMIT_CORE, &limit64) == 0);
    assert(strerror_r(2, text, sizeof text) != NULL);
    assert(__xpg_strerror_r(2, text, sizeof text) == 0 && access("/", F_OK) == 0);
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int print_list(char **to, int checked, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int size = checked ? __vasprintf_chk(to, 1, format, list) : vasprintf(to, format, list);
    va_end(list);
    return size;
}

static void texts_and_memory(void)
{
    char a[32] = "abc", b[32], *rest = a, *made;
    unsigned seed = 1;
    unsigned short state[3] = {1, 2, 3};
    int numbers[] = {1, 2, 3}, key = 2;
    struct in_addr address;
    sigset_t set;
    bzero(b, sizeof b);
    explicit_bzero(b, sizeof b);
    bcopy(a, b, 4);
    assert(bcmp(a, b, 4) == 0 && memrchr(a, 'b', 3) == a + 1 && memmem(a, 3, "c", 1) == a + 2);
    swab(a, b, 2);
    assert(stpncpy(b, a, 8) == b + 3 && strsep(&rest, "b") == a);
    strcpy(a, "abc");
    assert(index(a, 'b') == a + 1 && rindex(a, 'b') == a + 1 && strchrnul(a, 'x') == a + 3);
    assert(strcoll(a, a) == 0 && strverscmp(a, a) == 0 && strcasestr(a, "B") == a + 1);
    assert(bsearch(&key, numbers, 3, sizeof key, compare) == &numbers[1]);
    assert(inet_addr("1.2.3.4") != 0 && inet_aton("1.2.3.4", &address) == 1);
    assert(inet_pton(AF_INET, "1.2.3.4", &address) == 1);
    assert(inet_ntop(AF_INET, &address, b, sizeof b) == b && strcmp(b, "1.2.3.4") == 0);
    assert(__memcpy_chk(b, a, 4, 32) == b && __memmove_chk(b, a, 4, 32) == b);
    assert(__mempcpy_chk(b, a, 4, 32) == b + 4 && __memset_chk(b, 0, 4, 32) == b);
    assert(__strcpy_chk(b, a, 32) == b && __stpcpy_chk(b, a, 32) == b + 3);
    assert(__strncpy_chk(b, a, 4, 32) == b && __strcat_chk(b, a, 32) == b);
    assert(strcmp(b, "abcabc") == 0);
    rand_r(&seed);
    nrand48(state);
    jrand48(state);
    assert(asprintf(&made, "%s", a) == 3 && strcmp(made, "abc") == 0);
    free(made);
    assert(__asprintf_chk(&made, 1, "%d", 7) == 1);
    free(made);
    assert(print_list(&made, 0, "%s", a) == 3);
    free(made);
    assert(print_list(&made, 1, "%s", a) == 3);
    free(made);
    sigfillset(&set);
    sigdelset(&set, SIGUSR1);
    assert(!sigismember(&set, SIGUSR1) && sigaddset(&set, SIGUSR1) == 0);
}

static void *work(void *argument)
{
    attributes_of_locks();
    texts_and_memory();
    return argument;
}

int main(void)
{
    pthread_t thread;
    attributes_of_threads();
    dates();
    system_and_environment();
    pthread_create(&thread, NULL, work, NULL);
    texts_and_memory();
    pthread_join(thread, NULL);
    return 0;
}
