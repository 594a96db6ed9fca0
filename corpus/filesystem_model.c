// Processes create files in a model of a file system: each takes the lock of its inode and looks
// for a free block, beginning at a place that depends on the inode. To save locking it looks at the
// block first and takes the block's lock only if that looks free, but does not look again: two
// files get the same block.
// group: cbound
// threads: 4
// finds: assertion
// lines: 39 48
// pb: 1
// db: 1
// options: --exit wait
// variants: filesystem_model
// variants: filesystem_model_fixed -DFIXED
// finds filesystem_model_fixed: nothing
// pb filesystem_model_fixed: -
// db filesystem_model_fixed: -
// twin: filesystem_model_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { INODES = 3, BLOCKS = 4, PROCESSES = INODES, NO_BLOCK = -1 };

static struct {
    pthread_mutex_t lock;
    int block;
} inodes[INODES];

static struct {
    pthread_mutex_t lock;
    atomic_bool busy;
} blocks[BLOCKS];

static bool block_claim(int block)
{
#ifndef FIXED
    if (blocks[block].busy)
        return false;
#endif
    pthread_mutex_lock(&blocks[block].lock);
#ifdef FIXED
    bool claimed = !blocks[block].busy;
#else
    bool claimed = true;
#endif
    blocks[block].busy = true;
    pthread_mutex_unlock(&blocks[block].lock);
    return claimed;
}

static void *create_file(void *argument)
{
    int inode = *(int *)argument;
    pthread_mutex_lock(&inodes[inode].lock);
    if (inodes[inode].block == NO_BLOCK) {
        int block = inode * 2 % BLOCKS;
        while (!block_claim(block))
            block = (block + 1) % BLOCKS;
        inodes[inode].block = block;
    }
    pthread_mutex_unlock(&inodes[inode].lock);
    return NULL;
}

int main(void)
{
    for (int i = 0; i < INODES; i++) {
        pthread_mutex_init(&inodes[i].lock, NULL);
        inodes[i].block = NO_BLOCK;
    }
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&blocks[i].lock, NULL);

    pthread_t processes[PROCESSES];
    int numbers[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        numbers[i] = i;
        pthread_create(&processes[i], NULL, create_file, &numbers[i]);
    }
    for (int i = 0; i < PROCESSES; i++)
        pthread_join(processes[i], NULL);
    for (int i = 0; i < INODES; i++)
        for (int j = 0; j < i; j++)
            assert(inodes[i].block != inodes[j].block);
    return 0;
}
