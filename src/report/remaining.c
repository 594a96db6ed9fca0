#include "report/remaining.h"

#include <math.h>

enum { PARTS_MIN = 4 }; /* fewer parts say nothing about the rest */

/* Assumes that the remaining parts are like those seen, with two standard deviations on either
 * side. */
static bool from_parts(struct remaining *out, const struct parts *parts)
{
    if (parts->done < PARTS_MIN)
        return false;
    double done = parts->done, left = parts->left, begun = parts->begun, sum = (double)parts->sum;
    double mean = sum / done, current = (double)parts->current;
    double variance = fmax(0, ((double)parts->squares - mean * sum) / (done - 1));
    double spread = 2 * sqrt(variance * (left + left * left / done));
    out->left = left * mean + fmax(0, begun * mean - current);
    out->low = fmax(left, out->left - spread); /* each remaining part is one execution, at least */
    out->high = out->left + spread;
    return true;
}

/* Divides the executions by the share of the tree that they covered. How far off that may be shows
 * in how the result changed as the search went on. The rest of the tree may be twice or half as
 * dense, or much denser where further branches become known. */
static bool from_shares(struct remaining *out, const struct estimate *estimate)
{
    double totals[SHARES], done = (double)estimate->shares[0].executions;
    for (int i = 0; i < SHARES; i++) {
        if (estimate->shares[i].share == 0)
            return false;
        double share = ldexp((double)estimate->shares[i].share, -64);
        totals[i] = (double)(estimate->shares[i].executions - 1) / share;
    }
    double change = 0, share = ldexp((double)estimate->shares[0].share, -64);
    for (int i = 1; i < SHARES; i++)
        change = fmax(change, fabs(log(totals[i] / totals[0])));
    bool crown = estimate->kind == ESTIMATE_CROWN;
    double unknown = crown ? log(9) : estimate->kind == ESTIMATE_GROWING ? log(3) : 0;
    double doubt = change * 2 / 3 + log(2), unseen = crown ? fmax(1 - share, 0.4) : 1 - share;
    out->left = fmax(0, totals[0] - done);
    out->low = fmax(0, totals[0] * exp((share - 1) * doubt) - done);
    out->high = fmax(0, totals[0] * exp(unseen * (doubt + unknown)) - done);
    return true;
}

bool remaining_estimate(struct remaining *out, const struct estimate *estimate)
{
    switch (estimate->kind) {
    case ESTIMATE_NONE:
        return false;
    case ESTIMATE_SHARES:
    case ESTIMATE_GROWING:
    case ESTIMATE_CROWN:
        return from_shares(out, estimate);
    case ESTIMATE_PARTS:
        return from_parts(out, &estimate->parts);
    }
    return false; /* the tested program wrote over the board */
}

bool remaining_executions(struct remaining *out, const struct tally *tally)
{
    if (!remaining_estimate(out, &tally->estimate))
        return false;
    if (tally->executions == 0)
        return true;
    double whole = (double)tally->executions / (double)(tally->executions + tally->cut);
    out->left *= whole;
    out->low *= whole;
    out->high *= whole;
    return true;
}

bool new_class_probability(double *out, const struct tally *tally)
{
    if (tally->classes == CLASSES_UNKNOWN || tally->classified == 0)
        return false;
    *out = (double)tally->singletons / (double)tally->classified;
    return true;
}
