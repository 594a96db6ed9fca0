/* Memory that is mapped at two addresses. Each byte has one name, the address where the execution
 * mapped it first; objects, shadow cells and waiting threads go by names, so that two addresses of
 * one byte are one object. Values are read and written at the address that the program uses.
 *
 * Without such memory ex.aliases is NULL, and nothing but that is looked at. */
#ifndef RUNTIME_ENGINE_ALIAS_H
#define RUNTIME_ENGINE_ALIAS_H

#include "runtime/engine/runtime.h"

struct backing {            /* what lies behind a mapping; equal for equal memory */
    uint64_t device, inode; /* of a file; of anonymous memory 0 and a number */
    uint64_t offset;        /* where the mapping begins in it */
    uint32_t file;          /* the number of the file (memory/shared_state.h); 0: none */
    bool private;           /* a view of a file that cannot be written here */
};

/* A mapping was made at an address. NULL: its memory is the process's own. */
void alias_maps(void *start, size_t size, const struct backing *backing);
void alias_unmaps(void *start, size_t size);
void alias_moves(void *from, size_t size, void *to, size_t new_size); /* mremap has done so */
void alias_attaches(int memory, void *start, size_t size);            /* shmat has done so */
void alias_detaches(const void *start);                               /* shmdt has done so */
/* The object behind an mmap with these arguments, beside the number of the file, which is given;
 * false: memory of the process's own. */
bool alias_backing(struct backing *out, int protection, int flags, int file, long offset);
/* Memory that another process may write, too; NULL: there is none. `named`: a program that a child
 * executes could map it again. */
const void *alias_shared(bool named);

bool alias_is_shared(const void *address); /* whether the shared memory has this address */

/* Calls `visit` for each piece of memory that shows bytes of this part of a file. */
struct file_part {
    uint64_t device, inode, offset, size;
    bool writes; /* what a call on a descriptor does there */
};
void alias_of_file(const struct file_part *part, uintptr_t site,
                   void (*visit)(const void *at, size_t size, bool writes, uintptr_t site));
/* Whether the address shows a file, and the number that its backing has. */
bool alias_file_at(const void *address, uint32_t *number);
uint32_t alias_file_number(uint64_t device, uint64_t inode); /* of a file that is mapped, or 0 */
static inline bool alias_shows_files(void)
{
    return ex.shared != NULL || ex.aliases != NULL;
}

uintptr_t alias_find(uintptr_t address);

static inline uintptr_t alias_name(const volatile void *address)
{
    return likely(ex.aliases == NULL) ? (uintptr_t)address : alias_find((uintptr_t)address);
}

/* Two addresses of the same byte. */
static inline bool alias_same(const volatile void *a, const volatile void *b)
{
    return a == b || (unlikely(ex.aliases != NULL) && alias_name(a) == alias_name(b));
}

#endif
