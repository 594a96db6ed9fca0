#include "coordinator/symbols/symbols.h"

#include "coordinator/symbols/globals.h"
#include "coordinator/symbols/locals.h"
#include "coordinator/symbols/scopes.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "coordinator/text.h"
#include "core/board.h"

char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status);

enum { KNOWN = 4096 }; /* a power of two */

struct symbols {
    Dwfl *dwfl;
    struct known { /* cache of earlier answers: a long trace has the same places again and again */
        uint64_t pc;
        uint32_t max, count; /* count 0: free */
        struct named_site *frames;
    } known[KNOWN];
    struct globals globals;
    struct scopes scopes;
    char *here; /* the current folder: paths below it are shown without it */
    struct symbols_module {
        uint64_t base;
        const char *path;
    } * modules; /* as the worker listed them */
    uint32_t module_count;
    struct symbols *next; /* symbols of another list of modules */
};

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
};

static bool lie_as_listed(const struct symbols *symbols, const struct board *board)
{
    if (symbols->module_count != board->module_count)
        return false;
    for (uint32_t i = 0; i < board->module_count; i++)
        if (symbols->modules[i].base != board->modules[i].base ||
            strcmp(symbols->modules[i].path, board->modules[i].path) != 0)
            return false;
    return true;
}

static void open_modules(struct symbols *symbols, const struct board *board)
{
    symbols->modules = text_room(board->module_count * sizeof *symbols->modules);
    symbols->module_count = board->module_count;
    dwfl_report_begin(symbols->dwfl);
    for (uint32_t i = 0; i < board->module_count; i++) {
        const struct module *module = &board->modules[i];
        symbols->modules[i].base = module->base;
        symbols->modules[i].path = text_copy(module->path, strlen(module->path));
        /* other modules, such as the kernel's page of code, have no file */
        if (module->path[0] == '/')
            dwfl_report_elf(symbols->dwfl, module->path, module->path, -1, module->base, true);
    }
    dwfl_report_end(symbols->dwfl, NULL, NULL);
}

struct symbols *symbols_of(const struct board *board)
{
    static struct symbols *opened;
    for (struct symbols *symbols = opened; symbols != NULL; symbols = symbols->next)
        if (lie_as_listed(symbols, board))
            return symbols;
    struct symbols *symbols = text_room(sizeof *symbols);
    symbols->here = getcwd(NULL, 0);
    symbols->dwfl = dwfl_begin(&callbacks);
    CHECK(symbols->dwfl != NULL);
    open_modules(symbols, board);
    symbols->next = opened;
    opened = symbols;
    return symbols;
}

static const char *short_path(const struct symbols *symbols, const char *path)
{
    size_t length = symbols->here == NULL ? 0 : strlen(symbols->here);
    if (length > 1 && strncmp(path, symbols->here, length) == 0 && path[length] == '/')
        path += length + 1;
    return text_copy(path, strlen(path));
}

const char *symbols_type(const char *mangled)
{
    int status = 0;
    char *demangled = __cxa_demangle(mangled, NULL, NULL, &status);
    const char *kept = demangled != NULL ? demangled : mangled;
    kept = text_copy(kept, strlen(kept));
    free(demangled);
    return kept;
}

static const char *plain_name(const char *name)
{
    if (name == NULL)
        return NULL;
    return strncmp(name, "_Z", 2) == 0 ? symbols_type(name) : text_copy(name, strlen(name));
}

static const char *module_name(Dwfl_Module *module)
{
    const char *path = dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    const char *slash = path == NULL ? NULL : strrchr(path, '/');
    return slash == NULL ? path : text_copy(slash + 1, strlen(slash + 1));
}

/* The full C++ name where there is one. A lambda's is only in the symbol table. */
static const char *function_of_die(Dwarf_Die *die, const char *symbol)
{
    Dwarf_Attribute attribute;
    if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) != NULL)
        return plain_name(dwarf_formstring(&attribute));
    if (symbol != NULL && strncmp(symbol, "_Z", 2) == 0 && dwarf_tag(die) == DW_TAG_subprogram)
        return plain_name(symbol);
    return plain_name(dwarf_diename(die));
}

