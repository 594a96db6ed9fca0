/* Sources, which calls on files wait for: how steps change them, look at them and are ordered by
 * them. */
#include "runtime/engine/object.h"
#include "runtime/engine/scheduler.h"
#include "runtime/file/file.h"
#include "runtime/progress/await.h"

void source_touch(struct source *source)
{
    source->changes++;
    step_touch(object_number(source), OP_ACCESS_WRITE);
}

void source_arrive(struct source *source)
{
    source->arrivals++;
    source_touch(source);
}

void source_leave(struct source *source)
{
    source->departures++;
    source_touch(source);
}

void source_look(const struct source *source)
{
    step_touch(object_number(source), OP_ACCESS_READ);
}

void source_release(struct source *source)
{
    race_release_more(&ex.race, &object_state(object_number(source))->sync);
}

void source_acquire(struct source *source)
{
    race_acquire(&ex.race, &object_state(object_number(source))->sync);
}

void source_await(const struct source *source)
{
    await_also_read(&source->changes, sizeof source->changes, object_number(source));
}
