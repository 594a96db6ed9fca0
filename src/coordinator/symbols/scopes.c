#include "coordinator/symbols/scopes.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/assert.h"

static void keep_range(struct unit_functions *unit, Dwarf_Die *function, Dwarf_Addr start,
                       Dwarf_Addr end)
{
    if (unit->count == unit->capacity) {
        unit->capacity = 2 * unit->capacity + 64;
        unit->ranges = reallocarray(unit->ranges, unit->capacity, sizeof *unit->ranges);
        CHECK(unit->ranges != NULL);
    }
    unit->ranges[unit->count++] = (struct function_range){start, end, *function};
}

static void keep_function(struct unit_functions *unit, Dwarf_Die *function)
{
    Dwarf_Addr base, start, end;
    for (ptrdiff_t next = dwarf_ranges(function, 0, &base, &start, &end); next > 0;
         next = dwarf_ranges(function, next, &base, &start, &end))
        keep_range(unit, function, start, end);
}

static bool holds_functions(int tag)
{
    return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_class_type ||
           tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

/* A function defined inside another one is not listed: for it scopes_at asks libdw. */
static void read_functions(struct unit_functions *unit, Dwarf_Die *scope)
{
    Dwarf_Die die;
    if (dwarf_child(scope, &die) != 0)
        return;
    do {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_subprogram)
            keep_function(unit, &die);
        else if (holds_functions(tag))
            read_functions(unit, &die);
    } while (dwarf_siblingof(&die, &die) == 0);
}

static int by_start(const void *a, const void *b)
{
    Dwarf_Addr left = ((const struct function_range *)a)->start,
               right = ((const struct function_range *)b)->start;
    return (left > right) - (left < right);
}

static const struct unit_functions *functions_of(struct scopes *scopes, Dwarf_Die *unit)
{
    Dwarf *file = dwarf_cu_getdwarf(unit->cu);
    Dwarf_Off place = dwarf_dieoffset(unit);
    for (size_t i = 0; i < scopes->count; i++)
        if (scopes->units[i].file == file && scopes->units[i].unit == place)
            return &scopes->units[i];
    scopes->units = reallocarray(scopes->units, scopes->count + 1, sizeof *scopes->units);
    CHECK(scopes->units != NULL);
    struct unit_functions *functions = &scopes->units[scopes->count++];
    *functions = (struct unit_functions){.file = file, .unit = place};
    read_functions(functions, unit);
    if (functions->count > 0)
        qsort(functions->ranges, functions->count, sizeof *functions->ranges, by_start);
    return functions;
}

static const struct function_range *function_at(const struct unit_functions *functions,
                                                Dwarf_Addr pc)
{
    size_t low = 0, high = functions->count; /* finds the last range that starts at or below pc */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (functions->ranges[middle].start <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low > 0 && pc < functions->ranges[low - 1].end;
    return found ? &functions->ranges[low - 1] : NULL;
}

static bool is_inner_scope(int tag)
{
    return tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
           tag == DW_TAG_try_block || tag == DW_TAG_catch_block || tag == DW_TAG_with_stmt;
}

static bool find_child(Dwarf_Die *scope, Dwarf_Addr pc, Dwarf_Die *child)
{
    if (dwarf_child(scope, child) != 0)
        return false;
    do {
        if (is_inner_scope(dwarf_tag(child)) && dwarf_haspc(child, pc) == 1)
            return true;
    } while (dwarf_siblingof(child, child) == 0);
    return false;
}

static void reverse(Dwarf_Die *dies, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        Dwarf_Die other = dies[i];
        dies[i] = dies[count - 1 - i];
        dies[count - 1 - i] = other;
    }
}

/* The scopes as libdw finds them, up to and including the function. */
static size_t scopes_by_libdw(Dwarf_Die *unit, Dwarf_Addr pc, Dwarf_Die out[SCOPES_MAX])
{
    Dwarf_Die *inner = NULL, *scopes = NULL;
    size_t count = 0;
    bool found = false;
    int all = dwarf_getscopes(unit, pc, &inner) > 0 ? dwarf_getscopes_die(&inner[0], &scopes) : 0;
    for (int i = 0; i < all && count < SCOPES_MAX && !found; i++) {
        out[count++] = scopes[i];
        found = dwarf_tag(&scopes[i]) == DW_TAG_subprogram;
    }
    free(scopes);
    free(inner);
    return found ? count : 0;
}

size_t scopes_at(struct scopes *scopes, Dwarf_Die *unit, Dwarf_Addr pc, Dwarf_Die out[SCOPES_MAX])
{
    const struct function_range *function = function_at(functions_of(scopes, unit), pc);
    if (function == NULL)
        return scopes_by_libdw(unit, pc, out);
    size_t count = 0;
    out[count++] = function->die;
    while (count < SCOPES_MAX && find_child(&out[count - 1], pc, &out[count]))
        count++;
    reverse(out, count);
    return count;
}
