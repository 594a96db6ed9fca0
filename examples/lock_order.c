/* A directory and a file are locked in opposite orders by two operations. Each is right alone; if
 * both have taken their first lock, neither gets its second.
 *
 * Bohr says, in short:
 *
 *     finding 1: a deadlock: T1 waits for file, which T2 holds; T2 waits for directory, which T1
 *         holds
 *         T2 locked file at line 45 before T1 could lock it at line 35, and T1 locked directory at
 *         line 34 before T2 could lock it at line 47
 *         the preemption that matters: T2 before it could lock directory at line 47
 *
 *       lines without a file are of lock_order.c
 *       step  T0                            T1                            T2
 *          0  create T1  :57
 *          1  create T2  :58
 *          2                                                              lock file  :45
 *                                                                         ── T2 is preempted ──
 *          3                                lock directory  :34
 *      waits  join T1  :59 ◀
 *      waits                                lock file  :35 ◀
 *      waits                                                              lock directory  :47 ◀
 *
 * expect: finding deadlock
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t directory = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t file = PTHREAD_MUTEX_INITIALIZER;
static int entries = 1, links = 1;

static void *remove_file(void *unused)
{
    pthread_mutex_lock(&directory);
    pthread_mutex_lock(&file);
    entries--;
    links--;
    pthread_mutex_unlock(&file);
    pthread_mutex_unlock(&directory);
    return unused;
}

static void *link_file(void *unused)
{
    pthread_mutex_lock(&file);
    links++;
    pthread_mutex_lock(&directory);
    entries++;
    pthread_mutex_unlock(&directory);
    pthread_mutex_unlock(&file);
    return unused;
}

int main(void)
{
    pthread_t remover, linker;
    pthread_create(&remover, NULL, remove_file, NULL);
    pthread_create(&linker, NULL, link_file, NULL);
    pthread_join(remover, NULL);
    pthread_join(linker, NULL);
    return 0;
}
