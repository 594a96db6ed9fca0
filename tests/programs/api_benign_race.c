// Races on bytes that the program calls benign are not reported, those beside them are. The accesses are
// explored all the same: the update that gets lost is found.
// build: gcc -O1
// build: clang -O1
// modes: all
// run: -s dfs
// expect: no finding
// expect: output races that the program calls benign are not reported
// expect: executions > 4
// run: -s dfs -- beside
// expect: finding race
// expect: output other
// run: -s dfs -- lost
// expect: finding assertion
// run: -s dfs -- annotate
// expect: no finding
#include <bohr.h>
#include <pthread.h>
#include <string.h>

void AnnotateBenignRaceSized(const char *file, int line, const volatile void *start, size_t size,
                             const char *why);
#pragma weak AnnotateBenignRaceSized

static struct {
    int hits, misses;
} statistics;
static int other;
static const char *way = "";

static void *work(void *unused)
{
    statistics.hits++;
    statistics.misses++;
    if (strcmp(way, "beside") == 0)
        other++;
    return unused;
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "";
    if (strcmp(way, "annotate") == 0)
        AnnotateBenignRaceSized(__FILE__, __LINE__, &statistics, sizeof statistics, "counted roughly");
    else
        bohr_benign_race(&statistics, sizeof statistics);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    bohr_assert(strcmp(way, "lost") != 0 || statistics.hits == 2);
    return 0;
}
