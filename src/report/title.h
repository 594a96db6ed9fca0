/* What people call a kind of finding, with its article. */
#ifndef REPORT_TITLE_H
#define REPORT_TITLE_H

#include "core/finding.h"

const char *finding_title(enum finding_kind kind);

#endif
