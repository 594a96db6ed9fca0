/* Calls by which a program tells Bohr about itself. See docs/api.md.
 *
 * Needs no library. Without Bohr, or built by another compiler than `bohr cc`, bohr_assert is an
 * assertion, bohr_yield a yield, bohr_test calls its functions one after the other, bohr_choose
 * returns 0, and the rest does nothing. C99 and C++11, gcc and clang. */
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

/* Bohr's runtime defines these functions; without it their addresses are null. Programs call the
 * macros below. */
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

/* libc's function behind assert, declared here because NDEBUG does not turn bohr_assert off. */
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

/* 1 in a program that runs under `bohr run` or `bohr replay`, else 0. */
#define bohr_running() (bohr_running ? (bohr_running)() : 0)

/* If the condition is false, the execution ends with a finding. */
#define bohr_assert(condition)                                                                     \
    ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))

/* Returns a number below `outcomes`; Bohr tries every one of them. One step. */
#define bohr_choose(outcomes) (bohr_choose ? (bohr_choose)(outcomes) : 0u)

/* Lets other threads run first. One step. */
#define bohr_yield() ((void)sched_yield())

/* Between these calls no other thread runs, unless the calling thread has to wait or yields. May be
 * nested. */
#define bohr_atomic_begin() (bohr_atomic_begin ? (bohr_atomic_begin)() : (void)0)
#define bohr_atomic_end()   (bohr_atomic_end ? (bohr_atomic_end)() : (void)0)

/* Between these calls the calling thread's plain accesses are neither steps nor part of a race. May
 * be nested. */
#define bohr_ignore_begin() (bohr_ignore_begin ? (bohr_ignore_begin)() : (void)0)
#define bohr_ignore_end()   (bohr_ignore_end ? (bohr_ignore_end)() : (void)0)

/* Everything before bohr_happens_before(p) in one thread happens before everything after a later
 * bohr_happens_after(p) in another: for synchronisation that Bohr does not see. One step each. */
#define bohr_happens_before(pointer)                                                               \
    (bohr_happens_before ? (bohr_happens_before)(pointer) : (void)0)
#define bohr_happens_after(pointer) (bohr_happens_after ? (bohr_happens_after)(pointer) : (void)0)

/* From now on races on these bytes are not reported. Bohr still explores them. */
#define bohr_benign_race(start, size)                                                              \
    (bohr_benign_race ? (bohr_benign_race)((start), (size)) : (void)0)

/* Reports call the object that the pointer points to by this name. */
#define bohr_name(pointer, name)                                                                   \
    (bohr_name ? (bohr_name)((pointer), sizeof *(pointer), (name)) : (void)0)

/* Runs tests: one or more functions void f(void). Under Bohr an execution runs one of them (a
 * choice) and ends as exit(0) does. Without Bohr all run in turn, and the program goes on. */
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
