// Memory that functions read from texts and write results to counts as accesses of the program: tokens with what ends them, texts
// that are converted, lines of wide characters, parts of files. strtok keeps a place of its own, which two threads
// must not share; what is not converted, for want of room, is not read.
// build: gcc -O1 -fno-builtin
// build: clang -O1 -fno-builtin
// modes: all first
// run: -s preempt -b 0 -- clean
// expect: no finding
// run: -s preempt -b 1 -- strtok
// expect: finding race
// expect: output shared
// run: -s preempt -b 1 -- strtok-next
// expect: finding race
// expect: output shared
// run: -s preempt -b 1 -- strtok-place
// expect: finding race
// run: -s preempt -b 1 -- strtok_r
// expect: finding race
// run: -s preempt -b 1 -- strtok-rest
// expect: no finding
// run: -s preempt -b 1 -- strtok-last
// expect: no finding
// run: -s preempt -b 1 -- iconv-from
// expect: finding race
// run: -s preempt -b 1 -- iconv-to
// expect: finding race
// run: -s preempt -b 1 -- iconv-how
// expect: finding race
// run: -s preempt -b 1 -- iconv-part
// expect: no finding
// run: -s preempt -b 1 -- mbstowcs
// expect: finding race
// run: -s preempt -b 1 -- wcstombs
// expect: finding race
// run: -s preempt -b 1 -- mbstowcs-part
// expect: no finding
// run: -s preempt -b 1 -- fgetws
// expect: finding race
// run: -s preempt -b 1 -- preadv
// expect: finding race
// run: -s preempt -b 1 -- pwritev
// expect: finding race
#define _GNU_SOURCE
#include <fcntl.h>
#include <iconv.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char shared[32] = "a,bc,d", other[32] = "x,y";
static wchar_t wide[32] = L"abcdef";
static const char *way;
static iconv_t how;
static int clean, file;
static FILE *stream;

static int is(const char *word)
{
    return clean || strcmp(way, word) == 0;
}

static void convert(char *from, size_t from_size, char *to, size_t to_size)
{
    if (iconv(how, &from, &from_size, &to, &to_size) == (size_t)-1 && to_size > 0)
        abort();
}

static void take_tokens(void)
{
    char *next, word[] = "word";
    if (is("strtok"))
        strtok(shared, ",");
    if (is("strtok-next")) {
        strtok(shared, ",");
        strtok(NULL, ",");
    }
    if (is("strtok-place"))
        strtok(other, ",");
    if (is("strtok_r")) {
        strtok_r(shared, ",", &next);
        __strtok_r(NULL, ",", &next);
    }
    if (is("strtok-rest")) /* does not come to what is written */
        strtok(shared, ",");
    if (is("strtok-last")) /* writes nothing where the text ends */
        strtok_r(other + 2, ",", &next);
    strtok_r(word, ",", &next);
}

static void *use(void *unused)
{
    char bytes[32] = "bytes";
    wchar_t letters[32];
    struct iovec parts[2] = {{shared, 2}, {shared + 2, 2}};
    if (clean)
        pthread_mutex_lock(&mutex);
    take_tokens();
    if (is("iconv-from"))
        convert(shared, 6, bytes, sizeof bytes);
    if (is("iconv-to"))
        convert(bytes, 6, shared, sizeof shared);
    if (is("iconv-how"))
        convert(bytes, 2, bytes + 8, 2);
    if (is("iconv-part"))
        convert(shared, 6, bytes, 2);
    if (is("mbstowcs") && mbstowcs(letters, shared, 32) > 6)
        abort();
    if (is("wcstombs") && wcstombs(bytes, wide, 32) < 6)
        abort();
    if (is("mbstowcs-part") && mbstowcs(letters, shared, 2) > 2)
        abort();
    if (is("fgetws") && fgetws(wide, 32, stream) == NULL)
        abort();
    if (is("preadv") && preadv(file, parts, 2, 0) != 4)
        abort();
    if (is("pwritev") && pwritev(file, parts, 2, 0) != 4)
        abort();
    if (clean)
        pthread_mutex_unlock(&mutex);
    return unused;
}

static void write_behind(void)
{
    char bytes[8] = "own";
    if (is("strtok-place")) {
        strtok(bytes, ",");
    } else if (is("iconv-how")) {
        convert(bytes, 2, bytes + 4, 2);
    } else if (is("strtok-last")) {
        char *volatile text = other;
        if (strlen(text) != 3)
            abort();
    } else {
        ((volatile char *)shared)[is("strtok") ? 1 : 3] = ',';
        ((volatile wchar_t *)wide)[1] = L'x';
    }
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "clean";
    clean = strcmp(way, "clean") == 0;
    file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
    how = iconv_open("UTF-8", "ISO-8859-1");
    if (file < 0 || how == (iconv_t)-1 || write(file, "123456", 6) != 6)
        abort();
    lseek(file, 0, SEEK_SET);
    stream = fdopen(file, "r");
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    if (clean)
        pthread_mutex_lock(&mutex);
    write_behind();
    if (clean)
        pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
