// The thread that destroys the last context of a script engine tears down what all contexts share. A thread
// that begins afterwards finds the engine set up already, by a flag that was not taken back, and
// uses it.
// group: radbench
// threads: 3
// finds: crash
// lines: 30 48
// pb: 0
// db: 0
// options: --exit wait
// variants: radbench_bug3
// variants: radbench_bug3_fixed -DFIXED
// finds radbench_bug3_fixed: nothing
// pb radbench_bug3_fixed: -
// db radbench_bug3_fixed: -
// twin radbench_bug3: radbench_bug3_fixed
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { ATOMS = 4 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int atoms[ATOMS], *shared_atoms;
static bool set_up;
static int contexts;

static void context_new(void)
{
    pthread_mutex_lock(&mutex);
    if (!set_up) {
        shared_atoms = atoms;
        set_up = true;
    }
    contexts++;
    pthread_mutex_unlock(&mutex);
}

static void context_use(int atom)
{
    pthread_mutex_lock(&mutex);
    shared_atoms[atom]++;
    pthread_mutex_unlock(&mutex);
}

static void context_destroy(void)
{
    pthread_mutex_lock(&mutex);
    if (--contexts == 0) {
        shared_atoms = NULL;
#ifdef FIXED
        set_up = false;
#endif
    }
    pthread_mutex_unlock(&mutex);
}

static void *run_script(void *unused)
{
    context_new();
    for (int atom = 0; atom < ATOMS; atom++)
        context_use(atom);
    context_destroy();
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, run_script, NULL);
    pthread_create(&second, NULL, run_script, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
