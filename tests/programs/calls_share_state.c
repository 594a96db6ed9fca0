// Calls of two threads on state that is no memory of the program: nothing orders them, so they may come in either
// order, and in one of them the assertion fails. None of them is an error by itself.
// expect: finding assertion
// expect: exit 1
// expect: silence data race
//
// run: -s dfs -- random
// run: -s dpor -- random
// run: -s dpor -- folder
// run: -s bpor -- mask
// run: -s best --reduction classic -- contents
// run: -s stateful -- place
// run: -s exitblock -- stream
// run: -s preempt -- names
// run: -s dpor -j 2 -- descriptors
// run: -s delay -- keys
// run: -s dpor -- limits
// run: -s dpor -- attributes
// run: -s dpor -- thread
// run: -s dpor -- handlers
// run: -s dfs --isolate fork -- contents
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int file, last_handler;
static FILE *stream;
static pthread_t looks;
static const struct action {
    const char *name;
    void (*change)(void), (*look)(void);
} *what;

static void change_random(void) { srand(5); }
static void look_random(void)
{
    srandom(7);
    int expected = rand();
    srandom(7);
    assert(rand() == expected);
}

static void change_folder(void) { chdir("/"); }
static void look_folder(void)
{
    char path[4096];
    assert(strcmp(getcwd(path, sizeof path), "/") != 0);
}

static void change_mask(void) { umask(077); }
static void look_mask(void) { assert(umask(022) != 077); }

static void change_contents(void) { pwrite(file, "1", 1, 0); }
static void look_contents(void)
{
    char first = 0;
    pread(file, &first, 1, 0);
    assert(first == '0');
}

static void change_place(void) { lseek(file, 1, SEEK_SET); }
static void look_place(void) { assert(lseek(file, 0, SEEK_CUR) == 0); }

static void change_stream(void) { fputs("1", stream); }
static void look_stream(void) { assert(ftell(stream) == 0); }

static void change_names(void) { mkdir("made", 0700); }
static void look_names(void) { assert(access("made", F_OK) != 0); }

static void change_descriptors(void) { open("/dev/null", O_RDONLY); }
static void look_descriptors(void) { assert(open("/dev/null", O_RDONLY) == file + 2); }

static pthread_key_t keys[2];
static void change_keys(void) { pthread_key_create(&keys[0], NULL); }
static void look_keys(void)
{
    pthread_key_t free = keys[1];
    pthread_key_delete(free);
    pthread_key_create(&keys[1], NULL);
    assert(keys[1] == free);
}

static void change_limits(void) { setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); }
static void look_limits(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_CORE, &limit);
    assert(limit.rlim_max != 0);
}

static void change_attributes(void) { prctl(PR_SET_DUMPABLE, 0); }
static void look_attributes(void) { assert(prctl(PR_GET_DUMPABLE) == 1); }

static void change_thread(void) { pthread_setname_np(looks, "renamed"); }
static void look_thread(void)
{
    char name[16];
    pthread_getname_np(pthread_self(), name, sizeof name);
    assert(strcmp(name, "renamed") != 0);
}

static void handler_of_change(void) { last_handler = 1; }
static void handler_of_look(void) { last_handler = 2; }
static void at_the_end(void) { assert(last_handler == 2); }
static void change_handlers(void) { atexit(handler_of_change); }
static void look_handlers(void) { atexit(handler_of_look); }

static const struct action actions[] = {
#define ACTION(name) {#name, change_##name, look_##name}
    ACTION(random), ACTION(folder), ACTION(mask),   ACTION(contents),   ACTION(place),  ACTION(stream),  ACTION(names),
    ACTION(descriptors), ACTION(keys), ACTION(limits), ACTION(attributes), ACTION(thread), ACTION(handlers)};

static void *change(void *unused)
{
    what->change();
    return unused;
}

static void *look(void *unused)
{
    what->look();
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t changes;
    for (what = actions; count < 2 || strcmp(what->name, arguments[1]) != 0;)
        what++;
    rmdir("made");
    file = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
    pwrite(file, "0", 1, 0);
    stream = fopen("/dev/null", "w");
    pthread_key_create(&keys[1], NULL);
    if (what->look == look_handlers)
        atexit(at_the_end);
    pthread_create(&looks, NULL, look, NULL);
    pthread_create(&changes, NULL, change, NULL);
    pthread_join(looks, NULL);
    pthread_join(changes, NULL);
    return 0;
}
