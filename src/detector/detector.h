/* The table of detectors, and sets of detectors as --detect names them. Each detector is one
 * bit. */
#ifndef DETECTOR_DETECTOR_H
#define DETECTOR_DETECTOR_H

#include <stddef.h>

#include "core/finding.h"

enum detector {
#define DETECTOR(name, word, on, summary) DETECT_##name,
#include "detector/detectors.def"
#undef DETECTOR
    DETECTORS,
    NO_DETECTOR = DETECTORS /* for findings that are always reported */
};
_Static_assert(DETECTORS <= 32, "a set of detectors is one word");

struct detector_row {
    const char *word, *summary;
    bool on; /* on unless --detect says otherwise */
};
extern const struct detector_row detectors[DETECTORS];

uint32_t detectors_default(void);

/* Changes a set by a list of words, separated by commas and read from the left: `race` turns one
 * detector on, `-race` turns it off, `all` and `none` set all of them. Returns NULL, or the first
 * unknown word with its length. */
const char *detectors_change(uint32_t *set, const char *list, size_t *length);

enum detector detector_of(enum finding_kind kind);

static inline bool detects(uint32_t set, enum detector detector)
{
    return set >> detector & 1;
}

#endif
