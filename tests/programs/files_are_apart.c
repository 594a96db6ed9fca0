// The contents of a file, and the position in it, are one for each file: calls of two threads on different files are no steps ("apart"), on one
// file they are, whether both threads have its descriptor ("same"), each opens it ("opened"), one has a copy of the descriptor ("copy",
// "fcntl"), or one of them opens it and empties it ("emptied"). Two copies of a descriptor have one position ("position"); two
// descriptors of one file have two ("positions").
//
// run: -s dpor -- apart
// expect: no finding
// expect: complete == true
// expect: executions == 1
// expect: output the only class of interleavings
// run: -s dfs -- apart
// expect: executions == 1
// run: -s dpor -k -- same
// expect: finding assertion
// run: -s dpor -k -- opened
// expect: finding assertion
// run: -s dpor -k -- copy
// expect: finding assertion
// run: -s dpor -k -- fcntl
// expect: finding assertion
// run: -s dpor -k -- emptied
// expect: finding assertion
// expect: classes >= 2
// run: -s dpor -k -- position
// expect: finding assertion
// expect: classes >= 2
// run: -s dpor -- positions
// expect: no finding
// expect: executions == 1
// run: -s stateful -k -- same
// expect: finding assertion
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *what;
static int files[2];

static int is(const char *name) { return strcmp(what, name) == 0; }

static int open_a(int flags) { return open("a", O_RDWR | O_CREAT | flags, 0600); }

static void *first(void *unused)
{
    int file = files[0];
    if (is("opened"))
        file = open_a(0);
    if (is("position") || is("positions"))
        assert(lseek(file, 1, SEEK_CUR) == 1);
    else
        assert(pwrite(file, "1", 1, 0) == 1);
    return unused;
}

static void *second(void *unused)
{
    char byte = 0;
    int file = files[1];
    if (is("opened"))
        file = open_a(0);
    if (is("emptied"))
        close(open_a(O_TRUNC));
    else if (is("position") || is("positions"))
        assert(lseek(file, 0, SEEK_CUR) == 0);
    else
        assert(pread(file, &byte, 1, 0) <= 1 && byte == 0);
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t threads[2];
    char byte;
    what = count > 1 ? arguments[1] : "apart";
    files[0] = open_a(O_TRUNC);
    files[1] = is("copy") || is("position") ? dup(files[0])
               : is("fcntl")                ? fcntl(files[0], F_DUPFD, 0)
               : is("positions")            ? open_a(0)
               : is("same")                 ? files[0]
                                            : open("b", O_RDWR | O_CREAT | O_TRUNC, 0600);
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(!is("emptied") || pread(files[0], &byte, 1, 0) == 1);
    return 0;
}
