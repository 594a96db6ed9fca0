/* Files that the user named: put back before each execution, and read when it has ended. */
#include <errno.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "base/out.h"
#include "core/fresh.h"
#include "runtime/engine/refuse.h"
#include "runtime/snapshot/snapshot.h"

static _Noreturn void cannot(const char *what, const char *path, int error)
{
    char text[REASON_MAX];
    struct out out = out_to(-1, text, sizeof text);
    out_text(&out, what);
    out_text(&out, path);
    out_text(&out, " (error ");
    out_number(&out, (uint64_t)error);
    out_text(&out, ")");
    give_up(out_string(&out));
}

void files_put_back(void)
{
    if (rt.options->fresh_size == 0)
        return;
    struct fresh_failure failure = {0};
    if (fresh_put_back((const struct fresh_image *)FRESH_ADDRESS, &failure) != 0)
        cannot("--fresh cannot put back ", failure.path, failure.error);
}

void files_written(struct written *out, const char *path)
{
    int file = os_open(path);
    int error = file < 0 ? -file : written_read(out, file);
    if (file >= 0)
        os_close(file);
    if (error == ENOENT)
        *out = (struct written){.size = NOT_WRITTEN};
    else if (error != 0)
        cannot("cannot read what the program wrote: ", path, error);
}
