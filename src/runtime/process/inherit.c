/* Pipes that a child inherits. It runs on its own, so it gets real ones: to write to, a pipe whose
 * bytes are handed to the model's; to read from, one that never has any. The child runs to its end
 * as part of the step that starts it, as a fast one would. */
#define _GNU_SOURCE
#include "runtime/process/inherit.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/upper.h"
#include "runtime/file/channel.h"
#include "runtime/file/file_calls.h"
#include "runtime/snapshot/world.h"

enum { BRIDGES_MAX = 16, HIGH = 900 }; /* numbers that a child of the program hardly has in use */

static struct bridge {
    struct channel *channel;
    int from_child, to_parent; /* the two ends; -1: closed */
} bridges[BRIDGES_MAX];
static uint32_t bridge_count;
static int nothing[2]; /* a pipe that nobody writes to */

static bool is_end_of_pipe(const struct file *file)
{
    return pipe_channel(file) != NULL && (file->flags & O_ACCMODE) != O_RDWR;
}

static int closing_flag(int descriptor)
{
    return os_call(SYS_fcntl, descriptor, F_GETFD, 0, 0, 0, 0) & FD_CLOEXEC ? O_CLOEXEC : 0;
}

static bool can_inherit(const struct file *file)
{
    return is_end_of_pipe(file) || file->kind->inherit != NULL;
}

bool inherit_cannot(void)
{
    for (int i = 0; i < DESCRIPTORS_MAX; i++)
        if (file_of(i) != NULL && !can_inherit(file_of(i)))
            return true;
    return false;
}

bool inherit_cannot_over_exec(void)
{
    for (int i = 0; i < DESCRIPTORS_MAX; i++)
        if (file_of(i) != NULL && !can_inherit(file_of(i)) && closing_flag(i) == 0)
            return true;
    return false;
}

static bool is_written_to(const struct file *file)
{
    return (file->flags & O_ACCMODE) == O_WRONLY;
}

static void close_end(int *end)
{
    if (*end >= 0)
        os_close(*end);
    *end = -1;
}

static void make_pipe(int ends[2], const char *call, uintptr_t site)
{
    int low[2];
    if (os_call(SYS_pipe2, (long)low, O_CLOEXEC, 0, 0, 0, 0) < 0)
        refuse_call(call, "there is no descriptor left for a pipe; raise the limit (ulimit -n)",
                    site);
    for (int i = 0; i < 2; i++) {
        long high = os_call(SYS_fcntl, low[i], F_DUPFD_CLOEXEC, HIGH, 0, 0, 0);
        if (high < 0)
            refuse_call(call, "there is no descriptor left for a pipe; raise the limit (ulimit -n)",
                        site);
        ends[i] = (int)high;
        os_close(low[i]);
    }
}

static struct bridge *bridge_to(const struct channel *channel)
{
    for (uint32_t i = 0; i < bridge_count; i++)
        if (bridges[i].channel == channel)
            return &bridges[i];
    return NULL;
}

static void add_bridge(struct channel *channel, const char *call, uintptr_t site)
{
    int ends[2];
    if (bridge_count == BRIDGES_MAX)
        refuse_call(call, "more than 16 pipes are open, which is not modelled; close some first",
                    site);
    make_pipe(ends, call, site);
    bridges[bridge_count++] = (struct bridge){channel, ends[1], ends[0]};
    if (channel->readers == 0) /* the child is to be told */
        close_end(&bridges[bridge_count - 1].to_parent);
    else
        os_call(SYS_fcntl, ends[0], F_SETFL, O_NONBLOCK, 0, 0, 0);
}

void inherit_open(const char *call, uintptr_t site)
{
    bridge_count = 0;
    make_pipe(nothing, call, site);
    for (int i = 0; i < DESCRIPTORS_MAX; i++) {
        const struct file *file = file_of(i);
        if (file != NULL && is_end_of_pipe(file) && is_written_to(file) &&
            bridge_to(pipe_channel(file)) == NULL)
            add_bridge(pipe_channel(file), call, site);
    }
}

static void lend_one(int descriptor, const struct file *file)
{
    int flag = closing_flag(descriptor);
    if (is_end_of_pipe(file)) {
        int real = is_written_to(file) ? bridge_to(pipe_channel(file))->from_child : nothing[0];
        os_call(SYS_dup3, real, descriptor, flag, 0, 0, 0);
    } else if (file->kind->inherit != NULL) {
        int real = file->kind->inherit(file);
        os_call(SYS_dup3, real, descriptor, flag, 0, 0, 0);
        close_end(&real);
    }
}

void inherit_lend(void)
{
    for (int i = 0; i < DESCRIPTORS_MAX; i++)
        if (file_of(i) != NULL)
            lend_one(i, file_of(i));
}

void inherit_take_back(void)
{
    for (int i = 0; i < DESCRIPTORS_MAX; i++)
        if (file_of(i) != NULL && can_inherit(file_of(i)))
            world_placeholder_at(i, closing_flag(i) != 0);
}

void inherit_in_child(void)
{
    inherit_lend();
    for (uint32_t i = 0; i < bridge_count; i++) {
        close_end(&bridges[i].from_child);
        close_end(&bridges[i].to_parent);
    }
    close_end(&nothing[0]);
    close_end(&nothing[1]);
}

void inherit_in_parent(void)
{
    for (uint32_t i = 0; i < bridge_count; i++)
        close_end(&bridges[i].from_child);
    close_end(&nothing[0]);
}

static void hand_over(struct bridge *bridge, char *bytes, size_t size)
{
    struct iovec part = {bytes, size};
    struct transfer transfer = {.parts = &part, .count = 1, .size = size};
    channel_put(bridge->channel, &transfer, size);
    source_arrive(&bridge->channel->source);
}

bool inherit_bridges(void)
{
    return bridge_count > 0;
}

bool inherit_drain(void)
{
    char bytes[CHANNEL_PAGE];
    bool ended = true;
    for (uint32_t i = 0; i < bridge_count; i++) {
        struct bridge *bridge = &bridges[i];
        long got = 0;
        while (bridge->to_parent >= 0 &&
               (got = os_read(bridge->to_parent, bytes, sizeof bytes)) > 0)
            hand_over(bridge, bytes, (size_t)got);
        if (got == 0)
            close_end(&bridge->to_parent);
        ended &= bridge->to_parent < 0;
    }
    return ended;
}

void inherit_close(void)
{
    close_end(&nothing[1]);
}
