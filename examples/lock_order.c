/* A directory and a file are locked in opposite orders by two operations. Each is right alone; if
 * both have taken their first lock, neither gets its second.
 *
 * Bohr says, in short:
 *
 *     finding 1: a deadlock: threads wait for each other or for nobody
 *         T0 waits: join T1 at lock_order.c:59 (main)
 *         T1 waits: lock file at lock_order.c:35 (remove_file); T2 holds it
 *         T2 waits: lock directory at lock_order.c:47 (link_file); T1 holds it
 *         with 1 preemption
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
