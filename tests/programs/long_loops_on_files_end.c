// Long loops that are no livelocks: they end by what they have written to a file, by how far they have read in one,
// by what another thread writes there, by how many descriptors there are, or by a counter in mapped memory, in a
// segment of System V's or in the name of a thread.
// build: gcc -O1
// build: clang -O1
// expect: no finding
// run: -s dfs -- stat
// expect: complete == true
// run: -s dfs -- fstat
// expect: complete == true
// run: -s dfs -- fstatat
// expect: complete == true
// run: -s dfs -- statx
// expect: complete == true
// run: -s dfs -- ftell
// expect: complete == true
// run: -s dfs -- held
// expect: complete == true
// run: -s dfs -- lseek
// expect: complete == true
// run: -s dfs -- append
// expect: complete == true
// run: -s dfs -- print
// expect: complete == true
// run: -s dfs -- call
// expect: complete == true
// run: -s dfs -- blocks
// expect: complete == true
// run: -s dfs -- longer
// expect: complete == true
// run: -s dfs -- grown
// expect: complete == true
// run: -s dfs -- mode
// expect: complete == true
// run: -s dfs -- read
// expect: complete == true
// run: -s dfs -- counter
// expect: complete == true
// run: -s dfs -- both
// expect: complete == true
// run: -s dfs -- mapped
// expect: complete == true
// run: -s dfs -- shared
// expect: complete == true
// run: -s dfs -- segment
// expect: complete == true
// run: -s dfs -- copies
// expect: complete == true
// run: -s dfs -- name
// expect: complete == true
// run: -s random -n 3 -- mapped
// run: -s random -n 3 --isolate fork -- shared
// run: -s dfs --isolate exec -- stat
// run: -s dfs --isolate fork --carrier kernel -- blocks
// run: -s random -n 10 -- helped
// expect: cut == 0
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TURNS = 2000, BLOCK = 4096, COPIES = 700 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *way;
static char path[32], block[BLOCK];
static int file;
static FILE *stream;

static void pass(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static void must(int right)
{
    if (!right)
        abort();
}

/* Nothing of it is left in memory. */
static long size_of(void)
{
    struct stat status;
    struct statx more;
    long size = 0;
    if (is("statx")) {
        must(statx(AT_FDCWD, path, 0, STATX_SIZE, &more) == 0);
        size = (long)more.stx_size;
        memset(&more, 0, sizeof more);
        return size;
    }
    must((is("stat")      ? stat(path, &status)
          : is("fstatat") ? fstatat(AT_FDCWD, path, &status, 0)
                          : fstat(file, &status)) == 0);
    size = status.st_size;
    memset(&status, 0, sizeof status);
    return size;
}

static __attribute__((noinline)) int is_large(void)
{
    return (is("ftell")   ? ftell(stream)
            : is("held")  ? (long)__fpending(stream)
            : is("lseek") ? lseek(file, 0, SEEK_CUR)
                          : size_of()) >= TURNS;
}

static void write_one(void)
{
    if (is("stat") || is("ftell") || is("held"))
        must(fputc('x', stream) == 'x' && (is("held") || fflush(stream) == 0));
    else if (is("print"))
        must(dprintf(file, "x") == 1);
    else if (is("call"))
        must(syscall(SYS_write, file, "x", 1) == 1);
    else
        must(write(file, "x", 1) == 1);
}

static void append_one(void)
{
    FILE *again = fopen(path, "a");
    must(fputc('x', again) == 'x' && fclose(again) == 0);
}

static void read_all(void)
{
    must(ftruncate(file, (long)BLOCK * TURNS) == 0);
    FILE *in = fdopen(dup(file), "r");
    while (is("read") ? read(file, block, BLOCK) == BLOCK : fread(block, BLOCK, 1, in) == 1)
        pass();
    fclose(in);
}

static __attribute__((noinline)) int count_in_file(void)
{
    long number = 0;
    must(pread(file, &number, sizeof number, 0) >= 0);
    number++;
    must(pwrite(file, &number, sizeof number, 0) == sizeof number);
    int goes_on = number < TURNS;
    number = 0;
    return goes_on;
}

/* By calls that nobody watches. */
static __attribute__((noinline)) int change_status(void)
{
    struct stat status;
    must(is("longer") ? stat(path, &status) == 0 : fstat(file, &status) == 0);
    long number = is("mode") ? status.st_mode & 0777 : status.st_size;
    memset(&status, 0, sizeof status);
    must((is("longer")  ? truncate(path, number + 1)
          : is("grown") ? posix_fallocate(file, number, 1)
                        : fchmod(file, (unsigned)number + 1)) == 0);
    int goes_on = number < (is("mode") ? 0776 : TURNS);
    number = 0;
    return goes_on;
}

/* One stream that reads what it has written. */
static void read_and_write(void)
{
    FILE *both = fdopen(dup(file), "w+");
    int number = 0;
    do {
        rewind(both);
        if (fscanf(both, "%d", &number) != 1)
            number = 0;
        rewind(both);
        must(fprintf(both, "%5d", ++number) == 5);
        pass();
    } while (number < TURNS / 4);
    fclose(both);
}

static __attribute__((noinline)) int count_at(long *number)
{
    return ++*number < TURNS;
}

static void count_mapped(void)
{
    must(ftruncate(file, BLOCK) == 0);
    int segment = is("segment") ? shmget(IPC_PRIVATE, BLOCK, 0600) : 0;
    long *number = is("segment") ? shmat(segment, NULL, 0)
                                 : mmap(NULL, BLOCK, PROT_READ | PROT_WRITE,
                                        is("shared") ? MAP_SHARED : MAP_PRIVATE, file, 0);
    must(number != (void *)-1 && (!is("segment") || shmctl(segment, IPC_RMID, NULL) == 0));
    while (count_at(number))
        pass();
}

static __attribute__((noinline)) int count_in_name(void)
{
    char name[16];
    must(pthread_getname_np(pthread_self(), name, sizeof name) == 0);
    int number = atoi(name) + 1;
    sprintf(name, "%d", number);
    must(pthread_setname_np(pthread_self(), name) == 0);
    memset(name, 0, sizeof name);
    return number < TURNS;
}

static __attribute__((noinline)) int copy(void)
{
    return dup(file) < COPIES;
}

static void *work(void *unused)
{
    if (is("append"))
        for (append_one(); !is_large(); append_one())
            pass();
    else if (is("blocks") || is("read"))
        read_all();
    else if (is("counter"))
        while (count_in_file())
            pass();
    else if (is("longer") || is("grown") || is("mode"))
        while (change_status())
            pass(), pass();
    else if (is("both"))
        read_and_write();
    else if (is("mapped") || is("shared") || is("segment"))
        count_mapped();
    else if (is("copies"))
        while (copy())
            pass();
    else if (is("name"))
        while (count_in_name())
            pass();
    else if (is("helped"))
        while (size_of() < TURNS / 4)
            pass();
    else
        for (write_one(); !is_large(); write_one())
            pass();
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    way = argc > 1 ? argv[1] : "stat";
    file = memfd_create("file", 0);
    must(fchmod(file, is("mode") ? 0 : 0600) == 0);
    sprintf(path, "/proc/self/fd/%d", file);
    stream = fdopen(dup(file), "w");
    pthread_create(&thread, NULL, work, NULL);
    for (int i = 0; is("helped") && i < TURNS / 4; i++) {
        must(write(file, "x", 1) == 1);
        pass();
    }
    pthread_join(thread, NULL);
    return 0;
}
