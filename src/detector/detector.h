/* The table of detectors, and sets of them as --detect names them: each detector is one bit. */
#ifndef DETECTOR_DETECTOR_H
#define DETECTOR_DETECTOR_H

#include <stddef.h>

#include "core/finding.h"

enum detector {
#define DETECTOR(name, word, on, summary) DETECT_##name,
#include "detector/detectors.def"
#undef DETECTOR
    DETECTORS,
    NO_DETECTOR = DETECTORS /* always reported */
};
_Static_assert(DETECTORS <= 32, "a set of detectors is one word");

struct detector_row {
    const char *word, *summary;
    bool on; /* by default */
};
extern const struct detector_row detectors[DETECTORS];

uint32_t detectors_default(void);

/* Changes a set as a list says: words separated by commas, read from the left; `race` turns one on,
 * `-race` turns it off, `all` and `none` do so with all. NULL: done; otherwise the item that is
 * none of these, and its length. */
const char *detectors_change(uint32_t *set, const char *list, size_t *length);

enum detector detector_of(enum finding_kind kind);

static inline bool detects(uint32_t set, enum detector detector)
{
    return set >> detector & 1;
}

#endif
