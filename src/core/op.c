#include "core/op.h"

#include "base/assert.h"

enum { NO, YES };

#define WORDS(word, did, do_it, noun, operand_) .operand = OP_OPERAND_##operand_
#define DEPENDS(access_, failed_, scope_, second_, sync_)                                          \
    .access = OP_ACCESS_##access_, .failed = OP_ACCESS_##failed_, .scope = OP_SCOPE_##scope_,      \
    .second = OP_SECOND_##second_, .sync = OP_SYNC_##sync_
#define RUNS(waits_, state_, possible_, fails_, time_, yields_, counted_, cancel_)                 \
    .waits = OP_WAITS_##waits_, .state = OP_STATE_##state_, .possible = OP_POSSIBLE_##possible_,   \
    .fails = OP_FAILS_##fails_, .time = OP_TIME_##time_, .yields = (yields_),                      \
    .counted = (counted_), .cancel = (cancel_)
#define LOOPS(turn_, cycle_, poll_, round_, anchored_)                                             \
    .turn = OP_TURN_##turn_, .cycle = OP_TURN_##cycle_, .poll = OP_TURN_##poll_,                   \
    .round = OP_ROUND_##round_, .anchored = (anchored_)
#define STATES(inside_, known_, later_, symmetric_)                                                \
    .inside = (inside_), .known = (known_), .later = (later_), .symmetric = (symmetric_)
#define SEARCH(memory_, lock_, weight_, steady_, lets_on_, strikes_)                               \
    .memory = OP_MEMORY_##memory_, .lock = OP_LOCK_##lock_, .weight = OP_WEIGHT_##weight_,         \
    .steady = (steady_), .lets_on = (lets_on_), .strikes = OP_STRIKES_##strikes_

