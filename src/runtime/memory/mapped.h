/* Calls that access mapped memory without its address, or as a whole: munmap, mmap with MAP_FIXED,
 * madvise and mprotect; and reads and writes of a file that is mapped. An access by another thread
 * that nothing orders with such a call races with it. */
#ifndef RUNTIME_MEMORY_MAPPED_H
#define RUNTIME_MEMORY_MAPPED_H

#include "runtime/engine/runtime.h"

struct iovec;

void mapped_goes(void *at, size_t size, uintptr_t site); /* it is unmapped, or replaced */
void mapped_is_replaced(void *at, size_t size, int flags, uintptr_t site); /* by mmap, if it is */
void mapped_is_advised(void *at, size_t size, int advice, uintptr_t site);
void mapped_is_protected(void *at, size_t size, int protection, uintptr_t site);
void mapped_is_new(void *at, size_t size, int flags); /* nobody has been there */

/* A call is about to read or write a file through a descriptor. Where the program has that part of
 * the file mapped, the call accesses this memory, too. Two such calls do not race: their order
 * matters for what is in the file, which has a word of its own (model/shared_state.h). */
enum { AT_POSITION = -1 };
void mapped_file_used(int descriptor, long offset, size_t size, bool writes, uintptr_t site);
/* From a file to another one; NULL: at the position. */
void mapped_files_used(int from, const long *from_offset, int to, const long *to_offset,
                       size_t size, uintptr_t site);
size_t parts_size(const struct iovec *parts, int count);

#endif
