/* POSIX message queues: messages with priorities, the highest first, those of one priority in their
 * order. Queues live in the program: no other process has them. The descriptors are those of files,
 * as in Linux. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <string.h>

#include "base/mix.h"
#include "runtime/engine/object.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/file/file.h"
#include "runtime/file/file_calls.h"
#include "runtime/file/still.h"
#include "runtime/memory/api.h"
#include "runtime/memory/called.h"
#include "runtime/memory/memory.h"
#include "runtime/time/virtual_clock.h"

enum { QUEUES_MAX = 16, NAME_SIZE = 256, PRIORITIES = 32768 };
enum {
    MESSAGES_USUAL = 10,
    SIZE_USUAL = 8192,
    MESSAGES_MOST = 65536,
    SIZE_MOST = 1 << 24
}; /* as in Linux */

struct message {
    struct message *next;
    uint32_t priority;
    size_t size;
    char *bytes;
};

/* The program's state. */
static struct queue {
    struct source source;
    char name[NAME_SIZE]; /* empty: it is gone */
    uint32_t ends;        /* that are open */
    long messages_max, size_max, count;
    struct message *first;
} queues[QUEUES_MAX];
static struct source queue_names;

struct queue_end {
    struct file file;
    struct queue *queue;
};

static struct queue *queue_of(const struct file *file)
{
    return ((const struct queue_end *)file)->queue;
}

static uint32_t queue_ready(const struct file *file)
{
    const struct queue *queue = queue_of(file);
    return (queue->count > 0 ? POLLIN | POLLRDNORM : 0) |
           (queue->count < queue->messages_max ? POLLOUT | POLLWRNORM : 0);
}

static void must_be_message(const struct transfer *transfer, const char *call)
{
    if (!transfer->message)
        refuse_call(call, "not modelled for a message queue; use mq_send and mq_receive",
                    transfer->site);
}

static long queue_take(struct file *file, struct transfer *transfer)
{
    struct queue *queue = queue_of(file);
    struct message *message = queue->first;
    must_be_message(transfer, "read");
    if (message == NULL)
        return -EAGAIN;
    queue->first = message->next;
    queue->count--;
    source_leave(&queue->source);
    source_acquire(&queue->source);
    transfer->priority = message->priority;
    transfer_give(transfer, message->bytes, message->size);
    return (long)message->size;
}

static long queue_put(struct file *file, struct transfer *transfer)
{
    struct queue *queue = queue_of(file);
    must_be_message(transfer, "write");
    if (queue->count >= queue->messages_max)
        return -EAGAIN;
    struct message *message = execution_take(sizeof *message + transfer->size),
                   **at = &queue->first;
    *message = (struct message){
        .priority = transfer->priority, .size = transfer->size, .bytes = (char *)(message + 1)};
    transfer_copy(transfer, message->bytes, message->size, false);
    while (*at != NULL && (*at)->priority >= message->priority)
        at = &(*at)->next;
    message->next = *at;
    *at = message;
    queue->count++;
    source_arrive(&queue->source);
    source_release(&queue->source);
    return (long)message->size;
}

static void queue_leave(struct queue *queue)
{
    if (queue->ends == 0 && queue->name[0] == 0)
        queue->first = NULL, queue->count = 0;
}

static void queue_close(struct file *file)
{
    queue_of(file)->ends--;
    queue_leave(queue_of(file));
}

static uint64_t queue_still(struct file *file, struct still *still)
{
    struct queue *queue = queue_of(file);
    uint64_t hash = 1;
    for (const struct message *each = queue->first; each != NULL; each = each->next) {
        hash = mix(mix(hash, each->priority), each->size);
        for (size_t i = 0; i < each->size; i++)
            hash = mix(hash, (uint64_t)(unsigned char)each->bytes[i]);
    }
    still_pointer(still, &queue->first);
    return hash;
}

static const struct file_kind kind_queue = {
    .name = "message queue",
    .ready = queue_ready,
    .read = queue_take,
    .write = queue_put,
    .close = queue_close,
    .still = queue_still,
};

