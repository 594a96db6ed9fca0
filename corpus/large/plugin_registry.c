// Plugins are made when they are first asked for. Whether one is there is asked without the lock,
// then again with it; but its address is stored in the table before it is set up, so that a thread that asks
// in between gets a plugin that is not ready.
// group: large
// threads: 4
// finds: assertion
// lines: 54
// pb: 1
// db: 1
// options: --exit wait
// variants: plugin_registry
// variants: plugin_registry_fixed -DFIXED
// finds plugin_registry_fixed: nothing
// pb plugin_registry_fixed: -
// db plugin_registry_fixed: -
// twin plugin_registry: plugin_registry_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { PLUGINS = 6, THREADS = 3, CALLS = 8 };

struct plugin {
    atomic_bool ready;
    atomic_int calls;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct plugin *_Atomic plugins[PLUGINS];

static void plugin_set_up(struct plugin *plugin)
{
    plugin->calls = 0;
    plugin->ready = true;
}

static struct plugin *plugin_get(int number)
{
    struct plugin *plugin = plugins[number];
    if (plugin != NULL)
        return plugin;
    pthread_mutex_lock(&lock);
    plugin = plugins[number];
    if (plugin == NULL) {
        plugin = calloc(1, sizeof *plugin);
#ifdef FIXED
        plugin_set_up(plugin);
        plugins[number] = plugin;
#else
        plugins[number] = plugin;
        plugin_set_up(plugin);
#endif
    }
    pthread_mutex_unlock(&lock);
    return plugin;
}

static void plugin_call(int number)
{
    struct plugin *plugin = plugin_get(number);
    assert(plugin->ready);
    plugin->calls++;
}

static void *work(void *number)
{
    for (int i = 0; i < CALLS; i++)
        plugin_call(((int)(intptr_t)number + i) % PLUGINS);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    int calls = 0;
    for (int i = 0; i < PLUGINS; i++)
        if (plugins[i] != NULL) {
            calls += plugins[i]->calls;
            free(plugins[i]);
        }
    assert(calls == THREADS * CALLS);
    return 0;
}
