/* Bytes between our files and the program's memory, which may be several parts of it. */
#include <string.h>

#include "runtime/file/file.h"
#include "runtime/memory/memory.h"

/* Calls visit for the parts that the next `size` bytes are in. */
static void each_part(const struct transfer *transfer, size_t size, void *context,
                      void (*visit)(void *context, char *part, size_t size))
{
    size_t skip = transfer->done;
    for (uint32_t i = 0; size > 0 && i < transfer->count; i++) {
        const struct iovec *part = &transfer->parts[i];
        if (skip >= part->iov_len) {
            skip -= part->iov_len;
            continue;
        }
        size_t some = part->iov_len - skip < size ? part->iov_len - skip : size;
        visit(context, (char *)part->iov_base + skip, some);
        size -= some;
        skip = 0;
    }
}

struct copy {
    char *bytes;
    bool out;
};

static void copy_part(void *context, char *part, size_t size)
{
    struct copy *copy = context;
    if (copy->out)
        memcpy(part, copy->bytes, size);
    else
        memcpy(copy->bytes, part, size);
    copy->bytes += size;
}

void transfer_copy(struct transfer *transfer, void *bytes, size_t size, bool out)
{
    struct copy copy = {.bytes = bytes, .out = out};
    each_part(transfer, size, &copy, copy_part);
    transfer->done += size;
}

static void note_part(void *context, char *part, size_t size)
{
    memory_access(part, size, true, *(uintptr_t *)context);
}

void transfer_note(struct transfer *transfer, size_t size)
{
    if (!transfer->unseen)
        each_part(transfer, size, &transfer->site, note_part);
}

void transfer_give(struct transfer *transfer, void *bytes, size_t size)
{
    transfer_note(transfer, size);
    transfer_copy(transfer, bytes, size, true);
}
