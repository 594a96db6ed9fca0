/* Two threads take two mutexes in opposite orders, after a section that is in nobody's way: many
 * executions end in a deadlock, the others after 21 steps. */
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t early = PTHREAD_MUTEX_INITIALIZER;
static int moved;

static void begin(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&early);
        pthread_mutex_unlock(&early);
    }
}

static void move(pthread_mutex_t *from, pthread_mutex_t *to)
{
    pthread_mutex_lock(from);
    pthread_mutex_lock(to);
    moved++;
    pthread_mutex_unlock(to);
    pthread_mutex_unlock(from);
}

static void *rightwards(void *unused)
{
    begin();
    move(&left, &right);
    return unused;
}

static void *leftwards(void *unused)
{
    begin();
    move(&right, &left);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, rightwards, NULL);
    pthread_create(&second, NULL, leftwards, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return moved == 2 ? 0 : 1;
}
