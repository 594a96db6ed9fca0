#include "coordinator/named.h"

#include <errno.h>
#include <fcntl.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#include "coordinator/elf_symbols.h"
#include "coordinator/symbols.h"
#include "coordinator/text.h"
#include "coordinator/trust.h"

enum { NEAR_MAX = 3, LETTERS_MAX = 64 };

static const struct {
    const char *option, *what;
    int type; /* of a symbol */
} kinds[NAMED_KINDS] = {
    [NAMED_FUNCTIONS] = {"method", "function", STT_FUNC},
    [NAMED_VARIABLES] = {"var", "global variable", STT_OBJECT},
};

struct near { /* the names that are most like one that there is not */
    uint32_t count, distances[NEAR_MAX];
    const char *names[NEAR_MAX];
};

/* Letters to change, add or leave out. */
static uint32_t distance(const char *one, size_t one_length, const char *other, size_t other_length)
{
    uint32_t row[LETTERS_MAX + 1];
    if (one_length > LETTERS_MAX || other_length > LETTERS_MAX)
        return UINT32_MAX;
    for (uint32_t k = 0; k <= other_length; k++)
        row[k] = k;
    for (uint32_t i = 1; i <= one_length; i++) {
        uint32_t before = row[0];
        row[0] = i;
        for (uint32_t k = 1; k <= other_length; k++) {
            uint32_t best = before + (one[i - 1] != other[k - 1]);
            best = row[k] + 1 < best ? row[k] + 1 : best;
            best = row[k - 1] + 1 < best ? row[k - 1] + 1 : best;
            before = row[k];
            row[k] = best;
        }
    }
    return row[other_length];
}

static void near_add(struct near *near, const char *symbol, const char *name, size_t length)
{
    const char *text = strncmp(symbol, "_Z", 2) == 0 ? symbols_type(symbol) : symbol;
    size_t plain = strcspn(text, "(");
    uint32_t far = distance(text, plain, name, length);
    if (far > length / 3 + 1)
        return;
    for (uint32_t i = 0; i < near->count; i++)
        if (strlen(near->names[i]) == plain && memcmp(near->names[i], text, plain) == 0)
            return;
    uint32_t at = near->count < NEAR_MAX ? near->count++ : NEAR_MAX;
    for (; at > 0 && near->distances[at - 1] > far; at--)
        if (at < NEAR_MAX) {
            near->distances[at] = near->distances[at - 1];
            near->names[at] = near->names[at - 1];
        }
    if (at < NEAR_MAX) {
        near->distances[at] = far;
        near->names[at] = text_copy(text, plain);
    }
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
    const char *like = "";
    for (uint32_t i = 0; i < near->count; i++)
        like = text_print("%s%s%s", like, i == 0 ? "; there is " : ", ", near->names[i]);
    return problem_is(why,
                      text_print("--priority %s:%.*s: the program has no such %s%s%s", kinds[kind].option,
                                 (int)length, name, kinds[kind].what,
                                 kind == NAMED_FUNCTIONS ? " (it may have been inlined)" : "", like),
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
            near_add(&near, symbols.name, name, length);
            continue;
        }
        found = true;
        if (!add_range(named, &symbols.symbol))
            return problem_is(why,
                              text_print("--priority %s: more than %d are named", kinds[kind].option,
                                         NAMED_RANGES_MAX),
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
