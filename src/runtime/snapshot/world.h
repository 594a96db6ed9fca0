/* Changes outside of memory that reset must undo. */
#ifndef RUNTIME_SNAPSHOT_WORLD_H
#define RUNTIME_SNAPSHOT_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct iovec;

void world_descriptors(void);                       /* a descriptor is made or closed */
bool world_has_files(void);                         /* files were opened since the program began */
int world_refuse(const char *call, uintptr_t site); /* a descriptor that the runtime needs */
bool world_inherited(int descriptor);               /* it was open when the program began */
bool world_owns(int descriptor); /* it is the runtime's: to the program there is none */
long world_close_range(unsigned first, unsigned last); /* but for those; 0 or -errno */
void world_folder(uintptr_t site);                     /* the program goes to another folder */
void world_creation_mask(void); /* umask was called: it changes the mode of new files */
/* Descriptors of modelled files: the lowest free one, this one, or -errno; it has been closed. */
int world_placeholder(bool close_on_exec, int lowest);
int world_placeholder_at(int descriptor, bool close_on_exec);
void world_placeholder_gone(int descriptor);
bool world_has_descriptor(int descriptor);
uint64_t world_descriptor_limit(void);  /* numbers are below */
int world_path_error(const char *path); /* 0: there is something */
void world_maps(void *start, size_t size, int protection);
void *world_shares(int memory, void *start); /* shmat has put it there, or failed */
bool world_unmaps(void *start, size_t size); /* false: it was there before the program began */
void world_unmapped(void *start, size_t size);
void world_writes(void *start, size_t size); /* by a system call */
void world_writes_parts(const struct iovec *parts, int count);
void world_cannot_undo(const char *call, uintptr_t site); /* reset cannot; fork can */
void world_protects(int protection, uintptr_t site);      /* mprotect */

#endif
