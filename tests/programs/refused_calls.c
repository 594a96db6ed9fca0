// A call that is not modelled is refused, with its name and its place, before it can make a claim
// false.
// expect: exit 3
// expect: verdict == refused
// expect: claim.kind == nothing
// expect: output refused_calls.c
// run: -s dfs -- signalfd
// expect: output signalfd
// run: -s dfs -- stop
// expect: output stopping the process
// run: -s dfs -- fork
// expect: output fork
// run: -s dfs -- system
// expect: output system
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *call = argc > 1 ? argv[1] : "";
    sigset_t set;
    sigemptyset(&set);
    if (strcmp(call, "signalfd") == 0)
        return signalfd(-1, &set, 0) < 0;
    else if (strcmp(call, "stop") == 0)
        raise(SIGSTOP);
    else if (strcmp(call, "fork") == 0)
        return fork() < 0;
    else if (strcmp(call, "system") == 0)
        return system("true");
    return 0;
}
