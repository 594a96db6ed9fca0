#include "strategy/reduction/footprint.h"

struct footprint footprint_of_timeout(const struct op *op, uint32_t before)
{
    struct footprint footprint = {.all = op->size == OP_WIDE};
    footprint_add(&footprint, (struct touch){op->object, before == 0 ? TOUCH_WRITES : TOUCH_READS});
    footprint_add(&footprint, (struct touch){op->second, TOUCH_WRITES});
    return footprint;
}

struct footprint footprint_predicted(const struct op *op, uint32_t before)
{
    if (op_may_time_out(op) && before == COND_ASLEEP)
        return footprint_of_timeout(op, 0); /* a free mutex gives the largest footprint */
    struct footprint footprint = {
        .all = op_depends_on_all(op->kind) || op->size == OP_WIDE || op_moves_time(op, before),
        .chooses = op->choices > 1,
    };
    enum op_access access = op_fails(op, before) ? op_access_failed(op->kind) : op_access(op->kind);
    if (op_traits(op->kind)->state == OP_STATE_RWLOCK && rwlock_is_robbed(before))
        access = OP_ACCESS_WRITE;
    if (op->object != NO_OBJECT && access != OP_ACCESS_NONE)
        footprint_add(
            &footprint,
            (struct touch){op->object, op_access_writes(access) ? TOUCH_WRITES : TOUCH_READS});
    enum op_second second = op_traits(op->kind)->second;
    if (second == OP_SECOND_SLEEPERS && op->kind != OP_FUTEX_WAKE)
        footprint_add(
            &footprint,
            (struct touch){op->second, op->kind == OP_FUTEX_WAIT ? TOUCH_READS : TOUCH_WRITES});
    if (second == OP_SECOND_MUTEX)
        footprint_add(&footprint, (struct touch){op->second, TOUCH_WRITES});
    /* One of the outcomes uses up a spurious wake-up. */
    if (op->kind == OP_COND_WAIT && op->choices > 1)
        footprint_add(&footprint, (struct touch){SPURIOUS_OBJECT, TOUCH_WRITES});
    if (op->kind == OP_CREATE)
        footprint_add(&footprint, (struct touch){THREADS_OBJECT, TOUCH_WRITES});
    return footprint;
}