static struct file *end_at(int descriptor)
{
    struct file *file = file_of(descriptor);
    return file != NULL && file->kind == &kind_queue ? file : NULL;
}

static int name_error(const char *name)
{
    if (name[0] != '/')
        return EINVAL;
    size_t size = strlen(name + 1);
    return size == 0                       ? ENOENT
           : size >= NAME_SIZE             ? ENAMETOOLONG
           : strchr(name + 1, '/') != NULL ? EACCES
                                           : 0;
}

static struct queue *find(const char *name)
{
    for (int i = 0; i < QUEUES_MAX; i++)
        if (strcmp(queues[i].name, name + 1) == 0)
            return &queues[i];
    return NULL;
}

static struct queue *add(const char *name, const struct mq_attr *attributes, uintptr_t site)
{
    for (int i = 0; i < QUEUES_MAX; i++) {
        struct queue *queue = &queues[i];
        if (queue->name[0] != 0 || queue->ends > 0)
            continue;
        *queue = (struct queue){.source = queue->source};
        memcpy(queue->name, name + 1, strlen(name));
        queue->messages_max = attributes != NULL ? attributes->mq_maxmsg : MESSAGES_USUAL;
        queue->size_max = attributes != NULL ? attributes->mq_msgsize : SIZE_USUAL;
        return queue;
    }
    refuse_call("mq_open", "more than 16 message queues are not modelled; test with fewer", site);
}

static bool are_right(const struct mq_attr *attributes)
{
    return attributes == NULL ||
           (attributes->mq_maxmsg > 0 && attributes->mq_maxmsg <= MESSAGES_MOST &&
            attributes->mq_msgsize > 0 && attributes->mq_msgsize <= SIZE_MOST);
}

static int open_error(const struct queue *queue, int flags, const struct mq_attr *attributes)
{
    if (queue != NULL)
        return flags & O_CREAT && flags & O_EXCL ? EEXIST : 0;
    return !(flags & O_CREAT) ? ENOENT : are_right(attributes) ? 0 : EINVAL;
}

static int fails(int error)
{
    source_look(&queue_names);
    step_failed();
    return file_fails(error);
}

int queue_open(const char *name, int flags, const struct mq_attr *attributes, uintptr_t site)
{
    called_reads_before(OP_FILE_OPEN, name, strlen(name) + 1, site);
    if (flags & O_CREAT)
        called_reads_before(OP_FILE_OPEN, attributes, sizeof *attributes, site);
    int error = name_error(name);
    if (error != 0)
        return file_fails(error);
    announce_on(OP_FILE_OPEN, object_number(&queue_names), site);
    api_name(&queue_names, sizeof queue_names, "message queues");
    struct queue *queue = find(name);
    error = open_error(queue, flags, attributes);
    if (error != 0)
        return fails(error);
    struct queue_end *end = file_memory(sizeof *end, site);
    end->file.kind = &kind_queue;
    end->file.flags = flags & (O_ACCMODE | O_NONBLOCK);
    int descriptor = file_open_now(&end->file, flags & O_CLOEXEC);
    if (descriptor < 0)
        return fails(-descriptor);
    if (queue == NULL)
        queue = add(name, flags & O_CREAT ? attributes : NULL, site);
    queue->ends++;
    end->queue = queue;
    end->file.in = end->file.out = &queue->source;
    api_name(&queue->source, sizeof queue->source, queue->name);
    source_touch(&queue_names);
    return descriptor;
}

int queue_unlink(const char *name, uintptr_t site)
{
    called_reads_before(OP_FILE_CHANGE, name, strlen(name) + 1, site);
    int error = name_error(name);
    if (error != 0)
        return file_fails(error);
    ex.me->mutex = NULL;
    announce_on(OP_FILE_CHANGE, object_number(&queue_names), site);
    struct queue *queue = find(name);
    if (queue == NULL)
        return fails(ENOENT);
    queue->name[0] = 0;
    queue_leave(queue);
    source_touch(&queue_names);
    return 0;
}

int queue_end_close(int descriptor, uintptr_t site)
{
    return end_at(descriptor) != NULL ? file_close(descriptor, site) : file_fails(EBADF);
}

