#include "report/report.h"

#include <string.h>

#define REPORT(name)        extern const struct report report_##name;
#define TO_FILE(name, help) REPORT(name)
#include "report/reports.def"
#undef REPORT
#undef TO_FILE

const struct report *const reports[] = {
#define REPORT(name)        &report_##name,
#define TO_FILE(name, help) &report_##name,
#include "report/reports.def"
#undef REPORT
#undef TO_FILE
    NULL,
};

const struct report *report_find(const char *name)
{
    for (int i = 0; reports[i] != NULL; i++)
        if (strcmp(reports[i]->name, name) == 0)
            return reports[i];
    return NULL;
}
