#include "detector/detector.h"

#include <string.h>

const struct detector_row detectors[DETECTORS] = {
#define DETECTOR(name, word, on, summary) [DETECT_##name] = {word, summary, on},
#include "detector/detectors.def"
#undef DETECTOR
};

static const uint32_t all = (uint32_t)((1ul << DETECTORS) - 1);

uint32_t detectors_default(void)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < DETECTORS; i++)
        set |= (uint32_t)detectors[i].on << i;
    return set;
}

static bool is_word(const char *item, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(item, word, length) == 0;
}

static uint32_t named(const char *item, size_t length)
{
    for (uint32_t i = 0; i < DETECTORS; i++)
        if (is_word(item, length, detectors[i].word))
            return 1u << i;
    return 0;
}

const char *detectors_change(uint32_t *set, const char *list, size_t *length)
{
    for (;;) {
        size_t count = 0;
        while (list[count] != 0 && list[count] != ',')
            count++;
        bool off = list[0] == '-';
        uint32_t bits = named(list + off, count - off);
        *length = count;
        if (is_word(list, count, "all"))
            *set = all;
        else if (is_word(list, count, "none"))
            *set = 0;
        else if (bits == 0)
            return list;
        else
            *set = off ? *set & ~bits : *set | bits;
        if (list[count] == 0)
            return NULL;
        list += count + 1;
    }
}

enum detector detector_of(enum finding_kind kind)
{
    switch (kind) {
    case FINDING_RACE:
        return DETECT_RACE;
    case FINDING_DEADLOCK:
        return DETECT_DEADLOCK;
    case FINDING_ATOMICITY:
        return DETECT_ATOMICITY;
    case FINDING_LOCKSET:
        return DETECT_LOCKSET;
    case FINDING_LOCK_ORDER:
        return DETECT_LOCK_ORDER;
    case FINDING_LIVELOCK:
        return DETECT_LIVELOCK;
    case FINDING_MISUSE:
        return DETECT_MISUSE;
    case FINDING_USE_AFTER_FREE:
    case FINDING_DOUBLE_FREE:
    case FINDING_INVALID_FREE:
    case FINDING_MISMATCHED_FREE:
    case FINDING_OUT_OF_BOUNDS:
        return DETECT_HEAP;
    case FINDING_UNINITIALISED:
        return DETECT_UNINITIALISED;
    case FINDING_LEAK:
        return DETECT_LEAK;
    case FINDING_USE_AFTER_RETURN:
        return DETECT_STACK;
    case FINDING_SIGNAL_UNSAFE:
        return DETECT_SIGNAL_UNSAFE;
    case FINDING_ASSERTION:
    case FINDING_CRASH:
    case FINDING_UNCAUGHT_EXCEPTION:
    case FINDING_HANG:
    case FINDING_EXIT:
    case FINDING_OUTPUT:
    case FINDING_NONDETERMINISM:
    case FINDING_KINDS:
        break;
    }
    return NO_DETECTOR;
}
