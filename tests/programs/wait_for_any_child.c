// Whichever child ends first is a data choice: three children can be told of in 3! orders. A wait
// that does not block may come too early, but not forever.
// modes: all
// run: -s dfs
// expect: no finding
// expect: executions 6
// expect: complete == true
// run: -s dfs -- poll
// expect: no finding
// expect: executions 2
// expect: complete == true
// run: -s dfs -- order
// expect: finding assertion
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t start(int status)
{
    pid_t child = fork();
    if (child == 0)
        _exit(status);
    return child;
}

static void wait_for_three(int ordered)
{
    int seen = 0, last = 0;
    for (int i = 1; i <= 3; i++)
        start(i);
    for (int i = 0; i < 3; i++) {
        int status;
        assert(wait(&status) > 0);
        seen += WEXITSTATUS(status);
        assert(!ordered || WEXITSTATUS(status) > last);
        last = WEXITSTATUS(status);
    }
    assert(seen == 6);
}

/* The first look may find it running; then it has ended: 2 outcomes. */
static void poll_one(void)
{
    pid_t child = start(9), got;
    int status, looks = 0;
    while ((got = waitpid(child, &status, WNOHANG)) == 0)
        looks++;
    assert(got == child && WEXITSTATUS(status) == 9 && looks <= 1);
}

static void check_errors(void)
{
    struct rusage usage;
    siginfo_t info;
    int status;
    assert(wait(NULL) == -1 && errno == ECHILD);
    pid_t child = start(4);
    assert(waitpid(child + 1, &status, 0) == -1 && errno == ECHILD);
    assert(waitpid(child, &status, 1 << 20) == -1 && errno == EINVAL);
    assert(waitid(P_ALL, 0, &info, WNOHANG) == -1 && errno == EINVAL);
    assert(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) == 0);
    assert(info.si_pid == child && info.si_status == 4 && info.si_code == CLD_EXITED);
    assert(wait4(child, &status, 0, &usage) == child && WEXITSTATUS(status) == 4);
    assert(waitid(P_PID, (id_t)child, &info, WEXITED) == -1 && errno == ECHILD);
    assert(wait3(&status, 0, &usage) == -1 && errno == ECHILD);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "poll") == 0) {
        poll_one();
        return 0;
    }
    check_errors();
    wait_for_three(argc > 1);
    return 0;
}
