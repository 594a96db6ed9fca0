/* Changes of an execution outside of memory, which reset undoes: descriptors, mappings, the
 * place in standard input. Noted when the program asks for it, undone only then. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "base/mix.h"
#include "base/os.h"
#include "base/out.h"
#include "runtime/engine/alias.h"
#include "runtime/engine/guard.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/upper.h"
#include "runtime/snapshot/process_state.h"
#include "runtime/snapshot/program_state.h"
#include "runtime/snapshot/snapshot.h"
#include "runtime/snapshot/world.h"

enum { MAPPINGS_MAX = 256, STANDARD = 3, KEPT_MAX = 32, COPY_LOW = 900 };

struct kept { /* a descriptor that was open when the program began */
    int number, copy;
    long offset; /* negative: it is no file */
    int flags;   /* negative: unknown */
};

struct world {
    bool descriptors_changed;
    uint32_t mapping_count;
    struct mapping {
        char *start;
        size_t size;
    } mappings[MAPPINGS_MAX];
    uint64_t kept[DESCRIPTORS_MAX / 64]; /* open when the program began */
    struct kept inherited[KEPT_MAX];     /* the standard ones first; copy -1: closed */
    uint32_t inherited_count;
    int folder;          /* the working directory; -1: it could not be opened */
    bool offsets_matter; /* one of them is a file */
    bool folder_changed, creation_mask_changed;
    unsigned creation_mask;
    int placeholder; /* what the kernel has behind descriptors of our own files */
    struct placeholders {
        uint64_t open[DESCRIPTORS_MAX / 64], cloexec[DESCRIPTORS_MAX / 64];
    } now, held; /* those of the execution; those of the last checkpoint */
    struct placeholders held_at[LEVELS_MAX]; /* placeholders of each level */
    bool placeholders_changed;               /* they may differ from those of the level */
};
static struct world *world = (struct world *)(SNAPSHOT_ADDRESS - (1ul << 20));

int descriptor_raise(int descriptor)
{
    int high = (int)os_call(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, COPY_LOW, 0, 0, 0);
    if (high < 0)
        return descriptor;
    os_close(descriptor);
    return high;
}

/* One bit each. */
static void list_open(uint64_t open[static DESCRIPTORS_MAX / 64])
{
    struct pollfd all[DESCRIPTORS_MAX];
    for (int fd = 0; fd < DESCRIPTORS_MAX; fd++)
        all[fd] = (struct pollfd){.fd = fd};
    int limit = DESCRIPTORS_MAX; /* the kernel takes no more than the limit on descriptors */
    while (limit > 0 && os_call(SYS_poll, (long)all, limit, 0, 0, 0, 0) < 0)
        limit /= 2;
    for (int fd = 0; fd < limit; fd++)
        if (!(all[fd].revents & POLLNVAL))
            open[fd / 64] |= 1ul << fd % 64;
}

static void note_inherited(int number)
{
    if (world->inherited_count == KEPT_MAX)
        return;
    struct kept *kept = &world->inherited[world->inherited_count++];
    *kept = (struct kept){.number = number};
    kept->copy = (int)os_call(SYS_fcntl, number, F_DUPFD_CLOEXEC, COPY_LOW, 0, 0, 0);
    kept->offset = -1;
    kept->flags = (int)os_call(SYS_fcntl, number, F_GETFL, 0, 0, 0, 0);
    struct stat about;
    if (os_call(SYS_fstat, number, (long)&about, 0, 0, 0, 0) == 0 && S_ISREG(about.st_mode)) {
        kept->offset = os_call(SYS_lseek, number, 0, SEEK_CUR, 0, 0, 0);
        world->offsets_matter = true;
    }
}

static void note_all_inherited(void)
{
    for (int fd = 0; fd < COPY_LOW; fd++)
        if (fd < STANDARD || (world->kept[fd / 64] >> fd % 64 & 1))
            note_inherited(fd);
}

static void note_process(void)
{
    world->folder =
        (int)os_call(SYS_openat, AT_FDCWD, (long)".", O_PATH | O_DIRECTORY | O_CLOEXEC, 0, 0, 0);
    if (world->folder >= 0) {
        world->folder = descriptor_raise(world->folder);
        world->kept[world->folder / 64] |= 1ul << world->folder % 64; /* poll does not see it */
    }
    world->creation_mask = (unsigned)os_call(SYS_umask, 022, 0, 0, 0, 0, 0);
    os_call(SYS_umask, world->creation_mask, 0, 0, 0, 0, 0);
}

