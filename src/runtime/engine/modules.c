#include "runtime/engine/modules.h"

#define _GNU_SOURCE
#include <link.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "core/address_name.h"
#include "core/library.h"
#include "runtime/engine/refuse.h"

extern const char __ehdr_start __attribute__((visibility("hidden")));
extern const char _end __attribute__((visibility("hidden")));

bool module_is_ours(uintptr_t pc)
{
    return pc >= (uintptr_t)&__ehdr_start && pc < (uintptr_t)&_end;
}

static void copy_path(struct module *module, const char *path)
{
    if (path[0] == 0) { /* the program itself */
        long size = os_call(SYS_readlink, (long)"/proc/self/exe", (long)module->path,
                            MODULE_PATH_MAX - 1, 0, 0, 0);
        module->path[size > 0 ? size : 0] = 0;
        return;
    }
    size_t i = 0;
    for (; path[i] != 0 && i < MODULE_PATH_MAX - 1; i++)
        module->path[i] = path[i];
    module->path[i] = 0;
}

static bool has_name(const char *path, const char *name)
{
    for (; *path != 0; path++)
        if (strncmp(path, name, strlen(name)) == 0)
            return true;
    return false;
}

/* Every module has one destructor from the compiler; more are the program's. */
static bool has_destructors(const struct dl_phdr_info *info)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
            continue;
        const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++)
            if (entry->d_tag == DT_FINI_ARRAYSZ && entry->d_un.d_val > sizeof(void *))
                return true;
    }
    return false;
}

static int add(struct dl_phdr_info *info, size_t size, void *known_before)
{
    if (the_board->module_count == MODULES_MAX)
        give_up("the program loads more than 255 libraries");
    struct module *module = &the_board->modules[the_board->module_count];
    const uint32_t *known = known_before;
    if (the_board->module_count < *known && module->base != info->dlpi_addr &&
        !rt.options->shift_layouts)
        give_up("the program's libraries do not lie where they lay when the search was begun "
                "(ulimit -s?)");
    module->base = info->dlpi_addr;
    module->start = ~0ul;
    module->end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD)
            continue;
        uint64_t start = info->dlpi_addr + part->p_vaddr;
        if (start < module->start)
            module->start = start;
        if (start + part->p_memsz > module->end)
            module->end = start + part->p_memsz;
    }
    copy_path(module, info->dlpi_name);
    if (the_board->module_count == 0) { /* the loader lists the program first */
        rt.code.program_start = module->start;
        rt.code.program_size = module->end - module->start;
    }
    module->watched = the_board->module_count == 0 || !library_is_system(module->path);
    if (module->watched && has_destructors(info))
        rt.code.module_destructors = true;
    if (has_name(module->path, "libgcc_s.so")) {
        rt.code.quiet_start = module->start;
        rt.code.quiet_size = module->end - module->start;
    }
    if (has_name(module->path, "/libgomp.so")) {
        rt.code.openmp_start = module->start;
        rt.code.openmp_size = module->end - module->start;
    }
    the_board->module_count++;
    return 0;
}

void modules_list(void)
{
    uint32_t known = the_board->started > 0 ? the_board->module_count : 0; /* by a worker before */
    the_board->module_count = 0;
    dl_iterate_phdr(add, &known);
}

static void change_addresses(uint64_t (*change)(const struct board *, uint64_t))
{
    for (uint32_t i = 1; i <= the_board->object_count && i < OBJECTS_MAX; i++)
        the_board->objects[i].address = change(the_board, the_board->objects[i].address);
    for (uint32_t i = 0; i < the_board->tally.site_count; i++)
        the_board->sites[i] = change(the_board, the_board->sites[i]);
}

/* With --shift-layouts, a worker that starts again lies elsewhere than before: its objects and
 * sites go from one process to the other as names. */
void modules_open(void)
{
    bool moves = rt.options->shift_layouts && the_board->modules_at_start > 0;
    if (moves)
        change_addresses(address_name);
    modules_list();
    the_board->modules_at_start = the_board->module_count;
    if (moves)
        change_addresses(address_named);
}

bool module_is_watched_slow(uintptr_t site)
{
    for (uint32_t i = 0; i < the_board->module_count; i++)
        if (site >= the_board->modules[i].start && site < the_board->modules[i].end)
            return the_board->modules[i].watched;
    return false;
}

bool module_has(uintptr_t pc)
{
    for (uint32_t i = 0; i < the_board->module_count; i++)
        if (pc >= the_board->modules[i].start && pc < the_board->modules[i].end)
            return true;
    return false;
}

uint64_t site_whole(uint32_t low)
{
    for (uint32_t i = 0; i < the_board->module_count; i++) {
        const struct module *module = &the_board->modules[i];
        uint64_t site = (module->start & ~0xfffffffful) | low;
        if (site >= module->start && site < module->end)
            return site;
        site += 1ul << 32;
        if (site >= module->start && site < module->end)
            return site;
    }
    return 0;
}
