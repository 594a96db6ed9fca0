#include "coordinator/code/code_scan.h"

#include <elf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <Zydis/Zydis.h>

#include "base/assert.h"
#include "coordinator/code/code_copies.h"
#include "coordinator/symbols/elf_sections.h"
#include "coordinator/symbols/elf_symbols.h"
#include "coordinator/text.h"

enum { SLOTS_MAX = 512 };

struct scanner {
    ZydisDecoder decoder;
    struct elf_sections sections;
    struct {
        uint64_t address; /* where the loader puts the address of a __tsan_* function */
        const char *name;
    } slots[SLOTS_MAX];
    size_t slot_count;
};

struct instruction {
    ZydisDecodedInstruction head;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    uint64_t address;
};

static bool is_hook(const char *name)
{
    return name != NULL && strncmp(name, "__tsan_", 7) == 0;
}

static void read_slots(struct scanner *scanner, Elf *elf)
{
    struct elf_relocations each = {0};
    while (elf_relocations_next(&each, elf))
        if (is_hook(each.name) && scanner->slot_count < SLOTS_MAX) {
            scanner->slots[scanner->slot_count].address = each.address;
            scanner->slots[scanner->slot_count++].name = each.name;
        }
}

static bool decode(const struct scanner *scanner, uint64_t address, struct instruction *out)
{
    const struct elf_section *section = elf_section_at(&scanner->sections, address);
    if (section == NULL || section->bytes == NULL || !section->executable)
        return false;
    out->address = address;
    return ZYAN_SUCCESS(ZydisDecoderDecodeFull(&scanner->decoder,
                                               section->bytes + (address - section->start),
                                               section->end - address, &out->head, out->operands));
}

static bool is_memory(const ZydisDecodedOperand *operand)
{
    return operand->type == ZYDIS_OPERAND_TYPE_MEMORY && operand->mem.type == ZYDIS_MEMOP_TYPE_MEM;
}

/* The address of an operand that does not depend on registers; 0: it does. */
static uint64_t fixed_address(const struct instruction *at, const ZydisDecodedOperand *operand)
{
    uint64_t address = 0;
    bool fixed =
        operand->mem.index == ZYDIS_REGISTER_NONE &&
        (operand->mem.base == ZYDIS_REGISTER_RIP || operand->mem.base == ZYDIS_REGISTER_NONE);
    if (!fixed ||
        !ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&at->head, operand, at->address, &address)))
        return 0;
    return address;
}

/* The name of the function whose address is there; NULL: it is no hook. */
static const char *slot_at(const struct scanner *scanner, uint64_t address)
{
    for (size_t i = 0; i < scanner->slot_count; i++)
        if (scanner->slots[i].address == address)
            return scanner->slots[i].name;
    return NULL;
}

/* The hook to which a jump through a slot of the loader leads, at the address or behind one marker
 * of jump targets. */
static const char *hook_behind(const struct scanner *scanner, uint64_t address)
{
    struct instruction at;
    if (decode(scanner, address, &at) && at.head.mnemonic == ZYDIS_MNEMONIC_ENDBR64)
        address += at.head.length;
    if (!decode(scanner, address, &at) || at.head.mnemonic != ZYDIS_MNEMONIC_JMP ||
        !is_memory(&at.operands[0]))
        return NULL;
    return slot_at(scanner, fixed_address(&at, &at.operands[0]));
}

static const char *hook_called(const struct scanner *scanner, const struct instruction *at)
{
    const ZydisDecodedOperand *operand = &at->operands[0];
    uint64_t target = 0;
    if (at->head.mnemonic != ZYDIS_MNEMONIC_CALL && at->head.mnemonic != ZYDIS_MNEMONIC_JMP)
        return NULL;
    if (is_memory(operand))
        return slot_at(scanner, fixed_address(at, operand));
    if (operand->type != ZYDIS_OPERAND_TYPE_IMMEDIATE ||
        !ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&at->head, operand, at->address, &target)))
        return NULL;
    return hook_behind(scanner, target);
}

static bool is_on_stack(const ZydisDecodedOperand *operand)
{
    return operand->mem.base == ZYDIS_REGISTER_RSP || operand->mem.base == ZYDIS_REGISTER_RBP;
}