struct op_traits op_table[OP_KINDS] = {
#define OP(name, words, depends, runs, loops, states, search)                                      \
    [OP_##name] = {words, depends, runs, loops, states, search},
#include "core/op.def"
#undef OP
};
#undef WORDS
#undef DEPENDS
#undef RUNS
#undef LOOPS
#undef STATES
#undef SEARCH

/* Static checks that the columns of a row do not contradict each other. */
#define WORDS(...)                                                           (__VA_ARGS__)
#define DEPENDS(...)                                                         (__VA_ARGS__)
#define RUNS(...)                                                            (__VA_ARGS__)
#define LOOPS(...)                                                           (__VA_ARGS__)
#define STATES(...)                                                          (__VA_ARGS__)
#define SEARCH(...)                                                          (__VA_ARGS__)
#define ACCESS(access, failed, scope, second, sync)                          OP_ACCESS_##access
#define FAILED(access, failed, scope, second, sync)                          OP_ACCESS_##failed
#define SCOPE(access, failed, scope, second, sync)                           OP_SCOPE_##scope
#define SECOND(access, failed, scope, second, sync)                          OP_SECOND_##second
#define SYNC(access, failed, scope, second, sync)                            OP_SYNC_##sync
#define WAITS(waits, state, possible, fails, time, yields, counted, cancel)  OP_WAITS_##waits
#define STATE(waits, state, possible, fails, time, yields, counted, cancel)  OP_STATE_##state
#define POSSIBLE(waits, state, possible, fails, time, yields, counted, more) OP_POSSIBLE_##possible
#define FAILS(waits, state, possible, fails, time, yields, counted, cancel)  OP_FAILS_##fails
#define TIME(waits, state, possible, fails, time, yields, counted, cancel)   OP_TIME_##time
#define MEMORY(memory, lock, weight, steady, lets_on, strikes)               OP_MEMORY_##memory
#define LOCK(memory, lock, weight, steady, lets_on, strikes)                 OP_LOCK_##lock
#define STEADY(memory, lock, weight, steady, lets_on, strikes)               steady

#define HOLDS(condition, name, sentence) _Static_assert(condition, "core/op.def: " #name sentence);
#define OP(name, words, depends, runs, loops, states, search)                                      \
    HOLDS(SYNC depends == OP_SYNC_NONE || ACCESS depends != OP_ACCESS_NONE ||                      \
              SCOPE depends == OP_SCOPE_ALL || SECOND depends != OP_SECOND_NOTHING,                \
          name, " synchronises, so it must access an object or name a thread")                     \
    HOLDS(SECOND depends != OP_SECOND_MUTEX || ACCESS depends == OP_ACCESS_WRITE, name,            \
          " gives back a mutex, so it must write")                                                 \
    HOLDS(FAILS runs == OP_FAILS_NEVER || FAILED depends != OP_ACCESS_NONE, name,                  \
          " can fail, so its row must say how it then accesses its object")                        \
    HOLDS(FAILED depends <= ACCESS depends, name, " cannot access more when it fails")             \
    HOLDS(POSSIBLE runs == OP_POSSIBLE_UNKNOWN || STATE runs != OP_STATE_NOTHING, name,            \
          " is possible in some states only, so its state must be known")                          \
    HOLDS(FAILS runs != OP_FAILS_IMPOSSIBLE || POSSIBLE runs != OP_POSSIBLE_UNKNOWN, name,         \
          " fails where it is impossible, so that must be known")                                  \
    HOLDS(FAILS runs == OP_FAILS_NEVER || WAITS runs == OP_WAITS_NEVER ||                          \
              WAITS runs == OP_WAITS_AWAITING,                                                     \
          name, " cannot both wait and fail")                                                      \
    HOLDS(TIME runs != OP_TIME_TIMEOUT || FAILS runs == OP_FAILS_IMPOSSIBLE, name,                 \
          " times out, so it must be able to fail")                                                \
    HOLDS(TIME runs == OP_TIME_NONE || SECOND depends == OP_SECOND_CLOCK, name,                    \
          " moves the clock, so `second` must say whether a thread looks at it")                   \
    HOLDS((LOCK search != OP_LOCK_TAKE && LOCK search != OP_LOCK_SHARE) ||                         \
              FAILS runs != OP_FAILS_NEVER || WAITS runs != OP_WAITS_NEVER,                        \
          name, " takes a lock, so it must wait or be able to fail")                               \
    HOLDS(STEADY search == NO || WAITS runs == OP_WAITS_NEVER || WAITS runs == OP_WAITS_AWAITING,  \
          name, " may have to wait, so it is not steady")                                          \
    HOLDS(MEMORY search != OP_MEMORY_READ || ACCESS depends == OP_ACCESS_READ, name,               \
          " reads memory, so its access must be READ")                                             \
    HOLDS((MEMORY search != OP_MEMORY_WRITE && MEMORY search != OP_MEMORY_FREE) ||                 \
              ACCESS depends == OP_ACCESS_WRITE,                                                   \
          name, " writes memory, so its access must be WRITE")                                     \
    HOLDS(MEMORY search != OP_MEMORY_ATOMIC ||                                                     \
              (SYNC depends != OP_SYNC_NONE && ACCESS depends != OP_ACCESS_NONE),                  \
          name, " is an atomic access, so it must synchronise and access memory")
#include "core/op.def"
#undef OP
#undef WORDS
#undef DEPENDS
#undef RUNS
#undef LOOPS
#undef STATES
#undef SEARCH

#define WORDS(word, did, do_it, noun, operand) word, did, do_it, noun
#define DEPENDS(...)
#define RUNS(...)
#define LOOPS(...)
#define STATES(...)
#define SEARCH(...)
static const struct {
    const char *word;
    struct op_verbs verbs;
} words_of[] = {
#define WORDS_ONLY(word, did, do_it, noun)                                                         \
    {                                                                                              \
        word,                                                                                      \
        {                                                                                          \
            did, do_it, noun                                                                       \
        }                                                                                          \
    }
#define OP(name, words, depends, runs, loops, states, search) [OP_##name] = WORDS_IN(words),
#define WORDS_IN(...)                                         WORDS_ONLY(__VA_ARGS__)
#include "core/op.def"
#undef OP
};
#undef WORDS
#undef DEPENDS
#undef RUNS
#undef LOOPS
#undef STATES
#undef SEARCH

const char *op_word(enum op_kind kind)
{
    CHECK(kind < OP_KINDS);
    return words_of[kind].word;
}

struct op_verbs op_verbs(enum op_kind kind)
{
    CHECK(kind < OP_KINDS);
    return words_of[kind].verbs;
}

bool op_is_possible(enum op_kind kind, uint32_t before)
{
    switch ((enum op_possible)op_traits(kind)->possible) {
    case OP_POSSIBLE_UNKNOWN:
        return true;
    case OP_POSSIBLE_FREE:
        return before == 0 ||
               (op_traits(kind)->state == OP_STATE_RWLOCK && rwlock_readers(before) == 0);
    case OP_POSSIBLE_UNWRITTEN:
        return (before & RWLOCK_QUEUED) == 0; /* nor is it RWLOCK_WRITTEN */
    case OP_POSSIBLE_POSITIVE:
        return before > 0;
    }
    UNREACHABLE();
}

bool op_fails(const struct op *op, uint32_t before)
{
    switch ((enum op_fail)op_traits(op->kind)->fails) {
    case OP_FAILS_NEVER:
        return false;
    case OP_FAILS_IMPOSSIBLE:
        return !op_is_possible(op->kind, before);
    case OP_FAILS_UNEXPECTED:
        return before != op->second;
    }
    UNREACHABLE();
}

bool op_moves_time(const struct op *op, uint32_t before)
{
    return op_is_timed(op->kind) && op->second != 0 &&
           (op_traits(op->kind)->time == OP_TIME_SLEEP || op_fails(op, before));
}

const char *const op_fault_words[OP_FAULTS] = {
    [OP_FAULT_DEPENDENCE] = "dependence",
    [OP_FAULT_SYNC] = "sync",
    [OP_FAULT_MEMORY] = "memory",
    [OP_FAULT_ENABLED] = "enabled",
};

void op_break(enum op_kind kind, enum op_fault fault)
{
    CHECK(kind < OP_KINDS);
    struct op_traits *row = &op_table[kind];
    switch (fault) {
    case OP_FAULT_DEPENDENCE:
        row->access = row->failed = OP_ACCESS_NONE;
        row->scope = OP_SCOPE_OBJECT;
        break;
    case OP_FAULT_SYNC:
        row->sync = OP_SYNC_NONE;
        break;
    case OP_FAULT_MEMORY: /* the runtime hides the accesses, see memory_is_hidden() */
        break;
    case OP_FAULT_ENABLED:
        if (row->waits == OP_WAITS_NEVER || row->waits == OP_WAITS_AWAITING) {
            row->waits = OP_WAITS_FOREVER;
        } else {
            row->waits = OP_WAITS_NEVER;
            row->possible = OP_POSSIBLE_UNKNOWN;
        }
        break;
    case OP_FAULTS:
        UNREACHABLE();
    }
}
