#include "coordinator/symbols/locals.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/text.h"

struct search {
    Dwarf_Addr pc;
    const struct frame_range *range;
    uint64_t address;
    uint64_t base; /* the function's frame base, from which offsets count; 0: unknown */
};

static bool evaluate(const struct search *search, const Dwarf_Op *op, size_t count, uint64_t *out)
{
    if (count != 1)
        return false; /* a variable in parts, in a register, or behind a pointer is not supported */
    switch (op->atom) {
    case DW_OP_fbreg:
        *out = search->base + op->number;
        return search->base != 0;
    case DW_OP_call_frame_cfa:
        *out = search->range->high;
        return true;
    case DW_OP_breg6:
        *out = search->range->base + op->number;
        return true;
    case DW_OP_breg7:
        *out = search->range->low + op->number;
        return true;
    default:
        return false;
    }
}

static bool location(const struct search *search, Dwarf_Die *die, unsigned name, uint64_t *out)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *op;
    size_t count;
    return dwarf_attr(die, name, &attribute) != NULL &&
           dwarf_getlocation_addr(&attribute, search->pc, &op, &count, 1) == 1 &&
           evaluate(search, op, count, out);
}

/* The frame base of a function. clang names a register itself. */
static uint64_t frame_base(const struct search *search, Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *op;
    size_t count;
    uint64_t base = 0;
    if (dwarf_attr(function, DW_AT_frame_base, &attribute) == NULL ||
        dwarf_getlocation_addr(&attribute, search->pc, &op, &count, 1) != 1 || count != 1)
        return 0;
    if (op->atom == DW_OP_reg6)
        return search->range->base;
    if (op->atom == DW_OP_reg7)
        return search->range->low;
    return evaluate(search, op, count, &base) ? base : 0;
}

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(die, DW_AT_type, &attribute) != NULL &&
           dwarf_formref_die(&attribute, type) != NULL && dwarf_peel_type(type, type) == 0;
}

static bool size_of(Dwarf_Die *type, uint64_t *size)
{
    Dwarf_Word bytes;
    if (dwarf_aggregate_size(type, &bytes) != 0)
        return false;
    *size = bytes;
    return true;
}

static bool member_place(Dwarf_Die *member, uint64_t *offset)
{
    Dwarf_Attribute attribute;
    Dwarf_Word word = 0;
    *offset = 0; /* for a member of a union, which has no offset */
    if (dwarf_attr(member, DW_AT_data_member_location, &attribute) == NULL)
        return dwarf_hasattr(member, DW_AT_declaration) == 0;
    if (dwarf_formudata(&attribute, &word) != 0)
        return false;
    *offset = word;
    return true;
}

static const char *part_name(Dwarf_Die *type, const char *name, uint64_t offset);

static const char *element_name(Dwarf_Die *array, const char *name, uint64_t offset)
{
    Dwarf_Die element;
    uint64_t size = 0;
    if (!type_of(array, &element) || !size_of(&element, &size) || size == 0)
        return name;
    return part_name(&element, text_print("%s[%lu]", name, (unsigned long)(offset / size)),
                     offset % size);
}

/* The only member of a std::array, as libstdc++ and libc++ call it. */
static bool is_elements(const char *member)
{
    return strcmp(member, "_M_elems") == 0 || strcmp(member, "__elems_") == 0;
}

/* Members of library types, whose names begin with an underscore, are left out: users do not know
 * them. */
static const char *member_name(Dwarf_Die *structure, const char *name, uint64_t offset)
{
    Dwarf_Die member, type;
    if (dwarf_child(structure, &member) != 0)
        return name;
    do {
        int tag = dwarf_tag(&member);
        uint64_t at, size;
        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || !member_place(&member, &at) ||
            !type_of(&member, &type) || !size_of(&type, &size) || offset < at ||
            offset - at >= size)
            continue;
        const char *own = tag == DW_TAG_member ? dwarf_diename(&member) : NULL;
        if (own == NULL || is_elements(own))
            return part_name(&type, name, offset - at);
        return own[0] == '_' ? name : part_name(&type, text_print("%s.%s", name, own), offset - at);
    } while (dwarf_siblingof(&member, &member) == 0);
    return name;
}

static const char *part_name(Dwarf_Die *type, const char *name, uint64_t offset)
{
    switch (dwarf_tag(type)) {
    case DW_TAG_array_type:
        return element_name(type, name, offset);
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
        return member_name(type, name, offset);
    default:
        return name;
    }
}

const char *variable_part(Dwarf_Die *variable, const char *name, uint64_t offset)
{
    Dwarf_Die type;
    uint64_t size;
    if (!type_of(variable, &type) || !size_of(&type, &size) || offset >= size)
        return NULL;
    return part_name(&type, name, offset);
}

static const char *find_in(const struct search *search, Dwarf_Die *scope)
{
    Dwarf_Die variable, type;
    if (dwarf_child(scope, &variable) != 0)
        return NULL;
    do {
        int tag = dwarf_tag(&variable);
        uint64_t at, size;
        if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) ||
            !location(search, &variable, DW_AT_location, &at) || !type_of(&variable, &type) ||
            !size_of(&type, &size) || search->address < at || search->address - at >= size)
            continue;
        Dwarf_Attribute attribute;
        const char *name =
            dwarf_formstring(dwarf_attr_integrate(&variable, DW_AT_name, &attribute));
        if (name != NULL)
            return part_name(&type, text_copy(name, strlen(name)), search->address - at);
    } while (dwarf_siblingof(&variable, &variable) == 0);
    return NULL;
}

const char *local_name(struct scopes *scopes, Dwarf_Die *unit, Dwarf_Addr pc,
                       const struct frame_range *range, uint64_t address)
{
    Dwarf_Die around[SCOPES_MAX];
    size_t count = scopes_at(scopes, unit, pc, around);
    if (count == 0)
        return NULL;
    struct search search = {.pc = pc, .range = range, .address = address};
    search.base = frame_base(&search, &around[count - 1]);
    const char *name = NULL;
    for (size_t i = 0; i < count && name == NULL; i++)
        name = find_in(&search, &around[i]);
    return name;
}
