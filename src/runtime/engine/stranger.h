/* Kernel threads that the scheduler does not control: the program made them behind its back. */
#ifndef RUNTIME_ENGINE_STRANGER_H
#define RUNTIME_ENGINE_STRANGER_H

void stranger_is_ours(long id); /* a kernel thread that we have made ourselves */
void strangers_refuse(void);    /* refuses the program if there is another one */

unsigned kernel_thread_count(void); /* of this process */

#endif
