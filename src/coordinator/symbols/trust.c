#include "coordinator/symbols/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#include "coordinator/symbols/elf_symbols.h"
#include "coordinator/symbols/symbols.h"
#include "coordinator/text.h"

bool trust_add(struct trust *trust, const char *names, struct problem *why)
{
    size_t used = strlen(trust->names), length = strlen(names);
    if (length == 0 || names[0] == ',' || names[length - 1] == ',' || strstr(names, ",,") != NULL)
        return problem_is(
            why, text_print("--trust takes names of functions or libraries, not '%s'", names), NULL,
            0);
    if (used + 1 + length >= TRUST_NAMES_MAX)
        return problem_is(why, "the names for --trust are too long: trust a library", NULL, 0);
    if (used > 0)
        trust->names[used++] = ',';
    strcpy(trust->names + used, names);
    return true;
}

/* Whether a name begins here: after the return type, and not among the parameters. */
static bool begins_a_name(const char *text, const char *at)
{
    int depth = 0;
    for (const char *before = text; before < at; before++)
        depth += (*before == '(') - (*before == ')');
    return depth == 0 && (at == text || at[-1] == ' ');
}

bool trust_names(const char *symbol, const char *name, size_t length)
{
    const char *text = strncmp(symbol, "_Z", 2) == 0 ? symbols_type(symbol) : symbol;
    for (const char *at = text; *at != 0; at++)
        if (strncmp(at, name, length) == 0 && strchr("(<[. ", at[length]) != NULL &&
            begins_a_name(text, at))
            return true;
    return false;
}

static bool add_range(struct trust *trust, const GElf_Sym *symbol)
{
    for (uint32_t i = 0; i < trust->range_count; i++)
        if (trust->ranges[i].start == symbol->st_value)
            return true;
    if (trust->range_count == TRUST_RANGES_MAX)
        return false;
    trust->ranges[trust->range_count].start = symbol->st_value;
    trust->ranges[trust->range_count++].end = symbol->st_value + symbol->st_size;
    return true;
}

static bool find_function(struct trust *trust, Elf *elf, const char *name, size_t length,
                          bool *found, struct problem *why)
{
    struct elf_symbols symbols = {0};
    while (elf_symbols_next(&symbols, elf)) {
        if (GELF_ST_TYPE(symbols.symbol.st_info) != STT_FUNC ||
            !trust_names(symbols.name, name, length))
            continue;
        *found = true;
        if (!add_range(trust, &symbols.symbol))
            return problem_is(why, "more than 64 functions are named by --trust", NULL, 0);
    }
    return true;
}

static bool find_all(struct trust *trust, Elf *elf, struct problem *why)
{
    trust->range_count = 0;
    trust->libraries[0] = 0;
    for (const char *name = trust->names; *name != 0;) {
        size_t length = strcspn(name, ",");
        bool found = false;
        if (!find_function(trust, elf, name, length, &found, why))
            return false;
        if (!found) {
            size_t used = strlen(trust->libraries);
            memcpy(trust->libraries + used, name, length);
            memcpy(trust->libraries + used + length, ",", 2);
        }
        name += length + (name[length] == ',');
    }
    return true;
}

bool trust_find(struct trust *trust, const char *program, struct problem *why)
{
    if (trust->names[0] == 0)
        return true;
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return problem_is(why, "cannot read the program", program, errno);
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    bool good = find_all(trust, elf, why);
    elf_end(elf);
    close(fd);
    return good;
}
