// A call that is not modelled is refused, with its name and its place, before it can make a claim
// false.
// expect: exit 3
// expect: verdict == refused
// expect: claim.kind == nothing
// expect: output refused_calls.c
// run: -s dfs -- cancel
// expect: output pthread_cancel
// run: -s dfs -- fork
// expect: output fork
// run: -s dfs -- system
// expect: output system
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *call = argc > 1 ? argv[1] : "";
    if (strcmp(call, "cancel") == 0)
        pthread_cancel(pthread_self());
    else if (strcmp(call, "fork") == 0)
        return fork() < 0;
    else if (strcmp(call, "system") == 0)
        return system("true");
    return 0;
}
