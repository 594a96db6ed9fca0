/* Folders are listed in the order of names: the file system's own order depends on what was there
 * before. */
#ifndef RUNTIME_FILE_LISTING_H
#define RUNTIME_FILE_LISTING_H

#include <stdint.h>

void *folder_read(void *stream, void *(*real)(void *), uintptr_t site);
int folder_read_into(void *stream, void *entry, void **result, void *(*real)(void *),
                     uintptr_t site);
long folder_tell(void *stream, uintptr_t site);
void folder_seek(void *stream, long position, uintptr_t site);
void folder_close(void *stream, uintptr_t site);
void folder_rewind(void *stream, uintptr_t site);
int folder_compare(const void **a, const void **b);

#endif
