/* The models behind the table of interposed functions; see interpose.def. */
#ifndef RUNTIME_INTERPOSE_INTERPOSE_H
#define RUNTIME_INTERPOSE_INTERPOSE_H

#include "runtime/file/file_calls.h"
#include "runtime/file/listing.h"
#include "runtime/heap/heap.h"
#include "runtime/interpose/malloc.h"
#include "runtime/process/process.h"
#include "runtime/process/process_calls.h"
#include "runtime/progress/await.h"
#include "runtime/snapshot/world.h"
#include "runtime/sync/sync_calls.h"
#include "runtime/time/time_calls.h"
#include "runtime/time/timeout.h"

void interpose_find(void); /* looks up libc's functions */
void streams_find(void);   /* libc's functions of streams.def */
void formats_find(void);   /* libc's functions of format.c */
void texts_find(void);     /* libc's functions of texts.c */
void reals_find(void);     /* libc's functions of reals.c */
void scans_find(void);     /* libc's functions of scan.c */

/* texts.c: strtok, which is that function, and iconv */
void token_taken(char *text, const char *ends, void *function, uintptr_t site);
size_t text_converted(size_t (*convert)(void *, char **, size_t *, char **, size_t *), void *how,
                      char **in, size_t *in_left, char **out, size_t *out_left, uintptr_t site);

/* interpose/syscall_files.c: true if it is such a call; the result, and errno, of the function */
bool syscall_on_file(long number, const long *arguments, const struct local *local, long *result);

#endif
