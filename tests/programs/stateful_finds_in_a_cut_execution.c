// An exchange that leaves the value as it was leads to a state that the search through states knows: it cuts that
// execution there, after the race has shown. The recorded schedule must end at the same step, or the race would not
// come again.
// build: gcc -O1
// build: clang -O1
// run: -s stateful -k
// expect: finding race
// expect: finding assertion
// expect: complete == true
// run: -s stateful -k --no-shrink --no-explain
// expect: finding race
// expect: finding assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int word;
static int data;
static void *writes(void *argument)
{
    data = 1;
    atomic_fetch_or(&word, 0);
    return argument;
}
static void *reads(void *argument)
{
    atomic_fetch_or(&word, 0);
    assert(data == 1);
    return argument;
}
int main(void)
{
    pthread_t writer, reader;
    pthread_create(&writer, NULL, writes, NULL);
    pthread_create(&reader, NULL, reads, NULL);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    return 0;
}
