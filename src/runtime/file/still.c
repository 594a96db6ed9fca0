#include "runtime/file/still.h"

#include <string.h>

#include "base/mix.h"
#include "runtime/engine/upper.h"
#include "runtime/file/file_calls.h"
#include "runtime/file/socket.h"

enum { HIDDEN_MAX = 2048, BLOCKS_MAX = 16, BYTES_MAX = 1 << 17 };

struct still {
    uint32_t count;
    struct {
        void *at;
        size_t size;
        uint64_t value;
    } hidden[HIDDEN_MAX];
    uint32_t block_count;
    size_t used;
    struct {
        char *at;
        size_t size;
    } blocks[BLOCKS_MAX];
    char bytes[BYTES_MAX]; /* of the blocks */
};

struct still *still_make(void)
{
    return execution_take(sizeof(struct still));
}

void still_hide(struct still *still, void *at, size_t size, uint64_t value)
{
    if (still->count++ >= HIDDEN_MAX)
        return;
    still->hidden[still->count - 1].at = at;
    still->hidden[still->count - 1].size = size;
    memcpy(&still->hidden[still->count - 1].value, at, size);
    memcpy(at, &value, size);
}

void still_hide_bytes(struct still *still, char *at, size_t size)
{
    if (still->block_count == BLOCKS_MAX || size > BYTES_MAX - still->used)
        return; /* then it is seen */
    memcpy(still->bytes + still->used, at, size);
    memset(at, 0, size);
    still->blocks[still->block_count].at = at;
    still->blocks[still->block_count++].size = size;
    still->used += size;
}

void still_source(struct still *still, struct source *source)
{
    if (source == NULL)
        return;
    still_hide(still, &source->changes, sizeof source->changes, 0);
    still_hide(still, &source->arrivals, sizeof source->arrivals, 0);
    still_hide(still, &source->departures, sizeof source->departures, 0);
}

/* Kinds look at what they compare with these numbers before they are hidden. */
uint64_t files_still(struct still *still)
{
    uint64_t sum = 0;
    still->count = still->block_count = 0;
    still->used = 0;
    for (int i = 0; i < DESCRIPTORS_MAX; i++) {
        struct file *file = file_of(i);
        if (file != NULL && file->kind->still != NULL)
            sum += mix(file->kind->still(file, still), (uint64_t)i + 1);
    }
    for (int i = 0; i < DESCRIPTORS_MAX; i++) {
        struct file *file = file_of(i);
        if (file == NULL || file->kind->still == NULL)
            continue;
        still_source(still, file->in);
        still_source(still, file->out);
    }
    still_source(still, &file_numbers);
    still_source(still, &socket_names);
    return sum;
}

bool files_stir(struct still *still)
{
    bool all = still->count <= HIDDEN_MAX;
    for (uint32_t i = all ? still->count : HIDDEN_MAX; i-- > 0;)
        memcpy(still->hidden[i].at, &still->hidden[i].value, still->hidden[i].size);
    still->count = 0;
    while (still->block_count > 0) {
        size_t size = still->blocks[--still->block_count].size;
        still->used -= size;
        memcpy(still->blocks[still->block_count].at, still->bytes + still->used, size);
    }
    return all;
}
