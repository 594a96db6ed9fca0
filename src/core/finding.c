#include "core/finding.h"

#include "base/assert.h"

static const struct {
    const char *word;
    enum severity severity;
} rows[FINDING_KINDS] = {
#define FINDING(name, word, severity) [FINDING_##name] = {word, SEVERITY_##severity},
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
