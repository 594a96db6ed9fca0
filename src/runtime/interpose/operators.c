/* operator new and delete, in all the ways that compilers call them. They remember how a block came
 * to be, so that it must be freed the same way. A program may bring its own: then ours stand
 * aside. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "runtime/engine/real.h"
#include "runtime/engine/upper.h"
#include "runtime/heap/heap.h"
#include "runtime/interpose/interpose.h"

/* Parameters that a function does not have are not looked at: all are passed in registers. */
typedef void *making(size_t size, size_t second, size_t third);
typedef void giving(void *block, size_t second, size_t third);

EXPORT making _Znwm;
EXPORT giving _ZdlPv;

static bool used; /* the program does not replace them */

void operators_find(void)
{
    used = dlsym(RTLD_DEFAULT, "_Znwm") == (void *)_Znwm &&
           dlsym(RTLD_DEFAULT, "_ZdlPv") == (void *)_ZdlPv;
}

static void *make(size_t size, size_t alignment, enum heap_way way, uintptr_t site)
{
    void *block = malloc_take(size, alignment, site);
    if (block != NULL)
        heap_set_way(block, way);
    return block;
}

/* Where memory is lacking, libstdc++'s own calls the handler, and throws. */
#define NEW(name, alignment, way)                                                                  \
    EXPORT void *name(size_t size, size_t second, size_t third)                                    \
    {                                                                                              \
        static making *real;                                                                       \
        bool ours = controlled && used;                                                            \
        if (ours)                                                                                  \
            malloc_called("operator new", CALL_SITE);                                              \
        void *block = ours ? make(size, alignment, way, CALL_SITE) : NULL;                         \
        if (block == NULL && real == NULL)                                                         \
            real = (making *)real_symbol(#name);                                                   \
        return block != NULL ? block : real(size, second, third);                                  \
    }
NEW(_Znwm, 16, HEAP_NEW)
NEW(_ZnwmRKSt9nothrow_t, 16, HEAP_NEW)
NEW(_ZnwmSt11align_val_t, second, HEAP_NEW)
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, second, HEAP_NEW)
NEW(_Znam, 16, HEAP_NEW_ARRAY)
NEW(_ZnamRKSt9nothrow_t, 16, HEAP_NEW_ARRAY)
NEW(_ZnamSt11align_val_t, second, HEAP_NEW_ARRAY)
NEW(_ZnamSt11align_val_tRKSt9nothrow_t, second, HEAP_NEW_ARRAY)

#define DELETE(name, way)                                                                          \
    EXPORT void name(void *block, size_t second, size_t third)                                     \
    {                                                                                              \
        static giving *real;                                                                       \
        if (controlled && used) {                                                                  \
            if (block != NULL)                                                                     \
                malloc_called("operator delete", CALL_SITE);                                       \
            malloc_give(block, way, CALL_SITE);                                                    \
            return;                                                                                \
        }                                                                                          \
        if (real == NULL)                                                                          \
            real = (giving *)real_symbol(#name);                                                   \
        real(block, second, third);                                                                \
    }
DELETE(_ZdlPv, HEAP_NEW)
DELETE(_ZdlPvm, HEAP_NEW)
DELETE(_ZdlPvRKSt9nothrow_t, HEAP_NEW)
DELETE(_ZdlPvSt11align_val_t, HEAP_NEW)
DELETE(_ZdlPvmSt11align_val_t, HEAP_NEW)
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, HEAP_NEW)
DELETE(_ZdaPv, HEAP_NEW_ARRAY)
DELETE(_ZdaPvm, HEAP_NEW_ARRAY)
DELETE(_ZdaPvRKSt9nothrow_t, HEAP_NEW_ARRAY)
DELETE(_ZdaPvSt11align_val_t, HEAP_NEW_ARRAY)
DELETE(_ZdaPvmSt11align_val_t, HEAP_NEW_ARRAY)
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, HEAP_NEW_ARRAY)
