// Calls that read an object of attributes, a name or a list of arguments while another thread writes it: a race for each.
// run: -s dfs -- queue
// expect: finding race
// expect: executions >= 2
// run: -s dfs -- timer
// expect: finding race
// expect: executions >= 2
// run: -s dfs -- path
// expect: finding race
// expect: executions >= 2
// run: -s dfs -- name
// expect: finding race
// expect: executions >= 2
// run: -s dfs -- flags
// expect: finding race
// expect: executions >= 2
// run: -s dfs -- arguments
// expect: finding race
// expect: executions >= 2
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

static struct mq_attr of_queue = {.mq_maxmsg = 1, .mq_msgsize = 8};
static struct sigevent event = {.sigev_notify = SIGEV_NONE};
static char path[] = "/bin/true", queue_name[] = "/queue", argument[] = "true";
static char *arguments[] = {argument, NULL}, *environment[] = {NULL};
static const char *way;

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static void *changes(void *unused)
{
    if (is("queue"))
        of_queue.mq_maxmsg = 2;
    else if (is("timer"))
        event.sigev_signo = SIGUSR1;
    else if (is("path"))
        path[0] = '/';
    else if (is("name"))
        queue_name[1] = 'z';
    else if (is("flags"))
        of_queue.mq_flags = 0;
    else
        arguments[1] = NULL;
    return unused;
}

int main(int count, char **given)
{
    pthread_t thread;
    timer_t timer;
    int process;
    way = given[1];
    int queue = is("flags") ? mq_open("/queue", O_CREAT | O_RDWR, 0600, &of_queue) : -1;
    pthread_create(&thread, NULL, changes, NULL);
    if (is("queue") || is("name"))
        mq_open(queue_name, O_CREAT | O_RDWR, 0600, &of_queue);
    else if (is("timer"))
        timer_create(CLOCK_REALTIME, &event, &timer);
    else if (is("flags"))
        mq_setattr(queue, &of_queue, NULL);
    else if (posix_spawn(&process, path, NULL, NULL, arguments, environment) == 0)
        wait(NULL);
    pthread_join(thread, NULL);
    return 0;
}