/* How long it may wait; false: that is no time. */
static bool length_of(const struct timespec *deadline, uint64_t *length)
{
    *length = FILE_NEVER;
    if (deadline == NULL)
        return true;
    if (!clock_is_valid(deadline) || deadline->tv_sec < 0)
        return false;
    uint64_t end = clock_length(deadline), now = clock_now(CLOCK_REALTIME);
    *length = end > now ? end - now : 0;
    return true;
}

static long end_of(long result, const struct file *file, const struct timespec *deadline)
{
    bool late = result == -EAGAIN && deadline != NULL && file_blocks(file, 0);
    return result >= 0 ? result : file_fails(late ? ETIMEDOUT : (int)-result);
}

int queue_send(int descriptor, const char *bytes, size_t size, unsigned priority,
               const struct timespec *deadline, const struct local *local)
{
    struct file *file = end_at(descriptor);
    uint64_t length;
    if (priority >= PRIORITIES || !length_of(deadline, &length))
        return file_fails(EINVAL);
    if (file == NULL || (file->flags & O_ACCMODE) == O_RDONLY)
        return file_fails(EBADF);
    if (size > (size_t)queue_of(file)->size_max)
        return file_fails(EMSGSIZE);
    struct iovec part = {(void *)bytes, size};
    struct transfer transfer = {.parts = &part,
                                .count = 1,
                                .size = size,
                                .site = local->site,
                                .message = true,
                                .priority = priority};
    long result = file_write_step(file, descriptor, &transfer, length, local);
    return end_of(result, file, deadline) < 0 ? -1 : 0;
}

long queue_receive(int descriptor, char *bytes, size_t size, unsigned *priority,
                   const struct timespec *deadline, const struct local *local)
{
    struct file *file = end_at(descriptor);
    uint64_t length;
    if (!length_of(deadline, &length))
        return file_fails(EINVAL);
    if (file == NULL || (file->flags & O_ACCMODE) == O_WRONLY)
        return file_fails(EBADF);
    if (size < (size_t)queue_of(file)->size_max)
        return file_fails(EMSGSIZE);
    struct iovec part = {bytes, size};
    struct transfer transfer = {
        .parts = &part, .count = 1, .size = size, .site = local->site, .message = true};
    long result = file_read_step(file, descriptor, &transfer, length, local);
    if (result >= 0 && priority != NULL) {
        memory_access(priority, sizeof *priority, true, local->site);
        *priority = transfer.priority;
    }
    return end_of(result, file, deadline);
}

int queue_attributes(int descriptor, const struct mq_attr *new, struct mq_attr *old,
                     const struct local *local)
{
    struct file *file = end_at(descriptor);
    called_reads_before(OP_FILE_CHANGE, new, sizeof *new, local->site);
    if (new != NULL &&new->mq_flags & ~(long)O_NONBLOCK)
        return file_fails(EINVAL);
    if (file == NULL)
        return file_fails(EBADF);
    struct file_wait wait = {.descriptor = descriptor,
                             .unblocks = new != NULL &&new->mq_flags != 0,
                             .deadline = FILE_NEVER,
                             .local = local};
    if (!file_step(&wait, new != NULL ? OP_FILE_CHANGE : OP_FILE_POLL, file->in))
        return file_fails(wait.error);
    struct queue *queue = queue_of(wait.file);
    struct mq_attr was = {.mq_flags = wait.file->flags & O_NONBLOCK,
                          .mq_maxmsg = queue->messages_max,
                          .mq_msgsize = queue->size_max,
                          .mq_curmsgs = queue->count};
    if (wait.unblocks)
        file_decide_waiters(&wait);
    if (new != NULL)
        wait.file->flags = (wait.file->flags & ~O_NONBLOCK) | (int)new->mq_flags;
    if (new != NULL)
        source_touch(&queue->source);
    else
        file_look(wait.file, POLLIN | POLLOUT);
    if (new == NULL)
        file_step_failed(&wait);
    file_step_done(&wait);
    if (old != NULL) {
        memory_access(old, sizeof *old, true, local->site);
        *old = was;
    }
    return 0;
}
