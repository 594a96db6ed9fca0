// Appending one buffer to another asks the other for its length, then copies that many characters: each call
// locks the other buffer for itself, so it can shrink in between. Main does not join.
// group: cb
// threads: 2
// finds: assertion
// lines: 29 37
// pb: 2
// db: 2
// options: --exit wait
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

enum { CAPACITY = 32 };

struct buffer {
    pthread_mutex_t lock;
    size_t length;
    char characters[CAPACITY];
};

static struct buffer target = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct buffer source = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .length = 3, .characters = "abc"};

static size_t buffer_length(struct buffer *buffer)
{
    pthread_mutex_lock(&buffer->lock);
    size_t length = buffer->length;
    pthread_mutex_unlock(&buffer->lock);
    return length;
}

static void buffer_copy(struct buffer *buffer, size_t length, char *to)
{
    pthread_mutex_lock(&buffer->lock);
    assert(length <= buffer->length);
    memcpy(to, buffer->characters, length);
    pthread_mutex_unlock(&buffer->lock);
}

static void buffer_append(struct buffer *buffer, struct buffer *other)
{
    pthread_mutex_lock(&buffer->lock);
    size_t length = buffer_length(other);
    assert(buffer->length + length <= CAPACITY);
    buffer_copy(other, length, buffer->characters + buffer->length);
    buffer->length += length;
    pthread_mutex_unlock(&buffer->lock);
}

static void buffer_set(struct buffer *buffer, const char *text)
{
    pthread_mutex_lock(&buffer->lock);
    buffer->length = strlen(text);
    memcpy(buffer->characters, text, buffer->length);
    pthread_mutex_unlock(&buffer->lock);
}

static void *rewrite(void *unused)
{
    buffer_set(&source, "");
    buffer_set(&source, "def");
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, rewrite, NULL);
    buffer_append(&target, &source);
    return 0;
}
