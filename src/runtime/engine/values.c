#include "runtime/engine/values.h"

#include <sys/syscall.h>
#include <sys/uio.h>

#include "base/os.h"

static bool has_value(const struct op *op)
{
    enum op_memory memory = op_traits(op->kind)->memory;
    return memory != OP_MEMORY_NONE && memory != OP_MEMORY_FREE && op->object != NO_OBJECT &&
           op->size > 0 && op->size <= sizeof(uint64_t);
}

/* By the kernel, which says so where nothing is mapped (any more). */
static bool look(const struct op *op, uint64_t *out)
{
    *out = 0;
    struct iovec here = {.iov_base = out, .iov_len = op->size};
    struct iovec there = {.iov_base = (void *)the_board->objects[op->object].address,
                          .iov_len = op->size};
    long self = os_call(SYS_getpid, 0, 0, 0, 0, 0, 0);
    return os_call(SYS_process_vm_readv, self, (long)&here, 1, (long)&there, 1, 0) == op->size;
}

static struct step_value *value_of(uint32_t step)
{
    struct step_value *values = board_at(the_board, the_board->layout.values);
    return &values[step];
}

static void finish(uint32_t step)
{
    const struct op *op = &rt.trace.steps[step].op;
    struct step_value *value = value_of(step);
    if (has_value(op) && look(op, &value->after))
        value->known |= VALUE_AFTER;
}

void values_keep(uint32_t step)
{
    if (step > 0)
        finish(step - 1);
    const struct op *op = &rt.trace.steps[step].op;
    struct step_value *value = value_of(step);
    *value = (struct step_value){.size = has_value(op) ? op->size : 0};
    if (has_value(op) && look(op, &value->before))
        value->known |= VALUE_BEFORE;
}

void values_end(void)
{
    if (rt.trace.count > 0)
        finish(rt.trace.count - 1);
}
