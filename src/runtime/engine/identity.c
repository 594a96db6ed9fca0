#include "runtime/engine/identity.h"

#include "runtime/engine/symmetry.h"

enum { PARENT = 9999, PROCESS = 10000 }; /* thread n is PROCESS + n, as on an idle machine */

int identity_process(void)
{
    return PROCESS;
}

int identity_parent(void)
{
    return PARENT;
}

int identity_me(void)
{
    symmetry_named(ex.current);
    return PROCESS + ex.current;
}

int identity_of_thread(pthread_t handle)
{
    for (thread_id thread = 0; thread < ex.thread_count; thread++)
        if (ex.threads[thread].fs == handle) {
            symmetry_named(thread);
            return PROCESS + thread;
        }
    return -1;
}

thread_id identity_thread(int id)
{
    bool known = id >= PROCESS && id < PROCESS + ex.thread_count;
    if (known)
        symmetry_named((thread_id)(id - PROCESS));
    return known ? (thread_id)(id - PROCESS) : NO_THREAD;
}

bool identity_is_ours(int process)
{
    /* or its process group: nobody else is in it */
    return process == PROCESS || process == 0 || process == -PROCESS;
}
