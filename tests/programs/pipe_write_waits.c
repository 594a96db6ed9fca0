// A write of more than fits goes on as the reader takes what is there; nothing is lost or mixed up. A
// write of up to PIPE_BUF bytes is never torn by another.
// modes: all
// run: -s preempt -b 1 -- long
// expect: no finding
// expect: complete == true
// run: -s dfs -- atomic
// expect: no finding
// expect: complete == true
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 150000 };

static int ends[2];
static char out[SIZE], in[SIZE], pieces[2][PIPE_BUF];

static void *write_all(void *unused)
{
    assert(write(ends[1], out, SIZE) == SIZE);
    return unused;
}

static void *write_piece(void *piece)
{
    assert(write(ends[1], piece, PIPE_BUF) == PIPE_BUF);
    return NULL;
}

static void read_all(char *to, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t some = read(ends[0], to + done, size - done);
        assert(some > 0);
        done += (size_t)some;
    }
}

static void long_write(void)
{
    pthread_t writer;
    for (int i = 0; i < SIZE; i++)
        out[i] = (char)(i * 7);
    pthread_create(&writer, NULL, write_all, NULL);
    read_all(in, SIZE);
    pthread_join(writer, NULL);
    assert(memcmp(in, out, SIZE) == 0);
}

static void atomic_writes(void)
{
    pthread_t first, second;
    assert(write(ends[1], out, 65536 - PIPE_BUF - 1) == 65536 - PIPE_BUF - 1);
    memset(pieces[0], 'a', PIPE_BUF);
    memset(pieces[1], 'b', PIPE_BUF);
    pthread_create(&first, NULL, write_piece, pieces[0]);
    pthread_create(&second, NULL, write_piece, pieces[1]);
    read_all(in, 65536 - PIPE_BUF - 1);
    read_all(in, 2 * PIPE_BUF);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    for (int i = 1; i < PIPE_BUF; i++)
        assert(in[i] == in[0] && in[PIPE_BUF + i] == in[PIPE_BUF] && in[0] != in[PIPE_BUF]);
}

int main(int count, char **arguments)
{
    assert(pipe(ends) == 0);
    if (strcmp(arguments[1], "long") == 0)
        long_write();
    else
        atomic_writes();
    return 0;
}
