// A path, a time limit or a length that another thread changes while a call reads or writes it: a data race.
//
// expect: finding race
// expect: exit 1
// run: -s dfs -k -- open
// run: -s dpor -k -- stat
// run: -s dpor -k -- rename
// run: -s dpor -k -- mkdtemp
// run: -s dpor -k -- select
// run: -s dpor -k -- getsockopt
// run: -s dpor -k -- lock
// run: -s dpor -k -- perror
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static union {
    char text[64];
    struct timeval time;
    struct flock lock;
    socklen_t size;
} shared;
static const char *what;

static int is(const char *name) { return strcmp(what, name) == 0; }

static void *calls(void *unused)
{
    struct stat status;
    int number;
    if (is("open"))
        open(shared.text, O_RDONLY);
    else if (is("stat"))
        stat(shared.text, &status);
    else if (is("rename"))
        rename("there is none", shared.text);
    else if (is("mkdtemp"))
        rmdir(mkdtemp(shared.text));
    else if (is("select"))
        select(0, NULL, NULL, NULL, &shared.time);
    else if (is("getsockopt"))
        getsockopt(socket(AF_UNIX, SOCK_STREAM, 0), SOL_SOCKET, SO_TYPE, &number, &shared.size);
    else if (is("lock"))
        fcntl(open("file", O_RDWR | O_CREAT, 0600), F_GETLK, &shared.lock);
    else
        perror(shared.text);
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t thread;
    what = count > 1 ? arguments[1] : "open";
    if (is("select"))
        shared.time.tv_usec = 1;
    else if (is("getsockopt"))
        shared.size = sizeof(int);
    else if (is("lock"))
        shared.lock.l_type = F_WRLCK;
    else
        strcpy(shared.text, is("mkdtemp") ? "folderXXXXXX" : "nothing");
    pthread_create(&thread, NULL, calls, NULL);
    shared.text[0] |= 1;
    pthread_join(thread, NULL);
    return 0;
}
