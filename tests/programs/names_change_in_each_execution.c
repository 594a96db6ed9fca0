// Changes of names of files before the threads run are made in each execution: nothing
// is begun in the middle, with names that the execution before has removed.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 10
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *lock_and_unlock(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    char folder[] = "/tmp/bohr-names-XXXXXX";
    pthread_t threads[2];
    assert(mkdtemp(folder) != NULL);
    int here = open(folder, O_RDONLY | O_DIRECTORY);
    assert(here >= 0 && fchdir(here) == 0);
    assert(mkdir("one", 0700) == 0 && mkdirat(here, "two", 0700) == 0);
    assert(mkfifo("three", 0600) == 0 && mkfifoat(here, "four", 0600) == 0);
    assert(link("three", "five") == 0 && symlink("three", "six") == 0);
    assert(rename("four", "four more") == 0 && renameat(here, "four more", here, "seven") == 0);
    assert(mknod("eight", S_IFIFO | 0600, 0) == 0 && mknodat(here, "nine", S_IFIFO | 0600, 0) == 0);
    assert(linkat(here, "eight", here, "ten", 0) == 0 && symlinkat("nine", here, "eleven") == 0);
    for (int i = 0; i < 2; i++)
        assert(pthread_create(&threads[i], NULL, lock_and_unlock, NULL) == 0);
    for (int i = 0; i < 2; i++)
        assert(pthread_join(threads[i], NULL) == 0);
    assert(unlink("three") == 0 && unlinkat(here, "five", 0) == 0 && remove("six") == 0);
    assert(unlink("seven") == 0 && rmdir("one") == 0 && unlinkat(here, "two", AT_REMOVEDIR) == 0);
    assert(unlink("eight") == 0 && unlink("nine") == 0);
    assert(unlink("ten") == 0 && unlink("eleven") == 0);
    assert(chdir("/") == 0 && rmdir(folder) == 0);
    return 0;
}
