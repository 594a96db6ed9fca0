// Memory that functions on texts read and write is checked: races with plain accesses and with each other, and
// what leaves a heap block.
// build: gcc -O1 -fno-builtin
// build: clang -O1 -fno-builtin
// run: -s preempt -b 1 -k -- strlen
// expect: finding race
// run: -s preempt -b 1 -k -- strcpy
// expect: finding race
// run: -s preempt -b 1 -k -- strncpy
// expect: finding race
// run: -s preempt -b 1 -k -- strcat
// expect: finding race
// run: -s preempt -b 1 -k -- strcmp
// expect: finding race
// run: -s preempt -b 1 -k -- strncmp
// expect: finding race
// run: -s preempt -b 1 -k -- memcmp
// expect: finding race
// run: -s preempt -b 1 -k -- memchr
// expect: finding race
// run: -s preempt -b 1 -k -- strchr
// expect: finding race
// run: -s preempt -b 1 -k -- strrchr
// expect: finding race
// run: -s preempt -b 1 -k -- strdup
// expect: finding race
// run: -s preempt -b 1 -k -- part
// expect: no finding
// run: -s dfs -- long-copy
// expect: finding out-of-bounds
// expect: output beyond the end of a heap block
// run: -s dfs -- long-append
// expect: finding out-of-bounds
// run: -s dfs -- unended
// expect: finding out-of-bounds
// run: -s dfs -- padded
// expect: finding out-of-bounds
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char text[16] = "hello", other[16] = "hello";
static const char *way = "";
static volatile size_t sink;

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static void *use(void *unused)
{
    if (is("strlen"))
        sink = strlen(text) + strnlen(text, 3);
    else if (is("strcpy"))
        strcpy(text, "bye");
    else if (is("strncpy"))
        strncpy(other, text, sizeof other);
    else if (is("strcat"))
        strcat(text, "!");
    else if (is("strcmp"))
        sink = (size_t)strcmp(text, other);
    else if (is("strncmp"))
        sink = (size_t)strncmp(other, text, 5);
    else if (is("memcmp"))
        sink = (size_t)memcmp(other, text, 5);
    else if (is("memchr"))
        sink = memchr(text, 'o', sizeof text) != NULL;
    else if (is("strchr"))
        sink = strchr(text, 'o') != NULL;
    else if (is("strrchr"))
        sink = strrchr(text, 'h') != NULL;
    else if (is("strdup"))
        free(strdup(text));
    else if (is("part")) /* stops before what is written */
        sink = strnlen(text, 1) + (size_t)strncmp(text, other, 1) + (strchr(text, 'h') != NULL);
    return unused;
}

static void leave_block(void)
{
    char *block = malloc(6);
    if (is("long-copy"))
        strcpy(block, "longer");
    strcpy(block, "short");
    if (is("long-append"))
        strcat(block, "!");
    memset(block, 'x', 6);
    if (is("unended"))
        sink = strlen(block);
    if (is("padded"))
        strncpy(block, "a", 7);
    free(block);
}

int main(int count, char **arguments)
{
    way = count > 1 ? arguments[1] : "";
    if (is("long-copy") || is("long-append") || is("unended") || is("padded")) {
        leave_block();
        return 0;
    }
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    ((volatile char *)text)[is("strrchr") ? 4 : is("part") ? 2 : 1] = 'a';
    pthread_join(thread, NULL);
    return 0;
}
