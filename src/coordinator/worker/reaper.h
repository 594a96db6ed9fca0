/* Processes of the tested program that outlive its worker. While workers run, bohr is a subreaper:
 * the kernel makes such processes children of bohr, which kills them. Children that bohr had before
 * (those of a shell that became bohr by exec) are left alone. */
#ifndef COORDINATOR_WORKER_REAPER_H
#define COORDINATOR_WORKER_REAPER_H

#include <stdbool.h>
#include <sys/types.h>

void orphans_adopt(void);
/* Kills all children, except those that bohr had before and those that `is_known`. */
void orphans_end(bool (*is_known)(const void *pool, pid_t pid), const void *pool);

#endif
