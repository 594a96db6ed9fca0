#include "detector/detector.h"

#include <string.h>

#define DETECTOR(name, row) extern const struct detector row;
#define DIRECT(name, word, on, summary)
#include "detector/detectors.def"
#undef DETECTOR
#undef DIRECT

const struct detector *const detectors[DETECTORS] = {
#define DETECTOR(name, row) [DETECT_##name] = &row,
#define DIRECT(name, word_, on_, summary_)                                                         \
    [DETECT_##name] = &(const struct detector){.word = word_, .summary = summary_, .on = on_},
#include "detector/detectors.def"
#undef DETECTOR
#undef DIRECT
};

static const uint32_t all = (uint32_t)((1ul << DETECTORS) - 1);

uint32_t detectors_default(void)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < DETECTORS; i++)
        set |= (uint32_t)detectors[i]->on << i;
    return set;
}

static bool is_word(const char *item, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(item, word, length) == 0;
}

static uint32_t named(const char *item, size_t length)
{
    for (uint32_t i = 0; i < DETECTORS; i++)
        if (is_word(item, length, detectors[i]->word))
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

enum detector_id detector_of(enum finding_kind kind)
{
    static const uint8_t by_kind[FINDING_KINDS] = {
#define DETECT_NONE                             NO_DETECTOR
#define FINDING(name, word, severity, detector) [FINDING_##name] = DETECT_##detector,
#include "core/finding.def"
#undef FINDING
#undef DETECT_NONE
    };
    return by_kind[kind];
}
