/* The table of operations as text: `bohr list operations` prints it, and the documentation shows
 * it. */
#include "base/assert.h"
#include "core/op.h"

#define WORDS(word, did, do_it, noun, operand)       word, #operand
#define DEPENDS(access, failed, scope, second, sync) #access, #failed, #scope, #second, #sync
#define LOOPS(turn, cycle, poll, round, anchored)    #turn, #cycle, #poll, #round, #anchored
#define STATES(inside, known, later, symmetric)      #inside, #known, #later, #symmetric
#define SEARCH(memory, lock, weight, steady, lets_on, by)                                          \
#memory, #lock, #weight, #steady, #lets_on, #by
#define RUNS(waits, state, possible, fails, time, yields, counted, cancel)                         \
#waits, #state, #possible, #fails, #time, #yields, #counted, #cancel

static const char *const columns[][OP_COLUMNS] = {
#define OP(name, words, depends, runs, loops, states, search)                                      \
    [OP_##name] = {words, depends, runs, loops, states, search},
#include "core/op.def"
#undef OP
};

static const char *const names[] = {
#define OP(name, ...) [OP_##name] = #name,
#include "core/op.def"
#undef OP
};

const char *const op_column_names[OP_COLUMNS] = {
    "word",   "operand",  "access", "failed",   "scope",   "second",  "sync",   "waits",
    "state",  "possible", "fails",  "time",     "yields",  "counted", "cancel", "turn",
    "cycle",  "poll",     "round",  "anchored", "inside",  "known",   "later",  "symmetric",
    "memory", "lock",     "weight", "steady",   "lets_on", "strikes",
};

const char *op_row_name(enum op_kind kind)
{
    CHECK(kind < OP_KINDS);
    return names[kind];
}

const char *op_column(enum op_kind kind, uint32_t column)
{
    CHECK(kind < OP_KINDS);
    CHECK(column < OP_COLUMNS);
    return columns[kind][column];
}
