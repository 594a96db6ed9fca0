#include "strategy/reduction/pace.h"

#include "base/assert.h"

/* Points, and looks, each time the number of executions doubles. */
enum { POINTS_EACH = 4, LOOKS_EACH = 16 };

static bool falls_due(uint64_t executions, uint64_t times)
{
    uint64_t highest = 1ul << (63 - __builtin_clzl(executions | 1));
    return highest < times || (executions & (highest / times - 1)) == 0;
}

bool pace_is_due(uint64_t executions)
{
    return falls_due(executions, LOOKS_EACH);
}

void pace_note(struct pace *pace, struct pace_point *points, uint64_t executions, uint64_t share)
{
    if (falls_due(executions, POINTS_EACH) && pace->count < PACE_POINTS_MAX)
        points[pace->count++] = (struct pace_point){executions - 1, share};
}

/* `some` as a part of `all`, which is no smaller, in units of 2^-32. The tested process has no
 * division of more than 64 bits. */
static uint64_t part_of(uint64_t some, uint64_t all)
{
    int shift = 32 - __builtin_clzl(all);
    if (shift > 0)
        some >>= shift, all >>= shift;
    return (some << 32) / all;
}

/* Between two points the share grows evenly. It shrinks when more branches become known: of several
 * times with the same share the last one counts. */
uint64_t pace_part(const struct pace *pace, const struct pace_point *points, uint64_t executions,
                   uint64_t share)
{
    CHECK(pace->total > 0);
    uint32_t next = pace->count;
    while (next > 0 && points[next - 1].share > share)
        next--;
    struct pace_point from = {0}, to = {pace->total, UINT64_MAX};
    if (next > 0)
        from = points[next - 1];
    if (next < pace->count)
        to = points[next];
    uint64_t run = from.executions;
    if (to.share > from.share)
        run += (uint64_t)((unsigned __int128)(to.executions - from.executions) *
                              part_of(share - from.share, to.share - from.share) >>
                          32);
    if (run > executions)
        run = executions;
    return run >= pace->total ? UINT64_MAX : part_of(run, pace->total) << 32;
}
