#include "core/library.h"

#include <stddef.h>
#include <string.h>

static bool begins(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool begins_with_any(const char *text, const char *const *beginnings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (begins(text, beginnings[i]))
            return true;
    return false;
}

const char *library_file_name(const char *path)
{
    const char *name = path;
    for (; *path != 0; path++)
        if (*path == '/')
            name = path + 1;
    return name;
}

bool library_is_runtime(const char *path)
{
    return begins(library_file_name(path), "libtsan.so");
}

/* Compilers install their libraries outside of the system's folders, too. */
static bool is_of_compiler(const char *name)
{
    static const char *const names[] = {"libgcc_s.so", "libstdc++.so", "libc++.so", "libc++abi.so"};
    return begins_with_any(name, names, sizeof names / sizeof *names);
}

static bool is_of_libc(const char *name)
{
    static const char *const names[] = {"libc.so",
                                        "ld-linux",
                                        "libm.so",
                                        "libmvec.so",
                                        "libpthread.so",
                                        "libdl.so",
                                        "librt.so",
                                        "libutil.so",
                                        "libresolv.so",
                                        "libnss_",
                                        "libanl.so",
                                        "libnsl.so",
                                        "libc_malloc_debug.so"};
    return begins_with_any(name, names, sizeof names / sizeof *names);
}

/* Modules that the C library loads to convert between character sets. */
static bool is_conversion(const char *path)
{
    for (; *path != 0; path++)
        if (begins(path, "/gconv/"))
            return true;
    return false;
}

bool library_is_system(const char *path)
{
    static const char *const folders[] = {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"};
    const char *name = library_file_name(path);
    if (begins(path, "linux-vdso.so") || library_is_runtime(path) || is_of_compiler(name))
        return true;
    return begins_with_any(path, folders, sizeof folders / sizeof *folders) &&
           (is_of_libc(name) || is_conversion(path));
}