static bool is_locked(const struct instruction *at, const ZydisDecodedOperand *operand)
{
    return (at->head.attributes & ZYDIS_ATTRIB_HAS_LOCK) != 0 ||
           (at->head.mnemonic == ZYDIS_MNEMONIC_XCHG && is_memory(operand));
}

static bool only_looks_like_access(const struct instruction *at)
{
    return at->head.mnemonic == ZYDIS_MNEMONIC_NOP || at->head.mnemonic == ZYDIS_MNEMONIC_CALL ||
           at->head.mnemonic == ZYDIS_MNEMONIC_JMP || at->head.mnemonic == ZYDIS_MNEMONIC_RET;
}

static void note_access(const struct scanner *scanner, const struct instruction *at,
                        const ZydisDecodedOperand *operand, struct code_function *out)
{
    bool of_thread =
        operand->mem.segment == ZYDIS_REGISTER_FS || operand->mem.segment == ZYDIS_REGISTER_GS;
    if (!is_memory(operand) || is_on_stack(operand) || of_thread || only_looks_like_access(at))
        return;
    if (is_locked(at, operand) && out->locked == 0)
        out->locked = at->address;
    uint64_t address = fixed_address(at, operand);
    const struct elf_section *section =
        address == 0 ? NULL : elf_section_at(&scanner->sections, address);
    if (address == 0)
        out->uses_memory = true;
    else if (section != NULL && section->writable && !section->addresses)
        out->uses_memory = out->uses_statics = true;
}

/* The address of memory that nobody may write. */
static bool loads_constant(const struct scanner *scanner, const struct instruction *at)
{
    if (at->head.mnemonic != ZYDIS_MNEMONIC_LEA)
        return false;
    const struct elf_section *section =
        elf_section_at(&scanner->sections, fixed_address(at, &at->operands[1]));
    return section != NULL && !section->writable;
}

static void scan_function(const struct scanner *scanner, struct code_function *out)
{
    struct instruction at;
    struct code_copies copies = code_copies_begin();
    for (uint64_t address = out->start; address < out->end; address += at.head.length) {
        if (!decode(scanner, address, &at)) {
            at.head.length = 1;
            continue;
        }
        const char *hook = hook_called(scanner, &at);
        out->instrumented = out->instrumented || hook != NULL;
        code_copies_look(&copies, address, &at.head, at.operands, hook,
                         loads_constant(scanner, &at));
        for (int i = 0; i < at.head.operand_count; i++)
            note_access(scanner, &at, &at.operands[i], out);
    }
    out->copy = copies.found;
}

