// Two threads join the same one: which of them comes first matters, so that a join ends an atomic block, too.
// build: gcc -O1
// build: clang -O1
// expect: finding misuse
// run: -k -s dpor
// expect: findings[1].kind == misuse
// expect: classes 3
// run: -k -s exitblock
// expect: findings[1].kind == misuse
// expect: classes 3
// run: -k -s exitblock-rw
// expect: findings[1].kind == misuse
// expect: classes 3
#include <pthread.h>
#include <stdatomic.h>
static atomic_int word;
static pthread_t joined;
static void *ends(void *argument)
{
    return argument;
}
static void *joins(void *argument)
{
    atomic_load(&word);
    if (pthread_join(joined, NULL) != 0)
        atomic_store(&word, 1);
    atomic_load(&word);
    return argument;
}
int main(void)
{
    pthread_t other;
    pthread_create(&joined, NULL, ends, NULL);
    pthread_create(&other, NULL, joins, NULL);
    if (pthread_join(joined, NULL) != 0)
        atomic_store(&word, 2);
    pthread_join(other, NULL);
    return 0;
}
