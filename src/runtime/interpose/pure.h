/* Functions of libc that only look at what they are given, or fill it in: what they access is
 * noted, they themselves stay as they are. A loop around them may merely wait, so they are not rows
 * of the table. */
#ifndef RUNTIME_INTERPOSE_PURE_H
#define RUNTIME_INTERPOSE_PURE_H

#include "runtime/engine/real.h"
#include "runtime/memory/called.h"

/* PURE(result, name, parameters, arguments, note) */
#define PURE(result, name, parameters, arguments, note)                                            \
    static result(*libc_##name) parameters;                                                        \
    EXPORT result name parameters                                                                  \
    {                                                                                              \
        if (unlikely(libc_##name == NULL))                                                         \
            libc_##name = real_symbol(#name);                                                      \
        uintptr_t site = CALL_SITE;                                                                \
        if (called_counts(site))                                                                   \
            note;                                                                                  \
        return libc_##name arguments;                                                              \
    }

#endif
