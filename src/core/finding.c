#include "core/finding.h"

#include "base/assert.h"

static const struct {
    const char *word;
    enum severity severity;
} rows[FINDING_KINDS] = {
#define FINDING(name, word, severity, detector) [FINDING_##name] = {word, SEVERITY_##severity},
#include "core/finding.def"
#undef FINDING
};

const char *finding_word(enum finding_kind kind)
{
    CHECK(kind < FINDING_KINDS);
    return rows[kind].word;
}

enum severity finding_severity(enum finding_kind kind)
{
    CHECK(kind < FINDING_KINDS);
    return rows[kind].severity;
}

bool finding_has_pair(const struct finding *finding, uint64_t key)
{
    for (uint32_t i = 0; i < finding->pair_count && i < FINDING_PAIRS_MAX; i++)
        if (finding->pairs[i].key == key)
            return true;
    return false;
}

void finding_add_pair(struct finding *finding, const struct race_pair *pair)
{
    if (finding_has_pair(finding, pair->key))
        return;
    if (finding->pair_count < FINDING_PAIRS_MAX)
        finding->pairs[finding->pair_count] = *pair;
    finding->pair_count++;
}

bool finding_is_error(const struct finding *finding)
{
    return finding->severity == SEVERITY_ERROR && finding->kind != FINDING_RACE;
}

bool finding_is_untidy(const struct finding *finding)
{
    return finding->severity == SEVERITY_WARNING && finding->kind == FINDING_MISUSE;
}

bool finding_is_unended(const struct finding *finding)
{
    return finding->severity == SEVERITY_WARNING && finding->kind == FINDING_LIVELOCK;
}
