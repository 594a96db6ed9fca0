// The earlier side of a race is an access of the memory that is raced for, not what the thread does
// later at the same place with something else: a helper function is called for many an object.
// build: gcc -O0
// build: gcc -O1
// build: clang -O0
// build: clang -O1
// expect: finding race
// run: -s dfs -- numbers
// expect: findings[0].object == shared
// expect: findings[0].adjacent == false
// expect: output (load_number), step 2
// expect: silence (load_number), step 3
// expect: output stack of T1: load_number at
// expect: output race_in_helper.c:70
// expect: silence race_in_helper.c:71
// run: -s dfs -- bytes
// expect: findings[0].adjacent == false
// expect: output (load_byte), step 2
// expect: output stack of T1: load_byte at
// expect: output race_in_helper.c:76
// expect: silence race_in_helper.c:77
// run: -s dfs -- blocks
// expect: findings[0].adjacent == false
// expect: output step 2 in execution
// expect: output race_in_helper.c:82
// expect: silence race_in_helper.c:83
// run: -s dfs -- twice
// expect: findings[0].adjacent == false
// expect: output (load_number), step 3
// expect: output race_in_helper.c:90
// expect: silence race_in_helper.c:88
// run: -s dfs --points sync -- numbers
// expect: findings[0].adjacent == false
// expect: output race_in_helper.c:70
// run: -s dfs -- follow
// expect: findings[0].adjacent == true
// expect: output one right after the other
// expect: silence race_in_helper.c:71
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define HELPER __attribute__((noinline)) static

enum { BLOCK = 1000, RACED = 900 };

static int shared = 1, other = 2;
static char bytes[4];
static char blocks[2 * BLOCK], copy[BLOCK];
static atomic_int done;
static const char *way = "";

HELPER int load_number(const int *number)
{
    return *number;
}

HELPER int load_byte(const char *byte)
{
    return *byte;
}

HELPER void load_block(const char *block)
{
    memcpy(copy, block, BLOCK);
}

HELPER int read_numbers(void)
{
    int sum = load_number(&shared);
    sum += load_number(&other);
    return sum;
}
HELPER int read_bytes(void)
{
    int sum = load_byte(&bytes[1]);
    sum += load_byte(&bytes[2]);
    return sum;
}
HELPER int read_blocks(void)
{
    load_block(blocks + BLOCK);
    load_block(blocks);
    return copy[0];
}
HELPER int read_twice(void)
{
    int sum = load_number(&shared);
    __asm__ volatile("" : : : "memory"); /* it is read again */
    sum += load_number(&shared);
    return sum;
}

static void *reader(void *unused)
{
    int sum = strcmp(way, "bytes") == 0    ? read_bytes()
              : strcmp(way, "blocks") == 0 ? read_blocks()
              : strcmp(way, "twice") == 0  ? read_twice()
                                           : read_numbers();
    atomic_store_explicit(&done, 1, memory_order_relaxed); /* orders nothing */
    return sum == 12345 ? &shared : unused;
}

static void *writer(void *unused)
{
    if (strcmp(way, "follow") != 0 && !atomic_load_explicit(&done, memory_order_relaxed))
        return unused;
    if (strcmp(way, "bytes") == 0)
        bytes[1] = 1;
    else if (strcmp(way, "blocks") == 0)
        blocks[BLOCK + RACED] = 1;
    else
        shared = 3;
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t threads[2];
    way = count > 1 ? arguments[1] : "";
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, writer, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
