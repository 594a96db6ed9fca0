// One thread stores a value, N threads read it. Nothing is wrong: readers do not disturb each
// other, each comes before or after the writer, which makes 2^N classes.
// group: reduction
// finds: nothing
// pb: -
// db: -
// variants: writer_readers_3
// variants: writer_readers_8
// variants: writer_readers_13
// args writer_readers_3: 3
// args writer_readers_8: 8
// args writer_readers_13: 13
// threads writer_readers_3: 5
// threads writer_readers_8: 10
// threads writer_readers_13: 15
// classes writer_readers_3: 8
// classes writer_readers_8: 256
// classes writer_readers_13: 8192
// beyond writer_readers_13: classes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

enum { READERS_MAX = 13, NEWS = 1 };

static atomic_int news;

static void *write_news(void *unused)
{
    news = NEWS;
    return unused;
}

static void *read_news(void *unused)
{
    int read = news;
    assert(read == 0 || read == NEWS);
    return unused;
}

int main(int argument_count, char **arguments)
{
    int count = argument_count > 1 ? atoi(arguments[1]) : 0;
    assert(count > 0 && count <= READERS_MAX);
    pthread_t writer, readers[READERS_MAX];
    pthread_create(&writer, NULL, write_news, NULL);
    for (int i = 0; i < count; i++)
        pthread_create(&readers[i], NULL, read_news, NULL);
    pthread_join(writer, NULL);
    for (int i = 0; i < count; i++)
        pthread_join(readers[i], NULL);
    return 0;
}
