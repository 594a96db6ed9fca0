/* The results of an enumeration, and how they are printed: one line of JSON for each program. */
#include "oracle.h"

#include <stdio.h>
#include <string.h>

uint64_t mix(uint64_t hash, uint64_t value)
{
    hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
    hash *= 0xff51afd7ed558ccdu;
    return hash ^ hash >> 29;
}

void set_add(uint64_t *set, int *count, uint64_t value)
{
    value += value == 0;
    uint32_t at = (uint32_t)(value % SET);
    while (set[at] != 0 && set[at] != value)
        at = (at + 1) % SET;
    if (set[at] == 0) {
        if (++*count > SET / 2)
            exceeded("classes");
        set[at] = value;
    }
}

void results_clear(void)
{
    the->executions = 0;
    if (the->class_count > 0)
        memset(the->classes, 0, sizeof the->classes);
    the->class_count = the->race_count = the->finding_count = the->choice_count = 0;
    the->limit = NULL;
    the->grown = the->cut_any = false;
}

void race_note(uintptr_t address, Site first, enum access first_kind, Site second, enum access second_kind)
{
    if (first > second) {
        race_note(address, second, second_kind, first, first_kind);
        return;
    }
    for (int i = 0; i < the->race_count; i++)
        if (the->races[i].first == first && the->races[i].second == second)
            return;
    if (the->race_count == (int)(sizeof the->races / sizeof the->races[0]))
        exceeded("races");
    the->races[the->race_count++] = (struct race){.first = first,
                                                  .second = second,
                                                  .address = address,
                                                  .kinds = {(uint8_t)first_kind, (uint8_t)second_kind}};
}

bool is_racing(Site site)
{
    for (int i = 0; i < the->racing_count; i++)
        if (the->racing[i] == site)
            return true;
    return false;
}

/* Places where the enumeration has shown a race are steps from now on. False: all of them were. */
bool racing_add(void)
{
    int before = the->racing_count;
    for (int i = 0; i < 2 * the->race_count; i++) {
        const struct race *race = &the->races[i / 2];
        Site site = i % 2 == 0 ? race->first : race->second;
        if (is_racing(site))
            continue;
        if (the->racing_count == (int)(sizeof the->racing / sizeof the->racing[0]))
            exceeded("races");
        the->racing[the->racing_count++] = site;
    }
    return the->racing_count > before;
}

static void print_findings(const char *name)
{
    printf(", \"%s\": [", name);
    for (int i = 0; i < the->finding_count; i++)
        printf("%s[\"%s\", %lu]", i > 0 ? ", " : "", the->findings[i].text, (unsigned long)the->findings[i].count);
    printf("]");
}

static void print_races(const char *name)
{
    printf(", \"%s\": [", name);
    for (int i = 0; i < the->race_count; i++)
        printf("%s[\"%#lx\", \"%#lx\", \"%#lx\", %d, %d]", i > 0 ? ", " : "",
               (unsigned long)the->races[i].address, (unsigned long)the->races[i].first,
               (unsigned long)the->races[i].second, the->races[i].kinds[0], the->races[i].kinds[1]);
    printf("]");
}

void results_print_at_races(void)
{
    printf(", \"classes_at_races\": %d", the->class_count);
    print_findings("findings_at_races");
    print_races("races_at_races");
    printf("}\n");
}

void results_print(int program)
{
    printf("{\"program\": %d, \"fair\": %s, \"interleavings\": %lu, \"classes\": %d, \"cut_short\": %s, \"limit\": ", program,
           the->fair ? "true" : "false", (unsigned long)the->executions, the->class_count, the->cut_any ? "true" : "false");
    if (the->limit != NULL)
        printf("\"%s\"", the->limit);
    else
        printf("null");
    print_findings("findings");
    print_races("races");
}
