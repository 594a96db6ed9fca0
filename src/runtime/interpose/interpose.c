/* compile: LOCAL_HERE -fno-builtin */
/* The exported functions, made from interpose.def. What a row means is in the rooms below: sync/,
 * time/, file/, process/, memory/ and snapshot/. libc's headers for files and processes are left
 * out on purpose: the table declares these functions itself. */
#define clone clone_of_libc /* declared in sched.h, with arguments left open */
#include "runtime/interpose/interpose.h"

#include <errno.h>
#include <sys/syscall.h>

#include "runtime/engine/alias.h"
#include "runtime/engine/attention.h"
#include "runtime/engine/identity.h"
#include "runtime/engine/modules.h"
#include "runtime/engine/real.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/trusted_code.h"
#include "runtime/engine/upper.h"
#include "runtime/file/descriptor.h"
#include "runtime/file/stream.h"
#include "runtime/memory/called.h"
#include "runtime/memory/mapped.h"
#include "runtime/memory/shared_state.h"
#include "runtime/process/fork_locks.h"
#include "runtime/progress/lock_poll.h"
#include "runtime/snapshot/process_state.h"
#include "runtime/sync/key_values.h"
#include "runtime/time/signal_unsafe.h"
#undef clone

static int key_create(pthread_key_t *key, void (*destroy)(void *),
                      int (*real)(pthread_key_t *, void (*)(void *)), uintptr_t site)
{
    called_writes(key, sizeof *key, site);
    int error = real(key, destroy);
    if (error == 0)
        key_made(*key, destroy);
    return error;
}

/* Writes the object that a pointer points to, which may be NULL. */
#define WRITTEN(pointer)                                                                           \
    ((pointer) != NULL ? called_writes((pointer), sizeof *(pointer), site) : (void)0)
enum { LIMIT_SIZE = 16 }; /* of struct rlimit */
#define STATUS_WRITTEN(size)                                                                       \
    (called_writes(status, size, site), world_writes(status, size), watch_outside())
#define BY(clock_, time_) ((struct timeout){.clock = (clock_), .deadline = (time_)})
#define BY_DATE(time_)    BY(CLOCK_REALTIME, time_)

/* A call that waits with another mask. */
#define MASKED(mask, call)                                                                         \
    ({                                                                                             \
        bool begun = sigmask_begin(mask, site);                                                    \
        int result_ = call;                                                                        \
        sigmask_end(begun, result_);                                                               \
    })

/* A thread that takes a lock and has written nothing since the last time may be polling. */
#define LOCKING(call)                                                                              \
    ({                                                                                             \
        if (likely(ex.me->await.wrote & WROTE_IN_TURN) && !rt.turns_skipped) {                     \
            await_clear(&ex.me->await, WROTE_IN_TURN);                                             \
        } else {                                                                                   \
            LOCAL_HERE(local);                                                                     \
            poll_again(&local);                                                                    \
        }                                                                                          \
        call;                                                                                      \
    })

/* A thread that comes back to a call that gives way or may time out may be in a futile iteration.
 */
#define AGAIN(kind, call)                                                                          \
    ({                                                                                             \
        if (unlikely(rt.turns_skipped)) {                                                          \
            LOCAL_HERE(again);                                                                     \
            poll_enter(&again, kind);                                                              \
        }                                                                                          \
        call;                                                                                      \
    })
#define YIELDING(call) AGAIN(POLL_YIELDS, call)
#define TIMED(call)    AGAIN(POLL_TIMED, call)
#define SLEEPING(call) AGAIN(POLL_SLEEPS, call)

/* AT_FDCWD, O_WRONLY | O_CREAT | O_TRUNC, F_LOCK: their headers declare what
 * the table declares. */
enum { HERE = -100, TO_WRITE = 01101, LOCK_AND_WAIT = 1, STATUS_SIZE = 144, STATUS_X_SIZE = 256 };

