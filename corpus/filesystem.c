// Processes create files in a model of the Frangipani file system: each takes the lock of its inode
// and looks for a free block, every second block for the first thirteen of them, so that they never
// meet; each process more meets one of the first at one block. Nothing is wrong: it shows how many
// executions a reduced search needs, twice as many for each process from the fourteenth.
// group: reduction
// finds: nothing
// pb: -
// db: -
// variants: filesystem_small -DBLOCKS=4
// variants: filesystem_13
// variants: filesystem_14
// variants: filesystem_16
// variants: filesystem_18
// variants: filesystem_20
// variants: filesystem_22
// variants: filesystem_24
// variants: filesystem_26
// args filesystem_small: 4
// args filesystem_13: 13
// args filesystem_14: 14
// args filesystem_16: 16
// args filesystem_18: 18
// args filesystem_20: 20
// args filesystem_22: 22
// args filesystem_24: 24
// args filesystem_26: 26
// threads filesystem_small: 5
// threads filesystem_13: 14
// threads filesystem_14: 15
// threads filesystem_16: 17
// threads filesystem_18: 19
// threads filesystem_20: 21
// threads filesystem_22: 23
// threads filesystem_24: 25
// threads filesystem_26: 27
// classes filesystem_small: 4
// classes filesystem_13: 1
// classes filesystem_14: 2
// classes filesystem_16: 8
// classes filesystem_18: 32
// classes filesystem_20: 128
// classes filesystem_22: 512
// classes filesystem_24: 2048
// classes filesystem_26: 8192
// beyond filesystem_13: classes
// beyond filesystem_14: classes
// beyond filesystem_16: classes
// beyond filesystem_18: classes
// beyond filesystem_20: classes
// beyond filesystem_22: classes
// beyond filesystem_24: classes
// beyond filesystem_26: classes
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#ifndef BLOCKS
#define BLOCKS 26
#endif

enum { INODES = 32, PROCESSES_MAX = 26 };

static struct {
    pthread_mutex_t lock;
    int block; /* one more than its number, 0: none */
} inodes[INODES];

static struct {
    pthread_mutex_t lock;
    bool busy;
} blocks[BLOCKS];

static bool block_claim(int block)
{
    pthread_mutex_lock(&blocks[block].lock);
    bool claimed = !blocks[block].busy;
    blocks[block].busy = true;
    pthread_mutex_unlock(&blocks[block].lock);
    return claimed;
}

static void *create_file(void *argument)
{
    int inode = *(int *)argument % INODES;
    pthread_mutex_lock(&inodes[inode].lock);
    if (inodes[inode].block == 0) {
        int block = inode * 2 % BLOCKS;
        while (!block_claim(block))
            block = (block + 1) % BLOCKS;
        inodes[inode].block = block + 1;
    }
    pthread_mutex_unlock(&inodes[inode].lock);
    return NULL;
}

int main(int argument_count, char **arguments)
{
    int count = argument_count > 1 ? atoi(arguments[1]) : 0;
    assert(count > 0 && count <= PROCESSES_MAX);
    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&inodes[i].lock, NULL);
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&blocks[i].lock, NULL);

    pthread_t processes[PROCESSES_MAX];
    int numbers[PROCESSES_MAX];
    for (int i = 0; i < count; i++) {
        numbers[i] = i;
        pthread_create(&processes[i], NULL, create_file, &numbers[i]);
    }
    for (int i = 0; i < count; i++)
        pthread_join(processes[i], NULL);
    for (int i = 0; i < count; i++)
        assert(inodes[i].block != 0);
    return 0;
}
