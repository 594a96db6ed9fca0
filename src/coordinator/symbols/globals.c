#include "coordinator/symbols/globals.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/assert.h"
#include "coordinator/symbols/locals.h"

/* gcc writes the address itself, clang an index into a table of addresses. */
static bool address_of(Dwarf_Die *variable, uint64_t *out)
{
    Dwarf_Attribute attribute, listed;
    Dwarf_Op *op;
    size_t count;
    if (dwarf_attr(variable, DW_AT_location, &attribute) == NULL ||
        dwarf_getlocation(&attribute, &op, &count) != 0 || count != 1)
        return false;
    if (op->atom == DW_OP_addrx)
        return dwarf_getlocation_attr(&attribute, op, &listed) == 0 &&
               dwarf_formaddr(&listed, out) == 0;
    *out = op->number;
    return op->atom == DW_OP_addr;
}

static void keep(struct globals *globals, Dwarf_Die *variable, uint64_t address)
{
    if (globals->count == globals->capacity) {
        globals->capacity = 2 * globals->capacity + 64;
        globals->items = reallocarray(globals->items, globals->capacity, sizeof *globals->items);
        CHECK(globals->items != NULL);
    }
    globals->items[globals->count++] = (struct global){address, *variable};
}

/* Reads the variables of a file, and of the namespaces in it. */
static void read_scope(struct globals *globals, Dwarf_Die *scope, Dwarf_Addr bias)
{
    Dwarf_Die die;
    uint64_t address;
    if (dwarf_child(scope, &die) != 0)
        return;
    do {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_namespace)
            read_scope(globals, &die, bias);
        else if (tag == DW_TAG_variable && address_of(&die, &address))
            keep(globals, &die, address + bias);
    } while (dwarf_siblingof(&die, &die) == 0);
}

static void read_module(struct globals *globals, Dwfl_Module *module)
{
    Dwarf_Addr bias;
    globals->module = module;
    globals->count = 0;
    for (Dwarf_Die *unit = dwfl_module_nextcu(module, NULL, &bias); unit != NULL;
         unit = dwfl_module_nextcu(module, unit, &bias))
        read_scope(globals, unit, bias);
}

const char *global_part(struct globals *globals, Dwfl_Module *module, const char *name,
                        uint64_t start, uint64_t offset)
{
    if (globals->module != module)
        read_module(globals, module);
    for (size_t i = 0; i < globals->count; i++)
        if (globals->items[i].address == start)
            return variable_part(&globals->items[i].die, name, offset);
    return NULL;
}
