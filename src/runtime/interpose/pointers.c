/* Functions of libc and libm that access what their pointers point to, see pointers.def. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <time.h>

#include "runtime/interpose/interpose.h"
#include "runtime/interpose/pure.h"
#include "runtime/memory/shared_state.h"
#include "runtime/time/signal_unsafe.h"

extern char **environ;

#define NOTHING               (void)0
#define READS(pointer, size)  reads((const void *)(pointer), size, site)
#define WRITES(pointer, size) writes((const void *)(pointer), size, site)
#define READS_TEXT(text)      called_reads_path(text, site)
#define SHARES(read)          shared_state_call(read, 0, -1, site)
#define TEXT_SIZE(text)       ((long)strlen(text) + 1)

#define NOTED(result, name, parameters, arguments, accesses)                                       \
    PURE(result, name, parameters, arguments, (unsafe_call(SAFETY_##name, #name, site), accesses))

#define STORES(result, name, parameters, arguments, accesses, pointer, size)                       \
    static result(*libc_##name) parameters;                                                        \
    EXPORT result name parameters                                                                  \
    {                                                                                              \
        if (unlikely(libc_##name == NULL))                                                         \
            libc_##name = real_symbol(#name);                                                      \
        uintptr_t site = CALL_SITE;                                                                \
        if (!called_counts(site))                                                                  \
            return libc_##name arguments;                                                          \
        unsafe_call(SAFETY_##name, #name, site);                                                   \
        (accesses);                                                                                \
        result it = libc_##name arguments;                                                         \
        called_wrote((void *)(uintptr_t)(pointer), size, site);                                    \
        return it;                                                                                 \
    }

static void reads(const void *from, size_t size, uintptr_t site)
{
    if (from != NULL)
        called_reads(from, size, site);
}

static void writes(const void *to, size_t size, uintptr_t site)
{
    if (to != NULL)
        called_writes(to, size, site);
}

/* The static result of localtime, gmtime, asctime and ctime. */
static struct tm *static_date(void)
{
    static struct tm *(*look)(const time_t *);
    static struct tm *date;
    time_t none = 0;
    if (look == NULL)
        look = real_symbol("gmtime");
    if (date == NULL)
        date = look(&none);
    return date;
}

static char *static_date_text(void)
{
    static char *(*look)(const struct tm *);
    static char *text;
    struct tm none = {.tm_mday = 1};
    if (look == NULL)
        look = real_symbol("asctime");
    if (text == NULL)
        text = look(&none);
    return text;
}

#include "runtime/interpose/pointers.def"
