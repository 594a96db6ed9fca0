/* Functions that the program calls for the process, its end and its threads' places: see
 * interpose.def and process.def. */
#ifndef RUNTIME_PROCESS_PROCESS_CALLS_H
#define RUNTIME_PROCESS_PROCESS_CALLS_H

#include <pthread.h>
#include <sched.h>

#include "runtime/engine/runtime.h"

/* placement.c */
int placement_set_name(pthread_t handle, const char *name);
bool placement_has_name(pthread_t handle);
int placement_get_name(pthread_t handle, char *name, size_t size);
int placement_set_processors(pthread_t handle, size_t size, const cpu_set_t *set,
                             int (*get)(pthread_t, size_t, cpu_set_t *));
int placement_get_processors(pthread_t handle, size_t size, cpu_set_t *set,
                             int (*get)(pthread_t, size_t, cpu_set_t *));

int placement_get_affinity(int id, size_t size, cpu_set_t *set,
                           int (*get)(int, size_t, cpu_set_t *));
int placement_set_affinity(int id, size_t size, const cpu_set_t *set,
                           int (*get)(int, size_t, cpu_set_t *));
int placement_nice(int change);
int placement_get_priority(int which, int who, int (*real)(int, unsigned));
int placement_set_priority(int which, int who, int value, int (*real)(int, unsigned, int),
                           uintptr_t site);

/* end.c */
void end_after_handlers(int status, void *unused);
int end_register(void); /* an exit handler is added; 0 */
_Noreturn void end_exit(int status, uintptr_t site);
_Noreturn void end_exit_now(int status, uintptr_t site);
_Noreturn void end_assert(const char *condition, const char *file, unsigned line,
                          const char *function, uintptr_t site);
_Noreturn void end_abort(uintptr_t site);

/* end.c, for what ends in its own way */
void end_begin(uintptr_t site); /* the step */
_Noreturn void end_finish(int status);

/* groups.c */
int identity_child(void);                                   /* in a child process: its own number */
int identity_group(int process, int group, uintptr_t site); /* setpgid */
int identity_session(void);                                 /* setsid */
int identity_child_signalled(int process, int number);      /* kill() there */
int identity_processor(unsigned *processor, unsigned *node); /* they run on the first; 0 */
bool identity_is_known(int id);
int identity_asked(int id); /* the kernel's number, where 0 is the caller */

/* chance.c */
long chance_fill(void *bytes, size_t size, unsigned flags, uintptr_t site);
int chance_fill_little(void *bytes, size_t size, uintptr_t site);
void chance_fill_any(void *bytes, size_t size, uintptr_t site);
uint32_t chance_number(void);
uint32_t chance_below(uint32_t bound);
const char *chance_path(const char *path,
                        uintptr_t site); /* of a file to open in place of this one */

int program_main(int argc, char **argv, char **environment); /* in place of main */

#endif
