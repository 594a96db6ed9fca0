// A file system model with an entry for each of 26 inodes, used by 27 threads: the last one asks
// for entry 26, which is not there.
// group: cs
// threads: 28
// finds: assertion
// lines: 30
// pb: 0
// db: 0
// options: --exit wait
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INODES = 26, BLOCKS = 26, USERS = 27 };

static struct inode {
    pthread_mutex_t mutex;
    int block; /* 0: none yet */
} inodes[INODES];

static struct block {
    pthread_mutex_t mutex;
    bool used;
} blocks[BLOCKS];

static struct inode *inode_at(int number)
{
    assert(number < INODES);
    return &inodes[number];
}

static int block_take(int wish)
{
    for (int tried = 0; tried < BLOCKS; tried++) {
        int number = (wish + tried) % BLOCKS;
        struct block *block = &blocks[number];
        pthread_mutex_lock(&block->mutex);
        bool free = !block->used;
        block->used = true;
        pthread_mutex_unlock(&block->mutex);
        if (free)
            return number + 1;
    }
    return 0;
}

static void *use(void *number)
{
    int wanted = (int)(intptr_t)number;
    struct inode *inode = inode_at(wanted);
    pthread_mutex_lock(&inode->mutex);
    if (inode->block == 0)
        inode->block = block_take(wanted * 2);
    pthread_mutex_unlock(&inode->mutex);
    return NULL;
}

int main(void)
{
    pthread_t users[USERS];
    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&inodes[i].mutex, NULL);
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&blocks[i].mutex, NULL);
    for (intptr_t i = 0; i < USERS; i++)
        pthread_create(&users[i], NULL, use, (void *)i);
    for (int i = 0; i < USERS; i++)
        pthread_join(users[i], NULL);
    return 0;
}