/* SHARES_READ_name, SHARES_WRITE_name and EFFECT_name of each LOCAL or ON_FILE function */
enum function_shares {
    CHANGES = 1,
    ONLY_LOOKS,
    ONLY_WRITES,
#define ROW(name, read, write, effect)                                                             \
    SHARES_READ_##name = (read), SHARES_WRITE_##name = (write), EFFECT_##name = (effect),
#define ALONE(name)               ROW(name, 0, 0, CHANGES)
#define SHARES(name, read, write) ROW(name, read, write, CHANGES)
#define LOOKS(name, read)         ROW(name, read, 0, ONLY_LOOKS)
#define PUTS(name, write)         ROW(name, 0, write, ONLY_WRITES)
#include "runtime/interpose/shares.def"
#undef ROW
#undef ALONE
#undef SHARES
#undef LOOKS
#undef PUTS
};

/* Of a synchronisation object that is initialised. */
#define ATTRIBUTES_READ(attributes)                                                                \
    ((attributes) != NULL ? called_reads(attributes, sizeof *(attributes), site) : (void)0)

/* A call of the kernel's that is a cancellation point. */
#define POINT(call) ((unlikely(ex.me->cancel.requested) ? cancel_point() : (void)0), call)

/* A step if a file of ours takes part. */
#define WATCHED(call)                                                                              \
    ({                                                                                             \
        LOCAL_HERE(local);                                                                         \
        if (unlikely(!running_calmly()))                                                           \
            watch_call(&local);                                                                    \
        call;                                                                                      \
    })

/* Of mmap, unless it is given MAP_ANONYMOUS. */
#define MAPS_FILE                                                                                  \
    (flags & 0x20 ? (void)0                                                                        \
                  : (descriptor_uses(file, site),                                                  \
                     shared_state_of_file(file, SHARED_CONTENTS, SHARED_NOTHING, site)))

/* A name, a path or a command. */
#define TEXT_READ(text) called_reads_path(text, site)

/* Of the kernel's files */
#define OPENING(path)                                                                              \
    (shared_state_call(SHARED_FOLDER | SHARED_CREATION_MASK, SHARED_NAMES | SHARED_DESCRIPTORS,    \
                       -1, site),                                                                  \
     TEXT_READ(path))

/* A pipe with a name is ours, what else there is the kernel's. */
#define OPENED(folder, path, flags, kernel)                                                        \
    ({                                                                                             \
        POINT((void)0);                                                                            \
        descriptor_uses(folder, site);                                                             \
        LOCAL_HERE(local);                                                                         \
        if (unlikely(!running_calmly()))                                                           \
            watch_call(&local);                                                                    \
        int made;                                                                                  \
        fifo_open(folder, path, flags, &made, &local)                                              \
            ? made                                                                                 \
            : (OPENING(path), world_descriptors(), shared_file_opened(kernel, flags, site));       \
    })
#define OPENED_STREAM(path, mode, kernel)                                                          \
    ({                                                                                             \
        LOCAL_HERE(local);                                                                         \
        if (unlikely(!running_calmly()))                                                           \
            watch_call(&local);                                                                    \
        void *made;                                                                                \
        fifo_open_stream(path, mode, &made, &local)                                                \
            ? made                                                                                 \
            : (OPENING(path), world_descriptors(), shared_stream_opened(kernel, mode, site));      \
    })

/* A call that fills memory of the program: with as many bytes as it returns, or items of that
 * size. */
#define FILLED_BY(bytes, size, item, call)                                                         \
    ({                                                                                             \
        called_may_write(bytes, size, site);                                                       \
        world_writes(bytes, size);                                                                 \
        __auto_type got_ = call;                                                                   \
        called_wrote(bytes, (long)got_ *(long)(item), site);                                       \
        got_;                                                                                      \
    })
#define FILLED(bytes, size, call) FILLED_BY(bytes, size, 1, call)

/* The accesses of a call on a descriptor to memory that shows the file. */
#define FROM_FILE(offset, size) mapped_file_used(descriptor, offset, size, false, site)
#define INTO_FILE(offset, size) mapped_file_used(descriptor, offset, size, true, site)

