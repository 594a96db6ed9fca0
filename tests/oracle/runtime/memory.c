/* Accesses: which of them are steps, which conflict, which race; the heap.
 *
 * Two steps conflict if they access the same word and one of them writes. Races follow C11: a conflict of which one side
 * is not atomic, unordered by happens-before. Of each thread the last access of each kind is kept for every word.
 * A word has four bytes: generated programs keep no two variables in one. */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

struct cell *cell_of(uintptr_t key)
{
    uint32_t at = (uint32_t)(mix(3, key) % CELLS);
    for (int tried = 0; tried < CELLS; tried++, at = (at + 1) % CELLS) {
        struct cell *cell = &the->cells[at];
        if (cell->execution != the->execution) {
            memset(cell, 0, sizeof *cell);
            cell->key = key;
            cell->execution = the->execution;
            cell->last_write = -1;
            memset(cell->last_read, -1, sizeof cell->last_read);
        }
        if (cell->key == key)
            return cell;
    }
    exceeded("cells");
}

static void after(int earlier)
{
    if (earlier >= 0 && earlier != the->step_count)
        clock_join(the->steps[the->step_count].past, the->steps[earlier].past);
}

/* The step in hand reads or writes this word, or what it stands for. */
void touch(const void *object, bool writes)
{
    struct cell *cell = cell_of((uintptr_t)object);
    after(cell->last_write);
    if (!writes) {
        cell->last_read[self->id] = the->step_count;
        return;
    }
    for (int i = 0; i < THREADS; i++)
        after(cell->last_read[i]);
    cell->last_write = the->step_count;
}

void touch_everything(void)
{
    for (int i = 0; i < the->step_count; i++)
        after(i);
}

/* True if another thread accesses this word, too, in some execution, and one of them writes it. What main does before
 * other threads exist comes before all that they do. */
static bool shared(uintptr_t address, bool writes)
{
    if (the->thread_count == 1)
        return false;
    uint32_t at = (uint32_t)(mix(5, address) % SET);
    while (the->owners[at].address != 0 && the->owners[at].address != address)
        at = (at + 1) % SET;
    struct owners *owners = &the->owners[at];
    bool before = owners->written && (owners->threads & (owners->threads - 1)) != 0;
    owners->address = address;
    owners->threads |= (uint8_t)(1 << self->id);
    owners->written |= writes;
    bool now = owners->written && (owners->threads & (owners->threads - 1)) != 0;
    the->grown |= now && !before;
    return now;
}

static bool conflicts(enum access a, enum access b)
{
    bool a_writes = a == PLAIN_WRITE || a == ATOMIC_WRITE, b_writes = b == PLAIN_WRITE || b == ATOMIC_WRITE;
    return (a_writes || b_writes) && (a <= PLAIN_WRITE || b <= PLAIN_WRITE);
}

void race_check(uintptr_t address, enum access kind, Site site)
{
    struct cell *cell = cell_of(address);
    for (int t = 0; t < THREADS; t++)
        for (int k = 0; t != self->id && k < ACCESSES; k++)
            if (conflicts(kind, (enum access)k) && cell->seen[t][k].epoch > self->clock[t])
                race_note(address, cell->seen[t][k].site, (enum access)k, site, kind);
    cell->seen[self->id][kind].epoch = self->clock[self->id];
    cell->seen[self->id][kind].site = site;
}

static struct block *block_of(uintptr_t address)
{
    for (int i = 0; i < the->block_count; i++)
        if (address >= (uintptr_t)the->blocks[i].start
            && address < (uintptr_t)the->blocks[i].start + the->blocks[i].size)
            return &the->blocks[i];
    return NULL;
}

static void heap_check(uintptr_t address, Site site)
{
    if (address < (uintptr_t)the->heap || address >= (uintptr_t)the->heap + HEAP)
        return;
    struct block *block = block_of(address);
    if (block == NULL || block->freed != 0)
        end_here("heap", site);
}

/* An access that belongs to the step in hand. */
void access_quietly(const void *address, size_t size, enum access kind, Site site)
{
    bool writes = kind == PLAIN_WRITE || kind == ATOMIC_WRITE;
    for (uintptr_t at = (uintptr_t)address & ~3ul; at < (uintptr_t)address + size; at += 4) {
        if (shared(at, writes)) {
            touch((void *)at, writes);
            race_check(at, kind, site);
        }
    }
    heap_check((uintptr_t)address, site);
}

/* An access that is a step of its own if two threads access this memory. */
extern char __data_start[], _end[];
static bool is_static_or_heap(const void *address)
{
    const char *at = address;
    return (at >= __data_start && at < _end) || (at >= the->heap && at < the->heap + HEAP);
}

void access_step(const void *address, size_t size, enum access kind, const char *name, Site site)
{
    bool any = the->everywhere && the->thread_count > 1 && is_static_or_heap(address);
    for (uintptr_t at = (uintptr_t)address & ~3ul; at < (uintptr_t)address + size; at += 4)
        any |= shared(at, kind == PLAIN_WRITE);
    if (any && (!the->at_races || is_racing(site)))
        announce((struct operation){.name = name, .site = site, .object = (void *)address});
    access_quietly(address, size, kind, site);
}

/* A function reads what a pointer argument points to, before its own step. Constants are not written: no step. */
void argument_read(const void *address, size_t size, Site site)
{
    if ((const char *)address >= __data_start && (const char *)address < _end)
        access_step(address, size, PLAIN_READ, "read", site);
}

