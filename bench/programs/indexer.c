/* N threads put words into a hash table (Flanagan and Godefroid 2005). */
#include <pthread.h>

enum { SIZE = 128, WORDS = 4 };

static int table[SIZE];
static pthread_mutex_t mutex[SIZE];

static void *work(void *argument)
{
    for (int m = 1; m <= WORDS; m++) {
        int word = m * 11 + (int)(long)argument, at = word * 7 % SIZE, done = 0;
        while (!done) {
            pthread_mutex_lock(&mutex[at]);
            if (table[at] == 0) {
                table[at] = word;
                done = 1;
            }
            pthread_mutex_unlock(&mutex[at]);
            at = (at + 1) % SIZE;
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
