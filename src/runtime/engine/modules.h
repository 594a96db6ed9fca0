/* Modules that the loader mapped: for names, and for telling our own code from the program's. */
#ifndef RUNTIME_ENGINE_MODULES_H
#define RUNTIME_ENGINE_MODULES_H

#include "runtime/engine/runtime.h"

void modules_open(void); /* lists them on the board, at the start */
void modules_list(void); /* the same, after the program has loaded some */
bool module_is_ours(uintptr_t pc);
bool module_is_watched_slow(uintptr_t site);

/* Code of the program and of its own libraries, instrumented or not; not libc and the like. */
static inline bool module_is_watched(uintptr_t site)
{
    return site - rt.code.program_start < rt.code.program_size ||
           (!module_is_ours(site) && module_is_watched_slow(site));
}
bool module_has(uintptr_t pc); /* it lies in a module at all */

/* The unwinder: it calls pthread_once for every exception, which nobody else can notice. */
static inline bool module_is_quiet(uintptr_t site)
{
    return site - rt.code.quiet_start < rt.code.quiet_size;
}

static inline bool module_is_openmp(uintptr_t site) /* GCC's */
{
    return site - rt.code.openmp_start < rt.code.openmp_size;
}

uint64_t site_whole(uint32_t low); /* an address in a module, from its low half; 0: none fits */

#endif
