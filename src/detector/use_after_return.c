/* Use of what a thread that has ended kept on its stack or in its thread-local variables. The
 * execution ends there: the memory belongs to nobody any more. */
#include "detector/detector.h"

static void look(void *state, const struct scene *scene, const struct access *access)
{
    struct finding *finding =
        scene->report(DETECT_STACK, FINDING_USE_AFTER_RETURN,
                      "the stack of a thread that has ended is used", access->site, 0);
    if (finding == NULL)
        return;
    finding->address = (uint64_t)access->address;
    finding->object = scene->object_at(access->address);
    finding->places[0].size = (uint16_t)(access->size < UINT16_MAX ? access->size : UINT16_MAX);
    finding->places[0].writes = access->writes;
    finding->places[1].thread = access->owner;
}

const struct detector detector_use_after_return = {
    .word = "stack",
    .summary = "use of the stack of a thread that has ended",
    .on = true,
    .sees = SEES_ENDED,
    .on_access = look,
};
