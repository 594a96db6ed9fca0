/* The functions behind our own of the same name: libc's. */
#ifndef RUNTIME_ENGINE_REAL_H
#define RUNTIME_ENGINE_REAL_H

#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>

void *real_symbol(const char *name); /* the next definition after ours; NULL: none */
void real_find(void);                /* looks up those that the runtime itself calls */

extern int (*real_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
extern int (*real_attr_init)(pthread_attr_t *);
extern int (*real_attr_setstack)(pthread_attr_t *, void *, size_t);
extern int (*real_attr_getstack)(const pthread_attr_t *, void **, size_t *);
extern int (*real_attr_getstacksize)(const pthread_attr_t *, size_t *);
extern int (*real_attr_getdetachstate)(const pthread_attr_t *, int *);
extern void (*real_exit)(int);
extern int (*real_on_exit)(void (*)(int, void *), void *);
extern int (*real_flush)(void *);
extern int (*real_fork)(void);
extern int (*real_vsnprintf)(char *, size_t, const char *, va_list);
extern int (*real_vdprintf)(int, const char *, va_list);
extern void (*real_flockfile)(void *);
extern int (*real_ftrylockfile)(void *);
extern void (*real_funlockfile)(void *);
extern void (*real_longjmp)(void *, int);
extern void **real_streams; /* the head of the list of all that are open; NULL: unknown */
extern int (*real_start_main)(int (*)(int, char **, char **), int, char **, void (*)(void),
                              void (*)(void), void (*)(void), void *);

#endif
