// Paths at addresses that cannot be read: the calls fail with EFAULT, as on Linux, and nothing crashes.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void fails(long result)
{
    assert(result == -1 && errno == EFAULT);
    errno = 0;
}

static void try(const char *path)
{
    struct stat status;
    fails(open(path, O_RDONLY));
    fails(access(path, F_OK));
    fails(stat(path, &status));
    fails(mkdir(path, 0700));
    fails(unlink(path));
    fails(rename("a", path));
    fails(chdir(path));
}

int main(void)
{
    try((const char *)(uintptr_t)8);
    char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(pages, 'a', 8192);
    assert(mprotect(pages + 4096, 4096, PROT_NONE) == 0);
    try(pages + 4090); /* begins in memory that can be read, and goes on in memory that cannot */
    return 0;
}
