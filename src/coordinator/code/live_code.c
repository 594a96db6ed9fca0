#include "coordinator/code/live_code.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include <Zydis/Zydis.h>

#include "base/assert.h"

enum { UNREADABLE = 0xff };

static const struct live_section *section_at(const struct live_code *code, uint64_t address)
{
    for (size_t i = 0; i < code->section_count; i++)
        if (address - code->sections[i].start < code->sections[i].end - code->sections[i].start)
            return &code->sections[i];
    return NULL;
}

static const uint8_t *bytes_at(const struct live_code *code, uint64_t address, size_t *count)
{
    const struct live_section *section = section_at(code, address);
    if (section == NULL || section->bytes == NULL)
        return NULL;
    *count = section->end - address;
    return section->bytes + (address - section->start);
}

static const uint8_t *code_bytes(void *context, uint64_t address, size_t *count)
{
    const struct live_code *code = context;
    const struct live_section *section = section_at(code, address);
    return section == NULL || !section->executable || section->stub
               ? NULL
               : bytes_at(code, address, count);
}

static void read_sections(struct live_code *code)
{
    size_t names = 0;
    if (elf_getshdrstrndx(code->elf, &names) != 0)
        return;
    for (Elf_Scn *at = NULL;
         (at = elf_nextscn(code->elf, at)) != NULL && code->section_count < LIVE_SECTIONS_MAX;) {
        GElf_Shdr header;
        if (gelf_getshdr(at, &header) == NULL || !(header.sh_flags & SHF_ALLOC))
            continue;
        const char *name = elf_strptr(code->elf, names, header.sh_name);
        Elf_Data *data = header.sh_type == SHT_NOBITS ? NULL : elf_rawdata(at, NULL);
        bool whole = data != NULL && data->d_size >= header.sh_size;
        code->sections[code->section_count++] =
            (struct live_section){.start = header.sh_addr,
                                  .end = header.sh_addr + header.sh_size,
                                  .bytes = whole ? data->d_buf : NULL,
                                  .executable = header.sh_flags & SHF_EXECINSTR,
                                  .stub = name != NULL && strncmp(name, ".plt", 4) == 0};
    }
}

static void *room_for_one(void *all, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return all;
    *capacity = *capacity == 0 ? 64 : 2 * *capacity;
    all = reallocarray(all, *capacity, size);
    CHECK(all != NULL);
    return all;
}

/* ---- Names */

static enum liveness_callee kind_of(const char *name)
{
    static const char *const twice[] = {"setjmp", "sigsetjmp", "savectx", "vfork", "getcontext"};
    static const char *const no_values[] = {"sched_yield", "pthread_yield", "thrd_yield"};
    static const char *const never[] = {
        "abort",       "exit",          "_exit",         "quick_exit",       "_Unwind_Resume",
        "__cxa_throw", "__cxa_rethrow", "__assert_fail", "__stack_chk_fail", "_ZSt9terminatev"};
    if (strncmp(name, "__tsan_", 7) == 0)
        return strstr(name, "128") != NULL           ? CALLEE_OTHER
               : strncmp(name + 7, "atomic", 6) == 0 ? CALLEE_HOOK
                                                     : CALLEE_ACCESS;
    const char *plain = name + strspn(name, "_");
    for (size_t i = 0; i < sizeof twice / sizeof *twice; i++)
        if (strcmp(plain, twice[i]) == 0)
            return CALLEE_TWICE;
    for (size_t i = 0; i < sizeof no_values / sizeof *no_values; i++)
        if (strcmp(name, no_values[i]) == 0)
            return CALLEE_NO_VALUES;
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (strcmp(name, never[i]) == 0)
            return CALLEE_NEVER;
    return CALLEE_OTHER;
}