#define FILLED_PARTS(parts, count, call)                                                           \
    ({                                                                                             \
        world_writes_parts(parts, count);                                                          \
        long got_ = call;                                                                          \
        called_wrote_parts(parts, count, got_, site);                                              \
        got_;                                                                                      \
    })

/* A function of libc is about to take the lock of a stream. */
#define ENTER_STREAM(file)                                                                         \
    ({                                                                                             \
        if (unlikely(!running_calmly())) {                                                         \
            LOCAL_HERE(caller_);                                                                   \
            watch_call(&caller_);                                                                  \
        }                                                                                          \
        stream_enter(file, site);                                                                  \
    })

/* A line that libc puts at `text`, and a zero behind it. */
static char *line_noted(char *text, uintptr_t site)
{
    if (text != NULL)
        called_wrote_text(text, site);
    return text;
}
#define LINE(text, size, file, call)                                                               \
    ({                                                                                             \
        called_may_write(text, (size_t)(size), site);                                              \
        ENTER_STREAM(file);                                                                        \
        line_noted(call, site);                                                                    \
    })

static wchar_t *wide_line_noted(wchar_t *text, uintptr_t site)
{
    long size = 0;
    while (text != NULL && text[size] != 0)
        size++;
    if (text != NULL)
        called_wrote(text, (size + 1) * (long)sizeof *text, site);
    return text;
}
#define WIDE_LINE(text, size, file, call)                                                          \
    ({                                                                                             \
        called_may_write(text, (size_t)(size) * sizeof(wchar_t), site);                            \
        ENTER_STREAM(file);                                                                        \
        wide_line_noted(call, site);                                                               \
    })

/* A line read into a block that grows. */
#define LINE_OF_ANY_SIZE(line, size, file, call)                                                   \
    ({                                                                                             \
        called_writes(line, sizeof(char *), site);                                                 \
        called_writes(size, sizeof(size_t), site);                                                 \
        ENTER_STREAM(file);                                                                        \
        long got_ = call;                                                                          \
        if (got_ >= 0)                                                                             \
            called_wrote(*(char **)(line), got_ + 1, site);                                        \
        got_;                                                                                      \
    })

/* Notes for reset that a piece of the process's state changes, then calls. */
#define CHANGES(state, call) (process_changes(PROCESS_##state, __func__, site), call)

/* Users and groups: libc would tell threads of which it takes fibers for some. */
#define KEEP                     -1
#define BECOMES(number, a, b, c) process_becomes(number, a, b, c, __func__, site)

/* fcntl: F_GETLK, F_SETLK and those of open file descriptions */
static void lock_noted(int command, long argument, uintptr_t site)
{
    enum { GET = 5, SET = 6, GET_OPEN = 36, SET_OPEN = 37, LOCK_SIZE = 32 };
    if (command == GET || command == GET_OPEN)
        called_writes((const void *)argument, LOCK_SIZE, site);
    else if (command == SET || command == SET_OPEN)
        called_reads((const void *)argument, LOCK_SIZE, site);
}

/* FIONBIO, FIOASYNC, FIONREAD, TIOCOUTQ, TIOCGWINSZ */
static void control_noted(int descriptor, unsigned long command, void *argument, uintptr_t site)
{
    enum { BYTES_TO_READ = 0x541b, BYTES_TO_WRITE = 0x5411, WINDOW_SIZE = 0x5413 };
    if (command == BYTES_TO_READ || command == BYTES_TO_WRITE)
        called_writes(argument, sizeof(int), site);
    else if (command == WINDOW_SIZE)
        called_writes(argument, 2 * sizeof(int), site);
    enum { SET_NONBLOCK = 0x5421, SET_ASYNC = 0x5452 };
    if (command == SET_NONBLOCK || command == SET_ASYNC)
        world_descriptors();
    if (process_sets_terminal(command))
        process_check_terminal(descriptor, "ioctl", site);
}