/* A path cannot be read, written or polled: what slips past us fails. */
static void open_placeholder(void)
{
    int fd = descriptor_raise((int)os_call(SYS_open, (long)"/", O_PATH | O_CLOEXEC, 0, 0, 0, 0));
    if (fd < 0 || fd >= DESCRIPTORS_MAX)
        give_up("no descriptor left for the runtime");
    world->placeholder = fd;
    world->kept[fd / 64] |= 1ul << fd % 64;
}

void world_open(void)
{
    if (os_map((uintptr_t)world, 1ul << 20) == NULL)
        give_up("no room for the runtime");
    list_open(world->kept);
    note_all_inherited();
    note_process();
    open_placeholder();
    list_open(world->kept); /* what was opened here stays, too */
}

void world_folder(uintptr_t site)
{
    world->folder_changed = true;
    watch_outside();
    if (world->folder < 0)
        world_cannot_undo("chdir", site);
}

void world_creation_mask(void)
{
    world->creation_mask_changed = true;
    watch_outside();
}

void world_descriptors(void)
{
    world->descriptors_changed = true;
    watch_outside();
}

bool world_inherited(int descriptor)
{
    for (uint32_t i = 0; i < world->inherited_count; i++)
        if (world->inherited[i].number == descriptor)
            return true;
    return false;
}

bool world_owns(int descriptor)
{
    return descriptor >= COPY_LOW && descriptor < DESCRIPTORS_MAX &&
           (world->kept[descriptor / 64] >> descriptor % 64 & 1);
}

int world_refuse(const char *call, uintptr_t site)
{
    refuse_call(call, "this descriptor is the runtime's; numbers below 900 are free", site);
}

long world_close_range(unsigned first, unsigned last)
{
    if (first > last)
        return -EINVAL;
    world_descriptors();
    for (int fd = COPY_LOW; fd < DESCRIPTORS_MAX && (unsigned)fd <= last; fd++) {
        if ((unsigned)fd < first || !world_owns(fd))
            continue;
        if ((unsigned)fd > first)
            os_call(SYS_close_range, first, fd - 1l, 0, 0, 0, 0);
        first = (unsigned)fd + 1;
    }
    return first > last ? 0 : os_call(SYS_close_range, first, last, 0, 0, 0, 0);
}

bool world_has_files(void)
{
    return world->descriptors_changed;
}

static void note_placeholder(int fd, bool open, bool close_on_exec)
{
    uint64_t bit = 1ul << fd % 64;
    struct placeholders *now = &world->now;
    now->open[fd / 64] = (now->open[fd / 64] & ~bit) | (open ? bit : 0);
    now->cloexec[fd / 64] = (now->cloexec[fd / 64] & ~bit) | (close_on_exec ? bit : 0);
    world->placeholders_changed = true;
}

uint64_t world_descriptor_limit(void)
{
    struct rlimit limit = {0};
    os_call(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, (long)&limit, 0, 0);
    return limit.rlim_cur;
}

static _Noreturn void refuse_number(void)
{
    refuse("descriptors above 1023 are not modelled; "
           "close some, or test with fewer",
           ex.pending[ex.current].site);
}

int world_placeholder(bool close_on_exec, int lowest)
{
    int fd = (int)os_call(SYS_fcntl, world->placeholder, close_on_exec ? F_DUPFD_CLOEXEC : F_DUPFD,
                          lowest, 0, 0, 0);
    if (fd >= DESCRIPTORS_MAX)
        refuse_number();
    if (fd >= 0)
        note_placeholder(fd, true, close_on_exec);
    return fd;
}

int world_placeholder_at(int fd, bool close_on_exec)
{
    if (fd < 0 || (uint64_t)fd >= world_descriptor_limit())
        return -EBADF;
    if (fd >= DESCRIPTORS_MAX)
        refuse_number();
    if (!(world->now.open[fd / 64] >> fd % 64 & 1))
        world_descriptors(); /* dup3 may close a descriptor that the program opened: reset must put
                                it back */
    long result = os_call(SYS_dup3, world->placeholder, fd, close_on_exec ? O_CLOEXEC : 0, 0, 0, 0);
    if (result >= 0)
        note_placeholder(fd, true, close_on_exec);
    return (int)result;
}

void world_placeholder_gone(int fd)
{
    note_placeholder(fd, false, false);
}