/* Fills in where an inlined function was called from. */
static void call_place(struct symbols *symbols, Dwarf_Die *unit, Dwarf_Die *die,
                       struct named_site *out)
{
    Dwarf_Attribute attribute;
    Dwarf_Word line = 0, file = 0;
    Dwarf_Files *files;
    size_t count;
    if (dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &line) == 0)
        out->line = (uint32_t)line;
    if (dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attribute), &file) == 0 &&
        dwarf_getsrcfiles(unit, &files, &count) == 0 && file < count)
        out->file = short_path(symbols, dwarf_filesrc(files, file, NULL, NULL));
}

/* Whether the module is the C library. Lines inside it tell a user nothing, and where its debug
 * information is installed, unpacking that takes longer than a small search. The names of its
 * functions are enough. */
static bool is_c_library(Dwfl_Module *module)
{
    const char *name = module_name(module);
    return name != NULL && (strncmp(name, "libc.so.", 8) == 0 || strncmp(name, "ld-linux", 8) == 0);
}

/* The compilation unit that covers an address. clang writes no index of units, so each unit is
 * asked. */
static Dwarf_Die *unit_at(Dwfl_Module *module, uint64_t pc, Dwarf_Addr *bias)
{
    if (is_c_library(module))
        return NULL;
    Dwarf_Die *unit = dwfl_module_addrdie(module, pc, bias);
    if (unit != NULL)
        return unit;
    while ((unit = dwfl_module_nextcu(module, unit, bias)) != NULL)
        if (dwarf_haspc(unit, pc - *bias) == 1)
            return unit;
    return NULL;
}

/* The frames at an address, innermost first; at least one. */
static uint32_t find_frames(struct symbols *symbols, uint64_t pc, struct named_site *out,
                            uint32_t max)
{
    memset(out, 0, sizeof *out);
    Dwfl_Module *module = dwfl_addrmodule(symbols->dwfl, pc);
    if (module == NULL)
        return 1;
    out->module = module_name(module);
    const char *symbol = dwfl_module_addrname(module, pc);
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = unit_at(module, pc, &bias);
    Dwarf_Line *row = unit == NULL ? NULL : dwarf_getsrc_die(unit, pc - bias);
    int line = 0;
    if (row != NULL && dwarf_lineno(row, &line) == 0) {
        out->file = short_path(symbols, dwarf_linesrc(row, NULL, NULL));
        out->line = (uint32_t)line;
    }
    Dwarf_Die scopes[SCOPES_MAX];
    size_t scope_count = unit == NULL ? 0 : scopes_at(&symbols->scopes, unit, pc - bias, scopes);
    uint32_t count = 0;
    for (size_t i = 0; i < scope_count && count < max; i++) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
            continue;
        out[count].function = function_of_die(&scopes[i], symbol);
        count++;
        if (tag == DW_TAG_subprogram || count == max)
            break;
        out[count] = (struct named_site){.module = out->module};
        call_place(symbols, unit, &scopes[i], &out[count]);
    }
    if (count > 0)
        return count;
    out->function = plain_name(symbol);
    return 1;
}

struct named_unit symbols_unit(struct symbols *symbols, uint64_t pc)
{
    struct named_unit out = {0};
    Dwarf_Addr bias = 0;
    Dwarf_Attribute attribute;
    Dwfl_Module *module = dwfl_addrmodule(symbols->dwfl, pc);
    Dwarf_Die *unit = module == NULL ? NULL : unit_at(module, pc, &bias);
    const char *name = unit == NULL ? NULL : dwarf_diename(unit);
    if (name == NULL)
        return out;
    const char *producer = dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &attribute));
    out.file = short_path(symbols, name);
    out.instrumented = producer != NULL && strstr(producer, "-fsanitize=thread") != NULL;
    out.identity = bias + dwarf_dieoffset(unit) + 1;
    return out;
}

