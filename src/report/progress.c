#include "report/progress.h"

#include "report/estimate.h"

#define INTERVAL_SECONDS 0.2

static void show_estimate(FILE *file, const struct tally *tally, double rate)
{
    struct remaining remaining;
    double chance;
    if (tally->claim == CLAIM_SAMPLED && new_class_probability(&chance, tally))
        fprintf(file, ", %.2g%% new", 100 * chance);
    if (!remaining_estimate(&remaining, &tally->estimate))
        return;
    fprintf(file, ", about %.2g left (%.2g to %.2g)", remaining.left, remaining.low,
            remaining.high);
    if (rate > 0 && remaining.left / rate < 1e6)
        fprintf(file, ", %.0f s more", remaining.left / rate);
}

void progress_show(struct progress_line *line, const struct tally *now, double seconds)
{
    double since = seconds - line->shown;
    if (since < INTERVAL_SECONDS)
        return;
    struct tally tally = *now; /* numbers may be torn: they are only looked at */
    double rate = (double)(tally.executions - line->executions) / since;
    fprintf(line->file, "\r\033[K%lu executions, %.0f a second, depth %u", tally.executions, rate,
            tally.max_steps);
    if (tally.bound >= 0)
        fprintf(line->file, ", bound %d", tally.bound);
    if (tally.pending > 0)
        fprintf(line->file, ", %lu pending", tally.pending);
    show_estimate(line->file, &tally, rate);
    if (tally.finding_count > 0)
        fprintf(line->file, ", %u found", tally.finding_count);
    fprintf(line->file, ", %.0f s", seconds);
    fflush(line->file);
    line->shown = seconds;
    line->executions = tally.executions;
    line->visible = true;
}

void progress_clear(struct progress_line *line)
{
    if (!line->visible)
        return;
    fputs("\r\033[K", line->file);
    fflush(line->file);
    line->visible = false;
}