/* As they were at the checkpoint, or none. */
static void reset_placeholders(void)
{
    world->placeholders_changed = false;
    for (int word = 0; word < DESCRIPTORS_MAX / 64; word++) {
        uint64_t held = world->held.open[word], more = world->now.open[word] & ~held;
        uint64_t other_flags = world->held.cloexec[word] ^ world->now.cloexec[word];
        uint64_t missing = held & (~world->now.open[word] | other_flags);
        for (; more != 0; more &= more - 1)
            os_close(word * 64 + __builtin_ctzl(more));
        for (; missing != 0; missing &= missing - 1) {
            int fd = word * 64 + __builtin_ctzl(missing);
            bool close_on_exec = world->held.cloexec[word] >> fd % 64 & 1;
            os_call(SYS_dup3, world->placeholder, fd, close_on_exec ? O_CLOEXEC : 0, 0, 0, 0);
        }
        world->now.open[word] = held;
        world->now.cloexec[word] = world->held.cloexec[word];
    }
}

void world_hold(uint32_t level)
{
    world->held = world->held_at[level] = world->now;
}

void world_let_go(uint32_t level)
{
    world->held = level > 0 ? world->held_at[level - 1] : (struct placeholders){0};
    reset_placeholders();
}

bool world_has_descriptor(int descriptor)
{
    return os_call(SYS_fcntl, descriptor, F_GETFD, 0, 0, 0, 0) >= 0;
}

int world_path_error(const char *path)
{
    return (int)-os_call(SYS_access, (long)path, 0, 0, 0, 0, 0);
}

/* The kernel is about to write here: where pages are protected, it must find them writable. */
void world_writes(void *start, size_t size)
{
    if (the_board->control.tracking != TRACKING_PROTECT || rt.forked || size == 0)
        return;
    volatile char *last = (volatile char *)start + size - 1;
    for (volatile char *at = start; at <= last; at += PAGE)
        *at = *at;
    *last = *last;
}

void world_writes_parts(const struct iovec *parts, int count)
{
    for (int i = 0; i < count; i++)
        world_writes(parts[i].iov_base, parts[i].iov_len);
}

void world_cannot_undo(const char *call, uintptr_t site)
{
    watch_outside();
    if (rt.forked || rt.options->isolate == ISOLATE_EXEC)
        return;
    char buffer[128];
    struct out out = out_to(-1, buffer, sizeof buffer);
    out_text(&out, "the program calls ");
    out_text(&out, call);
    out_text(&out, ", which resetting the process cannot undo");
    fall_back(out_string(&out), site);
}

void world_protects(int protection, uintptr_t site)
{
    if (protection & PROT_EXEC) /* nothing instruments code that the program makes */
        guard_note(&the_board->options.marks, MARK_CODE);
    world_cannot_undo("mprotect", site);
    if (!(protection & PROT_READ)) {
        ex.memory.guarded = true;
        state_is_unknown(); /* what lies there is not seen before it can be read again */
    }
}

void world_maps(void *start, size_t size, int protection)
{
    if (protection & PROT_EXEC)
        guard_note(&the_board->options.marks, MARK_CODE);
    watch_outside();
    if (world->mapping_count == MAPPINGS_MAX)
        world_cannot_undo("mmap more than 256 times", 0);
    if (world->mapping_count == MAPPINGS_MAX)
        return;
    struct mapping *new = &world->mappings[world->mapping_count++];
    *new = (struct mapping){.start = start, .size = (size + PAGE - 1) & ~(PAGE - 1)};
}

void *world_shares(int memory, void *start)
{
    struct shmid_ds segment;
    if (start != (void *)-1 &&
        os_call(SYS_shmctl, memory, IPC_STAT, (long)&segment, 0, 0, 0) == 0) {
        world_maps(start, segment.shm_segsz, 0);
        alias_attaches(memory, start, segment.shm_segsz);
    }
    return start;
}

bool world_has_mappings(void)
{
    return world->mapping_count > 0;
}

bool world_each_mapping(void (*visit)(char *low, char *high))
{
    for (uint32_t i = 0; i < world->mapping_count; i++)
        visit(world->mappings[i].start, (char *)world->mappings[i].start + world->mappings[i].size);
    return world->mapping_count < MAPPINGS_MAX;
}

bool world_unmaps(void *start, size_t size)
{
    for (uint32_t i = 0; i < world->mapping_count; i++) {
        char *low = world->mappings[i].start, *high = low + world->mappings[i].size;
        if ((char *)start >= low && (char *)start + size <= high)
            return true;
    }
    return false;
}

/* Unmapping the middle of a mapping leaves two. Where there is no room it stays as it was:
 * unmapping it again at reset does no harm. */