static uint32_t frames_at(struct symbols *symbols, uint64_t pc, struct named_site *out,
                          uint32_t max)
{
    struct known *known = &symbols->known[(2 * pc + (max > 1)) % KNOWN];
    if (known->pc != pc || known->max != max || known->count == 0) {
        *known = (struct known){.pc = pc, .max = max, .count = find_frames(symbols, pc, out, max)};
        known->frames = text_room(known->count * sizeof *out);
        memcpy(known->frames, out, known->count * sizeof *out);
    }
    memcpy(out, known->frames, known->count * sizeof *out);
    return known->count;
}

struct named_site symbols_site(struct symbols *symbols, uint64_t site)
{
    struct named_site frame = {0};
    if (site != 0)
        frames_at(symbols, site - 1, &frame, 1);
    return frame;
}

static bool is_runtime(const struct named_site *frame)
{
    return frame->module != NULL && strncmp(frame->module, "libtsan.so", 10) == 0;
}

struct named_stack symbols_stack(struct symbols *symbols, const struct frames *frames,
                                 bool first_is_pc)
{
    enum { INLINED_MAX = 16 };
    struct named_stack stack = {0};
    stack.frames = text_room(FRAMES_MAX * INLINED_MAX * sizeof *stack.frames);
    for (uint32_t i = 0; i < frames->count; i++) {
        struct named_site inlined[INLINED_MAX];
        uint64_t pc = frames->pc[i] - !(i == 0 && first_is_pc);
        uint32_t count = frames_at(symbols, pc, inlined, INLINED_MAX);
        if (is_runtime(&inlined[0]))
            continue;
        memcpy(stack.frames + stack.count, inlined, count * sizeof *inlined);
        stack.count += count;
    }
    return stack;
}

/* Whether a symbol is a variable that covers the address. A mark such as `_edata` or `__TMC_END__`,
 * which has no size, is none, although it may stand where a variable begins. */
static bool covers(const GElf_Sym *symbol, uint64_t start, uint64_t address)
{
    int type = GELF_ST_TYPE(symbol->st_info);
    return (type == STT_OBJECT || type == STT_COMMON) && address - start < symbol->st_size;
}

/* The variable around an address; NULL: there is none. libdwfl may answer with a symbol without a
 * size at the same address, such as a section's start. */
static const char *variable_around(Dwfl_Module *module, uint64_t address, uint64_t *start)
{
    GElf_Off offset = 0;
    GElf_Sym symbol;
    const char *name = dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL);
    *start = address - offset;
    if (name == NULL || covers(&symbol, *start, address))
        return name;
    int count = dwfl_module_getsymtab(module);
    for (int i = 1; i < count; i++) {
        name = dwfl_module_getsym_info(module, i, &symbol, start, NULL, NULL, NULL);
        if (name != NULL && covers(&symbol, *start, address))
            return name;
    }
    return NULL;
}

const char *symbols_variable(struct symbols *symbols, uint64_t address)
{
    Dwfl_Module *module = dwfl_addrmodule(symbols->dwfl, address);
    uint64_t start;
    const char *name = module == NULL ? NULL : variable_around(module, address, &start);
    if (name == NULL)
        return NULL;
    uint64_t offset = address - start;
    const char *plain = plain_name(name);
    const char *part =
        is_c_library(module) ? NULL : global_part(&symbols->globals, module, plain, start, offset);
    if (part != NULL)
        return part;
    return offset == 0 ? plain : text_print("%s+%lu", plain, (unsigned long)offset);
}

const char *symbols_local(struct symbols *symbols, uint64_t pc, const struct frame_range *range,
                          uint64_t address)
{
    Dwfl_Module *module = dwfl_addrmodule(symbols->dwfl, pc - 1);
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = module == NULL ? NULL : unit_at(module, pc - 1, &bias);
    return unit == NULL ? NULL : local_name(&symbols->scopes, unit, pc - 1 - bias, range, address);
}
