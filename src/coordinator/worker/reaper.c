#define _GNU_SOURCE
#include "coordinator/worker/reaper.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>

enum { CHILDREN_MAX = 1024 };

static struct {
    pid_t all[CHILDREN_MAX];
    int count;
    bool listed;
} before;

static int list_children(pid_t out[static CHILDREN_MAX])
{
    int count = 0;
    FILE *file = fopen("/proc/thread-self/children", "re");
    while (file != NULL && count < CHILDREN_MAX && fscanf(file, "%d", &out[count]) == 1)
        count++;
    if (file != NULL)
        fclose(file);
    return count;
}

void orphans_adopt(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (!before.listed)
        before.count = list_children(before.all);
    before.listed = true;
}

static bool was_there_before(pid_t pid)
{
    for (int i = 0; i < before.count; i++)
        if (before.all[i] == pid)
            return true;
    return false;
}

/* Kills some children. A killed process leaves its own children to bohr, so the caller lists
 * again. */
static bool end_some(bool (*is_known)(const void *pool, pid_t pid), const void *pool)
{
    pid_t children[CHILDREN_MAX];
    int count = list_children(children);
    bool ended = false;
    for (int i = 0; i < count; i++) {
        if (is_known(pool, children[i]) || was_there_before(children[i]) ||
            kill(children[i], SIGKILL) != 0)
            continue;
        while (waitpid(children[i], NULL, __WALL) < 0 && errno == EINTR)
            continue;
        ended = true;
    }
    return ended;
}

void orphans_end(bool (*is_known)(const void *pool, pid_t pid), const void *pool)
{
    while (end_some(is_known, pool))
        continue;
}
