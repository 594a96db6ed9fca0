#include "runtime/engine/local_state.h"

/* A table that was made from other code, or that is damaged, is not used: then all is live. */
void live_open(void)
{
    const struct live_table *table = (const struct live_table *)LIVE_ADDRESS;
    const struct module *program = &the_board->modules[0];
    if (rt.options->live_size == 0 || the_board->module_count == 0 ||
        !live_is_sound(table, rt.options->live_size) || table->sum != rt.options->live_sum)
        return;
    uint64_t start = program->base + table->text_start;
    if (start < program->start || start > program->end || table->text_size > program->end - start)
        return;
    if (!rt.options->debugged && /* a debugger puts its breakpoints there */
        live_sum((const void *)start, table->text_size) != table->text_sum)
        return;
    rt.code.live = table;
    rt.code.live_base = program->base;
}
