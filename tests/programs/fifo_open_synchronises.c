// A thread that opens one end of a named pipe meets the thread that opened the other end before. What that one
// wrote first is no race, whichever of the two comes first.
// run: -s dpor -k
// expect: no finding
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[64];
static int data;

static void *writer(void *unused)
{
    data = 1;
    int end = open(path, O_WRONLY);
    close(end);
    return unused;
}

int main(void)
{
    char folder[] = "/tmp/bohr-fifo-XXXXXX";
    pthread_t thread;
    if (mkdtemp(folder) == NULL)
        abort();
    snprintf(path, sizeof path, "%s/fifo", folder);
    mkfifo(path, 0600);
    pthread_create(&thread, NULL, writer, NULL);
    int end = open(path, O_RDONLY), seen = data;
    pthread_join(thread, NULL);
    close(end);
    unlink(path);
    rmdir(folder);
    return seen != 1;
}
