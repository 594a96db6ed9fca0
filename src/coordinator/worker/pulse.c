#define _GNU_SOURCE
#include "coordinator/worker/pulse.h"

#include <dirent.h>
#include <stdio.h>

#include "coordinator/worker/budget.h"
#include "core/board.h"

#define NUDGE_SECONDS 0.1
#define KILL_SECONDS  2.0 /* that an urged worker has, at least */

void pulse_rest(struct pulse *pulse)
{
    pulse->moved = budget_clock();
    pulse->use.known = false;
    pulse->urged = false;
    pulse->nudged = 0;
}

static bool moves(struct pulse *pulse, const struct board *board)
{
    uint64_t sequence = __atomic_load_n(&board->journal.sequence, __ATOMIC_RELAXED);
    uint32_t steps = __atomic_load_n(&board->trace[board->which & 1].count, __ATOMIC_RELAXED);
    uint32_t beats = __atomic_load_n(&board->control.beats, __ATOMIC_RELAXED);
    bool same = sequence == pulse->sequence && steps == pulse->steps && beats == pulse->beats;
    pulse->sequence = sequence;
    pulse->steps = steps;
    pulse->beats = beats;
    return !same;
}

/* Adds the processor time that the kernel counted for a thread; nothing if the thread has ended. */
static void add_thread(struct processor_use *use, pid_t process, const char *thread)
{
    char path[64], state = 0;
    unsigned long long ran, waited;
    snprintf(path, sizeof path, "/proc/%d/task/%.16s/schedstat", process, thread);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return;
    if (fscanf(file, "%llu %llu", &ran, &waited) == 2) {
        use->ran += (double)ran / 1e9;
        use->waited += (double)waited / 1e9;
    }
    fclose(file);
    snprintf(path, sizeof path, "/proc/%d/task/%.16s/stat", process, thread);
    file = fopen(path, "re");
    if (file == NULL)
        return;
    if (fscanf(file, "%*d (%*[^)]) %c", &state) == 1)
        use->runnable |= state == 'R';
    fclose(file);
}

static struct processor_use use_of(pid_t process)
{
    struct processor_use use = {.known = true};
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/task", process);
    DIR *folder = opendir(path);
    if (folder == NULL)
        return use;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.')
            add_thread(&use, process, entry->d_name);
    closedir(folder);
    return use;
}

/* Idle time without the time in which the process waited for a processor. */
static double own_time(const struct pulse *pulse, const struct processor_use *use, double idle)
{
    if (use->ran == 0)
        return idle; /* this kernel does not count processor time */
    return use->runnable ? use->ran - pulse->use.ran : idle - (use->waited - pulse->use.waited);
}

/* A worker that computes is nudged again and again. One that waits in a call is not: the call would
 * fail with EINTR. */
static enum pulse_order nudge(struct pulse *pulse, double own, bool computes)
{
    if (!computes || own < pulse->nudged + NUDGE_SECONDS)
        return PULSE_GO_ON;
    pulse->nudged = own;
    return pulse->urged ? PULSE_URGE : PULSE_NUDGE;
}

enum pulse_order pulse_look(struct pulse *pulse, const struct board *board, pid_t process,
                            double hang_seconds)
{
    if (moves(pulse, board)) {
        pulse_rest(pulse);
        return PULSE_GO_ON;
    }
    if (!pulse->use.known)
        pulse->use = use_of(process);
    double idle = budget_clock() - pulse->moved;
    if (idle < NUDGE_SECONDS && idle < hang_seconds)
        return PULSE_GO_ON;
    struct processor_use use = use_of(process);
    double own = own_time(pulse, &use, idle);
    double limit = pulse->urged && hang_seconds < KILL_SECONDS ? KILL_SECONDS : hang_seconds;
    if (idle < limit || own < limit)
        return nudge(pulse, own, use.ran > 0 && use.runnable);
    enum pulse_order order = pulse->urged ? PULSE_KILL : PULSE_URGE;
    pulse_rest(pulse);
    pulse->urged = true;
    return order;
}
