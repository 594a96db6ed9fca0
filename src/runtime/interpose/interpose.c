/* compile: -ffixed-rbx -ffixed-r12 -ffixed-r13 -ffixed-r14 -ffixed-r15 -fno-builtin */
/* The exported functions, made from interpose.def. What a row means is in model/, heap/ and
 * snapshot/. libc's headers for files and processes are left out on purpose: the table declares
 * these functions itself. */
#define clone clone_of_libc /* declared in sched.h, with arguments left open */
#include "runtime/interpose/interpose.h"

#include <errno.h>

#include "runtime/model/stream.h"
#include "runtime/modules.h"
#include "runtime/real.h"
#include "runtime/refuse.h"
#include "runtime/scheduler.h"
#undef clone

static int key_create(pthread_key_t *key, void (*destroy)(void *),
                      int (*real)(pthread_key_t *, void (*)(void *)))
{
    int error = real(key, destroy);
    if (error == 0)
        key_made(*key, destroy);
    return error;
}

#define BY(clock_, time_) ((struct timeout){.clock = (clock_), .deadline = (time_)})
#define BY_DATE(time_) BY(CLOCK_REALTIME, time_)

static void *map_noted(void *start, size_t size)
{
    if (start != (void *)-1)
        world_maps(start, size);
    return start;
}

static int signal_action(int number, const void *action, void *old,
                         int (*real)(int, const void *, void *))
{
    bool ours;
    int result = world_signal(number, action, old, &ours);
    return ours ? result : real(number, action, old);
}

/* libc's functions are looked up before the program begins: what is found later is put back. */
#define VISIBLE(result, name, parameters, arguments, instead) static void *libc_##name;
#define LOCAL VISIBLE
#define ENDING(name, parameters, arguments, instead) static void *libc_##name;
#define REFUSED VISIBLE
#define ON_FILE(result, name, parameters, arguments, kernel, instead) \
    VISIBLE(result, name, parameters, arguments, instead)
#include "runtime/interpose/interpose.def"
#undef VISIBLE
#undef LOCAL
#undef ENDING
#undef REFUSED
#undef ON_FILE

void interpose_find(void)
{
#define VISIBLE(result, name, parameters, arguments, instead) libc_##name = real_symbol(#name);
#define LOCAL VISIBLE
#define ENDING(name, parameters, arguments, instead) libc_##name = real_symbol(#name);
#define REFUSED VISIBLE
#define ON_FILE(result, name, parameters, arguments, kernel, instead) \
    VISIBLE(result, name, parameters, arguments, instead)
#include "runtime/interpose/interpose.def"
#undef VISIBLE
#undef LOCAL
#undef ENDING
#undef REFUSED
#undef ON_FILE
    streams_find();
}

static void *signal_simple(int number, void *handler, void *(*real)(int, void *))
{
    bool ours;
    void *old = world_handler(number, handler, &ours);
    return ours ? old : real(number, handler);
}

static int signal_mask(int how, const void *set, void *old,
                       int (*real)(int, const void *, void *))
{
    uint64_t copy[16]; /* the size of a sigset_t */
    if (set != NULL)
        world_mask(set, copy, sizeof copy);
    return real(how, set != NULL ? copy : NULL, old);
}

static void *modules_read_again(void *loaded)
{
    modules_list();
    return loaded;
}

#define REAL_FUNCTION(result, name, parameters)      \
    if (unlikely(libc_##name == NULL))               \
        libc_##name = real_symbol(#name);            \
    result(*real) parameters = (result(*) parameters)libc_##name

#define VISIBLE(result, name, parameters, arguments, instead) \
    EXPORT result name parameters                             \
    {                                                         \
        if (unlikely(!running()) || unlikely(module_is_quiet(CALL_SITE))) { \
            REAL_FUNCTION(result, name, parameters);          \
            return real arguments;                            \
        }                                                     \
        uintptr_t site = CALL_SITE;                           \
        (void)site;                                           \
        return instead;                                       \
    }

#define LOCAL(result, name, parameters, arguments, instead) \
    EXPORT result name parameters                           \
    {                                                       \
        REAL_FUNCTION(result, name, parameters);            \
        if (unlikely(!running()))                           \
            return real arguments;                          \
        uintptr_t site = CALL_SITE;                         \
        (void)site;                                         \
        ex.me->await.count = 0; /* libc's state may change */ \
        return instead;                                     \
    }

#define ON_FILE(result, name, parameters, arguments, kernel, instead) \
    EXPORT result name parameters                                     \
    {                                                                 \
        REAL_FUNCTION(result, name, parameters);                      \
        if (unlikely(!running()))                                     \
            return real arguments;                                    \
        uintptr_t site = CALL_SITE;                                   \
        (void)site;                                                   \
        if (file_of(descriptor) != NULL)                              \
            return instead;                                           \
        ex.me->await.count = 0; /* the kernel's state may change */   \
        return kernel;                                                \
    }

#define ENDING(name, parameters, arguments, instead) \
    EXPORT _Noreturn void name parameters            \
    {                                                \
        uintptr_t site = CALL_SITE;                  \
        (void)site;                                  \
        if (running())                               \
            instead;                                 \
        REAL_FUNCTION(void, name, parameters);       \
        real arguments;                              \
        __builtin_unreachable();                     \
    }

#define REFUSED(result, name, parameters, arguments, reason) \
    EXPORT result name parameters                            \
    {                                                        \
        if (running())                                       \
            refuse_call(#name, reason, CALL_SITE);           \
        REAL_FUNCTION(result, name, parameters);             \
        return real arguments;                               \
    }

#include "runtime/interpose/interpose.def"
#undef VISIBLE
#undef LOCAL
#undef ENDING
#undef REFUSED
#undef ON_FILE

/* The same table as text, for `bohr list functions`: it reads this from the library's file. */
EXPORT const char bohr_functions[] =
#define VISIBLE(result, name, parameters, arguments, instead) "visible " #name "\0"
#define LOCAL(result, name, parameters, arguments, instead) "local " #name "\0"
#define ENDING(name, parameters, arguments, instead) "visible " #name "\0"
#define ON_FILE(result, name, parameters, arguments, kernel, instead) "visible " #name "\0"
#define REFUSED(result, name, parameters, arguments, reason) "refused " #name " " reason "\0"
#include "runtime/interpose/interpose.def"
#define STREAM(name, where) "local " #name "\0"
#include "runtime/interpose/streams.def"
    "visible dprintf\0"
    "visible vdprintf\0"
    "refused execl other programs are not modelled\0"
    "refused execlp other programs are not modelled\0"
    "refused execle other programs are not modelled\0";
