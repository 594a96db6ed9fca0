#include "core/verdict.h"

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
    }
    UNREACHABLE();
}

int answer_exit_status(enum answer answer)
{
    switch (answer) {
    case ANSWER_CLEAN:
        return 0;
    case ANSWER_BUG:
        return 1;
    case ANSWER_REFUSED:
        return 3;
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

enum verb reported_verb(const struct reported *reported, uint32_t place)
{
    const struct place *at = &reported->finding.places[place];
    enum op_kind kind = kind_at(reported, at);
    if (at->writes && kind == OP_FREE)
        return VERB_FREES;
    if (at->atomic && kind >= OP_MUTEX_LOCK && kind <= OP_ONCE_DONE)
        return VERB_USES;
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
    }
    UNREACHABLE();
}
