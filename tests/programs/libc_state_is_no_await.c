// A loop that reads an atomic and asks libc for something is not waiting for the atomic: libc's state
// moves on, and the loop ends by it.
// run: -s dfs
// expect: no finding
// expect: executions 1
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_int stop;

int main(void)
{
    char words[] = "one two three four";
    char *word = strtok(words, " ");
    while (!atomic_load(&stop) && word != NULL)
        word = strtok(NULL, " ");
    while (!atomic_load(&stop))
        if (rand() % 5 == 0)
            break;
    return 0;
}
