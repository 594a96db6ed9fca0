// A descriptor that is closed twice may be a socket by the second time: whether that close comes before or after the
// socket is connected decides what connect returns.
// build: gcc -O1
// build: clang -O1
// run: -s dpor -k
// expect: finding race
// expect: claim.kind == all-classes
// expect: classes 4
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const struct sockaddr_un name = {AF_UNIX, "\0twice"};
static int ends[2];

static void *close_twice(void *unused)
{
    close(ends[0]);
    close(ends[0]);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(listener, (const struct sockaddr *)&name, sizeof name) != 0 || listen(listener, 1) != 0 || pipe(ends) != 0)
        return 1;
    pthread_create(&thread, NULL, close_twice, NULL);
    int client = socket(AF_UNIX, SOCK_STREAM, 0);
    connect(client, (const struct sockaddr *)&name, sizeof name);
    return pthread_join(thread, NULL);
}
