// Accesses in an ignored section neither race nor become steps: create, join, exit remain, and no
// decision. The same accesses outside of it race.
// modes: all
// run: -s dfs
// expect: no finding
// expect: executions 1
// expect: output accesses that the program asks to ignore were not looked at
// run: -s dfs -- look
// expect: finding race
// run: -s dfs -- twice
// expect: finding misuse
// expect: output bohr_ignore_end without bohr_ignore_begin
#include <bohr.h>
#include <pthread.h>
#include <string.h>

static int statistics;
static const char *way = "";

static void *work(void *unused)
{
    bohr_ignore_begin();
    bohr_ignore_begin();
    if (strcmp(way, "look") == 0)
        bohr_ignore_end();
    bohr_ignore_end();
    statistics++;
    if (strcmp(way, "look") != 0)
        bohr_ignore_end();
    if (strcmp(way, "twice") == 0)
        bohr_ignore_end();
    return unused;
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "";
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