static void *map_noted(void *start, size_t size, int protection, int flags, int file, long offset)
{
    if (start == (void *)-1)
        return start;
    struct backing backing = {.file = shared_file_number(file)};
    bool shared = alias_backing(&backing, protection, flags, file, offset);
    world_maps(start, size, protection);
    alias_maps(start, size, shared ? &backing : NULL);
    if (!shared)
        mapped_is_new(start, size, flags);
    process_shares(alias_shared(true));
    return start;
}

static int unmap_noted(int result, void *start, size_t size)
{
    if (result == 0) {
        world_unmapped(start, size);
        alias_unmaps(start, size);
    }
    return result;
}

static void *move_noted(void *to, void *from, size_t size, size_t new_size)
{
    if (to != (void *)-1)
        alias_moves(from, size, to, new_size);
    return to;
}

static int detach_noted(int result, const void *start)
{
    if (result == 0)
        alias_detaches(start);
    return result;
}

/* libc's functions are looked up before the program begins: what is found later is put back. */
#define VISIBLE(result, name, parameters, arguments, instead) static void *libc_##name;
#define LOCAL                                                 VISIBLE
#define ENDING(name, parameters, arguments, instead)          static void *libc_##name;
#define REFUSED                                               VISIBLE
#define ON_FILE(result, name, parameters, arguments, kernel, instead)                              \
    VISIBLE(result, name, parameters, arguments, instead)
#include "runtime/interpose/interpose.def"
#undef VISIBLE
#undef LOCAL
#undef ENDING
#undef REFUSED
#undef ON_FILE

void interpose_find(void)
{
    operators_find();
#define VISIBLE(result, name, parameters, arguments, instead) libc_##name = real_symbol(#name);
#define LOCAL                                                 VISIBLE
#define ENDING(name, parameters, arguments, instead)          libc_##name = real_symbol(#name);
#define REFUSED                                               VISIBLE
#define ON_FILE(result, name, parameters, arguments, kernel, instead)                              \
    VISIBLE(result, name, parameters, arguments, instead)
#include "runtime/interpose/interpose.def"
#undef VISIBLE
#undef LOCAL
#undef ENDING
#undef REFUSED
#undef ON_FILE
    streams_find();
    formats_find();
    texts_find();
    keys_find();
    reals_find();
    scans_find();
}

void interpose_child(void)
{
    libc_getpid = (void *)identity_child;
    libc_getppid = (void *)identity_process;
    libc_getpgrp = (void *)identity_process;
    libc_kill = (void *)identity_child_signalled;
}

struct spawning {
    int (*real)(int *, const char *, const void *, const void *, char *const *, char *const *);
    const char *path;
    const void *actions, *attributes;
    char *const *arguments, *const *environment;
};

static int spawn_now(void *context, int *process)
{
    const struct spawning *all = context;
    return all->real(process, all->path, all->actions, all->attributes, all->arguments,
                     all->environment);
}

static int spawn(void *real, int *process, const char *path, const void *actions,
                 const void *attributes, char *const *arguments, char *const *environment,
                 uintptr_t site)
{
    struct spawning all = {real, path, actions, attributes, arguments, environment};
    called_reads_text(path, SIZE_MAX, site);
    called_reads_texts(arguments, site);
    called_reads_texts(environment, site);
    return process_spawn(process, spawn_now, &all, site);
}

