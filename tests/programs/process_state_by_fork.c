// Functions that change the process beyond what a reset can put back are called in a process of its own for each
// execution. Here they change nothing, or fail: what they do is tested by engine/process_state.
// run: -s dfs
// expect: no finding
// expect: isolate == fork
// run: -s dfs --isolate fork --carrier kernel
// expect: no finding
// run: -s dfs --isolate exec --carrier kernel
// expect: no finding
// run: -s dfs --isolate exec
// expect: no finding
#define _GNU_SOURCE
#include <assert.h>
#include <grp.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <sys/fsuid.h>
#include <sys/io.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <termios.h>
#include <unistd.h>

int capset(void *head, const void *data);

static void *work(void *unused)
{
    return unused;
}

static void change_users(void)
{
    uid_t user = getuid();
    gid_t group = getgid();
    assert(setuid(user) == 0 && seteuid(user) == 0 && setreuid(user, user) == 0);
    assert(setresuid(user, user, user) == 0 && setfsuid(user) >= 0);
    assert(setgid(group) == 0 && setegid(group) == 0 && setregid(group, group) == 0);
    assert(setresgid(group, group, group) == 0 && setfsgid(group) >= 0);
    assert(setgroups(1 << 20, NULL) == -1 && capset(NULL, NULL) == -1);
}

static void change_scheduling(void)
{
    struct sched_param none = {0};
    assert(sched_setscheduler(0, SCHED_OTHER, &none) == 0 && sched_setparam(0, &none) == 0);
    assert(getpriority(PRIO_PROCESS, 0) == nice(0));
    assert(setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0)) == 0);
    assert(setpriority(-1, 0, 0) == -1);
}

static void change_memory(void)
{
    static char bytes[4096];
    (void)mlock(bytes, 1);
    (void)mlock2(bytes, 1, 0);
    assert(munlock(bytes, 1) == 0 && munlockall() == 0);
    assert(mlockall(0) == -1);
    assert(madvise(bytes, 1, -1) == -1);
    assert(brk(sbrk(0)) == 0);
}

int main(void)
{
    pthread_t thread;
    change_users();
    pthread_create(&thread, NULL, work, NULL);
    change_scheduling();
    change_memory();
    assert(prctl(-1) == -1 && unshare(-1) == -1 && setns(-1, 0) == -1);
    assert(chroot("/there/is/no/such/folder") == -1);
    assert(personality(0xffffffff) >= 0 && iopl(77) == -1 && ioperm(~0ul, 1, 1) == -1);
    assert(tcsetattr(-1, 0, &(struct termios){0}) == -1);
    assert(shmget(IPC_PRIVATE, 0, 0) == -1);
    pthread_join(thread, NULL);
    return 0;
}
