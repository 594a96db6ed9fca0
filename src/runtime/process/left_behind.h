/* Processes that the program started and left behind: daemons forked twice, and children of a
 * child that ended. The worker is a subreaper, so the kernel makes them its children; they are
 * killed at the end of each execution. The coordinator does the same for a worker that died. */
#ifndef RUNTIME_PROCESS_LEFT_BEHIND_H
#define RUNTIME_PROCESS_LEFT_BEHIND_H

void orphans_adopt(void); /* once for a worker, before the program runs */
void orphans_end(void);   /* kills every child that is left; the model's own have ended */

#endif
