#include "core/written.h"

#include <string.h>
#include <sys/syscall.h>

#include "base/mix.h"
#include "base/os.h"

int written_read(struct written *out, int file)
{
    uint64_t words[2048];
    *out = (struct written){0};
    for (;;) {
        size_t filled = 0;
        while (filled < sizeof words) {
            long got = os_call(SYS_pread64, file, (long)words + (long)filled,
                               (long)(sizeof words - filled), (long)(out->size + filled), 0, 0);
            if (got < 0)
                return (int)-got;
            if (got == 0)
                break;
            filled += (size_t)got;
        }
        memset((char *)words + filled, 0, (8 - filled % 8) % 8);
        for (size_t i = 0; i * 8 < filled; i++)
            out->hash = mix(out->hash, words[i]);
        out->size += filled;
        if (filled < sizeof words)
            return 0;
    }
}
