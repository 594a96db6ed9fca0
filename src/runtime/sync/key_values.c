#include "runtime/sync/key_values.h"

#include "runtime/engine/fiber.h"
#include "runtime/engine/misuse.h"
#include "runtime/engine/real.h"

enum { KEYS_MAX = 1024, KEY_ROUNDS = 4 };

void *(*real_getspecific)(pthread_key_t key);
int (*real_setspecific)(pthread_key_t key, const void *value);

/* The program's state, so it lies in our data and is put back with the rest. */
static struct {
    void (*destroy)(void *);
    bool used, gone;
    uintptr_t gone_site;
    thread_id gone_by;
} keys[KEYS_MAX];
static pthread_key_t keys_end; /* no key beyond has a destructor */

void keys_find(void)
{
    real_getspecific = (void *(*)(pthread_key_t))real_symbol("pthread_getspecific");
    real_setspecific = (int (*)(pthread_key_t, const void *))real_symbol("pthread_setspecific");
}

void key_made(pthread_key_t key, void (*destroy)(void *))
{
    if (key >= KEYS_MAX)
        return;
    keys[key].used = true;
    keys[key].gone = false;
    keys[key].destroy = destroy;
    if (destroy != NULL && key >= keys_end)
        keys_end = key + 1;
}

void key_gone(pthread_key_t key, uintptr_t site)
{
    if (key >= KEYS_MAX)
        return;
    keys[key].used = false;
    keys[key].gone = true;
    keys[key].gone_site = site;
    keys[key].gone_by = ex.current;
}

void key_check(pthread_key_t key, uintptr_t site)
{
    if (unlikely(key < KEYS_MAX && keys[key].gone))
        misuse_with("a key", "is used after it was deleted", NULL, site, keys[key].gone_by,
                    keys[key].gone_site);
}

RETURNS_AS_USUAL void keys_destroy_values(void)
{
    for (int round = 0; round < KEY_ROUNDS; round++) {
        bool any = false;
        for (pthread_key_t key = 0; key < keys_end; key++) {
            if (!keys[key].used || keys[key].destroy == NULL)
                continue;
            void *value = key_value(key);
            if (value == NULL)
                continue;
            any = true;
            key_set_value(key, NULL);
            keys[key].destroy(value);
        }
        if (!any)
            return;
    }
}
