// A thread takes a context of a script engine, works, and gives it back, by setting and clearing
// the context's owner without a lock. The collector, in main, walks the contexts: it sees an owner,
// and when it goes to that owner's stack the context has been given back.
// group: radbench
// threads: 2
// finds: crash
// lines: 50 80 82
// pb: 3
// db: 3
// options: --exit wait
// variants: radbench_bug2
// variants: radbench_bug2_fixed -DFIXED
// finds radbench_bug2_fixed: nothing
// pb radbench_bug2_fixed: -
// db radbench_bug2_fixed: -
// twin radbench_bug2: radbench_bug2_fixed
#include <pthread.h>
#include <stddef.h>

enum { CONTEXTS = 2, ROOTS = 2 };

struct owner {
    int roots[ROOTS];
    int requests;
};

static struct context {
    struct owner *owner; /* NULL: nobody's */
} contexts[CONTEXTS];

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int requests, marked;

static void context_set_owner(struct context *context, struct owner *owner)
{
#ifdef FIXED
    pthread_mutex_lock(&mutex);
#endif
    context->owner = owner;
#ifdef FIXED
    pthread_mutex_unlock(&mutex);
#endif
}

static void context_clear_owner(struct context *context)
{
#ifdef FIXED
    pthread_mutex_lock(&mutex);
#endif
    context->owner = NULL;
#ifdef FIXED
    pthread_mutex_unlock(&mutex);
#endif
}

static void count_request(struct owner *owner, int change)
{
    pthread_mutex_lock(&mutex);
    owner->requests += change;
    requests += change;
    pthread_mutex_unlock(&mutex);
}

static void *run_scripts(void *unused)
{
    static struct owner self = {.roots = {1, 2}};
    for (int i = 0; i < CONTEXTS; i++) {
        context_set_owner(&contexts[i], &self);
        count_request(&self, 1);
        count_request(&self, -1);
        context_clear_owner(&contexts[i]);
    }
    return unused;
}

static void collect(void)
{
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < CONTEXTS; i++)
        if (contexts[i].owner != NULL)
            for (int root = 0; root < ROOTS; root++)
                marked += contexts[i].owner->roots[root];
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    pthread_t scripts;
    pthread_create(&scripts, NULL, run_scripts, NULL);
    collect();
    collect();
    pthread_join(scripts, NULL);
    return 0;
}