/* A synchronisation object is used: it conflicts with its initialisation, destruction, and with plain writes. Its first
 * word stands for it. */
void use(const void *object, bool writes, Site site)
{
    (void)shared((uintptr_t)object, writes);
    touch(object, writes);
    race_check((uintptr_t)object, ATOMIC_READ, site);
    heap_check((uintptr_t)object, site);
}

void acquire(const void *object)
{
    clock_join(self->clock, cell_of((uintptr_t)object)->released);
}

void release(const void *object)
{
    struct cell *cell = cell_of((uintptr_t)object);
    memcpy(cell->released, self->clock, sizeof cell->released);
    self->clock[self->id]++;
}

/* Others that released before are still synchronised with (semaphores, barriers, read-modify-writes). */
void release_again(const void *object)
{
    clock_join(cell_of((uintptr_t)object)->released, self->clock);
    self->clock[self->id]++;
}

/* The heap: blocks are never reused in one execution, so that every use of a freed one is seen. */
void heap_reset(void)
{
    memset(the->heap, 0, the->heap_used);
    the->heap_used = 0;
    the->block_count = 0;
}

void *__wrap_malloc(size_t size)
{
    if (the->heap_used + size + 32 > HEAP || the->block_count == 256)
        exceeded("heap");
    char *start = the->heap + the->heap_used + 16;
    the->heap_used += (size + 16 + 15) / 16 * 16;
    the->blocks[the->block_count++] = (struct block){.start = start, .size = size};
    return start;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return __wrap_malloc(count * size);
}

static void free_at(void *start, Site site)
{
    if (start == NULL)
        return;
    struct block *block = block_of((uintptr_t)start);
    if (block == NULL || block->start != start)
        end_here("heap", site);
    access_step(start, block->size, PLAIN_WRITE, "free", site);
    if (block->freed != 0)
        end_here("heap", site);
    block->freed = site;
}

void __wrap_free(void *start)
{
    free_at(start, HERE);
}

int __wrap_posix_memalign(void **result, size_t alignment, size_t size)
{
    (void)alignment;
    void *start = __wrap_malloc(size);
    access_step(result, sizeof *result, PLAIN_WRITE, "write", HERE);
    *result = start;
    return 0;
}

/* The hooks of the instrumentation. */
#define PLAIN(size)                                                                                          \
    void __tsan_read##size(void *at) { access_step(at, size, PLAIN_READ, "read", HERE); }                    \
    void __tsan_write##size(void *at) { access_step(at, size, PLAIN_WRITE, "write", HERE); }                 \
    void __tsan_unaligned_read##size(void *at) { access_step(at, size, PLAIN_READ, "read", HERE); }          \
    void __tsan_unaligned_write##size(void *at) { access_step(at, size, PLAIN_WRITE, "write", HERE); }       \
    void __tsan_volatile_read##size(void *at) { access_step(at, size, PLAIN_READ, "read", HERE); }           \
    void __tsan_volatile_write##size(void *at) { access_step(at, size, PLAIN_WRITE, "write", HERE); }        \
    void __tsan_unaligned_volatile_read##size(void *at) { access_step(at, size, PLAIN_READ, "read", HERE); } \
    void __tsan_unaligned_volatile_write##size(void *at)                                                     \
    {                                                                                                        \
        access_step(at, size, PLAIN_WRITE, "write", HERE);                                                   \
    }                                                                                                        \
    void __tsan_read_write##size(void *at) { access_step(at, size, PLAIN_WRITE, "write", HERE); }            \
    void __tsan_unaligned_read_write##size(void *at) { access_step(at, size, PLAIN_WRITE, "write", HERE); }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

void __tsan_read_range(void *at, size_t size) { access_step(at, size, PLAIN_READ, "read", HERE); }
void __tsan_write_range(void *at, size_t size) { access_step(at, size, PLAIN_WRITE, "write", HERE); }
void __tsan_vptr_update(void *at, void *value) { (void)at; (void)value; }
void __tsan_vptr_read(void *at) { (void)at; }
void __tsan_init(void) {}
void __tsan_func_entry(void *from) { (void)from; }
void __tsan_func_exit(void) {}

/* The calls of the program come to __wrap_…, those of the oracle itself go to libc (see build.py). */
static void *memset_at(void *to, int value, size_t size, Site site)
{
    access_step(to, size, PLAIN_WRITE, "write", site);
    return memset(to, value, size);
}

static void *memmove_at(void *to, const void *from, size_t size, Site site)
{
    access_step(from, size, PLAIN_READ, "read", site);
    char bytes[256];
    if (size > sizeof bytes)
        exceeded("memcpy");
    memcpy(bytes, from, size);
    access_step(to, size, PLAIN_WRITE, "write", site);
    return memcpy(to, bytes, size);
}

void *__wrap_memset(void *to, int value, size_t size) { return memset_at(to, value, size, HERE); }
void *__wrap_memcpy(void *to, const void *from, size_t size) { return memmove_at(to, from, size, HERE); }
void *__wrap_memmove(void *to, const void *from, size_t size) { return memmove_at(to, from, size, HERE); }
void *__tsan_memset(void *to, int value, size_t size) { return memset_at(to, value, size, HERE); }
void *__tsan_memcpy(void *to, const void *from, size_t size) { return memmove_at(to, from, size, HERE); }
void *__tsan_memmove(void *to, const void *from, size_t size) { return memmove_at(to, from, size, HERE); }
