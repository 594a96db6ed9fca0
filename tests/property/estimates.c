/* The estimate of the executions that are left, compared with how many there were: the interval
 * holds the truth in most cases, and its ends are not far from each other. */
#include <math.h>
#include <string.h>

#include "report/remaining.h"
#include "strategy/guided/priority.h"
#include "support/search.h"
#include "support/story.h"

enum { PROGRAMS = 60 / SANITIZED, LEAST = 100, MOST = 20000 };

struct score {
    uint32_t asked, held;
    uint32_t near;   /* within a factor of four of the truth */
    uint32_t narrow; /* the ends of the interval lie within a factor of 32 */
};

struct count { /* of one bound, if there are bounds */
    uint64_t of[64];
};

static uint64_t key(const struct search *search)
{
    int32_t bound = search_progress(search).bound;
    return bound < 0 ? 0 : (uint64_t)bound % 64;
}

struct asked { /* a search */
    const char *strategy;
    struct strategy_options options;
};

static bool count_all(const struct toy_program *program, const struct asked *asked,
                      struct count *out)
{
    struct search search;
    uint64_t all = 0, anew = 0;
    memset(out, 0, sizeof *out);
    search_open(&search, program, asked->strategy, asked->options);
    while (all <= MOST && search_advance(&search)) {
        if (search_progress(&search).anew > anew) {
            anew = search_progress(&search).anew;
            memset(out, 0, sizeof *out);
        }
        out->of[key(&search)]++;
        search_execute(&search);
        all++;
    }
    search_close(&search);
    return all <= MOST;
}

static void ask(const struct search *search, uint64_t total, uint64_t run, struct score *score)
{
    struct remaining remaining;
    struct progress progress = search_progress(search);
    if (!remaining_estimate(&remaining, &progress.estimate))
        return;
    double left = (double)(total - run);
    score->asked++;
    score->held += remaining.low <= left + 1 && left <= remaining.high + 1;
    score->narrow += remaining.high + (double)run <= 32 * (remaining.low + (double)run);
    score->near += fabs(log((remaining.left + (double)run) / (double)total)) < log(4);
}

static void follow(const struct toy_program *program, const struct asked *asked,
                   struct score *score)
{
    struct count totals;
    struct search search;
    if (!count_all(program, asked, &totals))
        return;
    uint64_t run[64] = {0}, anew = 0;
    search_open(&search, program, asked->strategy, asked->options);
    while (search_advance(&search)) {
        if (search_progress(&search).anew > anew) {
            anew = search_progress(&search).anew;
            memset(run, 0, sizeof run);
        }
        uint64_t at = key(&search), number = run[at]++;
        if (totals.of[at] >= LEAST && number >= 16 && (number & (number - 1)) == 0)
            ask(&search, totals.of[at], number, score);
        search_execute(&search);
    }
    search_close(&search);
}

static struct score score_of(const struct asked *asked)
{
    struct score score = {0};
    uint64_t programs = story_programs(PROGRAMS);
    for (uint64_t seed = 1; seed <= 20 * programs && score.asked < 4 * programs; seed++) {
        struct toy_program program = toy_random_more(seed);
        follow(&program, asked, &score);
    }
    for (uint32_t times = 3; times <= 6; times++) {
        struct toy_program program = toy_lockers(2, times);
        follow(&program, asked, &score);
    }
    return score;
}

static void expect(const char *strategy, const char *priorities, int32_t bound)
{
    struct asked asked = {strategy, {.bound = bound}};
    size_t length;
    if (priorities != NULL)
        assert_null(hierarchy_parse(&asked.options.hierarchy, priorities, &length));
    struct score score = score_of(&asked);
    print_message("%s %s: of %u estimates %u hold the truth, %u are near it, %u are narrow\n",
                  strategy, priorities != NULL ? priorities : "", score.asked, score.held,
                  score.near, score.narrow);
    if (score.asked < story_least(PROGRAMS))
        fail_msg("%s: only %u estimates", strategy, score.asked);
    if (SANITIZED > 1 || story_is_short())
        return; /* so few say nothing about how good they are */
    if (5 * score.held < 4 * score.asked)
        fail_msg("%s: of %u estimates %u hold the truth", strategy, score.asked, score.held);
    if (5 * score.near < 4 * score.asked)
        fail_msg("%s: of %u estimates %u are within a factor of four", strategy, score.asked,
                 score.near);
    if (2 * score.narrow < score.asked)
        fail_msg("%s: of %u estimates %u have a narrow interval", strategy, score.asked,
                 score.narrow);
}

static void intervals_hold_the_truth(void **state)
{
    static const char *const priorities[] = {"df", "mdpor,pb", "rand"};
    expect("dfs", NULL, NO_BOUND);
    expect("dpor", NULL, NO_BOUND);
    expect("bpor", NULL, NO_BOUND);
    for (size_t i = 0; i < sizeof priorities / sizeof *priorities; i++)
        expect("best", priorities[i], NO_BOUND);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        {"intervals hold the truth", intervals_hold_the_truth, NULL, NULL, NULL},
    };
    return story_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