/* Functions that crt1.o, crtbegin.o and compilers add to every module. */
static bool is_from_compiler(const char *name)
{
    static const char *const whole[] = {
        "_start",         "_init",           "_fini",           "deregister_tm_clones",
        "frame_dummy",    "atexit",          "at_quick_exit",   "register_tm_clones",
        "pthread_atfork", "__libc_csu_init", "__libc_csu_fini", "__do_global_dtors_aux",
    };
    static const char *const beginnings[] = {"_sub_I_",      "_sub_D_", "_GLOBAL__",
                                             "tsan.module_", "__x86.",  "_dl_relocate_static_pie"};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (strcmp(name, whole[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

static int compare_functions(const void *a, const void *b)
{
    const struct code_function *left = a, *right = b;
    return left->start < right->start ? -1 : left->start > right->start;
}

/* Symbol tables list a function more than once: under several names, and in both tables. */
static size_t drop_copies(struct code_function *functions, size_t count)
{
    size_t kept = 0;
    qsort(functions, count, sizeof *functions, compare_functions);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || functions[i].start != functions[kept - 1].start)
            functions[kept++] = functions[i];
        else if (functions[i].end > functions[kept - 1].end)
            functions[kept - 1] = functions[i];
    return kept;
}

/* A function without a size reaches to the next function, or to the end of its section. */
static void set_ends(const struct scanner *scanner, struct code_function *functions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (functions[i].end > functions[i].start)
            continue;
        uint64_t end = elf_section_at(&scanner->sections, functions[i].start)->end;
        functions[i].end =
            i + 1 < count && functions[i + 1].start < end ? functions[i + 1].start : end;
    }
}

static size_t drop_compilers_own(struct code_function *functions, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!is_from_compiler(functions[i].name))
            functions[kept++] = functions[i];
    return kept;
}

/* A label in code from an assembler file has neither a type nor a size. */
static bool may_be_function(const struct scanner *scanner, const GElf_Sym *symbol)
{
    int type = GELF_ST_TYPE(symbol->st_info);
    const struct elf_section *section = elf_section_at(&scanner->sections, symbol->st_value);
    return (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE) && section != NULL &&
           section->executable;
}

static size_t function_symbols(const struct scanner *scanner, Elf *elf, struct code_function *out)
{
    struct elf_symbols symbols = {0};
    size_t count = 0;
    while (elf_symbols_next(&symbols, elf)) {
        if (!may_be_function(scanner, &symbols.symbol))
            continue;
        if (out != NULL)
            out[count] =
                (struct code_function){.start = symbols.symbol.st_value,
                                       .end = symbols.symbol.st_value + symbols.symbol.st_size,
                                       .name = text_copy(symbols.name, strlen(symbols.name))};
        count++;
    }
    return count;
}

/* Treats all code of a stripped file as one function. */
static size_t whole_code(const struct scanner *scanner, struct code_function *out)
{
    uint64_t size = 0;
    for (size_t i = 0; i < scanner->sections.count; i++) {
        const struct elf_section *section = &scanner->sections.all[i];
        if (section->executable && section->end - section->start > size) {
            size = section->end - section->start;
            *out = (struct code_function){.start = section->start, .end = section->end};
        }
    }
    return size > 0;
}

static bool is_stripped(Elf *elf)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) != NULL && header.sh_type == SHT_SYMTAB)
            return false;
    }
    return true;
}

static void read_assembler(struct code_scan *out, Elf *elf)
{
    size_t names = 0;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == NULL)
            continue;
        const char *name = elf_strptr(elf, names, header.sh_name);
        if (name == NULL || strcmp(name, ASSEMBLER_SECTION) != 0)
            continue;
        if (header.sh_flags & SHF_COMPRESSED)
            elf_compress(section, 0, 0);
        Elf_Data *data = elf_getdata(section, NULL);
        if (data == NULL)
            return;
        out->assembler = text_room(data->d_size + 8);
        for (size_t i = 0; i + 8 <= data->d_size; i += 8) {
            uint64_t address;
            memcpy(&address, (const char *)data->d_buf + i, sizeof address);
            if (address > 1) /* otherwise the linker dropped that copy of the function */
                out->assembler[out->assembler_count++] = address;
        }
    }
}

static void find_functions(const struct scanner *scanner, Elf *elf, struct code_scan *out)
{
    out->functions = text_room((function_symbols(scanner, elf, NULL) + 1) * sizeof *out->functions);
    if (is_stripped(elf)) {
        out->count = whole_code(scanner, out->functions);
        return;
    }
    size_t count = function_symbols(scanner, elf, out->functions);
    count = drop_copies(out->functions, count);
    set_ends(scanner, out->functions, count);
    out->count = drop_compilers_own(out->functions, count);
}

bool code_is_instrumented(Elf *elf)
{
    struct scanner *scanner = calloc(1, sizeof *scanner);
    CHECK(scanner != NULL);
    read_slots(scanner, elf);
    bool instrumented = scanner->slot_count > 0;
    free(scanner);
    return instrumented;
}

struct code_scan code_scan(Elf *elf)
{
    struct code_scan out = {0};
    struct scanner *scanner = calloc(1, sizeof *scanner);
    CHECK(scanner != NULL);
    ZydisDecoderInit(&scanner->decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    elf_sections_read(&scanner->sections, elf);
    read_slots(scanner, elf);
    read_assembler(&out, elf);
    find_functions(scanner, elf, &out);
    for (size_t i = 0; i < out.count; i++)
        scan_function(scanner, &out.functions[i]);
    free(scanner);
    return out;
}
