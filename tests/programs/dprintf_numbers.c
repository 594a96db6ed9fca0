// Text that dprintf writes to a pipe or a file is that of libc: numbers in vector registers, too.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *expected = "0.5 1 1.5 2 2.5 3 3.5 4.5 5.5 6.5 7.5 text";

static void writes(int to, int from)
{
    char text[64] = {0};
    assert(dprintf(to, "%g %d %g %d %g %d %g %g %g %g %g %s", 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4.5, 5.5,
                   6.5, 7.5, "text") == (int)strlen(expected));
    assert(lseek(from, 0, SEEK_SET) <= 0);
    assert(read(from, text, sizeof text - 1) == (ssize_t)strlen(expected));
    assert(strcmp(text, expected) == 0);
}

int main(void)
{
    int ends[2], file = memfd_create("text", 0);
    assert(file >= 0 && pipe(ends) == 0);
    writes(ends[1], ends[0]);
    writes(file, file);
    return 0;
}
