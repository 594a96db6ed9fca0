// Two threads use one stream on a pipe of the program: each can come first, also where the first one fills the buffer for both.
// run: -k -s dfs -- fgetc full
// expect: finding assertion
// expect: buggy >= 1
// expect: classes >= 2
// run: -k -s dpor -- fgetc none
// expect: finding assertion
// expect: buggy >= 1
// expect: classes >= 2
// run: -k -s dpor -- fgets full
// expect: finding assertion
// expect: buggy >= 1
// expect: classes >= 2
// run: -k -s bpor -- fread full
// expect: finding assertion
// expect: buggy >= 1
// expect: classes >= 2
// run: -k -s dfs -- getline full
// expect: finding assertion
// expect: buggy >= 1
// expect: classes >= 2
// run: -k -s dpor -- fscanf full
// expect: finding assertion
// expect: buggy >= 1
// expect: classes >= 2
// run: -k -s dfs -- fputc full
// expect: finding assertion
// expect: buggy >= 1
// expect: classes >= 2
// run: -k -s dpor -- fputc none
// expect: finding assertion
// expect: buggy >= 1
// expect: classes >= 2
// run: -k -s dpor -- fprintf full
// expect: finding assertion
// expect: buggy >= 1
// expect: classes >= 2
// run: -s dpor -- message full
// expect: no finding
// expect: complete == true
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *way;
static FILE *stream;
static char got[2];
static int data;

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

/* Which of the two threads gets the first line, or writes first. */
static void *uses(void *number)
{
    char *mine = &got[(long)number], line[3], *longer = NULL;
    size_t size = 0;
    if (is("fgetc")) {
        *mine = (char)fgetc(stream);
    } else if (is("fread")) {
        assert(fread(mine, 1, 1, stream) == 1);
    } else if (is("fscanf")) {
        assert(fscanf(stream, " %c", mine) == 1);
    } else if (is("fgets")) {
        assert(fgets(line, sizeof line, stream) == line);
        *mine = line[0];
    } else if (is("getline")) {
        assert(getline(&longer, &size, stream) == 2);
        *mine = longer[0];
        free(longer);
    } else if (is("fputc")) {
        fputc('a' + (int)(long)number, stream);
        fflush(stream);
    } else {
        fprintf(stream, "%c", 'a' + (int)(long)number);
    }
    return NULL;
}

/* Values written before the line are seen by each thread that gets a part of it, out of the buffer, too. */
static void *looks(void *unused)
{
    assert(fgetc(stream) != EOF && data == 1);
    return unused;
}

int main(int count, char **arguments)
{
    int ends[2];
    pthread_t threads[2];
    assert(count == 3 && pipe(ends) == 0);
    way = arguments[1];
    int writes = is("fputc") || is("fprintf");
    stream = fdopen(ends[writes], writes ? "w" : "r");
    if (strcmp(arguments[2], "none") == 0)
        setvbuf(stream, NULL, _IONBF, 0);
    if (!writes && !is("message"))
        assert(write(ends[1], "a\nb\n", 4) == 4);
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, is("message") ? looks : uses, (void *)i);
    data = 1;
    if (is("message"))
        assert(write(ends[1], "ab", 2) == 2);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    if (writes) {
        fflush(stream);
        assert(read(ends[0], got, 1) == 1);
    }
    assert(is("message") || got[0] == 'a');
    return 0;
}
