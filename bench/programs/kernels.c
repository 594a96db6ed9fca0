/* Three kernels that do little but access memory: reals in three matrices, a recursive sort of integers, a hash
 * table with chains. `kernels NAME TIMES` runs one of them so often, and one thread beside it has been. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 48, NUMBERS = 8000, BUCKETS = 512, KEYS = 3000, INSERTS = 6000 };

static double left[SIDE][SIDE], right[SIDE][SIDE], product[SIDE][SIDE];

static long multiply(void)
{
    for (int i = 0; i < SIDE; i++)
        for (int k = 0; k < SIDE; k++) {
            left[i][k] = (i * SIDE + k) % 7;
            right[i][k] = (i * SIDE + k) % 5;
        }
    for (int i = 0; i < SIDE; i++)
        for (int k = 0; k < SIDE; k++) {
            double sum = 0;
            for (int n = 0; n < SIDE; n++)
                sum += left[i][n] * right[n][k];
            product[i][k] = sum;
        }
    return (long)product[1][29];
}

static int numbers[NUMBERS];

static void sort_between(int *all, int low, int high)
{
    if (low >= high)
        return;
    int pivot = all[(low + high) / 2], from = low, to = high;
    while (from <= to) {
        while (all[from] < pivot)
            from++;
        while (all[to] > pivot)
            to--;
        if (from <= to) {
            int kept = all[from];
            all[from++] = all[to];
            all[to--] = kept;
        }
    }
    sort_between(all, low, to);
    sort_between(all, from, high);
}

static long sort(void)
{
    unsigned seed = 1;
    for (int i = 0; i < NUMBERS; i++) {
        seed = seed * 1103515245 + 12345;
        numbers[i] = (int)(seed >> 8);
    }
    sort_between(numbers, 0, NUMBERS - 1);
    return numbers[NUMBERS / 16];
}

static struct entry {
    struct entry *next;
    unsigned key;
    int count;
} *buckets[BUCKETS], entries[INSERTS];

static long hash(void)
{
    unsigned seed = 7;
    long found = 0;
    int used = 0;
    for (int i = 0; i < BUCKETS; i++)
        buckets[i] = NULL;
    for (int i = 0; i < INSERTS; i++) {
        seed = seed * 1664525 + 1013904223;
        unsigned key = (seed >> 10) % KEYS;
        struct entry *entry = buckets[key % BUCKETS];
        while (entry != NULL && entry->key != key)
            entry = entry->next;
        if (entry != NULL) {
            entry->count++;
            found++;
            continue;
        }
        entry = &entries[used++];
        entry->key = key;
        entry->count = 1;
        entry->next = buckets[key % BUCKETS];
        buckets[key % BUCKETS] = entry;
    }
    return found;
}

static void *nothing(void *unused)
{
    return unused;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        long (*run)(void);
    } kernels[] = {{"matrix", multiply}, {"sort", sort}, {"hash", hash}};
    pthread_t thread;
    if (argc != 3 || pthread_create(&thread, NULL, nothing, NULL) != 0)
        return 2;
    pthread_join(thread, NULL);
    volatile long sum = 0;
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        for (int times = strcmp(kernels[i].name, argv[1]) == 0 ? atoi(argv[2]) : 0; times > 0; times--)
            sum += kernels[i].run();
    return sum == 0;
}
