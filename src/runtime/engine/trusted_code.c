#include "runtime/engine/trusted_code.h"

#include "base/out.h"
#include "runtime/engine/guard.h"
#include "runtime/engine/history.h"
#include "runtime/engine/refuse.h"

static void add(uint64_t start, uint64_t end)
{
    if (rt.code.trusted_count == TRUSTED_MAX)
        give_up("--trust names more than 128 functions and libraries");
    rt.code.trusted[rt.code.trusted_count].start = start;
    rt.code.trusted[rt.code.trusted_count++].end = end;
}

static bool begins_with(const char *text, const char *name, size_t length)
{
    size_t i = 0;
    while (i < length && text[i] == name[i])
        i++;
    return i == length;
}

/* The file's name, without its folder, begins like this. */
static bool is_library(const struct module *module, const char *name, size_t length)
{
    const char *file = module->path;
    for (const char *at = file; *at != 0; at++)
        if (*at == '/')
            file = at + 1;
    return begins_with(file, name, length);
}

static bool may_come_later(const char *name, size_t length)
{
    for (size_t i = 0; i + 3 <= length; i++)
        if (begins_with(name + i, ".so", 3))
            return true;
    return false;
}

static _Noreturn void give_up_on(const char *name, size_t length)
{
    char text[REASON_MAX], wanted[TRUST_NAMES_MAX];
    size_t i = 0;
    for (; i < length; i++)
        wanted[i] = name[i];
    wanted[i] = 0;
    struct out out = out_to(-1, text, sizeof text);
    out_text(&out, "--trust ");
    out_text(&out, wanted);
    out_text(&out,
             ": the program has no such function (it may have been inlined) and loads no such "
             "library");
    give_up(out_string(&out));
}

static void find_libraries(const char *names)
{
    for (const char *name = names; *name != 0;) {
        size_t length = 0;
        while (name[length] != ',')
            length++;
        bool found = false;
        for (uint32_t i = 1; i < the_board->module_count; i++) /* the first is the program */
            if (is_library(&the_board->modules[i], name, length)) {
                add(the_board->modules[i].start, the_board->modules[i].end);
                found = true;
            }
        if (!found && !may_come_later(name, length))
            give_up_on(name, length);
        name += length + 1;
    }
}

void trust_open(void)
{
    const struct trust *trust = &the_board->options.trust;
    if (trust->names[0] == 0)
        return;
    rt.code.trusted_count = 0;
    uint64_t base = the_board->modules[0].base;
    for (uint32_t i = 0; i < trust->range_count && i < TRUST_RANGES_MAX; i++)
        add(base + trust->ranges[i].start, base + trust->ranges[i].end);
    find_libraries(trust->libraries);
}

/* A return address may lie just behind its function. */
static bool is_trusted(uintptr_t site)
{
    for (uint32_t i = 0; i < rt.code.trusted_count; i++)
        if (site - rt.code.trusted[i].start - 1 < rt.code.trusted[i].end - rt.code.trusted[i].start)
            return true;
    return false;
}

void trust_announced(uintptr_t site)
{
    struct thread *me = ex.me;
    me->atomic_depth &= ~(uint32_t)TRUSTED;
    if (me->trusted_stack == 0 && !is_trusted(site))
        return;
    me->atomic_depth |= TRUSTED;
    if (rt.trace.count > 0 && rt.trace.steps[rt.trace.count - 1].thread == ex.current)
        step_depends_on_all(); /* whether it goes on at once depends on what all others do */
    ex.careful |= CAREFUL_BY_PROGRAM;
    guard_note(&the_board->options.marks, MARK_TRUST);
}

void trust_enter(uintptr_t site, uintptr_t stack)
{
    if (ex.me->trusted_stack == 0 && is_trusted(site))
        ex.me->trusted_stack = stack;
}

void trust_leave(uintptr_t stack)
{
    if (ex.me->trusted_stack != 0 && stack >= ex.me->trusted_stack)
        ex.me->trusted_stack = 0;
}
