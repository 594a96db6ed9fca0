#define _GNU_SOURCE
#include "runtime/engine/alias.h"
#include "runtime/engine/upper.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/os.h"

/* Of segments of shmget. No file has it; files without a name may have the device 1. */
#define SYSTEM_V UINT64_MAX

struct alias { /* part of a mapping; a list of those with a name of its own, one of the others */
    struct alias *next;
    uintptr_t start, end;
    uintptr_t name;         /* of the first byte */
    struct backing backing; /* of the first byte */
};

static uintptr_t page_up(uintptr_t at)
{
    return (at + PAGE - 1) & ~(PAGE - 1);
}

uintptr_t alias_find(uintptr_t address)
{
    for (const struct alias *at = ex.aliases; at != NULL; at = at->next)
        if (address >= at->start && address < at->end)
            return at->name + (address - at->start);
    return address;
}

static struct backing anonymous(void)
{
    return (struct backing){.inode = ++ex.backing_count};
}

static bool is_same_backing(const struct backing *a, const struct backing *b)
{
    return a->device == b->device && a->inode == b->inode;
}

static void add(uintptr_t start, uintptr_t end, uintptr_t name, const struct backing *backing)
{
    struct alias **list = name == start ? &ex.shared : &ex.aliases;
    struct alias *new = execution_take(sizeof *new);
    *new = (struct alias){
        .next = *list, .start = start, .end = end, .name = name, .backing = *backing};
    *list = new;
    memory_quicken(); /* from the first on, accesses are no longer looked at in the quickest way */
}

/* The part of the memory from an offset on that has one name: true if it is mapped already. */
static bool find_mapped(const struct alias *list, const struct backing *backing, uint64_t *end,
                        uintptr_t *name)
{
    for (const struct alias *at = list; at != NULL; at = at->next) {
        uint64_t from = at->backing.offset, to = from + (at->end - at->start);
        if (!is_same_backing(&at->backing, backing) || to <= backing->offset || from >= *end)
            continue;
        if (from > backing->offset) {
            *end = from;
            continue;
        }
        *end = to < *end ? to : *end;
        *name = at->name + (backing->offset - from);
        return true;
    }
    return false;
}

/* Other memory has this address as its name: it was mapped here, and is still mapped elsewhere. */
static bool is_name_taken(uintptr_t start, uintptr_t end)
{
    for (const struct alias *at = ex.aliases; at != NULL; at = at->next)
        if (at->name < end && at->name + (at->end - at->start) > start)
            return true;
    return false;
}

/* Of memory that lies where other memory had its first address. */
static uintptr_t spare_name(size_t size)
{
    uintptr_t name = SPARE_NAMES + ex.spare_names;
    ex.spare_names += size;
    return name;
}

void alias_maps(void *address, size_t size, const struct backing *backing)
{
    uintptr_t start = (uintptr_t)address, end = start + page_up(size);
    alias_unmaps(address, size);
    if (backing == NULL) {
        struct backing own = anonymous();
        if (is_name_taken(start, end))
            add(start, end, spare_name(end - start), &own);
        return;
    }
    struct backing at = *backing;
    while (start < end) {
        uint64_t part_end = at.offset + (end - start);
        uintptr_t name = start;
        if (!find_mapped(ex.aliases, &at, &part_end, &name) &&
            !find_mapped(ex.shared, &at, &part_end, &name) && is_name_taken(start, end))
            name = spare_name(part_end - at.offset);
        uintptr_t next = start + (part_end - at.offset);
        add(start, next, name, &at);
        at.offset = part_end;
        start = next;
    }
}

/* Unmapping the middle of a mapping leaves two. */
static void cut_from(struct alias **list, uintptr_t start, uintptr_t end)
{
    while (*list != NULL) {
        struct alias *at = *list;
        if (end <= at->start || start >= at->end) {
            list = &at->next;
            continue;
        }
        struct alias old = *at;
        *list = at->next;
        if (old.start < start) {
            *at = old;
            at->end = start;
            at->next = *list;
            *list = at;
            list = &at->next;
        }
        if (old.end > end) {
            struct alias *rest = execution_take(sizeof *rest);
            *rest = old;
            rest->start = end;
            rest->name += end - old.start;
            rest->backing.offset += end - old.start;
            rest->next = *list;
            *list = rest;
            list = &rest->next;
        }
    }
}

void alias_unmaps(void *address, size_t size)
{
    uintptr_t start = (uintptr_t)address, end = start + page_up(size);
    cut_from(&ex.aliases, start, end);
    cut_from(&ex.shared, start, end);
}

static const struct alias *find_at(const struct alias *list, uintptr_t address)
{
    while (list != NULL && (address < list->start || address >= list->end))
        list = list->next;
    return list;
}

