/* A descriptor is closed by one thread and used by another, and nothing orders the two. */
// build: gcc -O1
// run: -s dfs -k -- write
// expect: finding race
// expect: exit 1
// run: -s dpor -k -- write
// expect: finding race
// run: -s dfs -k -- read
// expect: finding race
// run: -s dfs -k -- poll
// expect: finding race
// run: -s dfs -k -- select
// expect: finding race
// run: -s dfs -k -- dup
// expect: finding race
// run: -s dfs -k -- dup2
// expect: finding race
// run: -s dfs -k -- socket
// expect: finding race
// run: -s dfs -k -- file
// expect: finding race
// run: -s dfs -k -- file-closed-first
// expect: finding race
// run: -s dfs -k -- status
// expect: finding race
// run: -s dfs -k -- file-fclose
// expect: finding race
// run: -s dfs -k -- file-dprintf
// expect: finding race
// run: -s dfs -k -- file-mmap
// expect: finding race
// run: -s dfs -k -- file-sendfile
// expect: finding race
// run: -s dfs -k -- openat
// expect: finding race
// run: -s dfs -k -- openat-closedir
// expect: finding race
// run: -s dfs -k -- twice
// expect: finding race
// run: -s dfs -k -- joined
// expect: no finding
// run: -s dfs -k -- locked
// expect: no finding
// run: -s dfs -k -- handed-over
// expect: no finding
// run: -s dfs -k -- other-end
// expect: no finding
// run: -s dfs -k -- opened-again
// expect: no finding
// run: -s dfs -k -- again-fclose
// expect: no finding
// run: -s dfs -k -- again-closedir
// expect: no finding
// run: -s dfs -k -- again-freopen
// expect: no finding
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static int ends[2], used, seen;
static const char *kind;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;
static int is_closed;

static int is(const char *word)
{
    return strcmp(kind, word) == 0;
}

static void use(void)
{
    char byte = 0;
    struct pollfd look = {.fd = used, .events = POLLIN};
    struct stat status;
    fd_set set;
    FD_ZERO(&set);
    FD_SET(used, &set);
    if (is("read"))
        seen = (int)read(used, &byte, 1);
    else if (is("poll"))
        seen = poll(&look, 1, 0);
    else if (is("select"))
        seen = select(used + 1, &set, NULL, NULL, &(struct timeval){0});
    else if (is("dup"))
        seen = dup(used);
    else if (is("status"))
        seen = fstat(used, &status);
    else if (is("twice"))
        seen = close(used);
    else if (is("file-dprintf"))
        seen = dprintf(used, "x");
    else if (is("file-mmap"))
        seen = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, used, 0) == MAP_FAILED;
    else if (is("file-sendfile"))
        seen = (int)sendfile(1, used, NULL, 1);
    else if (strncmp(kind, "openat", 6) == 0)
        seen = openat(used, "null", O_RDONLY);
    else
        seen = (int)write(used, "x", 1);
}

/* Numbers of descriptors that other threads may use before or after. */
static void use_own(void)
{
    struct stat status;
    int mine = open("/dev", O_RDONLY);
    seen = fstat(mine, &status);
    if (is("again-closedir"))
        closedir(fdopendir(mine));
    else {
        FILE *stream = fdopen(mine, "r");
        if (is("again-freopen"))
            stream = freopen("/dev/null", "r", stream);
        fclose(stream);
    }
}

static void *work(void *unused)
{
    if (strncmp(kind, "again", 5) == 0) {
        use_own();
        return unused;
    }
    if (is("locked")) {
        pthread_mutex_lock(&lock);
        if (!is_closed)
            use();
        pthread_mutex_unlock(&lock);
        return unused;
    }
    if (is("opened-again")) {
        int mine = open("/dev/null", O_WRONLY);
        seen = (int)write(mine, "x", 1);
        close(mine);
        return unused;
    }
    if (is("file-closed-first")) {
        close(used);
        return unused;
    }
    use();
    if (is("handed-over"))
        sem_post(&done);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    kind = argc > 1 ? argv[1] : "write";
    sem_init(&done, 0, 0);
    signal(SIGPIPE, SIG_IGN);
    if (is("socket"))
        seen = socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    else if (strncmp(kind, "openat", 6) == 0)
        ends[0] = ends[1] = open("/dev", O_RDONLY);
    else if (strncmp(kind, "again", 5) == 0) {
        pthread_create(&thread, NULL, work, NULL);
        use_own();
        pthread_join(thread, NULL);
        return 0;
    } else if (strncmp(kind, "file", 4) == 0 || is("status") || is("opened-again"))
        ends[0] = ends[1] = open("/dev/null", O_WRONLY);
    else
        seen = pipe(ends);
    if (is("read"))
        seen = (int)write(ends[1], "x", 1);
    used = is("read") || is("poll") || is("select") ? ends[0] : ends[1];
    pthread_create(&thread, NULL, work, NULL);
    if (is("joined"))
        pthread_join(thread, NULL);
    if (is("handed-over"))
        sem_wait(&done);
    pthread_mutex_lock(&lock);
    is_closed = 1;
    if (is("other-end"))
        close(ends[0]);
    else if (is("dup2"))
        dup2(ends[0], used);
    else if (is("file-closed-first"))
        seen = (int)write(used, "x", 1);
    else if (is("file-fclose"))
        fclose(fdopen(used, "w"));
    else if (is("openat-closedir"))
        closedir(fdopendir(used));
    else
        close(used);
    pthread_mutex_unlock(&lock);
    if (!is("joined"))
        pthread_join(thread, NULL);
    return 0;
}
