/* Thread-specific data as libc knows it, and which keys there are. */
#ifndef RUNTIME_SYNC_KEY_VALUES_H
#define RUNTIME_SYNC_KEY_VALUES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/engine/runtime.h"

extern void *(*real_getspecific)(pthread_key_t key);
extern int (*real_setspecific)(pthread_key_t key, const void *value);

void keys_find(void); /* looks up libc's functions */

static inline void *key_value(pthread_key_t key)
{
    if (unlikely(real_getspecific == NULL))
        keys_find();
    return real_getspecific(key);
}

static inline int key_set_value(pthread_key_t key, const void *value)
{
    if (unlikely(real_setspecific == NULL))
        keys_find();
    return real_setspecific(key, value);
}

void key_made(pthread_key_t key, void (*destroy)(void *));
void key_gone(pthread_key_t key, uintptr_t site);
void key_check(pthread_key_t key, uintptr_t site); /* it is used; was it deleted? */
void keys_destroy_values(void);                    /* of the calling thread, which ends */

#endif