/* Without an old size the memory is at both addresses from now on. */
void alias_moves(void *from, size_t size, void *to, size_t new_size)
{
    uintptr_t old = (uintptr_t)from;
    const struct alias *known = find_at(ex.shared, old);
    if (known == NULL)
        known = find_at(ex.aliases, old);
    struct backing backing = anonymous();
    if (known != NULL) {
        backing = known->backing;
        backing.offset += old - known->start;
    }
    uintptr_t name = alias_name(from);
    bool stays = size == 0;
    if (!stays)
        alias_unmaps(from, size);
    else if (known == NULL)
        add(old, old + page_up(new_size), old, &backing);
    if (from == to && known == NULL)
        return;
    alias_unmaps(to, new_size);
    add((uintptr_t)to, (uintptr_t)to + page_up(new_size), name, &backing);
}

void alias_attaches(int memory, void *start, size_t size)
{
    struct backing backing = {.device = SYSTEM_V, .inode = (uint64_t)memory};
    alias_maps(start, size, &backing);
}

static void drop_segment(struct alias **list, uintptr_t start)
{
    while (*list != NULL) {
        const struct alias *at = *list;
        if (at->backing.device == SYSTEM_V && at->start - at->backing.offset == start)
            *list = at->next;
        else
            list = &(*list)->next;
    }
}

void alias_detaches(const void *start)
{
    drop_segment(&ex.aliases, (uintptr_t)start);
    drop_segment(&ex.shared, (uintptr_t)start);
}

/* A private mapping that cannot be written shows what others write to the file. */
bool alias_backing(struct backing *out, int protection, int flags, int file, long offset)
{
    struct stat about;
    uint32_t number = out->file;
    int type = flags & MAP_TYPE;
    if (type == MAP_PRIVATE && (protection & PROT_WRITE || flags & MAP_ANONYMOUS))
        return false;
    *out = anonymous();
    if (flags & MAP_ANONYMOUS)
        return true;
    if (os_call(SYS_fstat, file, (long)&about, 0, 0, 0, 0) != 0)
        return false;
    *out = (struct backing){.device = about.st_dev,
                            .inode = about.st_ino,
                            .offset = (uint64_t)offset,
                            .file = number,
                            .private = type == MAP_PRIVATE};
    return true;
}

static const struct alias *find_shared(const struct alias *list, bool named)
{
    while (list != NULL && (list->backing.private || (named && list->backing.device == 0)))
        list = list->next;
    return list;
}

bool alias_is_shared(const void *address)
{
    const struct alias *at = find_at(ex.shared, (uintptr_t)address);
    if (at == NULL)
        at = find_at(ex.aliases, (uintptr_t)address);
    return at != NULL && !at->backing.private;
}

const void *alias_shared(bool named)
{
    const struct alias *found = find_shared(ex.shared, named);
    if (found == NULL)
        found = find_shared(ex.aliases, named);
    return found == NULL ? NULL : (const void *)found->start;
}

static void visit_parts(const struct alias *list, const struct file_part *part, uintptr_t site,
                        void (*visit)(const void *, size_t, bool, uintptr_t))
{
    const struct backing file = {.device = part->device, .inode = part->inode};
    for (const struct alias *at = list; at != NULL; at = at->next) {
        uint64_t from = at->backing.offset, to = from + (at->end - at->start);
        uint64_t first = from > part->offset ? from : part->offset;
        uint64_t end = to - part->offset < part->size ? to : part->offset + part->size;
        if (is_same_backing(&at->backing, &file) && to > part->offset && first < end)
            visit((const void *)(at->start + (first - from)), end - first, part->writes, site);
    }
}

void alias_of_file(const struct file_part *part, uintptr_t site,
                   void (*visit)(const void *, size_t, bool, uintptr_t))
{
    visit_parts(ex.shared, part, site, visit);
    visit_parts(ex.aliases, part, site, visit);
}

bool alias_file_at(const void *address, uint32_t *number)
{
    const struct alias *at = find_at(ex.shared, (uintptr_t)address);
    if (at == NULL)
        at = find_at(ex.aliases, (uintptr_t)address);
    if (at == NULL || at->backing.device == 0 || at->backing.device == SYSTEM_V)
        return false;
    *number = at->backing.file;
    return true;
}

static const struct alias *find_file(const struct alias *list, const struct backing *file)
{
    while (list != NULL && !is_same_backing(&list->backing, file))
        list = list->next;
    return list;
}

uint32_t alias_file_number(uint64_t device, uint64_t inode)
{
    const struct backing file = {.device = device, .inode = inode};
    const struct alias *found = find_file(ex.shared, &file);
    if (found == NULL)
        found = find_file(ex.aliases, &file);
    return found == NULL ? 0 : found->backing.file;
}
