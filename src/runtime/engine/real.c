#define _GNU_SOURCE
#include "runtime/engine/real.h"

#include <dlfcn.h>

int (*real_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int (*real_attr_init)(pthread_attr_t *);
int (*real_attr_setstack)(pthread_attr_t *, void *, size_t);
int (*real_attr_getstack)(const pthread_attr_t *, void **, size_t *);
int (*real_attr_getstacksize)(const pthread_attr_t *, size_t *);
int (*real_attr_getdetachstate)(const pthread_attr_t *, int *);
void (*real_exit)(int);
int (*real_on_exit)(void (*)(int, void *), void *);
int (*real_flush)(void *);
int (*real_fork)(void);
int (*real_vsnprintf)(char *, size_t, const char *, va_list);
int (*real_vdprintf)(int, const char *, va_list);
void (*real_flockfile)(void *);
int (*real_ftrylockfile)(void *);
void (*real_funlockfile)(void *);
void (*real_longjmp)(void *, int);
void **real_streams;
int (*real_start_main)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                       void (*)(void), void *);

/* The program has no use for C++, but a library that it opened has. */
static void *symbol_of_cxx(const char *name)
{
    void *(*open)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    void *library = open == NULL ? NULL : open("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
    return library == NULL ? NULL : dlsym(library, name);
}

void *real_symbol(const char *name)
{
    /* condition variables have an older version that dlsym would prefer */
    void *found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
    if (found == NULL)
        found = dlsym(RTLD_NEXT, name);
    return found == NULL && name[0] == '_' ? symbol_of_cxx(name) : found;
}

void real_find(void)
{
    real_create = real_symbol("pthread_create");
    real_attr_init = real_symbol("pthread_attr_init");
    real_attr_setstack = real_symbol("pthread_attr_setstack");
    real_attr_getstack = real_symbol("pthread_attr_getstack");
    real_attr_getstacksize = real_symbol("pthread_attr_getstacksize");
    real_attr_getdetachstate = real_symbol("pthread_attr_getdetachstate");
    real_exit = real_symbol("exit");
    real_on_exit = real_symbol("on_exit");
    real_flush = real_symbol("fflush");
    real_fork = real_symbol("fork");
    real_vsnprintf = real_symbol("vsnprintf");
    real_vdprintf = real_symbol("vdprintf");
    real_flockfile = real_symbol("flockfile");
    real_ftrylockfile = real_symbol("ftrylockfile");
    real_funlockfile = real_symbol("funlockfile");
    real_longjmp = real_symbol("siglongjmp");
    real_streams = real_symbol("_IO_list_all");
    real_start_main = real_symbol("__libc_start_main");
}