void world_unmapped(void *start, size_t size)
{
    watch_outside();
    char *from = start, *to = from + ((size + PAGE - 1) & ~(PAGE - 1));
    for (uint32_t i = world->mapping_count; i-- > 0;) {
        struct mapping *mapping = &world->mappings[i];
        char *low = mapping->start, *high = low + mapping->size;
        if (to <= low || from >= high)
            continue;
        if (from > low && to < high && world->mapping_count == MAPPINGS_MAX)
            continue;
        if (from > low && to < high)
            world_maps(to, (size_t)(high - to), 0);
        if (from > low)
            mapping->size = (size_t)(from - low);
        else if (to < high)
            *mapping = (struct mapping){.start = to, .size = (size_t)(high - to)};
        else
            *mapping = world->mappings[--world->mapping_count];
    }
}

/* Positions and flags are shared with every copy of a descriptor, in other processes even. */
static void put_back_offsets(void)
{
    for (uint32_t i = 0; i < world->inherited_count; i++)
        if (world->inherited[i].copy >= 0 && world->inherited[i].offset >= 0)
            os_call(SYS_lseek, world->inherited[i].copy, world->inherited[i].offset, SEEK_SET, 0, 0,
                    0);
}

static void put_back_flags(void)
{
    for (uint32_t i = 0; i < world->inherited_count; i++)
        if (world->inherited[i].copy >= 0 && world->inherited[i].flags >= 0)
            os_call(SYS_fcntl, world->inherited[i].copy, F_SETFL, world->inherited[i].flags, 0, 0,
                    0);
}

static void close_new_descriptors(void)
{
    world->descriptors_changed = false;
    for (uint32_t i = 0; i < world->inherited_count; i++)
        if (world->inherited[i].copy >= 0)
            os_call(SYS_dup2, world->inherited[i].copy, world->inherited[i].number, 0, 0, 0, 0);
    put_back_flags();
    int first = -1;
    for (int fd = 0; fd <= DESCRIPTORS_MAX; fd++) {
        uint64_t open =
            fd == DESCRIPTORS_MAX ? ~0ul : world->kept[fd / 64] | world->held.open[fd / 64];
        bool kept = open >> fd % 64 & 1;
        if (!kept && first < 0)
            first = fd;
        if (kept && first >= 0) {
            os_call(SYS_close_range, first, fd == DESCRIPTORS_MAX ? 0xffffffffl : fd - 1, 0, 0, 0,
                    0);
            first = -1;
        }
    }
}

void world_reset(void)
{
    if (unlikely(world->descriptors_changed))
        close_new_descriptors();
    if (unlikely(world->placeholders_changed))
        reset_placeholders();
    while (unlikely(world->mapping_count > 0)) {
        world->mapping_count--;
        os_unmap(world->mappings[world->mapping_count].start,
                 world->mappings[world->mapping_count].size);
    }
    if (unlikely(world->folder_changed))
        os_call(SYS_fchdir, world->folder, 0, 0, 0, 0, 0);
    if (unlikely(world->creation_mask_changed))
        os_call(SYS_umask, world->creation_mask, 0, 0, 0, 0, 0);
    world->folder_changed = world->creation_mask_changed = false;
    if (unlikely(rt.process.process_changed))
        process_put_back();
}

static bool output_is_compared(void)
{
    return rt.options->output != OUTPUT_ANY && rt.options->output_path[0] == 0;
}

void world_ready(void)
{
    files_put_back();
    if (unlikely(world->offsets_matter))
        put_back_offsets();
    if (rt.options->isolate == ISOLATE_FORK || rt.carriers.kernel_threads)
        put_back_flags();
    if (!output_is_compared())
        return;
    os_call(SYS_ftruncate, world->inherited[1].copy, 0, 0, 0, 0, 0);
    os_call(SYS_lseek, world->inherited[1].copy, 0, 0, 0, 0, 0);
}

void world_leave(void)
{
    put_back_offsets();
    put_back_flags();
}

void world_written(struct written *out)
{
    if (!output_is_compared())
        files_written(out, rt.options->output_path);
    else if (written_read(out, world->inherited[1].copy) != 0)
        give_up("cannot read what the program wrote");
}

bool world_is_checkable(void)
{
    return !world->descriptors_changed && ex.process.process_count == 0 &&
           world->mapping_count == 0 && !world->folder_changed && !world->creation_mask_changed &&
           !rt.process.process_changed && !world->offsets_matter &&
           rt.options->output == OUTPUT_ANY && rt.options->fresh_size == 0;
}