#define EXEC(name, ...)                                                                            \
    ({                                                                                             \
        called_reads_texts(arguments, site);                                                       \
        if (exec_begin(site)) {                                                                    \
            ((int (*)())libc_##name)(__VA_ARGS__);                                                 \
            exec_failed(errno);                                                                    \
        }                                                                                          \
        exec_end();                                                                                \
    })

static void *modules_read_again(void *loaded)
{
    modules_list();
    trust_open();
    return loaded;
}

#define REAL_FUNCTION(result, name, parameters)                                                    \
    if (unlikely(libc_##name == NULL))                                                             \
        libc_##name = real_symbol(#name);                                                          \
    result(*real) parameters = (result(*) parameters)libc_##name

/* Notes the operands of a call, which are nowhere else while its thread waits in it. */
#define NOTE_OPERANDS(...)                                                                         \
    do {                                                                                           \
        if (states_are_compared())                                                                 \
            NOTE_EACH(__VA_ARGS__ __VA_OPT__(, ) 8, 7, 6, 5, 4, 3, 2, 1, 0);                       \
    } while (0)
/* Behind those that are given, in the ninth place, is how many they are. */
#define NOTE_EACH(a, b, c, d, e, f, g, h, given, ...)                                              \
    note_operands(given,                                                                           \
                  (const uint64_t[]){(uint64_t)(a), (uint64_t)(b), (uint64_t)(c), (uint64_t)(d),   \
                                     (uint64_t)(e), (uint64_t)(f), (uint64_t)(g), (uint64_t)(h)})
static void note_operands(uint32_t count, const uint64_t *all)
{
    for (uint32_t i = 0; i < count; i++)
        state_operand(all[i]);
}

/* Work in a child process, where libc's function is called. */
#define IN_CHILD(name, arguments)                                                                  \
    do {                                                                                           \
        if (child_use_of(#name) != CHILD_USES_NOTHING && controlled && rt.process.child != 0)      \
            child_uses_lock(child_use_of(#name), FIRST arguments, CALL_SITE);                      \
    } while (0)
#define FIRST(...)     FIRST_(__VA_ARGS__ __VA_OPT__(, ) 0, 0)
#define FIRST_(a, ...) ((void *)(uintptr_t)(a))

#define VISIBLE(result, name, parameters, arguments, instead)                                      \
    EXPORT result name parameters                                                                  \
    {                                                                                              \
        if (unlikely(!running_calmly()) || unlikely(module_is_quiet(CALL_SITE))) {                 \
            if (!running() || module_is_quiet(CALL_SITE)) {                                        \
                REAL_FUNCTION(result, name, parameters);                                           \
                IN_CHILD(name, arguments);                                                         \
                return real arguments;                                                             \
            }                                                                                      \
            LOCAL_HERE(caller);                                                                    \
            NOTE_OPERANDS arguments;                                                               \
            watch_call(&caller);                                                                   \
        }                                                                                          \
        uintptr_t site = CALL_SITE;                                                                \
        unsafe_call(SAFETY_##name, #name, site);                                                   \
        return instead;                                                                            \
    }

#define IS_LOCAL(name)                                                                             \
    (EFFECT_##name != ONLY_WRITES &&                                                               \
     ((SHARES_READ_##name | SHARES_WRITE_##name) & (SHARED_CONTENTS | SHARED_POSITION)) == 0)
#define LOCAL(result, name, parameters, arguments, instead)                                        \
    EXPORT result name parameters                                                                  \
    {                                                                                              \
        REAL_FUNCTION(result, name, parameters);                                                   \
        if (unlikely(!running()))                                                                  \
            return real arguments;                                                                 \
        uintptr_t site = CALL_SITE;                                                                \
        unsafe_call(SAFETY_##name, #name, site);                                                   \
        _Static_assert(IS_LOCAL(name), "shares.def: " #name " is not ON_FILE: no PUTS, no file");  \
        if (EFFECT_##name != ONLY_LOOKS)                                                           \
            await_wrote(&ex.me->await); /* libc's state may change */                              \
        shared_state_call(SHARES_READ_##name, SHARES_WRITE_##name, -1, site);                      \
        return instead;                                                                            \
    }

#define ON_FILE(result, name, parameters, arguments, kernel, instead)                              \
    EXPORT result name parameters                                                                  \
    {                                                                                              \
        REAL_FUNCTION(result, name, parameters);                                                   \
        if (unlikely(!running()))                                                                  \
            return real arguments;                                                                 \
        uintptr_t site = CALL_SITE;                                                                \
        unsafe_call(SAFETY_##name, #name, site);                                                   \
        if (unlikely(!running_calmly())) {                                                         \
            LOCAL_HERE(caller);                                                                    \
            watch_call(&caller);                                                                   \
        }                                                                                          \
        if (__builtin_strcmp(#name, "close") != 0)                                                 \
            descriptor_uses(descriptor, site);                                                     \
        if (file_of(descriptor) != NULL || (unlikely(file_is_gone(descriptor)) && ({               \
                                                LOCAL_HERE(local);                                 \
                                                file_is_back(descriptor, #name, &local);           \
                                            })))                                                   \
            return instead;                                                                        \
        _Static_assert(EFFECT_##name != ONLY_LOOKS, "shares.def: " #name " is ON_FILE: no LOOKS"); \
        await_wrote_out(&ex.me->await); /* the kernel's state may change */                        \
        if (EFFECT_##name != ONLY_WRITES)                                                          \
            watch_outside();                                                                       \
        shared_state_call(SHARES_READ_##name, SHARES_WRITE_##name, descriptor, site);              \
        return kernel;                                                                             \
    }

#define ENDING(name, parameters, arguments, instead)                                               \
    EXPORT _Noreturn void name parameters                                                          \
    {                                                                                              \
        uintptr_t site = CALL_SITE;                                                                \
        if (running())                                                                             \
            unsafe_call(SAFETY_##name, #name, site);                                               \
        if (running() && !running_calmly()) {                                                      \
            LOCAL_HERE(caller);                                                                    \
            NOTE_OPERANDS arguments;                                                               \
            watch_call(&caller);                                                                   \
        }                                                                                          \
        if (running())                                                                             \
            instead;                                                                               \
        REAL_FUNCTION(void, name, parameters);                                                     \
        real arguments;                                                                            \
        __builtin_unreachable();                                                                   \
    }

#define REFUSED(result, name, parameters, arguments, reason)                                       \
    EXPORT result name parameters                                                                  \
    {                                                                                              \
        if (running())                                                                             \
            refuse_call(#name, reason, CALL_SITE);                                                 \
        REAL_FUNCTION(result, name, parameters);                                                   \
        return real arguments;                                                                     \
    }

#include "runtime/interpose/interpose.def"
#undef VISIBLE
#undef LOCAL
#undef ENDING
#undef REFUSED
#undef ON_FILE

/* The table of functions as text, for `bohr list functions`: it reads this from the library's file.
 */
EXPORT const char bohr_functions[] =
#define VISIBLE(result, name, parameters, arguments, instead)         "visible " #name "\0"
#define LOCAL(result, name, parameters, arguments, instead)           "local " #name "\0"
#define ENDING(name, parameters, arguments, instead)                  "visible " #name "\0"
#define ON_FILE(result, name, parameters, arguments, kernel, instead) "visible " #name "\0"
#define REFUSED(result, name, parameters, arguments, reason)          "refused " #name " " reason "\0"
#include "runtime/interpose/interpose.def"
#define STREAM(name, where, reads) "local " #name "\0"
#include "runtime/interpose/streams.def"
#undef FILLED
#define NOTED(result, name, parameters, arguments, accesses)                 "local " #name "\0"
#define STORES(result, name, parameters, arguments, accesses, pointer, size) "local " #name "\0"
#include "runtime/interpose/pointers.def"
    /* those that are written out: semaphore.c, print.c, format.c, texts.c, keys.c, exec.c,
     * syscall.c, atexit.c, heap/, bytes.c, strings.c */
    "local sem_init\0"
    "local pthread_getspecific\0"
    "local pthread_setspecific\0"
    "local tss_get\0"
    "local tss_set\0"
    "visible dprintf\0"
    "visible vdprintf\0"
    "visible __dprintf_chk\0"
    "visible __vdprintf_chk\0"
    "visible execl\0"
    "visible execlp\0"
    "visible execle\0"
    "visible syscall\0"
    "local atexit\0"
    "local malloc\0"
    "local calloc\0"
    "local realloc\0"
    "local reallocarray\0"
    "local aligned_alloc\0"
    "local memalign\0"
    "local posix_memalign\0"
    "local valloc\0"
    "local malloc_usable_size\0"
    "local free\0"
    "local asprintf\0"
    "local vasprintf\0"
    "local __asprintf_chk\0"
    "local __vasprintf_chk\0"
    "local snprintf\0"
    "local vsnprintf\0"
    "local sprintf\0"
    "local vsprintf\0"
    "local __snprintf_chk\0"
    "local __vsnprintf_chk\0"
    "local __sprintf_chk\0"
    "local __vsprintf_chk\0"
    "local strtol\0"
    "local strtoul\0"
    "local strtoll\0"
    "local scanf\0"
    "local fscanf\0"
    "local sscanf\0"
    "local vscanf\0"
    "local vfscanf\0"
    "local vsscanf\0"
    "local __isoc99_scanf\0"
    "local __isoc99_fscanf\0"
    "local __isoc99_sscanf\0"
    "local __isoc99_vscanf\0"
    "local __isoc99_vfscanf\0"
    "local __isoc99_vsscanf\0"
    "local __isoc23_scanf\0"
    "local __isoc23_fscanf\0"
    "local __isoc23_sscanf\0"
    "local __isoc23_vscanf\0"
    "local __isoc23_vfscanf\0"
    "local __isoc23_vsscanf\0"
    "local strtof\0"
    "local strtod\0"
    "local strtold\0"
    "local atof\0"
    "local wcslen\0"
    "local wcsnlen\0"
    "local wcscmp\0"
    "local wcsncmp\0"
    "local wcschr\0"
    "local wcsrchr\0"
    "local wcsstr\0"
    "local wcscpy\0"
    "local wcsncpy\0"
    "local wcscat\0"
    "local wmemcpy\0"
    "local wmemmove\0"
    "local wmemset\0"
    "local wmemcmp\0"
    "local wmemchr\0"
    "local strtok_r\0"
    "local __strtok_r\0"
    "local mbstowcs\0"
    "local wcstombs\0"
    "local strtoull\0"
    "local atoi\0"
    "local atol\0"
    "local atoll\0"
    "local strstr\0"
    "local strpbrk\0"
    "local strspn\0"
    "local strcspn\0"
    "local strcasecmp\0"
    "local strncasecmp\0"
    "local memcpy\0"
    "local memcmp\0"
    "local memchr\0"
    "local strlen\0"
    "local strnlen\0"
    "local strcmp\0"
    "local strncmp\0"
    "local strchr\0"
    "local strrchr\0"
    "local strcpy\0"
    "local strncpy\0"
    "local stpcpy\0"
    "local mempcpy\0"
    "local strcat\0"
    "local strncat\0"
    "local strdup\0"
    "local strndup\0"
    "local _Znwm\0"
    "local _ZnwmRKSt9nothrow_t\0"
    "local _ZnwmSt11align_val_t\0"
    "local _ZnwmSt11align_val_tRKSt9nothrow_t\0"
    "local _Znam\0"
    "local _ZnamRKSt9nothrow_t\0"
    "local _ZnamSt11align_val_t\0"
    "local _ZnamSt11align_val_tRKSt9nothrow_t\0"
    "local _ZdlPv\0"
    "local _ZdlPvm\0"
    "local _ZdlPvRKSt9nothrow_t\0"
    "local _ZdlPvSt11align_val_t\0"
    "local _ZdlPvmSt11align_val_t\0"
    "local _ZdlPvSt11align_val_tRKSt9nothrow_t\0"
    "local _ZdaPv\0"
    "local _ZdaPvm\0"
    "local _ZdaPvRKSt9nothrow_t\0"
    "local _ZdaPvSt11align_val_t\0"
    "local _ZdaPvmSt11align_val_t\0"
    "local _ZdaPvSt11align_val_tRKSt9nothrow_t\0"
    "local memmove\0"
    "local memset\0";
