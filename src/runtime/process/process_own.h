/* State of the folder process/, kept for each thread, each execution and the process. */
#ifndef RUNTIME_PROCESS_PROCESS_OWN_H
#define RUNTIME_PROCESS_PROCESS_OWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { THREAD_NAME_SIZE = 16 };
enum { PROCESS_KEPT_MAX = 3 }; /* attributes that a reset puts back (snapshot/process_state.c) */

struct thread_process {
    struct child *child;          /* for whose end it stands; NULL: it is a thread, or a timer */
    uint64_t randoms;             /* random numbers taken */
    char label[THREAD_NAME_SIZE]; /* pthread_setname_np; empty: as the kernel says */
    int8_t niceness;              /* beyond that of the process when it began */
    uint8_t *processors;          /* pthread_setaffinity_np; NULL: as the kernel says */
};

struct execution_process {
    bool exit_handlers; /* the program has registered one */
    struct {            /* prctl, as long as the kernel is not told */
        uint8_t death_signal, dumpable;
        bool dumpable_set, subreaper;
    } attributes;
    int random_file;        /* behind the last random device that was opened; 0: none */
    uint32_t process_count; /* child processes started */
    struct child *processes;
};

struct runtime_process {
    bool process_changed; /* attributes of the process differ from what these keep */
    struct kept_state {
        bool changed;
        long value;
    } process_kept[PROCESS_KEPT_MAX];
    int child;              /* number of this process if the program started it; 0: it did not */
    uint32_t child_process; /* the kernel's number of it; a child of its own keeps it */
};

#endif
