// Loops that write to a log in each iteration, and never end, are livelocks: what only goes out makes no difference. If
// they look at files, too, they may be livelocks: what is in the kernel's files is not compared.
// modes: all
// run: --no-shrink -s dfs -- log
// expect: finding livelock
// expect: findings[0].cycle == 2
// expect: output the last 2 steps repeat forever
// run: --no-shrink -s preempt -- log two
// expect: finding livelock
// run: --no-shrink -s random -n 3 -- log two
// expect: finding livelock
// run: -s dfs --steps 1500 -- both
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int stop, plain, settings;
static char log_name[32], settings_name[32];
static FILE *stream;
static const char *way;

static void must(int right)
{
    if (!right)
        abort();
}

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static int make_file(const char *name, char *path)
{
    int file = memfd_create(name, 0);
    must(file >= 0);
    sprintf(path, "/proc/self/fd/%d", file);
    return file;
}

static __attribute__((noinline)) void log_it(void)
{
    struct iovec parts[2] = {{"to be ", 6}, {"continued\n", 10}};
    must(printf("still waiting for %s\n", "the flag") > 0);
    must(puts("still waiting") >= 0 && putchar('.') == '.' && fflush(stdout) == 0);
    must(fprintf(stderr, "still waiting: %d\n", plain) > 0);
    must(fputs("still waiting\n", stream) >= 0 && fwrite("now", 1, 3, stream) == 3);
    must(write(plain, "waiting\n", 8) == 8 && writev(plain, parts, 2) == 16);
}

/* When it was last read is told by the kernel's clock, and that goes on. */
static long size_of(const char *name)
{
    struct stat status = {0};
    long size = stat(name, &status) == 0 ? status.st_size : -1;
    memset(&status, 0, sizeof status);
    return size;
}

static __attribute__((noinline)) void look_around(void)
{
    char bytes[8];
    must(dprintf(plain, "waiting for %d\n", 7) > 0);
    FILE *again = fopen(log_name, "a");
    must(again != NULL && fprintf(again, "once more\n") > 0 && fclose(again) == 0);
    must(size_of(settings_name) == 8 && size_of("/nowhere") == -1);
    must(access("/nowhere", F_OK) < 0 && errno == ENOENT);
    must(open("/nowhere", O_RDONLY) < 0 && open(settings_name, O_CREAT | O_EXCL | O_RDWR, 0600) < 0);
    must(pread(settings, bytes, sizeof bytes, 0) == 8 && memcmp(bytes, "flag=no\n", 8) == 0);
    must(lseek(settings, 3, SEEK_SET) == 3 && read(settings, bytes, 5) == 5);
    int file = open(settings_name, O_RDONLY);
    must(read(file, bytes, 4) == 4 && close(file) == 0);
    FILE *in = fopen(settings_name, "r");
    must(fgets(bytes, sizeof bytes, in) == bytes && fclose(in) == 0);
    must(getenv("NOBODY_HAS_SET_THIS") == NULL && isatty(settings) == 0);
}

static int look(void)
{
    pthread_mutex_lock(&mutex);
    int seen = stop;
    pthread_mutex_unlock(&mutex);
    return seen;
}

static void *go_round(void *unused)
{
    do {
        if (!is("look"))
            log_it();
        if (!is("log"))
            look_around();
    } while (!look());
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    char name[32];
    way = argc > 1 ? argv[1] : "both";
    plain = make_file("log", log_name);
    settings = make_file("settings", settings_name);
    stream = fdopen(make_file("stream", name), "w");
    must(write(settings, "flag=no\n", 8) == 8);
    for (int i = 0; i < argc - 1; i++)
        pthread_create(&threads[i], NULL, go_round, NULL);
    for (int i = 0; i < argc - 1; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
