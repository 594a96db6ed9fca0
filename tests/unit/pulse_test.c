#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "coordinator/worker/pulse.h"
#include "core/board.h"

static const double HANG = 0.3;

static struct board *board;
static struct pulse pulse;
static pid_t others[2];

static int set_up(void **state)
{
    board = aligned_alloc(_Alignof(struct board), sizeof *board);
    if (board != NULL)
        memset(board, 0, sizeof *board);
    pulse = (struct pulse){0};
    pulse_rest(&pulse);
    return board == NULL;
}

static int tear_down(void **state)
{
    for (int i = 0; i < 2; i++)
        if (others[i] > 0) {
            kill(others[i], SIGKILL);
            waitpid(others[i], NULL, 0);
        }
    others[0] = others[1] = 0;
    free(board);
    return 0;
}

static void sleep_for(double seconds)
{
    struct timespec time = {.tv_sec = (time_t)seconds,
                            .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

static pid_t start(bool busy, int policy)
{
    pid_t process = fork();
    if (process != 0)
        return process;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    cpu_set_t first;
    sched_getaffinity(0, sizeof first, &first);
    int number = 0;
    while (!CPU_ISSET(number, &first))
        number++;
    CPU_ZERO(&first);
    CPU_SET(number, &first);
    sched_setaffinity(0, sizeof first, &first);
    sched_setscheduler(0, policy, &(struct sched_param){0});
    for (;;)
        if (!busy)
            pause();
}

static enum pulse_order look_after(double seconds)
{
    pulse_look(&pulse, board, others[0], HANG);
    sleep_for(seconds);
    return pulse_look(&pulse, board, others[0], HANG);
}

/* A worker may have to share its processor, and be late to begin: that is no hang. */
static enum pulse_order order_after(double seconds)
{
    enum pulse_order order = PULSE_GO_ON;
    for (int i = 0; i < 600 && (order == PULSE_GO_ON || order == PULSE_NUDGE); i++)
        order = look_after(seconds);
    return order;
}

static void who_sleeps_for_long_is_urged_then_killed(void **state)
{
    others[0] = start(false, SCHED_OTHER);
    assert_int_equal(order_after(2 * HANG), PULSE_URGE);
    assert_int_equal(order_after(2 * HANG), PULSE_KILL);
}

static void steps_seals_and_beats_are_signs_of_life(void **state)
{
    others[0] = start(false, SCHED_OTHER);
    uint32_t *signs[] = {&board->trace[0].count, &board->control.beats};
    for (int i = 0; i < 2; i++) {
        pulse_look(&pulse, board, others[0], HANG);
        sleep_for(2 * HANG);
        ++*signs[i];
        assert_int_equal(pulse_look(&pulse, board, others[0], HANG), PULSE_GO_ON);
    }
    board->journal.sequence++;
    assert_int_equal(order_after(2 * HANG), PULSE_URGE);
}

static void who_runs_for_long_is_urged(void **state)
{
    others[0] = start(true, SCHED_OTHER);
    assert_int_equal(order_after(HANG / 3), PULSE_URGE);
}

static void who_has_no_processor_does_not_hang(void **state)
{
    if (access("/proc/self/schedstat", R_OK) != 0)
        skip();
    others[0] = start(true, SCHED_IDLE);
    others[1] = start(true, SCHED_OTHER);
    assert_int_equal(look_after(3 * HANG), PULSE_GO_ON);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(who_sleeps_for_long_is_urged_then_killed, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(steps_seals_and_beats_are_signs_of_life, set_up, tear_down),
        cmocka_unit_test_setup_teardown(who_runs_for_long_is_urged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(who_has_no_processor_does_not_hang, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
