// A thread moves bytes from one pipe to another: it waits for something to take, and for room. What was moved is in
// exactly one of the two, whichever thread looks. Where nobody writes it waits forever; where the other pipe stays full, too. It
// is full after one byte if it has one page: what is moved begins a page of its own.
// modes: all first
// run: -s dfs
// expect: no finding
// expect: complete == true
// run: -s dfs -- full
// expect: no finding
// expect: complete == true
// run: -s dfs -k -- nothing
// expect: finding deadlock
// run: -s dfs -k -- stays
// expect: finding deadlock
// run: -s dfs -k -- apart
// expect: finding deadlock
// expect: buggy >= 1
// run: -s random -n 50 -- memory
// expect: no finding
// expect: cut == 0
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PAGE = 4096 };

static const char *way;
static int from[2], to[2];
static char page[PAGE] __attribute__((aligned(PAGE))), other[PAGE];

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static void *move(void *unused)
{
    long left = 4;
    struct iovec part = {page, PAGE};
    if (is("memory")) {
        assert(vmsplice(to[1], &part, 1, 0) == PAGE);
        return unused;
    }
    while (left > 0) {
        long moved = splice(from[0], NULL, to[1], NULL, (size_t)left, 0);
        assert(moved > 0 && moved <= left);
        left -= moved;
    }
    return unused;
}

static int count(void)
{
    int here, there;
    assert(ioctl(to[0], FIONREAD, &there) == 0 && ioctl(from[0], FIONREAD, &here) == 0);
    return here + there;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    way = argc > 1 ? argv[1] : "moves";
    int filled = is("full") || is("stays") || is("memory");
    assert(pipe(from) == 0 && pipe(to) == 0);
    if (filled)
        assert(fcntl(to[1], F_SETPIPE_SZ, PAGE) == PAGE && write(to[1], page, PAGE) == PAGE);
    if (is("apart"))
        assert(fcntl(to[1], F_SETPIPE_SZ, PAGE) == PAGE);
    pthread_create(&thread, NULL, move, NULL);
    if (!is("nothing"))
        assert(write(from[1], "ab", 2) == 2 && write(from[1], "cd", 2) == 2);
    if (is("moves"))
        assert(count() <= 4);
    if (filled && !is("stays"))
        assert(read(to[0], other, PAGE) == PAGE);
    pthread_join(thread, NULL);
    assert(is("memory") || (read(to[0], other, PAGE) == 4 && memcmp(other, "abcd", 4) == 0));
    return 0;
}
