#include "report/progress.h"

#define INTERVAL_SECONDS 0.2

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
