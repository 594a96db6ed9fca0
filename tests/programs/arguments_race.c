// Memory that functions of libc and the kernel read and write for the program counts as its own accesses: two
// threads that do so to the same bytes without an order race, and with a lock around the call they do not
// (clean calls them all). Only what is really filled counts: two reads into one buffer that end before
// each other's part are no race.
// build: gcc -O1 -fno-builtin
// build: clang -O1 -fno-builtin
// modes: all
// run: -s preempt -b 0 -- clean
// expect: no finding
// run: -s preempt -b 1 -- snprintf
// expect: finding race
// expect: output shared
// run: -s preempt -b 1 -- vsnprintf
// expect: finding race
// run: -s preempt -b 1 -- sprintf
// expect: finding race
// run: -s preempt -b 1 -- percent-s
// expect: finding race
// expect: output T1 reads 6 bytes
// run: -s preempt -b 1 -- percent-n
// expect: finding race
// run: -s preempt -b 1 -- printf
// expect: finding race
// run: -s preempt -b 1 -- many
// expect: finding race
// run: -s preempt -b 1 -- fprintf
// expect: finding race
// run: -s preempt -b 1 -- puts
// expect: finding race
// run: -s preempt -b 1 -- fwrite
// expect: finding race
// run: -s preempt -b 1 -- write
// expect: finding race
// run: -s preempt -b 1 -- pwrite
// expect: finding race
// run: -s preempt -b 1 -- read
// expect: finding race
// run: -s preempt -b 1 -- pread
// expect: finding race
// run: -s preempt -b 1 -- readv
// expect: finding race
// run: -s preempt -b 1 -- fread
// expect: finding race
// run: -s preempt -b 1 -- fgets
// expect: finding race
// run: -s preempt -b 1 -- getline
// expect: finding race
// run: -s preempt -b 1 -- strtol
// expect: finding race
// run: -s preempt -b 1 -- atoi
// expect: finding race
// run: -s preempt -b 1 -- strstr
// expect: finding race
// run: -s preempt -b 1 -- qsort
// expect: finding race
// run: -s preempt -b 1 -- parts
// expect: no finding
// run: -s preempt -b 1 -- cut
// expect: no finding
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char shared[64] = "12345";
static int numbers[4] = {3, 1, 2, 0};
static char *line;
static size_t line_size;
static int file, clean;
static FILE *stream;
static const char *way;

static int is(const char *word)
{
    return clean || strcmp(way, word) == 0;
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int compare_with(const void *a, const void *b, void *sign)
{
    return *(int *)sign * compare(a, b);
}

__attribute__((format(printf, 2, 3))) static void print_list(int how, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (how == 0)
        vsnprintf(shared, sizeof shared, format, list);
    else
        vsprintf(shared, format, list);
    va_end(list);
}

static void all_texts(void)
{
    char *end;
    volatile long sum = 0;
    if (is("strtol"))
        sum += strtol(shared, &end, 10);
    if (is("atoi"))
        sum += atoi(shared);
    if (is("strstr"))
        sum += strstr(shared, "34") != NULL;
    if (!clean)
        return;
    sum += (long)strtoul(shared, NULL, 0) + (long)strtoll(shared, &end, 8) +
           (long)strtoull(shared, &end, 16) + atol(shared) + atoll(shared);
    sum += strpbrk(shared, "3") != NULL;
    sum += (long)strspn(shared, "12") + (long)strcspn(shared, "5");
    sum += strcasecmp(shared, "12345") + strncasecmp(shared, "123", 3);
}

static void all_prints(void)
{
    char own[32];
    int sign = -1, length = 0;
    if (is("snprintf"))
        snprintf(shared, sizeof shared, "%d", 12345);
    if (is("sprintf"))
        sprintf(shared, "%s", "12345");
    if (is("vsnprintf"))
        print_list(0, "%g %Lg", 1.5, 2.5L);
    if (clean)
        print_list(1, "%s", "12345");
    if (is("percent-s"))
        snprintf(own, sizeof own, "%*d %.2f %s", 3, 1, 0.5, shared);
    if (is("percent-n"))
        snprintf(own, sizeof own, "%5c%n", 'x', clean ? &length : numbers);
    if (is("cut"))
        snprintf(own, sizeof own, "%.2s", shared);
    if (is("printf"))
        printf("%s\n", shared);
    if (is("many"))
        printf("%d %d %d %f %d %d %f %s\n", 1, 2, 3, 0.5, 4, 5, 0.25, shared);
    if (is("fprintf"))
        fprintf(stdout, "%ld %s\n", 1L, shared);
    if (is("puts"))
        puts(shared);
    if (is("qsort"))
        qsort(numbers, 4, sizeof numbers[0], compare);
    if (clean)
        qsort_r(numbers, 4, sizeof numbers[0], compare_with, &sign);
}

static long all_files(void)
{
    long sum = 0;
    char *own_line = NULL;
    size_t own_size = 0;
    struct iovec parts[2] = {{shared, 2}, {shared + 2, 2}};
    if (is("fwrite"))
        sum += (long)fwrite(shared, 1, 4, stdout);
    if (is("write"))
        sum += write(file, shared, 4);
    if (is("pwrite"))
        sum += pwrite(file, shared, 4, 0) + pwrite64(file, shared, 4, 0) + writev(file, parts, 2);
    if (is("read")) {
        lseek(file, 0, SEEK_SET);
        sum += read(file, shared, 4);
    }
    if (is("pread"))
        sum += pread(file, shared, 4, 0) + pread64(file, shared, 4, 0);
    if (is("readv"))
        sum += readv(file, parts, 2);
    if (is("fread"))
        sum += (long)fread(shared, 1, 4, stream);
    if (is("fgets"))
        sum += fgets(shared, 8, stream) != NULL;
    if (is("getline"))
        sum += getline(&line, &line_size, stream);
    if (clean) {
        sum += getdelim(&own_line, &own_size, '2', stream);
        sum += __getdelim(&own_line, &own_size, '2', stream);
        free(own_line);
    }
    return sum;
}

/* Each reads the four bytes that are left, at a place of its own, and says that there is more room. */
static void read_part(char *to)
{
    if (pread(file, to, 32, 2) != 4)
        abort();
}

static void *first(void *unused)
{
    if (clean)
        pthread_mutex_lock(&mutex);
    all_prints();
    all_texts();
    if (all_files() < 0)
        abort();
    if (strcmp(way, "parts") == 0)
        read_part(shared);
    if (clean)
        pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "clean";
    clean = strcmp(way, "clean") == 0;
    file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
    stream = fmemopen("12345\n12345\n1212121", 18, "r");
    if (file < 0 || stream == NULL || write(file, "123456", 6) != 6)
        abort();
    lseek(file, 0, SEEK_SET);
    pthread_t thread;
    pthread_create(&thread, NULL, first, NULL);
    if (strcmp(way, "parts") == 0) {
        read_part(shared + 8);
    } else if (clean) {
        pthread_mutex_lock(&mutex);
        shared[4] = '5';
        pthread_mutex_unlock(&mutex);
    } else if (strcmp(way, "cut") == 0) {
        shared[4] = '4'; /* behind what is read */
    } else {
        shared[1] = '2';
        numbers[0] = 1;
        line_size = 0;
    }
    pthread_join(thread, NULL);
    return 0;
}
