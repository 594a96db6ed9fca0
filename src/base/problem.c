#include "base/problem.h"

#include <errno.h>
#include <stddef.h>

#include "base/out.h"

static const char *error_name(int error)
{
    switch (error) {
    case EACCES:
        return "permission denied";
    case EPERM:
        return "not permitted";
    case ENOENT:
        return "there is no such file or folder";
    case ENOTDIR:
        return "a part of the path is not a folder";
    case EISDIR:
        return "it is a folder";
    case ENOSPC:
        return "no space is left";
    case ENOMEM:
        return "no memory is left";
    case EROFS:
        return "the file system is read-only";
    case EMFILE:
        return "too many open files";
    case ENOEXEC:
        return "it is not a program";
    default:
        return NULL;
    }
}

bool problem_is(struct problem *why, const char *what, const char *subject, int error)
{
    struct out out = out_to(-1, why->text, sizeof why->text);
    out_text(&out, what);
    if (subject != 0) {
        out_text(&out, ": ");
        out_text(&out, subject);
    }
    if (error != 0) {
        const char *name = error_name(error);
        out_text(&out, " (");
        if (name != 0)
            out_text(&out, name);
        else
            out_text(&out, "error "), out_number(&out, (uint64_t)error);
        out_char(&out, ')');
    }
    out_string(&out);
    return false;
}
