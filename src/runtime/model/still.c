#include "runtime/model/still.h"

#include <string.h>

#include "base/mix.h"

enum { HIDDEN_MAX = 2048 };

struct still {
    uint32_t count;
    struct {
        void *at;
        size_t size;
        uint64_t value;
    } hidden[HIDDEN_MAX];
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
    still->count = 0;
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
    return sum;
}

bool files_stir(struct still *still)
{
    bool all = still->count <= HIDDEN_MAX;
    for (uint32_t i = all ? still->count : HIDDEN_MAX; i-- > 0;)
        memcpy(still->hidden[i].at, &still->hidden[i].value, still->hidden[i].size);
    still->count = 0;
    return all;
}
