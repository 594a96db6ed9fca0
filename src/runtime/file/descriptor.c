#define _GNU_SOURCE
#include "runtime/file/descriptor.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "base/out.h"
#include "runtime/engine/fiber.h"
#include "runtime/engine/upper.h"
#include "runtime/memory/api.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/shared_state.h"
#include "runtime/memory/witness.h"

enum { LABEL_MAX = 32, ALL_BYTES = (1 << GRANULE) - 1 };

/* Nothing is kept here: addresses for the race detector, and for names in reports. */
static const uint64_t words[DESCRIPTORS_MAX] __attribute__((aligned(GRANULE))) = {0};

struct descriptors { /* those that this execution has closed, a bit each */
    uint64_t closed[DESCRIPTORS_MAX / 64];
};

static bool is_open(int descriptor)
{
    return file_of(descriptor) != NULL || os_call(SYS_fcntl, descriptor, F_GETFD, 0, 0, 0, 0) >= 0;
}

static void forget_if_opened_again(int descriptor)
{
    uint64_t bit = 1ul << descriptor % 64;
    if (ex.file.descriptors == NULL || !(ex.file.descriptors->closed[descriptor / 64] & bit) ||
        !is_open(descriptor))
        return;
    ex.file.descriptors->closed[descriptor / 64] &= ~bit;
    race_renew(&ex.race, shadow_of(&words[descriptor]), &words[descriptor], GRANULE);
}

static void mark_closed(int descriptor)
{
    if (ex.file.descriptors == NULL)
        ex.file.descriptors = execution_take(sizeof *ex.file.descriptors);
    ex.file.descriptors->closed[descriptor / 64] |= 1ul << descriptor % 64;
}

/* "descriptor 4" */
static void name(int descriptor)
{
    char buffer[LABEL_MAX];
    struct out out = out_to(-1, buffer, sizeof buffer);
    out_text(&out, "descriptor ");
    out_number(&out, (uint64_t)descriptor);
    api_name(&words[descriptor], GRANULE, out_string(&out));
}

static bool is_checked(int descriptor, uintptr_t site)
{
    if (unlikely(rt.memory.fault_memory) && memory_is_hidden(site))
        return false;
    return rt.race_check && !is_ignoring(ex.me) && (unsigned)descriptor < DESCRIPTORS_MAX;
}

void descriptor_uses(int descriptor, uintptr_t site)
{
    if (!is_checked(descriptor, site))
        return;
    const uint64_t *word = &words[descriptor];
    forget_if_opened_again(descriptor);
    if (unlikely(rt.options->detail)) {
        name(descriptor);
        witness_note(word, GRANULE, false, site);
    }
    race_atomic_access(&ex.race, shadow_of(word), word, GRANULE, false, site);
}

void descriptor_closes(int descriptor, uintptr_t site)
{
    shared_files_closed((unsigned)descriptor, (unsigned)descriptor);
    if (!is_checked(descriptor, site))
        return;
    const uint64_t *word = &words[descriptor];
    forget_if_opened_again(descriptor);
    if (unlikely(rt.options->detail)) {
        name(descriptor);
        witness_note(word, GRANULE, true, site);
    }
    race_plain(&ex.race, shadow_of(word), word, ALL_BYTES, GRANULE, true, site);
    mark_closed(descriptor);
}

void descriptors_go(unsigned first, unsigned last)
{
    shared_files_closed(first, last);
}

void descriptor_replaced(int from, int to, uintptr_t site)
{
    if (from != to && (unsigned)to < DESCRIPTORS_MAX && is_open(to))
        descriptor_closes(to, site);
}

RETURNS_AS_USUAL bool descriptor_is_about(const void *address)
{
    return (uintptr_t)address - (uintptr_t)words < sizeof words;
}
