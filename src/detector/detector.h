/* The interface of detectors, their table, and sets of them as --detect names them. Each
 * detector is one bit.
 *
 * A detector sees steps, accesses and the end of an execution, and reports findings. It never
 * chooses what happens next, prints nothing, and keeps nothing from one execution to the next: the
 * schedule alone reproduces a finding. What it knows of the process it asks of the scene, so that
 * it is tested without one. */
#ifndef DETECTOR_DETECTOR_H
#define DETECTOR_DETECTOR_H

#include <stddef.h>

#include "core/finding.h"
#include "core/trace.h"

enum detector_id {
#define DETECTOR(name, row)             DETECT_##name,
#define DIRECT(name, word, on, summary) DETECT_##name,
#include "detector/detectors.def"
#undef DETECTOR
#undef DIRECT
    DETECTORS,
    NO_DETECTOR = DETECTORS /* for findings that are always reported */
};
_Static_assert(DETECTORS <= 32, "a set of detectors is one word");

/* Questions and actions of a detector during an execution. The runtime fills it in. */
struct scene {
    const struct trace *trace; /* the execution so far */
    thread_id thread;          /* the thread that runs */
    /* Reports a finding at two places in the code; 0: there is no other. NULL: the finding is not
     * wanted, or was reported before in this execution. */
    struct finding *(*report)(enum detector_id by, enum finding_kind kind, const char *message,
                              uint64_t site, uint64_t other);
    void *(*take)(size_t size); /* zeroed memory, until the end of the execution */
    uint32_t (*object_at)(const volatile void *address); /* the object's number */
};

struct access { /* a plain access to memory outside of the thread's own stack */
    const volatile void *address;
    size_t size;
    uint64_t site;
    bool writes;
    /* locks that the thread holds, by object number; held_count may be larger than held_known */
    const uint32_t *held;
    uint32_t held_count, held_known;
    thread_id owner; /* the thread that has ended and whose stack this is; NO_THREAD: none */
};

enum sees {              /* the accesses that on_access is called for */
            SEES_SHARED, /* all that may be shared: each access then takes longer */
            SEES_ENDED,  /* those to stacks of threads that have ended */
};

struct detector {
    const char *word;    /* as in --detect */
    const char *summary; /* for bohr list detectors */
    bool on;             /* on unless --detect says otherwise */
    enum sees sees;
    size_t state_size; /* zeroed before each execution */
    /* The thread carries out the last step of the trace. */
    void (*on_step)(void *state, const struct scene *scene);
    void (*on_access)(void *state, const struct scene *scene, const struct access *access);
    /* The program ends by itself: main has returned, or a thread has called exit. */
    void (*at_end)(void *state, const struct scene *scene);
};

extern const struct detector *const detectors[DETECTORS];

uint32_t detectors_default(void);

/* Changes a set by a list of words, separated by commas and read from the left: `race` turns one
 * detector on, `-race` turns it off, `all` and `none` set all of them. Returns NULL, or the first
 * unknown word with its length. */
const char *detectors_change(uint32_t *set, const char *list, size_t *length);

/* The detector that alone reports this kind. A detector may also report a kind of another one. */
enum detector_id detector_of(enum finding_kind kind);

static inline bool detects(uint32_t set, enum detector_id detector)
{
    return set >> detector & 1;
}

#endif
