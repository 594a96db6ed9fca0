#include "core/verdict.h"

#include <string.h>

#include "base/assert.h"

const char *answer_word(enum answer answer)
{
    switch (answer) {
    case ANSWER_CLEAN:
        return "clean";
    case ANSWER_BUG:
        return "bug";
    case ANSWER_REFUSED:
        return "refused";
    case ANSWER_INCOMPLETE:
        return "incomplete";
    }
    UNREACHABLE();
}

const char *verdict_failure(const struct verdict *verdict)
{
    return verdict->refusal != NULL ? verdict->refusal : verdict->shortfall;
}

enum answer verdict_answer(const struct verdict *verdict)
{
    for (uint32_t i = 0; i < verdict->finding_count; i++) {
        const struct reported *reported = &verdict->findings[i];
        if (reported->finding.severity == SEVERITY_ERROR && !reported->known)
            return ANSWER_BUG;
    }
    if (verdict->refusal != NULL)
        return ANSWER_REFUSED;
    return verdict->shortfall != NULL ? ANSWER_INCOMPLETE : ANSWER_CLEAN;
}

int verdict_exit_status(const struct verdict *verdict)
{
    enum { INTERRUPTED = 130 };
    if (verdict->interrupted)
        return INTERRUPTED;
    if (verdict->tally != NULL && verdict->tally->findings_dropped > 0)
        return 2;
    switch (verdict->answer) {
    case ANSWER_CLEAN:
        return 0;
    case ANSWER_BUG:
        return 1;
    case ANSWER_REFUSED:
        return 3;
    case ANSWER_INCOMPLETE:
        return 2;
    }
    UNREACHABLE();
}

bool finding_comes_before(const struct finding *a, const struct finding *b)
{
    if (a->severity != b->severity)
        return a->severity > b->severity;
    if (finding_is_untidy(a) != finding_is_untidy(b))
        return finding_is_untidy(b);
    if ((a->kind == FINDING_RACE) != (b->kind == FINDING_RACE))
        return b->kind == FINDING_RACE;
    return a->execution < b->execution;
}

const char *points_word(enum points points)
{
    switch (points) {
    case POINTS_SYNC:
        return "sync";
    case POINTS_RACE:
        return "race";
    case POINTS_ALL:
        return "all";
    }
    UNREACHABLE();
}

const char *isolate_word(enum isolate isolate)
{
    switch (isolate) {
    case ISOLATE_AUTO:
        return "auto";
    case ISOLATE_RESET:
        return "reset";
    case ISOLATE_FORK:
        return "fork";
    case ISOLATE_EXEC:
        return "exec";
    }
    UNREACHABLE();
}

const char *carrier_word(enum carrier carrier)
{
    switch (carrier) {
    case CARRIER_FIBERS:
        return "fibers";
    case CARRIER_KERNEL:
        return "kernel";
    }
    UNREACHABLE();
}

const char *tracking_word(enum tracking tracking)
{
    switch (tracking) {
    case TRACKING_AUTO:
        return "auto";
    case TRACKING_USERFAULT:
        return "userfault";
    case TRACKING_PROTECT:
        return "protect";
    }
    UNREACHABLE();
}

static enum op_kind kind_at(const struct reported *reported, const struct place *place)
{
    for (uint32_t i = 0; i < reported->step_count; i++)
        if (reported->steps[i].number == place->step && reported->steps[i].thread == place->thread)
            return reported->steps[i].kind;
    return OP_NONE;
}

uint32_t reported_spurious(const struct reported *reported)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < reported->step_count; i++)
        count += story_step_wakes_spuriously(&reported->steps[i]);
    return count;
}

/* The runtime gives descriptors such names (runtime/file/descriptor.c). */
static bool is_about_descriptor(const struct reported *reported)
{
    static const char word[] = "descriptor ";
    if (reported->object == NULL || strncmp(reported->object, word, sizeof word - 1) != 0)
        return false;
    const char *number = reported->object + sizeof word - 1;
    return *number != 0 && number[strspn(number, "0123456789")] == 0;
}

/* A thread that is about to wait for an object that was freed has not come to that step, so that
 * there may be no step at its place. */
static bool is_use_of_object(const struct reported *reported, uint32_t place, enum op_kind kind)
{
    bool is_access = op_traits(kind)->memory != OP_MEMORY_NONE;
    if (reported->finding.kind == FINDING_USE_AFTER_FREE && place == 0)
        return !is_access;
    return kind != OP_NONE && !is_access;
}

enum verb reported_verb(const struct reported *reported, uint32_t place)
{
    const struct place *at = &reported->finding.places[place];
    enum op_kind kind = kind_at(reported, at);
    if (at->writes && kind == OP_FREE)
        return VERB_FREES;
    if (at->atomic && is_use_of_object(reported, place, kind))
        return VERB_USES;
    if (is_about_descriptor(reported))
        return at->writes ? VERB_CLOSES : VERB_USES;
    return at->writes ? VERB_WRITES : VERB_READS;
}

const char *verb_word(enum verb verb)
{
    switch (verb) {
    case VERB_READS:
        return "reads";
    case VERB_WRITES:
        return "writes";
    case VERB_FREES:
        return "frees";
    case VERB_USES:
        return "uses";
    case VERB_CLOSES:
        return "closes";
    }
    UNREACHABLE();
}
