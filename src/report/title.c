#include "report/title.h"

#include <stdio.h>
#include <string.h>

const char *finding_title(enum finding_kind kind)
{
    switch (kind) {
    case FINDING_ASSERTION:
        return "a failed assertion";
    case FINDING_DEADLOCK:
        return "a deadlock";
    case FINDING_LIVELOCK:
        return "a livelock";
    case FINDING_CRASH:
        return "a crash";
    case FINDING_UNCAUGHT_EXCEPTION:
        return "an uncaught exception";
    case FINDING_HANG:
        return "a hang";
    case FINDING_RACE:
        return "a data race";
    case FINDING_MISUSE:
        return "a misuse";
    case FINDING_USE_AFTER_FREE:
        return "a use-after-free";
    case FINDING_DOUBLE_FREE:
        return "a double-free";
    case FINDING_INVALID_FREE:
        return "an invalid-free";
    case FINDING_MISMATCHED_FREE:
        return "a mismatched-free";
    case FINDING_OUT_OF_BOUNDS:
        return "an out-of-bounds access";
    case FINDING_UNINITIALISED:
        return "an uninitialised read";
    case FINDING_LEAK:
        return "a leak";
    case FINDING_USE_AFTER_RETURN:
        return "a use-after-return";
    case FINDING_LOCK_ORDER:
        return "a lock order that can end in a deadlock";
    case FINDING_LOCKSET:
        return "a broken lockset discipline";
    case FINDING_ATOMICITY:
        return "a broken atomicity";
    case FINDING_EXIT:
        return "a wrong exit status";
    case FINDING_OUTPUT:
        return "wrong output";
    case FINDING_NONDETERMINISM:
        return "nondeterminism";
    case FINDING_SIGNAL_UNSAFE:
        return "an unsafe call in a signal handler";
    case FINDING_KINDS:
        break;
    }
    return "a finding";
}

const char *reported_title(const struct reported *reported)
{
    return finding_is_unended(&reported->finding) ? "perhaps a livelock"
                                                  : finding_title(reported->finding.kind);
}

void finding_headline(const struct reported *reported, char *out, size_t size)
{
    const struct finding *finding = &reported->finding;
    const char *title = reported_title(reported);
    bool more = finding->message[0] != 0 && strstr(title, finding->message) == NULL;
    if (finding->kind == FINDING_RACE && reported->object != NULL)
        snprintf(out, size, "%s on %s: one %s it, one %s it", title, reported->object,
                 verb_word(reported_verb(reported, 1)), verb_word(reported_verb(reported, 0)));
    else
        snprintf(out, size, "%s%s%s", title, more ? ": " : "", more ? finding->message : "");
    for (char *at = out; *at != 0; at++)
        if (*at == '\n' || *at == '\r')
            *at = ' ';
}
