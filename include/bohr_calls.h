/* `bohr cc` includes this file first where the compiler is gcc. gcc writes __builtin_memcpy and its
 * kin out as instructions where it knows the size. Nothing instruments these, so the runtime would
 * not see what they access. libstdc++ (std::equal, std::copy, std::fill) and the functions that
 * _FORTIFY_SOURCE makes use these builtins. Here each of them becomes a call, which the runtime
 * sees. Constant expressions keep the builtin. */
#if !defined BOHR_CALLS_H && !defined __ASSEMBLER__ && defined __GNUC__ && !defined __clang__
#define BOHR_CALLS_H
#pragma GCC system_header

#ifdef __cplusplus
#define BOHR_CALL(builtin, call) (__builtin_is_constant_evaluated() ? builtin : call)
extern "C" {
#else
#define BOHR_CALL(builtin, call) call
#endif

/* A name of our own: a declaration of memcpy could differ from that of <string.h>. */
#define BOHR_DECLARE(result, name, ...)                                                            \
    extern result bohr_call_##name(__VA_ARGS__) __asm__(#name) __attribute__((nothrow, leaf))

BOHR_DECLARE(void *, memcpy, void *, const void *, __SIZE_TYPE__);
BOHR_DECLARE(void *, memmove, void *, const void *, __SIZE_TYPE__);
BOHR_DECLARE(void *, mempcpy, void *, const void *, __SIZE_TYPE__);
BOHR_DECLARE(void *, memset, void *, int, __SIZE_TYPE__);
BOHR_DECLARE(int, memcmp, const void *, const void *, __SIZE_TYPE__);
BOHR_DECLARE(int, bcmp, const void *, const void *, __SIZE_TYPE__);
BOHR_DECLARE(void, bzero, void *, __SIZE_TYPE__);
BOHR_DECLARE(char *, strcpy, char *, const char *);
BOHR_DECLARE(char *, stpcpy, char *, const char *);
BOHR_DECLARE(char *, strncpy, char *, const char *, __SIZE_TYPE__);
BOHR_DECLARE(char *, strcat, char *, const char *);
BOHR_DECLARE(char *, strncat, char *, const char *, __SIZE_TYPE__);
BOHR_DECLARE(int, strcmp, const char *, const char *);
BOHR_DECLARE(int, strncmp, const char *, const char *, __SIZE_TYPE__);
BOHR_DECLARE(void *, __memcpy_chk, void *, const void *, __SIZE_TYPE__, __SIZE_TYPE__);
BOHR_DECLARE(void *, __memmove_chk, void *, const void *, __SIZE_TYPE__, __SIZE_TYPE__);
BOHR_DECLARE(void *, __mempcpy_chk, void *, const void *, __SIZE_TYPE__, __SIZE_TYPE__);
BOHR_DECLARE(void *, __memset_chk, void *, int, __SIZE_TYPE__, __SIZE_TYPE__);
BOHR_DECLARE(char *, __strcpy_chk, char *, const char *, __SIZE_TYPE__);
BOHR_DECLARE(char *, __stpcpy_chk, char *, const char *, __SIZE_TYPE__);
BOHR_DECLARE(char *, __strncpy_chk, char *, const char *, __SIZE_TYPE__, __SIZE_TYPE__);
BOHR_DECLARE(char *, __strcat_chk, char *, const char *, __SIZE_TYPE__);
BOHR_DECLARE(int, __sprintf_chk, char *, int, __SIZE_TYPE__, const char *, ...);
BOHR_DECLARE(int, __snprintf_chk, char *, __SIZE_TYPE__, int, __SIZE_TYPE__, const char *, ...);

#ifdef __cplusplus
}
#endif

/* A macro does not expand its own name again. */
#define __builtin_memcpy(...)                                                                      \
    BOHR_CALL(__builtin_memcpy(__VA_ARGS__), bohr_call_memcpy(__VA_ARGS__))
#define __builtin_memmove(...)                                                                     \
    BOHR_CALL(__builtin_memmove(__VA_ARGS__), bohr_call_memmove(__VA_ARGS__))
#define __builtin_mempcpy(...)                                                                     \
    BOHR_CALL(__builtin_mempcpy(__VA_ARGS__), bohr_call_mempcpy(__VA_ARGS__))
#define __builtin_memset(...)                                                                      \
    BOHR_CALL(__builtin_memset(__VA_ARGS__), bohr_call_memset(__VA_ARGS__))
#define __builtin_memcmp(...)                                                                      \
    BOHR_CALL(__builtin_memcmp(__VA_ARGS__), bohr_call_memcmp(__VA_ARGS__))
#define __builtin_bcmp(...)  BOHR_CALL(__builtin_bcmp(__VA_ARGS__), bohr_call_bcmp(__VA_ARGS__))
#define __builtin_bzero(...) BOHR_CALL(__builtin_bzero(__VA_ARGS__), bohr_call_bzero(__VA_ARGS__))
#define __builtin_strcpy(...)                                                                      \
    BOHR_CALL(__builtin_strcpy(__VA_ARGS__), bohr_call_strcpy(__VA_ARGS__))
#define __builtin_stpcpy(...)                                                                      \
    BOHR_CALL(__builtin_stpcpy(__VA_ARGS__), bohr_call_stpcpy(__VA_ARGS__))
#define __builtin_strncpy(...)                                                                     \
    BOHR_CALL(__builtin_strncpy(__VA_ARGS__), bohr_call_strncpy(__VA_ARGS__))
#define __builtin_strcat(...)                                                                      \
    BOHR_CALL(__builtin_strcat(__VA_ARGS__), bohr_call_strcat(__VA_ARGS__))
#define __builtin_strncat(...)                                                                     \
    BOHR_CALL(__builtin_strncat(__VA_ARGS__), bohr_call_strncat(__VA_ARGS__))
#define __builtin_strcmp(...)                                                                      \
    BOHR_CALL(__builtin_strcmp(__VA_ARGS__), bohr_call_strcmp(__VA_ARGS__))
#define __builtin_strncmp(...)                                                                     \
    BOHR_CALL(__builtin_strncmp(__VA_ARGS__), bohr_call_strncmp(__VA_ARGS__))

/* Of _FORTIFY_SOURCE: the last argument is the room that there is, if that is known. */
#define __builtin___memcpy_chk(...)                   bohr_call___memcpy_chk(__VA_ARGS__)
#define __builtin___memmove_chk(...)                  bohr_call___memmove_chk(__VA_ARGS__)
#define __builtin___mempcpy_chk(...)                  bohr_call___mempcpy_chk(__VA_ARGS__)
#define __builtin___memset_chk(...)                   bohr_call___memset_chk(__VA_ARGS__)
#define __builtin___strcpy_chk(...)                   bohr_call___strcpy_chk(__VA_ARGS__)
#define __builtin___stpcpy_chk(...)                   bohr_call___stpcpy_chk(__VA_ARGS__)
#define __builtin___strncpy_chk(...)                  bohr_call___strncpy_chk(__VA_ARGS__)
#define __builtin___strcat_chk(...)                   bohr_call___strcat_chk(__VA_ARGS__)
#define __builtin___sprintf_chk(...)                  bohr_call___sprintf_chk(__VA_ARGS__)
#define __builtin___snprintf_chk(...)                 bohr_call___snprintf_chk(__VA_ARGS__)
#define __builtin___strncat_chk(to, from, size, room) bohr_call_strncat(to, from, size)

#endif
