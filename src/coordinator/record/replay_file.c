#define _GNU_SOURCE
#include "coordinator/record/replay_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/os.h"
#include "coordinator/record/result_folder.h"
#include "coordinator/text.h"
#include "core/verdict.h"

bool replay_file_write(const struct recording *recording, const char *path, struct problem *why)
{
    size_t count;
    const char *text = replay_text(recording, &count);
    const char *early = text_print("%s.%d.part", path, getpid());
    int fd = open(early, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return problem_is(why, "cannot write the replay file", path, errno);
    long written = os_write(fd, text, count);
    int closed = close(fd) == 0 ? 0 : errno;
    int error = written < 0 ? (int)-written : closed;
    if (error == 0 && rename(early, path) != 0)
        error = errno;
    if (error == 0)
        return true;
    unlink(early);
    return problem_is(why, "cannot write the replay file", path, error);
}

bool replay_file_read(struct recording *out, const char *path, struct problem *why)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return problem_is(why, "cannot open the replay file", path, errno);
    size_t count = 0;
    errno = 0;
    const char *text = text_of_file(fd, &count);
    int error = errno;
    close(fd);
    if (text == NULL)
        return problem_is(why, "cannot read the replay file", path, error);
    return replay_parse(out, text, count, path, why);
}

bool replay_file_keep(struct reported *reported, struct recording *recording, const char *folder,
                      uint32_t *numbers, struct problem *why)
{
    recording_name(recording, reported);
    enum finding_kind kind = reported->finding.kind;
    const char *path = text_print("%s/%s-%u.bohr", folder, finding_word(kind), ++numbers[kind]);
    if (!folder_make(folder, "cannot make the folder for results (--output)", why) ||
        !replay_file_write(recording, path, why))
        return false;
    reported->replay = path;
    return true;
}
