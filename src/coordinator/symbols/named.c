#include "coordinator/symbols/named.h"

#include <errno.h>
#include <fcntl.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#include "coordinator/symbols/elf_symbols.h"
#include "coordinator/symbols/near.h"
#include "coordinator/symbols/symbols.h"
#include "coordinator/symbols/trust.h"
#include "coordinator/text.h"

static const struct {
    const char *option, *what;
    int type; /* type of the ELF symbol */
} kinds[NAMED_KINDS] = {
    [NAMED_FUNCTIONS] = {"method", "function", STT_FUNC},
    [NAMED_VARIABLES] = {"var", "global variable", STT_OBJECT},
};

/* Adds a symbol by the name that people write, without its parameters. */
static void symbol_add(struct near *near, const char *symbol, const char *name, size_t length)
{
    const char *text = strncmp(symbol, "_Z", 2) == 0 ? symbols_type(symbol) : symbol;
    near_add(near, text, strcspn(text, "("), name, length);
}

static bool add_range(struct interest *named, const GElf_Sym *symbol)
{
    for (uint32_t i = 0; i < named->range_count; i++)
        if (named->ranges[i].start == symbol->st_value)
            return true;
    if (named->range_count == NAMED_RANGES_MAX)
        return false;
    named->ranges[named->range_count].start = symbol->st_value;
    named->ranges[named->range_count++].end = symbol->st_value + symbol->st_size;
    return true;
}

static bool say_missing(enum named_kind kind, const char *name, size_t length,
                        const struct near *near, struct problem *why)
{
    return problem_is(why,
                      text_print("--priority %s:%.*s: the program has no such %s%s%s",
                                 kinds[kind].option, (int)length, name, kinds[kind].what,
                                 kind == NAMED_FUNCTIONS ? " (it may have been inlined)" : "",
                                 near_text(near)),
                      NULL, 0);
}

static bool find_one(struct interest *named, enum named_kind kind, Elf *elf, const char *name,
                     size_t length, struct problem *why)
{
    struct elf_symbols symbols = {0};
    struct near near = {0};
    bool found = false;
    while (elf_symbols_next(&symbols, elf)) {
        if (GELF_ST_TYPE(symbols.symbol.st_info) != kinds[kind].type)
            continue;
        if (!trust_names(symbols.name, name, length)) {
            symbol_add(&near, symbols.name, name, length);
            continue;
        }
        found = true;
        if (!add_range(named, &symbols.symbol))
            return problem_is(why,
                              text_print("--priority %s: more than %d are named",
                                         kinds[kind].option, NAMED_RANGES_MAX),
                              NULL, 0);
    }
    return found || say_missing(kind, name, length, &near, why);
}

static bool find_all(struct hierarchy *hierarchy, Elf *elf, struct problem *why)
{
    for (int kind = 0; kind < NAMED_KINDS; kind++) {
        struct interest *named = &hierarchy->named[kind];
        named->range_count = 0;
        for (const char *name = named->names; *name != 0;) {
            size_t length = strcspn(name, ",");
            if (!find_one(named, (enum named_kind)kind, elf, name, length, why))
                return false;
            name += length + (name[length] == ',');
        }
    }
    return true;
}

bool named_find(struct hierarchy *hierarchy, const char *program, struct problem *why)
{
    if (hierarchy->named[NAMED_FUNCTIONS].names[0] == 0 &&
        hierarchy->named[NAMED_VARIABLES].names[0] == 0)
        return true;
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return problem_is(why, "cannot read the program", program, errno);
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    bool good = find_all(hierarchy, elf, why);
    elf_end(elf);
    close(fd);
    return good;
}
