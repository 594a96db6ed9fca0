#include "coordinator/verdict/name_findings.h"

#include <stdio.h>

#include "coordinator/explain/why.h"
#include "coordinator/share/member.h"
#include "coordinator/symbols/symbols.h"
#include "coordinator/text.h"
#include "core/board.h"

void name_places(struct reported *reported, const struct board *board)
{
    struct symbols *symbols = symbols_of(board);
    for (int i = 0; i < FINDING_PLACES_MAX; i++)
        reported->places[i] = symbols_site(symbols, reported->finding.places[i].site);
    reported->at = reported->places[0];
    reported->why = why_text(reported);
}

void name_pairs(struct reported *reported, const struct board *board, const struct finding *found)
{
    uint32_t count = found->pair_count < FINDING_PAIRS_MAX ? found->pair_count : FINDING_PAIRS_MAX;
    if (found->kind != FINDING_RACE)
        return;
    struct symbols *symbols = symbols_of(board);
    reported->finding.pair_count = found->pair_count;
    reported->pairs = text_room((count + 1) * sizeof *reported->pairs);
    reported->pair_count = count;
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < FINDING_PLACES_MAX; k++)
            reported->pairs[i].site[k] = symbols_site(symbols, found->pairs[i].site[k]);
}

void name_exceptions(struct verdict *out)
{
    for (uint32_t i = 0; i < out->finding_count; i++) {
        struct finding *finding = &out->findings[i].finding;
        if (finding->kind == FINDING_UNCAUGHT_EXCEPTION)
            snprintf(finding->message, FINDING_TEXT_MAX, "%s", symbols_type(finding->message));
    }
}

void name_refusal(struct verdict *out, const struct board *board,
                  const struct exploration *exploration)
{
    out->refusal = exploration->refusal;
    if (exploration->refusal_site == 0)
        return;
    out->refusal_at = symbols_site(symbols_of(board), exploration->refusal_site);
}
