// A stream or a folder is closed by one thread and used by another, and nothing orders the two: its
// memory is freed. What orders them, or a flush of all streams, is right.
// run: -s dfs -k -- puts
// expect: finding race
// expect: finding use-after-free
// expect: output (fclose
// run: -s dpor -k -- puts
// expect: finding race
// expect: finding use-after-free
// run: -s dfs -k -- flockfile
// expect: finding race
// expect: finding use-after-free
// run: -s dfs -k -- read
// expect: finding race
// expect: finding use-after-free
// run: -s dfs -k -- pipe
// expect: finding race
// expect: finding use-after-free
// run: -s dfs -k -- folder
// expect: finding race
// expect: finding use-after-free
// run: -s dfs -- after
// expect: finding use-after-free
// run: -s dfs -k -- joined
// expect: no finding
// run: -s dfs -k -- locked
// expect: no finding
// run: -s dfs -k -- flush-all
// expect: no finding
// run: -s dfs -k -- shared
// expect: no finding
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static FILE *stream;
static DIR *folder;
static const char *kind;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_closed;

static int is(const char *word)
{
    return strcmp(kind, word) == 0;
}

static void *use(void *unused)
{
    char bytes[4];
    if (is("flockfile")) {
        flockfile(stream);
        funlockfile(stream);
    } else if (is("read"))
        fread(bytes, 1, 1, stream);
    else if (is("shared"))
        fgetc(stream);
    else if (is("folder"))
        readdir(folder);
    else if (is("flush-all"))
        fflush(NULL);
    else if (is("locked")) {
        pthread_mutex_lock(&lock);
        if (!is_closed)
            fputs("x", stream);
        pthread_mutex_unlock(&lock);
    } else
        fputs("x", stream);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int ends[2];
    kind = argv[argc - 1];
    if (is("folder"))
        folder = opendir("/");
    else if (is("pipe") || is("shared")) {
        if (pipe(ends) != 0 || write(ends[1], "ab", 2) != 2)
            return 1;
        stream = is("pipe") ? fdopen(ends[1], "w") : fdopen(ends[0], "r");
        setvbuf(stream, NULL, _IONBF, 0); /* each call reads to the same byte of the stream */
    } else
        stream = fopen("/dev/null", "r+");
    if (is("after"))
        fclose(stream);
    pthread_create(&thread, NULL, use, NULL);
    if (is("joined"))
        pthread_join(thread, NULL);
    if (is("shared")) {
        use(NULL);
        pthread_join(thread, NULL);
    }
    pthread_mutex_lock(&lock);
    is_closed = 1;
    if (is("folder"))
        closedir(folder);
    else if (!is("after"))
        fclose(stream);
    pthread_mutex_unlock(&lock);
    if (!is("joined") && !is("shared"))
        pthread_join(thread, NULL);
    return 0;
}
