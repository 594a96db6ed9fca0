#include "runtime/file/listing.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "runtime/engine/refuse.h"
#include "runtime/engine/upper.h"
#include "runtime/file/descriptor.h"
#include "runtime/heap/heap.h"
#include "runtime/memory/called.h"
#include "runtime/memory/memory.h"

struct folder { /* what an open folder holds */
    struct folder *next;
    void *stream;
    bool listed;
    uint32_t count;
    uint32_t position;
    struct dirent **entries;
};

static struct folder *folder_of(void *stream)
{
    watch_outside(); /* how far it was read is no part of a state */
    struct folder **at = &ex.file.folders;
    for (; *at != NULL; at = &(*at)->next)
        if ((*at)->stream == stream)
            return *at;
    *at = execution_take(sizeof **at);
    **at = (struct folder){.stream = stream};
    return *at;
}

static struct dirent *copy(const struct dirent *entry, uintptr_t site)
{
    struct dirent *made = heap_take_own(entry->d_reclen, sizeof(long), site);
    if (made == NULL)
        refuse_call("readdir",
                    "there is no memory left for the names in a folder; "
                    "test with a smaller one",
                    site);
    memcpy(made, entry, entry->d_reclen);
    return made;
}

static bool make_room(struct folder *folder, uint32_t *capacity, uintptr_t site)
{
    if (folder->count < *capacity)
        return true;
    *capacity = 2 * *capacity + 32;
    struct dirent **larger = heap_take_own(*capacity * sizeof *larger, sizeof *larger, site);
    if (larger == NULL)
        return false;
    if (folder->count > 0)
        memcpy(larger, folder->entries, folder->count * sizeof *larger);
    if (folder->entries != NULL)
        heap_give(folder->entries);
    folder->entries = larger;
    return true;
}

/* By halves: a folder may hold many names. */
static void sort(struct dirent **entries, struct dirent **room, uint32_t count)
{
    if (count < 2)
        return;
    uint32_t half = count / 2, left = 0, right = half;
    sort(entries, room, half);
    sort(entries + half, room, count - half);
    for (uint32_t i = 0; i < count; i++) {
        bool take_left = right == count || (left < half && strcmp(entries[left]->d_name,
                                                                  entries[right]->d_name) <= 0);
        room[i] = take_left ? entries[left++] : entries[right++];
    }
    memcpy(entries, room, count * sizeof *entries);
}

static void clear(struct folder *folder)
{
    for (uint32_t i = 0; i < folder->count; i++)
        heap_give(folder->entries[i]);
    if (folder->entries != NULL)
        heap_give(folder->entries);
    folder->entries = NULL;
    folder->count = folder->position = 0;
}

static void list(struct folder *folder, void *(*real)(void *), uintptr_t site)
{
    uint32_t capacity = 0;
    clear(folder);
    int error = errno;
    for (const struct dirent *entry; (entry = real(folder->stream)) != NULL;) {
        if (!make_room(folder, &capacity, site))
            refuse_call("readdir",
                        "there is no memory left for the names in a folder; "
                        "test with a smaller one",
                        site);
        folder->entries[folder->count++] = copy(entry, site);
    }
    if (folder->count > 1) {
        struct dirent **room = heap_take_own(folder->count * sizeof *room, sizeof *room, site);
        if (room == NULL)
            refuse_call("readdir",
                        "there is no memory left for the names in a folder; "
                        "test with a smaller one",
                        site);
        sort(folder->entries, room, folder->count);
        heap_give(room);
    }
    errno = error;
    folder->listed = true;
}

/* Each function reads the descriptor in what opendir has made; closedir frees that. */
static int descriptor_in(const void *stream, uintptr_t site)
{
    called_reads(stream, sizeof(int), site);
    return *(const int *)stream;
}

void *folder_read(void *stream, void *(*real)(void *), uintptr_t site)
{
    descriptor_in(stream, site);
    struct folder *folder = folder_of(stream);
    if (!folder->listed)
        list(folder, real, site);
    return folder->position < folder->count ? folder->entries[folder->position++] : NULL;
}

int folder_read_into(void *stream, void *entry, void **result, void *(*real)(void *),
                     uintptr_t site)
{
    const struct dirent *next = folder_read(stream, real, site);
    memory_access(result, sizeof *result, true, site);
    *result = NULL;
    if (next == NULL)
        return 0;
    memory_access(entry, next->d_reclen, true, site);
    memcpy(entry, next, next->d_reclen);
    *result = entry;
    return 0;
}

long folder_tell(void *stream, uintptr_t site)
{
    descriptor_in(stream, site);
    return folder_of(stream)->position;
}

void folder_seek(void *stream, long position, uintptr_t site)
{
    descriptor_in(stream, site);
    folder_of(stream)->position = position < 0 ? 0 : (uint32_t)position;
}

static void forget(const void *stream)
{
    for (struct folder *folder = ex.file.folders; folder != NULL; folder = folder->next) {
        if (folder->stream != stream)
            continue;
        clear(folder);
        folder->listed = false;
    }
}

void folder_close(void *stream, uintptr_t site)
{
    if (stream == NULL)
        return;
    descriptor_closes(descriptor_in(stream, site), site);
    forget(stream);
}

/* The last entry can be looked at until the folder is read again. */
void folder_rewind(void *stream, uintptr_t site)
{
    descriptor_in(stream, site);
    folder_of(stream)->listed = false;
    folder_of(stream)->position = 0;
}

int folder_compare(const void **a, const void **b)
{
    return strcmp(((const struct dirent *)*a)->d_name, ((const struct dirent *)*b)->d_name);
}
