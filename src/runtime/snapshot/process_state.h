/* State that the kernel keeps of the process beside memory, and what a reset does about it: see the
 * table in process_state.def. */
#ifndef RUNTIME_SNAPSHOT_PROCESS_STATE_H
#define RUNTIME_SNAPSHOT_PROCESS_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum process_state {
#define PROCESS_STATE(name, what, back) PROCESS_##name,
#define PROCESS_SYSCALL(call, state)
#include "runtime/snapshot/process_state.def"
#undef PROCESS_STATE
#undef PROCESS_SYSCALL
    PROCESS_STATES
};

#define OF_MACHINE "this changes the machine, which outlives the program; leave it out when testing"

/* A call is about to change it: the search may go over to fork isolation, or end. */
void process_changes(enum process_state state, const char *call, uintptr_t site);
/* A system call by number; one that the table does not list is refused. */
void process_syscall(long number, uintptr_t site);
void process_put_back(void); /* at a reset, if rt.process_changed */

int process_attribute(int option, long a, long b, long c, long d,
                      int (*real)(int, long, long, long, long), uintptr_t site); /* prctl */
/* A system call that changes users or groups; -1 and errno if it fails. */
int process_becomes(long number, long a, long b, long c, const char *call, uintptr_t site);
bool process_only_advises(int advice); /* madvise, and memory stays as it is */
/* A terminal that the program did not open itself is refused. */
void process_check_terminal(int descriptor, const char *call, uintptr_t site);
bool process_sets_terminal(unsigned long command);       /* of ioctl */
void process_check_control(int command, uintptr_t site); /* of fcntl */

/* Objects that outlive processes and were made by this execution: removed at its end. */
int process_makes_segment(int key, size_t size, int flags, int (*real)(int, size_t, int));
int process_makes_name(const char *name, int flags, unsigned mode,
                       int (*real)(const char *, int, unsigned)); /* shm_open */

#endif