static void read_relocations(struct live_code *code, Elf_Scn *section, const GElf_Shdr *header)
{
    GElf_Shdr symbols_header;
    Elf_Scn *symbols = elf_getscn(code->elf, header->sh_link);
    Elf_Data *data = elf_getdata(section, NULL);
    Elf_Data *symbol_data = symbols == NULL ? NULL : elf_getdata(symbols, NULL);
    if (data == NULL || symbol_data == NULL || gelf_getshdr(symbols, &symbols_header) == NULL)
        return;
    for (int i = 0; i < (int)(header->sh_size / sizeof(Elf64_Rela)); i++) {
        GElf_Rela entry;
        GElf_Sym symbol;
        if (gelf_getrela(data, i, &entry) == NULL || GELF_R_SYM(entry.r_info) == 0 ||
            gelf_getsym(symbol_data, (int)GELF_R_SYM(entry.r_info), &symbol) == NULL)
            continue;
        const char *name = elf_strptr(code->elf, symbols_header.sh_link, symbol.st_name);
        if (name == NULL || kind_of(name) == CALLEE_OTHER)
            continue;
        code->slots =
            room_for_one(code->slots, code->slot_count, &code->slot_capacity, sizeof *code->slots);
        code->slots[code->slot_count++] =
            (struct live_slot){.address = entry.r_offset, .name = name};
    }
}

static void read_symbols(struct live_code *code, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    for (int i = 0; data != NULL && i < (int)(header->sh_size / sizeof(Elf64_Sym)); i++) {
        GElf_Sym symbol;
        if (gelf_getsym(data, i, &symbol) == NULL || symbol.st_shndx == SHN_UNDEF)
            continue;
        const char *name = elf_strptr(code->elf, header->sh_link, symbol.st_name);
        if (name == NULL || kind_of(name) != CALLEE_TWICE)
            continue;
        code->twice = room_for_one(code->twice, code->twice_count, &code->twice_capacity,
                                   sizeof *code->twice);
        code->twice[code->twice_count++] =
            (struct live_slot){.address = symbol.st_value, .name = name};
    }
}

static int compare_slots(const void *a, const void *b)
{
    const struct live_slot *left = a, *right = b;
    return left->address < right->address ? -1 : left->address > right->address;
}

static void read_names(struct live_code *code)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(code->elf, section)) != NULL;) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == NULL)
            continue;
        if (header.sh_type == SHT_RELA && (header.sh_flags & SHF_ALLOC))
            read_relocations(code, section, &header);
        if (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM)
            read_symbols(code, section, &header);
    }
    if (code->slot_count > 0)
        qsort(code->slots, code->slot_count, sizeof *code->slots, compare_slots);
    if (code->twice_count > 0)
        qsort(code->twice, code->twice_count, sizeof *code->twice, compare_slots);
}

static const char *name_at(const struct live_slot *slots, size_t count, uint64_t address)
{
    struct live_slot key = {.address = address};
    const struct live_slot *found =
        count == 0 ? NULL : bsearch(&key, slots, count, sizeof key, compare_slots);
    return found == NULL ? NULL : found->name;
}

/* A jump through a slot of the loader, at the address or behind one marker of jump targets. */
static enum liveness_callee stub_leads_to(const struct live_code *code, uint64_t address)
{
    ZydisDecoder decoder;
    ZydisDecodedInstruction at;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    for (int i = 0; i < 2; i++) {
        size_t count;
        const uint8_t *bytes = bytes_at(code, address, &count);
        uint64_t slot;
        if (bytes == NULL ||
            !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, count, &at, operands)))
            return CALLEE_OTHER;
        if (at.mnemonic == ZYDIS_MNEMONIC_JMP && operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY &&
            operands[0].mem.base == ZYDIS_REGISTER_RIP &&
            ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&at, &operands[0], address, &slot))) {
            const char *name = name_at(code->slots, code->slot_count, slot);
            return name == NULL ? CALLEE_OTHER : kind_of(name);
        }
        address += at.length;
    }
    return CALLEE_OTHER;
}

