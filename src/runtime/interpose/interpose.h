/* The models behind the table of interposed functions; see interpose.def. */
#ifndef RUNTIME_INTERPOSE_INTERPOSE_H
#define RUNTIME_INTERPOSE_INTERPOSE_H

#include "runtime/memory/await.h"
#include "runtime/model/model.h"

void interpose_find(void); /* looks up libc's functions */
void streams_find(void);   /* … those of streams.def */

/* model/thread.c */
int model_pthread_create(pthread_t *handle, const pthread_attr_t *attributes,
                         void *(*start)(void *), void *argument);
_Noreturn void model_pthread_exit(void *result);
void cleanup_push(__pthread_unwind_buf_t *handler);
void cleanup_pop(__pthread_unwind_buf_t *handler);
_Noreturn void cleanup_next(__pthread_unwind_buf_t *handler); /* this one has run */
int thread_join(pthread_t handle, void **result, uintptr_t site);
int thread_detach(pthread_t handle, uintptr_t site);
int thread_attributes(pthread_t handle, pthread_attr_t *attributes); /* after libc filled it in */
int model_cxa_thread_atexit(void (*run)(void *), void *object);
void key_made(pthread_key_t key, void (*destroy)(void *));
void key_gone(pthread_key_t key);

thread_id thread_of(pthread_t handle); /* NO_THREAD: it is none of this execution */

/* model/placement.c */
int placement_set_name(pthread_t handle, const char *name);
bool placement_has_name(pthread_t handle);
int placement_get_name(pthread_t handle, char *name, size_t size);
int placement_set_processors(pthread_t handle, size_t size, const cpu_set_t *set,
                             int (*get)(pthread_t, size_t, cpu_set_t *));
int placement_get_processors(pthread_t handle, size_t size, cpu_set_t *set,
                             int (*get)(pthread_t, size_t, cpu_set_t *));

/* model/mutex.c */
int mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes, uintptr_t site);
int mutex_destroy(pthread_mutex_t *mutex, uintptr_t site);
int mutex_lock(pthread_mutex_t *mutex, uintptr_t site);
int mutex_trylock(pthread_mutex_t *mutex, const struct local *local);
int mutex_unlock(pthread_mutex_t *mutex, uintptr_t site);
uint32_t mutex_let_go(pthread_mutex_t *mutex);
void mutex_take_again(pthread_mutex_t *mutex, uint32_t depth);

/* model/cond.c */
int cond_init(pthread_cond_t *cond, uintptr_t site);
int cond_destroy(pthread_cond_t *cond, uintptr_t site);
int cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, uintptr_t site);
int cond_signal(pthread_cond_t *cond, uintptr_t site);
int cond_broadcast(pthread_cond_t *cond, uintptr_t site);

/* model/once.c */
int once_run(pthread_once_t *control, void (*initialise)(void), uintptr_t site);
int guard_acquire(uint8_t *guard, uintptr_t site);
void guard_release(uint8_t *guard, uintptr_t site);
void guard_abort(uint8_t *guard, uintptr_t site);

/* model/end.c */
void end_after_handlers(void *unused);
int end_register(void);            /* an exit handler is added; 0 */
_Noreturn void end_exit(int status, uintptr_t site);
_Noreturn void end_exit_now(int status, uintptr_t site);
_Noreturn void end_assert(const char *condition, const char *file, unsigned line,
                          const char *function, uintptr_t site);
_Noreturn void end_abort(uintptr_t site);
int yield_step(uintptr_t site);
int sleep_step(uintptr_t site);

/* heap/malloc.c */
void *malloc_take(size_t size, size_t alignment, uintptr_t site);
void *malloc_again(void *block, size_t size, uintptr_t site);
void malloc_give(void *block, uintptr_t site);
size_t malloc_size(void *block);

/* snapshot/world.c: what reset must undo outside of memory */
void world_descriptors(void);      /* a descriptor is made or closed */
bool world_has_files(void);        /* … since the program began */
void world_maps(void *start, size_t size);
bool world_unmaps(void *start, size_t size); /* false: it was there before the program began */
void world_writes(void *start, size_t size); /* by a system call */
void world_cannot_undo(const char *call, uintptr_t site); /* reset cannot; fork can */
int world_signal(int number, const void *action, void *old, bool *ours);

#endif
