#include "runtime/engine/stranger.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "base/out.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/runtime.h"

enum {
    OURS_MAX = 2 * THREADS_MAX + 1,
    NAME_AT = 19,
    PATH_SIZE = 64,
    TEXT_SIZE = 512,
    PATIENCE_MS = 100,
    START_MS = 1000
};

static long ours[OURS_MAX];
static uint32_t ours_count;

unsigned kernel_thread_count(void)
{
    struct stat status;
    if (os_call(SYS_newfstatat, AT_FDCWD, (long)"/proc/self/task", (long)&status, 0, 0, 0) != 0)
        return 1;
    return (unsigned)status.st_nlink - 2;
}

void stranger_is_ours(long id)
{
    uint32_t at = __atomic_fetch_add(&ours_count, 1, __ATOMIC_RELAXED);
    CHECK(at < OURS_MAX);
    __atomic_store_n(&ours[at], id, __ATOMIC_RELEASE);
}

static bool is_ours(long id)
{
    if (id == os_call(SYS_getpid, 0, 0, 0, 0, 0, 0))
        return true;
    for (uint32_t i = 0; i < ours_count; i++)
        if (ours[i] == id)
            return true;
    return false;
}

static long number_of(const char *text)
{
    long number = 0;
    for (; *text >= '0' && *text <= '9'; text++)
        number = 10 * number + (*text - '0');
    return number;
}

/* 0: there is none. */
static long find(void)
{
    long found = 0;
    int folder = (int)os_call(SYS_open, (long)"/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC,
                              0, 0, 0, 0);
    if (folder < 0)
        return 0;
    for (;;) {
        char entries[2048];
        long size = os_call(SYS_getdents64, folder, (long)entries, sizeof entries, 0, 0, 0);
        if (size <= 0)
            break;
        for (long at = 0; at < size;) {
            long id = number_of(entries + at + NAME_AT);
            if (id != 0 && found == 0 && !is_ours(id))
                found = id;
            uint16_t length;
            __builtin_memcpy(&length, entries + at + 16, sizeof length);
            at += length;
        }
    }
    os_close(folder);
    return found;
}

/* A file that the kernel has on the thread; cut, ended by a zero. */
static const char *read_about(long id, const char *what, char text[static TEXT_SIZE])
{
    char path[PATH_SIZE];
    struct out out = out_to(-1, path, sizeof path);
    out_text(&out, "/proc/self/task/");
    out_number(&out, (uint64_t)id);
    out_text(&out, what);
    int file = os_open(out_string(&out));
    long size = file < 0 ? 0 : os_read(file, text, TEXT_SIZE - 1);
    if (file >= 0)
        os_close(file);
    text[size > 0 ? size : 0] = 0;
    return text;
}

/* Where it waits in the kernel: the last number of the line. 0: it runs. */
static uintptr_t where_it_is(long id)
{
    char text[TEXT_SIZE];
    const char *last = NULL;
    for (const char *at = read_about(id, "/syscall", text); *at != 0; at++)
        if (at[0] == ' ' && at[1] == '0' && at[2] == 'x')
            last = at + 3;
    uintptr_t place = 0;
    for (; last != NULL && *last != 0 && *last != '\n'; last++)
        place = place << 4 | (uintptr_t)(*last <= '9' ? *last - '0' : *last - 'a' + 10);
    return place;
}

static void rest(void)
{
    const long millisecond[2] = {0, 1000000};
    os_call(SYS_nanosleep, (long)millisecond, 0, 0, 0, 0, 0);
}

/* Most wait before long. */
static uintptr_t where_it_waits(long id)
{
    uintptr_t place = where_it_is(id);
    for (int i = 0; place == 0 && i < PATIENCE_MS; i++) {
        rest();
        place = where_it_is(id);
    }
    return place;
}

static _Noreturn void refuse_one(long id)
{
    char name[TEXT_SIZE], text[REASON_MAX];
    read_about(id, "/comm", name);
    for (char *at = name; *at != 0; at++)
        if (*at == '\n')
            *at = 0;
    struct out out = out_to(-1, text, sizeof text);
    out_text(&out, "a kernel thread that the scheduler does not control has appeared");
    if (name[0] != 0) {
        out_text(&out, " (its name is ");
        out_text(&out, name);
        out_text(&out, ")");
    }
    out_text(&out, "; make threads with pthread_create");
    refuse(out_string(&out), where_it_waits(id));
}

/* Their number is had sooner than their names; our own may still be on their way out. */
void strangers_refuse(void)
{
    if (kernel_thread_count() == 1 + (rt.carriers.kernel_threads ? 0 : rt.carriers.monitor_count))
        return;
    long id = find();
    for (int i = 0; id != 0 && i < START_MS; i++) { /* one of ours may not have said so yet */
        rest();
        id = find();
    }
    if (id != 0)
        refuse_one(id);
}
