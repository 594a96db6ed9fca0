#include "strategy/footprint.h"

struct footprint footprint_predicted(const struct op *op, uint32_t before)
{
    struct footprint footprint = {0};
    enum op_access access = op_fails(op, before) ? op_access_failed(op->kind) : op_access(op->kind);
    if (op->object != NO_OBJECT && access != OP_ACCESS_NONE)
        footprint_add(&footprint, (struct touch){op->object, access == OP_ACCESS_WRITE
                                                                 ? TOUCH_WRITES
                                                                 : TOUCH_READS});
    switch (op->kind) {
    case OP_COND_WAIT:
        footprint_add(&footprint, (struct touch){op->second, TOUCH_WRITES});
        break;
    case OP_CREATE:
        footprint_add(&footprint, (struct touch){THREADS_OBJECT, TOUCH_WRITES});
        break;
    case OP_EXIT:
        footprint.all = true;
        break;
    default:
        break;
    }
    return footprint;
}
