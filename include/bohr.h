/* What a program can tell Bohr about itself. See docs/api.md.
 *
 * Needs no library: without Bohr, or built by another compiler than `bohr cc`, bohr_assert is an
 * assertion, bohr_yield a yield, bohr_test calls its functions one after the other, bohr_choose
 * gives 0, and the rest does nothing. C99 and C++11, gcc and clang. */
#ifndef BOHR_H
#define BOHR_H

#include <sched.h>
#include <stddef.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#define BOHR_NOTHROW noexcept
#else
#define BOHR_NOTHROW __attribute__((nothrow))
#endif

/* Defined by Bohr's runtime; their addresses are null where there is none. Call the macros
 * below. */
__attribute__((weak)) int bohr_running(void);
__attribute__((weak)) unsigned bohr_choose(unsigned outcomes);
__attribute__((weak)) void bohr_atomic_begin(void);
__attribute__((weak)) void bohr_atomic_end(void);
__attribute__((weak)) void bohr_ignore_begin(void);
__attribute__((weak)) void bohr_ignore_end(void);
__attribute__((weak)) void bohr_happens_before(const volatile void *object);
__attribute__((weak)) void bohr_happens_after(const volatile void *object);
__attribute__((weak)) void bohr_benign_race(const volatile void *start, size_t size);
__attribute__((weak)) void bohr_name(const volatile void *object, size_t size, const char *name);

/* libc's, behind assert; declared here because NDEBUG does not turn bohr_assert off. */
#ifdef __cplusplus
[[noreturn]]
#else
__attribute__((noreturn))
#endif
void __assert_fail(const char *condition, const char *file, unsigned line,
                   const char *function) BOHR_NOTHROW;
#undef BOHR_NOTHROW

#ifdef __cplusplus
}
#endif

/* 1 in a program that runs under `bohr run` or `bohr replay`. */
#define bohr_running() (bohr_running ? (bohr_running)() : 0)

/* A finding if the condition does not hold, and the end of the execution. */
#define bohr_assert(condition)                                                                     \
    ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))

/* A number below `outcomes`; every one of them is tried. One step. */
#define bohr_choose(outcomes) (bohr_choose ? (bohr_choose)(outcomes) : 0u)

/* Lets the others run first. One step. */
#define bohr_yield() ((void)sched_yield())

/* In between the calling thread is left only where it has to wait or yields. May be nested. */
#define bohr_atomic_begin() (bohr_atomic_begin ? (bohr_atomic_begin)() : (void)0)
#define bohr_atomic_end()   (bohr_atomic_end ? (bohr_atomic_end)() : (void)0)

/* In between the calling thread's plain accesses are neither steps nor part of a race. May be
 * nested. */
#define bohr_ignore_begin() (bohr_ignore_begin ? (bohr_ignore_begin)() : (void)0)
#define bohr_ignore_end()   (bohr_ignore_end ? (bohr_ignore_end)() : (void)0)

/* What a thread did before the one happens before what another does after it has called the other
 * with the same pointer, later: for synchronisation that Bohr does not see. One step each. */
#define bohr_happens_before(pointer)                                                               \
    (bohr_happens_before ? (bohr_happens_before)(pointer) : (void)0)
#define bohr_happens_after(pointer) (bohr_happens_after ? (bohr_happens_after)(pointer) : (void)0)

/* From now on races on these bytes are not reported. They are explored as ever. */
#define bohr_benign_race(start, size)                                                              \
    (bohr_benign_race ? (bohr_benign_race)((start), (size)) : (void)0)

/* Reports call the object that this points to by this name. */
#define bohr_name(pointer, name)                                                                   \
    (bohr_name ? (bohr_name)((pointer), sizeof *(pointer), (name)) : (void)0)

/* Tests: one or more functions void f(void). Under Bohr an execution runs one of them (which one is
 * a choice), then ends as exit(0) does; without, all run in turn and the program goes on. */
#define bohr_test(...)                                                                             \
    do {                                                                                           \
        void (*const bohr_tests[])(void) = {__VA_ARGS__};                                          \
        unsigned bohr_count = (unsigned)(sizeof bohr_tests / sizeof bohr_tests[0]);                \
        if (bohr_running()) {                                                                      \
            bohr_tests[bohr_choose(bohr_count)]();                                                 \
            exit(0);                                                                               \
        }                                                                                          \
        for (unsigned bohr_index = 0; bohr_index < bohr_count; bohr_index++)                       \
            bohr_tests[bohr_index]();                                                              \
    } while (0)

#endif
