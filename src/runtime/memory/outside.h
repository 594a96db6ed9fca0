/* Files of the kernel's, while an execution is watched for loops (watch.h). What is in them is not
 * part of the state that is compared, since what only goes out, as into a log, makes no difference
 * to who does not look at it; and what nobody writes is read again as it was. But a file that was
 * both written and looked at since it is watched is compared from then on, and so is all whose name
 * was changed (names.h). Which descriptors are open, and where each of them is in its file, is part
 * of the state; what output streams hold back is not. */
#ifndef RUNTIME_MEMORY_OUTSIDE_H
#define RUNTIME_MEMORY_OUTSIDE_H

#include "runtime/runtime.h"

enum outside_use {
    OUTSIDE_NOTHING,
    OUTSIDE_OPENS, /* or closes a descriptor, or changes its flags */
    OUTSIDE_LOOKS, /* at what is in a file, its size or the place there */
    OUTSIDE_WRITES,
    OUTSIDE_CHANGES, /* something else, for good */
};

struct still;

void outside_begin(void); /* it is watched from now on */
void outside_end(void);

bool outside_uses_it(int descriptor, enum outside_use use);
/* A call that does this with a descriptor of the kernel's; false: no thread will see a
 * difference. */
static inline bool outside_uses(int descriptor, enum outside_use use)
{
    return likely(ex.outside == NULL) || outside_uses_it(descriptor, use);
}
bool outside_uses_stream_of(const void *stream, enum outside_use use);
/* … with a stream: whatever it can do, or OUTSIDE_LOOKS at its place, too. */
static inline bool outside_uses_stream(const void *stream, enum outside_use use)
{
    return likely(ex.outside == NULL) || outside_uses_stream_of(stream, use);
}
void outside_opens(int folder, const char *path, int flags);
void outside_opens_stream(const char *path, const char *mode);
void outside_changes_name(int folder, const char *path); /* what it leads to */
void outside_moves_name(int folder,
                        const char *path); /* … and all below it, should it be a folder */
void outside_maps(int descriptor, int protection, int flags);   /* -1: no file */
void outside_controls(int command);                             /* fcntl */
void outside_looks_at(int folder, const char *path, int flags); /* those of fstatat */

/* Its thread has written; no other one will see it if it is not `seen`. */
static inline void outside_wrote(struct await *await, bool seen)
{
    bool wrote = await->wrote & WROTE_IN_ROUND;
    await_wrote(await);
    if (unlikely(!seen) && !wrote)
        await_clear(await, WROTE_IN_ROUND);
}

uint64_t outside_still(
    struct still *still); /* a hash of what descriptors mean; hides what streams hold back */

#define OUTSIDE_IS(text) (__builtin_strcmp(name, text) == 0)

/* What calls of the table do to the kernel's files. Compilers know the answer. */
static inline __attribute__((always_inline)) enum outside_use outside_use_on_file(const char *name)
{
    if (OUTSIDE_IS("read") || OUTSIDE_IS("__read_chk") || OUTSIDE_IS("readv") ||
        OUTSIDE_IS("pread") || OUTSIDE_IS("pread64") || OUTSIDE_IS("preadv") ||
        OUTSIDE_IS("preadv64") || OUTSIDE_IS("preadv2") || OUTSIDE_IS("preadv64v2") ||
        OUTSIDE_IS("lseek") || OUTSIDE_IS("lseek64") || OUTSIDE_IS("fstat") ||
        OUTSIDE_IS("fstat64"))
        return OUTSIDE_LOOKS;
    if (OUTSIDE_IS("write") || OUTSIDE_IS("writev") || OUTSIDE_IS("pwrite") ||
        OUTSIDE_IS("pwrite64") || OUTSIDE_IS("pwritev") || OUTSIDE_IS("pwritev64") ||
        OUTSIDE_IS("pwritev2") || OUTSIDE_IS("pwritev64v2"))
        return OUTSIDE_WRITES;
    if (OUTSIDE_IS("close") || OUTSIDE_IS("dup"))
        return OUTSIDE_OPENS;
    if (OUTSIDE_IS("isatty") || OUTSIDE_IS("fdopen") || OUTSIDE_IS("fcntl") ||
        OUTSIDE_IS("fcntl64"))
        return OUTSIDE_NOTHING;
    return OUTSIDE_CHANGES;
}

static inline __attribute__((always_inline)) enum outside_use outside_use_local(const char *name)
{
    if (OUTSIDE_IS("dup2") || OUTSIDE_IS("dup3") || OUTSIDE_IS("close_range") ||
        OUTSIDE_IS("closefrom") || OUTSIDE_IS("fclose") || OUTSIDE_IS("unlink") ||
        OUTSIDE_IS("remove") || OUTSIDE_IS("opendir") || OUTSIDE_IS("fdopendir") ||
        OUTSIDE_IS("closedir") || OUTSIDE_IS("tmpfile") || OUTSIDE_IS("memfd_create"))
        return OUTSIDE_OPENS;
    if (OUTSIDE_IS("mkfifo") || OUTSIDE_IS("mkfifoat") || OUTSIDE_IS("mknod") ||
        OUTSIDE_IS("mknodat") || OUTSIDE_IS("mkdtemp") || OUTSIDE_IS("mkstemp") ||
        OUTSIDE_IS("shm_open") || OUTSIDE_IS("freopen") || OUTSIDE_IS("sendfile") ||
        OUTSIDE_IS("sendfile64") || OUTSIDE_IS("splice") || OUTSIDE_IS("tee") ||
        OUTSIDE_IS("vmsplice") || OUTSIDE_IS("mremap") || OUTSIDE_IS("shmat") ||
        OUTSIDE_IS("sbrk") || OUTSIDE_IS("dlopen") || OUTSIDE_IS("chdir") || OUTSIDE_IS("fchdir") ||
        OUTSIDE_IS("umask") || OUTSIDE_IS("setrlimit") || OUTSIDE_IS("setrlimit64") ||
        OUTSIDE_IS("prlimit") || OUTSIDE_IS("prlimit64") || OUTSIDE_IS("pthread_setaffinity_np") ||
        OUTSIDE_IS("sched_setaffinity") || OUTSIDE_IS("inotify_init") ||
        OUTSIDE_IS("inotify_init1"))
        return OUTSIDE_CHANGES;
    return OUTSIDE_NOTHING;
}
#undef OUTSIDE_IS

#endif
