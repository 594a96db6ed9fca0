// Threads log into a file that is rotated when it is full. A writer looks up the current file under
// the lock, lets the lock go, and locks the file itself to append; in between the file may have
// been rotated away and closed by another writer.
// group: large
// threads: 4
// finds: assertion
// lines: 36 47
// pb: 1
// db: 1
// options: --exit wait
// variants: log_rotation
// variants: log_rotation_fixed -DFIXED
// finds log_rotation_fixed: nothing
// pb log_rotation_fixed: -
// db log_rotation_fixed: -
// twin log_rotation: log_rotation_fixed
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { FILES = 16, LINES_MOST = 4, WRITERS = 3, LINES = 7 };

static struct file {
    pthread_mutex_t lock;
    bool open;
    int lines;
} files[FILES];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* taken before that of a file */
static int current;

static void rotate(void)
{
    struct file *old = &files[current], *new = &files[current + 1];
    pthread_mutex_lock(&old->lock);
    old->open = false;
    pthread_mutex_unlock(&old->lock);
    pthread_mutex_lock(&new->lock);
    new->open = true;
    pthread_mutex_unlock(&new->lock);
    current++;
}

static void append(struct file *file)
{
    pthread_mutex_lock(&file->lock);
    assert(file->open);
    file->lines++;
    pthread_mutex_unlock(&file->lock);
}

static void log_line(void)
{
    static int written; /* to the current file */
    pthread_mutex_lock(&lock);
    if (written == LINES_MOST) {
        rotate();
        written = 0;
    }
    written++;
    struct file *file = &files[current];
#ifdef FIXED
    append(file);
    pthread_mutex_unlock(&lock);
#else
    pthread_mutex_unlock(&lock);
    append(file);
#endif
}

static void *work(void *unused)
{
    for (int i = 0; i < LINES; i++)
        log_line();
    return unused;
}

int main(void)
{
    for (int i = 0; i < FILES; i++)
        pthread_mutex_init(&files[i].lock, NULL);
    files[0].open = true;
    pthread_t writers[WRITERS];
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&writers[i], NULL, work, NULL);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(writers[i], NULL);
    int lines = 0;
    for (int i = 0; i < FILES; i++) {
        lines += files[i].lines;
        pthread_mutex_destroy(&files[i].lock);
    }
    assert(lines == WRITERS * LINES);
    return 0;
}
