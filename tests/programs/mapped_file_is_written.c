// Data that a call writes to a file appears in the memory that the file is mapped at, and the other way round. So such a call is an access to
// this memory: in "put" two threads write with pwrite and then look at the memory; in "look" one thread writes and the other one only looks;
// in "fill" the memory is written, and read with pread; in "position", "append" and "parts" the place in the file is not in the call.
// A call on another part of the file ("apart") accesses other memory, and two calls are no race ("calls"). What a call writes after the
// file is mapped no longer by another thread is not seen there ("unmap").
//
// run: -s dfs -k --races warn -- put
// expect: finding race
// expect: finding assertion
// expect: complete == true
// run: -s dpor -k --races warn -- look
// expect: finding race
// expect: finding assertion
// expect: complete == true
// run: -s dpor -k --races warn -- fill
// expect: finding race
// expect: finding assertion
// expect: complete == true
// run: -s dpor -k --races warn -- position
// expect: finding race
// expect: finding assertion
// expect: complete == true
// run: -s dpor -k --races warn -- append
// expect: finding race
// expect: finding assertion
// expect: complete == true
// run: -s dpor -k --races warn -- parts
// expect: finding race
// expect: finding assertion
// expect: complete == true
// run: -s dpor -- apart
// expect: no finding
// expect: complete == true
// expect: executions == 1
// run: -s dpor -k -- calls
// expect: finding assertion
// expect: complete == true
// run: -s dpor -k --races warn -- unmap
// expect: finding race
// expect: finding assertion
// expect: complete == true
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SIZE = 4096, HALF = 2048 };
static const char *what;
static int file;
static volatile char *map;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int is(const char *name) { return strcmp(what, name) == 0; }

static void write_one(char byte)
{
    struct iovec parts[] = {{&byte, 1}, {"", 0}};
    if (is("position"))
        assert(write(file, &byte, 1) == 1);
    else if (is("parts"))
        assert(writev(file, parts, 2) == 1);
    else
        assert(pwrite(file, &byte, 1, is("apart") ? HALF : 0) == 1);
}

/* An operation more or less, as the memory says. */
static void look(void)
{
    if (map[0] != 'b')
        return;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

static void *first(void *unused)
{
    char byte = 0;
    if (is("fill"))
        pread(file, &byte, 1, 0);
    else
        write_one('a');
    if (is("put"))
        look();
    assert(byte == 0);
    return unused;
}

static void *second(void *unused)
{
    if (is("fill")) {
        map[0] = 'b';
    } else if (is("put") || is("calls")) {
        write_one('b');
        if (is("put"))
            look();
    } else if (is("unmap")) {
        char seen = map[0];
        munmap((void *)map, SIZE);
        assert(seen == 0);
    } else {
        assert(map[is("append")] == 0);
    }
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t threads[2];
    what = count > 1 ? arguments[1] : "put";
    assert((file = memfd_create("file", 0)) >= 0 && ftruncate(file, is("append") ? 1 : SIZE) == 0);
    assert(!is("append") || fcntl(file, F_SETFL, O_APPEND) == 0);
    map = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(!is("put") && !is("calls") || map[0] == 'b');
    return 0;
}
