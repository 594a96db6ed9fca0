/* Checks of our own assumptions, on in every build and in both processes. A failed check is always
 * a defect of Bohr, never one of the tested program. It ends the process with file, line and
 * condition. */
#ifndef BASE_ASSERT_H
#define BASE_ASSERT_H

_Noreturn void check_failed(const char *file, int line, const char *condition);

#define CHECK(condition) ((condition) ? (void)0 : check_failed(__FILE__, __LINE__, #condition))
#define UNREACHABLE()    check_failed(__FILE__, __LINE__, "unreachable")

#endif