static const struct live_piece *piece_at(struct live_code *code, uint64_t address)
{
    if (code->last != NULL && address - code->last->start < code->last->end - code->last->start)
        return code->last;
    size_t low = 0, high = code->piece_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (code->pieces[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == code->piece_count || code->pieces[low].start > address)
        return NULL;
    return code->last = &code->pieces[low];
}

static enum liveness_callee code_callee(void *context, uint64_t address, bool slot)
{
    struct live_code *code = context;
    if (slot) {
        const char *name = name_at(code->slots, code->slot_count, address);
        return name == NULL ? CALLEE_OTHER : kind_of(name);
    }
    const struct live_section *section = section_at(code, address);
    if (section == NULL)
        return CALLEE_OTHER;
    if (section->stub)
        return stub_leads_to(code, address);
    if (name_at(code->twice, code->twice_count, address) != NULL)
        return CALLEE_TWICE;
    const struct live_piece *piece = piece_at(code, address);
    if (piece == NULL || piece->start != address || piece->function == NULL)
        return CALLEE_OTHER;
    if (!liveness_is_closed(piece->function))
        return CALLEE_OTHER;
    return liveness_returns(piece->function) ? CALLEE_LOCAL : CALLEE_NEVER;
}

/* ---- Frame descriptions */

struct reader {
    const struct live_code *code;
    const uint8_t *at, *end;
    uint64_t address; /* of what `at` points to */
    bool failed;
};

static uint64_t take(struct reader *reader, size_t size)
{
    uint64_t value = 0;
    if (reader->failed || (size_t)(reader->end - reader->at) < size) {
        reader->failed = true;
        return 0;
    }
    memcpy(&value, reader->at, size);
    reader->at += size;
    reader->address += size;
    return value;
}

static uint64_t take_leb(struct reader *reader)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint64_t byte = take(reader, 1);
        if (reader->failed || shift > 63) {
            reader->failed = true;
            return 0;
        }
        value |= (byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
}

/* A pointer as .eh_frame and the tables of exceptions encode it. */
static uint64_t take_encoded(struct reader *reader, uint8_t encoding, bool relative)
{
    uint64_t here = reader->address, value;
    switch (encoding & 0x0f) {
    case DW_EH_PE_absptr:
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8:
        value = take(reader, 8);
        break;
    case DW_EH_PE_udata4:
        value = take(reader, 4);
        break;
    case DW_EH_PE_sdata4:
        value = (uint64_t)(int32_t)take(reader, 4);
        break;
    case DW_EH_PE_udata2:
        value = take(reader, 2);
        break;
    case DW_EH_PE_uleb128:
        value = take_leb(reader);
        break;
    default:
        reader->failed = true;
        return 0;
    }
    if (!relative || (encoding & 0xf0) == 0)
        return value;
    if ((encoding & 0xf0) != DW_EH_PE_pcrel) {
        reader->failed = true;
        return 0;
    }
    return value == 0 ? 0 : value + here;
}

struct shape { /* of the frame descriptions that refer to one head */
    uint64_t offset;
    uint8_t pointers, exceptions;
    bool interrupts, known;
};

static struct shape read_shape(const Dwarf_CIE *head, uint64_t offset)
{
    struct shape shape = {.offset = offset, .exceptions = DW_EH_PE_omit, .known = true};
    const uint8_t *at = head->augmentation_data, *end = at + head->augmentation_data_size;
    if (head->augmentation[0] != 'z') {
        shape.known = head->augmentation[0] == 0;
        return shape;
    }
    for (const char *letter = head->augmentation + 1; *letter != 0; letter++) {
        switch (*letter) {
        case 'R':
        case 'L':
            if (at == end)
                return (struct shape){.offset = offset};
            *(*letter == 'R' ? &shape.pointers : &shape.exceptions) = *at++;
            break;
        case 'P':
            if (at == end)
                return (struct shape){.offset = offset};
            switch (*at++ & 0x0f) {
            case DW_EH_PE_absptr:
            case DW_EH_PE_udata8:
            case DW_EH_PE_sdata8:
                at += 8;
                break;
            case DW_EH_PE_udata4:
            case DW_EH_PE_sdata4:
                at += 4;
                break;
            default:
                return (struct shape){.offset = offset};
            }
            if (at > end)
                return (struct shape){.offset = offset};
            break;
        case 'S':
            shape.interrupts = true;
            break;
        default:
            return (struct shape){.offset = offset};
        }
    }
    return shape;
}

static void add_piece(struct live_code *code, const struct shape *shape, const Dwarf_FDE *entry,
                      uint64_t address)
{
    struct reader reader = {
        .code = code, .at = entry->start, .end = entry->end, .address = address};
    uint64_t start = take_encoded(&reader, shape->pointers, true);
    uint64_t size = take_encoded(&reader, shape->pointers, false);
    uint64_t rest = take_leb(&reader), exceptions = 0;
    if (rest > 0 && shape->exceptions != DW_EH_PE_omit)
        exceptions = take_encoded(&reader, shape->exceptions, true);
    if (size == 0)
        return;
    code->pieces =
        room_for_one(code->pieces, code->piece_count, &code->piece_capacity, sizeof *code->pieces);
    code->pieces[code->piece_count++] = (struct live_piece){.start = start,
                                                            .end = start + size,
                                                            .exceptions = exceptions,
                                                            .known = !reader.failed,
                                                            .interrupts = shape->interrupts};
}

static int compare_pieces(const void *a, const void *b)
{
    const struct live_piece *left = a, *right = b;
    return left->start < right->start ? -1 : left->start > right->start;
}

static bool read_pieces(struct live_code *code)
{
    size_t names = 0;
    Elf_Data *data = NULL;
    GElf_Shdr header;
    elf_getshdrstrndx(code->elf, &names);
    for (Elf_Scn *at = NULL; data == NULL && (at = elf_nextscn(code->elf, at)) != NULL;) {
        const char *name =
            gelf_getshdr(at, &header) == NULL ? NULL : elf_strptr(code->elf, names, header.sh_name);
        if (name != NULL && strcmp(name, ".eh_frame") == 0 && header.sh_type != SHT_NOBITS)
            data = elf_rawdata(at, NULL);
    }
    size_t size;
    const char *ident = elf_getident(code->elf, &size);
    if (data == NULL || ident == NULL)
        return false;
    struct shape shape = {.offset = UINT64_MAX};
    Dwarf_CFI_Entry entry;
    int result = 0;
    for (Dwarf_Off offset = 0, next;; offset = next) {
        result = dwarf_next_cfi((const unsigned char *)ident, data, true, offset, &next, &entry);
        if (result != 0)
            break;
        if (dwarf_cfi_cie_p(&entry)) {
            shape = read_shape(&entry.cie, offset);
            continue;
        }
        if (shape.offset != entry.fde.CIE_pointer) {
            Dwarf_CFI_Entry head;
            Dwarf_Off unused;
            if (dwarf_next_cfi((const unsigned char *)ident, data, true, entry.fde.CIE_pointer,
                               &unused, &head) != 0 ||
                !dwarf_cfi_cie_p(&head))
                return false;
            shape = read_shape(&head.cie, entry.fde.CIE_pointer);
        }
        if (!shape.known)
            return false;
        add_piece(code, &shape, &entry.fde,
                  header.sh_addr + (uint64_t)(entry.fde.start - (const uint8_t *)data->d_buf));
    }
    if (code->piece_count == 0)
        return false;
    qsort(code->pieces, code->piece_count, sizeof *code->pieces, compare_pieces);
    for (size_t i = 1; i < code->piece_count; i++)
        if (code->pieces[i].start < code->pieces[i - 1].end)
            return false;
    return result == 1;
}

static bool code_range(void *context, uint64_t address, uint64_t *start, uint64_t *end)
{
    const struct live_piece *piece = piece_at(context, address);
    if (piece == NULL || piece->interrupts)
        return false;
    *start = piece->start;
    *end = piece->end;
    return true;
}

static bool read_row(Dwarf_Frame *frame, struct liveness_rule *out)
{
    static const uint8_t numbers[LIVE_REGISTERS] = {3, 6, 12, 13, 14, 15}; /* as DWARF counts */
    Dwarf_Op *ops;
    size_t count;
    if (dwarf_frame_cfa(frame, &ops, &count) != 0 || count != 1)
        return false;
    Dwarf_Word from = ops->atom == DW_OP_bregx ? ops->number : (Dwarf_Word)ops->atom - DW_OP_breg0;
    Dwarf_Sword offset = (Dwarf_Sword)(ops->atom == DW_OP_bregx ? ops->number2 : ops->number);
    if ((from != 6 && from != 7) || offset < 8 || offset > INT16_MAX)
        return false;
    out->from_rbp = from == 6;
    out->offset = (int32_t)offset;
    for (int i = 0; i < LIVE_REGISTERS; i++) {
        Dwarf_Op room[3];
        out->saved[i] = LIVENESS_UNKNOWN;
        if (dwarf_frame_register(frame, numbers[i], room, &ops, &count) != 0)
            return false;
        if (count == 0) /* nothing is said of it: then a call preserves it */
            out->saved[i] = LIVENESS_SAME;
        bool at_end = count >= 1 && ops[0].atom == DW_OP_call_frame_cfa;
        if (at_end && count == 2 && ops[1].atom == DW_OP_plus_uconst &&
            (Dwarf_Sword)ops[1].number < 0 && (Dwarf_Sword)ops[1].number > INT16_MIN)
            out->saved[i] = (int32_t)(Dwarf_Sword)ops[1].number;
    }
    return true;
}

static bool code_rule(void *context, uint64_t address, struct liveness_rule *out)
{
    struct live_code *code = context;
    const struct live_piece *piece = piece_at(code, address);
    if (piece == NULL || piece->interrupts)
        return false;
    if (address - code->row.start >= code->row.end - code->row.start) {
        Dwarf_Frame *frame = NULL;
        Dwarf_Addr start, end;
        bool interrupts;
        if (dwarf_cfi_addrframe(code->frames, address, &frame) != 0)
            return false;
        code->row.start = address;
        code->row.end = address + 1;
        if (dwarf_frame_info(frame, &start, &end, &interrupts) >= 0 && start <= address &&
            address < end) {
            code->row.start = start;
            code->row.end = end;
        }
        code->row.known = read_row(frame, &code->row.rule);
        free(frame);
    }
    *out = code->row.rule;
    return code->row.known;
}

/* The table of a piece lists ranges of calls, in order, with the place to go to or 0. */
static bool code_landing(void *context, uint64_t address, uint64_t *out)
{
    struct live_code *code = context;
    uint64_t call = address - 1;
    const struct live_piece *piece = piece_at(code, call);
    *out = 0;
    if (piece == NULL || !piece->known)
        return false;
    if (piece->exceptions == 0)
        return true;
    size_t count;
    const uint8_t *bytes = bytes_at(code, piece->exceptions, &count);
    if (bytes == NULL)
        return false;
    struct reader reader = {
        .code = code, .at = bytes, .end = bytes + count, .address = piece->exceptions};
    uint8_t encoding = (uint8_t)take(&reader, 1);
    uint64_t base =
        encoding == DW_EH_PE_omit ? piece->start : take_encoded(&reader, encoding, true);
    if (take(&reader, 1) != DW_EH_PE_omit)
        take_leb(&reader);
    encoding = (uint8_t)take(&reader, 1);
    uint64_t size = take_leb(&reader);
    if (reader.failed || size > (uint64_t)(reader.end - reader.at))
        return false;
    reader.end = reader.at + size;
    while (reader.at < reader.end) {
        uint64_t start = take_encoded(&reader, encoding, false);
        uint64_t length = take_encoded(&reader, encoding, false);
        uint64_t pad = take_encoded(&reader, encoding, false);
        take_leb(&reader);
        if (reader.failed)
            return false;
        if (call - (piece->start + start) < length)
            *out = pad == 0 ? 0 : base + pad;
    }
    return true;
}

bool live_code_open(struct live_code *out, Elf *elf)
{
    *out = (struct live_code){.elf = elf};
    out->code = (struct liveness_code){.context = out,
                                       .bytes = code_bytes,
                                       .range = code_range,
                                       .rule = code_rule,
                                       .landing = code_landing,
                                       .callee = code_callee};
    GElf_Ehdr header;
    if (gelf_getehdr(elf, &header) == NULL || header.e_machine != EM_X86_64)
        return false;
    read_sections(out);
    read_names(out);
    out->frames = dwarf_getcfi_elf(elf);
    return out->frames != NULL && read_pieces(out);
}

void live_code_close(struct live_code *code)
{
    for (size_t i = 0; i < code->piece_count; i++)
        liveness_free(code->pieces[i].function);
    if (code->frames != NULL)
        dwarf_cfi_end(code->frames);
    free(code->pieces);
    free(code->slots);
    free(code->twice);
}
