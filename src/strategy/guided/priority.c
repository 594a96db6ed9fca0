#include "strategy/guided/priority.h"

#include <string.h>

#include "base/assert.h"

static uint32_t level_pb(const struct outlook *outlook)
{
    return outlook->preemptions;
}

static uint32_t level_dpor(const struct outlook *outlook)
{
    return outlook->worth == WORTH_NOTHING;
}

static uint32_t level_mdpor(const struct outlook *outlook)
{
    return outlook->worth != WORTH_REVERSAL;
}

static uint32_t level_near(const struct outlook *outlook)
{
    return outlook->decisions;
}

static uint32_t level_ss(const struct outlook *outlook)
{
    return outlook->asleep;
}

static uint32_t level_method(const struct outlook *outlook)
{
    return 2u - outlook->named[NAMED_FUNCTIONS];
}

static uint32_t level_var(const struct outlook *outlook)
{
    return 2u - outlook->named[NAMED_VARIABLES];
}

static uint32_t level_df(const struct outlook *outlook)
{
    return 0;
}

static uint32_t level_rand(const struct outlook *outlook)
{
    return (uint32_t)(outlook->name >> 32) % RANDOM_LEVELS;
}

static const struct priority {
    const char *name, *summary;
    uint32_t levels;
    enum named_kind names; /* NAMED_KINDS: the priority takes no names */
    uint32_t (*level)(const struct outlook *outlook);
} table[] = {
#define NAMED_NOTHING NAMED_KINDS
#define PRIORITY(name, levels, names, summary)                                                     \
    {#name, summary, levels, NAMED_##names, level_##name},
#include "strategy/guided/priorities.def"
#undef PRIORITY
};

const char *priority_name(enum priority_kind kind)
{
    return table[kind].name;
}

const char *priority_summary(enum priority_kind kind)
{
    return table[kind].summary;
}

static bool find(const char *word, size_t length, uint8_t *kind)
{
    for (uint8_t i = 0; i < PRIORITY_KINDS; i++)
        if (strlen(table[i].name) == length && memcmp(table[i].name, word, length) == 0) {
            *kind = i;
            return true;
        }
    return false;
}

static bool has(const struct hierarchy *hierarchy, uint8_t kind)
{
    for (uint32_t i = 0; i < hierarchy->count; i++)
        if (hierarchy->kinds[i] == kind)
            return true;
    return false;
}

static size_t until(const char *text, const char *ends)
{
    size_t length = 0;
    while (text[length] != 0 && text[length] != ends[0] && text[length] != ends[1])
        length++;
    return length;
}

static bool add_name(struct interest *named, const char *name, size_t length)
{
    size_t used = strlen(named->names);
    if (length == 0 || used + length + 2 > NAMED_TEXT_MAX)
        return false;
    if (used > 0)
        named->names[used++] = ',';
    memcpy(named->names + used, name, length);
    return true;
}

/* Adds the word of a priority, or one more name for the priority before. */
static bool add_word(struct hierarchy *hierarchy, const char *word, size_t length)
{
    uint8_t kind;
    size_t plain = until(word, ",:");
    if (find(word, plain, &kind)) {
        bool takes_names = table[kind].names != NAMED_KINDS;
        if (has(hierarchy, kind) || takes_names != (plain < length))
            return false;
        hierarchy->kinds[hierarchy->count++] = kind;
        return !takes_names ||
               add_name(&hierarchy->named[table[kind].names], word + plain + 1, length - plain - 1);
    }
    enum named_kind names =
        hierarchy->count > 0 ? table[hierarchy->kinds[hierarchy->count - 1]].names : NAMED_KINDS;
    return names != NAMED_KINDS && add_name(&hierarchy->named[names], word, length);
}

const char *hierarchy_parse(struct hierarchy *hierarchy, const char *text, size_t *length)
{
    *hierarchy = (struct hierarchy){0};
    for (const char *at = text;; at += *length + 1) {
        *length = until(at, ",,");
        if (!add_word(hierarchy, at, *length))
            return at;
        if (at[*length] == 0)
            return NULL;
    }
}

uint32_t hierarchy_levels(const struct hierarchy *hierarchy)
{
    uint32_t levels = 1;
    for (uint32_t i = 0; i < hierarchy->count; i++)
        levels *= table[hierarchy->kinds[i]].levels;
    CHECK(levels > 0 && levels <= PRIORITY_LEVELS_MAX);
    return levels;
}

uint32_t hierarchy_level(const struct hierarchy *hierarchy, const struct outlook *outlook)
{
    uint32_t level = 0;
    for (uint32_t i = 0; i < hierarchy->count; i++) {
        const struct priority *priority = &table[hierarchy->kinds[i]];
        uint32_t levels = priority->levels, own = priority->level(outlook);
        level = level * levels + (own < levels ? own : levels - 1);
    }
    return level;
}
