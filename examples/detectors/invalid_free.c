/* A parser walks through a line; if it is stopped on the way, what is freed is where it stands and not the
 * start of the block. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_int stop;

static void *parse(void *unused)
{
    char *line = strdup("key=value"), *at = line;
    while (*at != '=')
        at++;
    if (atomic_load(&stop)) {
#ifdef FIXED
        free(line);
#else
        free(at);
#endif
        return unused;
    }
    free(line);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, parse, NULL);
    atomic_store(&stop, 1);
    pthread_join(thread, NULL);
    return 0;
}
