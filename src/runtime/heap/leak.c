/* Blocks that nothing points to when the program ends. Whatever looks like a pointer is one: into
 * the block's first byte or any other. Roots are the modules' variables, the stacks and
 * thread-local variables of threads that live, and all that was allocated before the program
 * began. What models took for files is no block of the program's. */
#define _GNU_SOURCE
#include <link.h>
#include <string.h>

#include "runtime/arch/x86_64/cpu.h"
#include "runtime/engine/flight.h"
#include "runtime/engine/modules.h"
#include "runtime/engine/object.h"
#include "runtime/engine/upper.h"
#include "runtime/heap/heap.h"

enum seen { UNSEEN, REACHED, SCANNED };

/* One byte for each entry of the index. */
static uint8_t *mark_of(uint32_t thread, uint32_t number)
{
    uintptr_t offset = (uintptr_t)heap_start(thread) - SETUP_HEAP_ADDRESS;
    return (uint8_t *)(HEAP_MARKS_ADDRESS + offset / HEAP_MARKS_SHARE) + number - 1;
}

static void reach(const void *pointer)
{
    struct heap_block block;
    if (!heap_is_near(pointer) || !heap_find(pointer, &block) || block.thread >= HEAP_SETUP)
        return;
    const char *start = block.start;
    if ((const char *)pointer < start || (const char *)pointer > start + block.size)
        return;
    uint8_t *mark = mark_of(block.thread, block.number);
    if (*mark == UNSEEN)
        *mark = REACHED;
}

static void scan(const void *low, const void *high)
{
    const void *const *end = (const void *const *)((uintptr_t)high & ~7ul);
    for (const void *const *at = (const void *const *)(((uintptr_t)low + 7) & ~7ul); at < end; at++)
        reach(*at);
}

static int scan_module(struct dl_phdr_info *info, size_t size, void *unused)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        const char *start = (const char *)info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && part->p_flags & PF_W && !module_is_ours((uintptr_t)start))
            scan(start, start + part->p_memsz);
        if (part->p_type == PT_TLS && info->dlpi_tls_data != NULL)
            scan(info->dlpi_tls_data, (char *)info->dlpi_tls_data + part->p_memsz);
    }
    return 0;
}

/* Registers that a call preserves may hold what the program's last function knows. */
static void scan_registers(void)
{
    const void *registers[CPU_KEPT];
    cpu_keep(registers);
    scan(registers, registers + CPU_KEPT);
}

enum {
    BELOW = 512, /* a waiting kernel thread's stack: what its last calls have saved is there, too */
    SAVED = 6 * sizeof(void *), /* below a frame: the caller's registers */
};

static void scan_roots(void)
{
    dl_iterate_phdr(scan_module, NULL);
    scan_registers();
    thread_set live = ex.live;
    thread_set_add(&live, ex.current); /* it may be just starting */
    THREADS_EACH(thread, &live)
    {
        const struct stack *stack = &rt.stacks[thread];
        const char *from = thread == ex.current ? (char *)__builtin_frame_address(0) - SAVED
                                                : ex.threads[thread].sp;
        if (rt.carriers.kernel_threads && thread != ex.current)
            from -= BELOW;
        bool inside = from >= stack->low && from < stack->top;
        scan(inside ? from : stack->low, stack->top);
    }
    for (uint32_t i = 1; i <= heap_blocks(HEAP_SETUP); i++) {
        struct heap_block block;
        if (heap_nth(HEAP_SETUP, i, &block) && !block.freed)
            scan(block.start, (char *)block.start + block.size);
    }
}

/* false: there was nothing new. */
static bool scan_reached(uint32_t thread)
{
    bool any = false;
    for (uint32_t i = 1; i <= heap_blocks(thread); i++) {
        struct heap_block block;
        if (*mark_of(thread, i) != REACHED)
            continue;
        *mark_of(thread, i) = SCANNED;
        any = true;
        if (heap_nth(thread, i, &block) && !block.freed)
            scan(block.start, (char *)block.start + block.size);
    }
    return any;
}

static void report(const struct heap_block *block)
{
    struct finding *finding =
        finding_add(FINDING_LEAK, "a heap block is never freed, and nothing points to it any more",
                    block->site, 0);
    if (finding == NULL)
        return;
    finding->address = (uint64_t)block->start;
    finding->object = object_number(block->start);
    finding->thread = finding->places[0].thread = (thread_id)block->thread;
}

static void write_down(const struct heap_block *block)
{
    uint32_t count = the_board->leak_count++;
    if (count < LEAKS_MAX)
        the_board->leaks[count] = object_number(block->start);
}

static void look(void (*visit)(const struct heap_block *block))
{
    if (ex.memory.guarded) /* what points to a block may be where we cannot look */
        return;
    for (uint32_t thread = 0; thread < ex.thread_count; thread++)
        memset(mark_of(thread, 1), UNSEEN, heap_blocks(thread));
    scan_roots();
    bool more = true;
    while (more) {
        more = false;
        for (uint32_t thread = 0; thread < ex.thread_count; thread++)
            more |= scan_reached(thread);
    }
    for (uint32_t thread = 0; thread < ex.thread_count; thread++)
        for (uint32_t i = 1; i <= heap_blocks(thread); i++) {
            struct heap_block block;
            if (*mark_of(thread, i) == UNSEEN && heap_nth(thread, i, &block) && !block.freed &&
                block.way != HEAP_OWN && module_is_watched(block.site))
                visit(&block);
        }
}

void leaks_look(void)
{
    look(report);
}

void leaks_note(void)
{
    the_board->leak_count = 0;
    for (uint32_t i = 0; i < LEAKS_MAX; i++)
        the_board->leaks[i] = NO_OBJECT;
    if (!detecting(DETECT_LEAK)) /* else they are findings */
        look(write_down);
}
