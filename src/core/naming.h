/* Facts that a worker writes down about its process, so that the coordinator can put names to
 * addresses.
 */
#ifndef CORE_NAMING_H
#define CORE_NAMING_H

#include "core/thread.h"
#include "core/trace.h"

enum {
    MODULES_MAX = 256,
    MODULE_PATH_MAX = 400,
    OBJECTS_MAX = 1 << 16,
    FRAMES_MAX = 24,
    LABELS_MAX = 4096,
    LABEL_TEXT_MAX = 48,
};
_Static_assert(SPURIOUS_OBJECT == OBJECTS_MAX - 1, "the last number is taken");

struct module {          /* what the loader mapped, for names and source lines */
    uint64_t base;       /* load bias */
    uint64_t start, end; /* addresses covered */
    uint64_t watched;    /* the module is the program, or a library of its own */
    char path[MODULE_PATH_MAX];
};

enum object_place { OBJECT_UNKNOWN, OBJECT_STATIC, OBJECT_HEAP, OBJECT_STACK, OBJECT_THREAD };

struct object { /* what an object number means; filled in as objects are first used */
    uint64_t address;
    uint8_t place; /* enum object_place; set at the end of a detailed execution */
    /* overlaps: other objects overlap this one; freed: a step freed the block that begins here */
    uint8_t overlaps : 1, freed : 1;
    uint8_t bytes : 6; /* of the largest access that was a step; 63: at least 63 */
    /* HEAP: the thread that allocated it; STACK: the stack's thread; THREAD: the thread itself */
    thread_id thread;
    uint32_t number;      /* HEAP: the allocation's number among those of its thread, from 1 */
    uint64_t start, size; /* HEAP: the block */
    uint64_t site;        /* HEAP: where it was allocated */
};

struct label { /* a name that the program gave to an object of its own */
    uint64_t start, size;
    char text[LABEL_TEXT_MAX];
};

struct frames {
    uint32_t count;
    uint32_t reserved;
    uint64_t pc[FRAMES_MAX]; /* innermost first: return addresses, but [0] of a crash is its pc */
    struct frame_range {
        uint64_t low,
            /* low: the stack pointer in the frame; high: the frame's canonical address; 0:
             * unknown */
            high;
        uint64_t base; /* the register that often points into the frame (rbp) */
    } range[FRAMES_MAX];
};

/* The value of the object of a memory access before and after the step, as a number. */
enum value_known { VALUE_BEFORE = 1, VALUE_AFTER = 2 };
struct step_value {
    uint64_t before, after; /* around the step and all of the thread's code up to its next step */
    uint8_t size;           /* bytes, up to 8; 0: the step accesses no memory */
    uint8_t known;          /* enum value_known */
};

#endif
