/* The debugger's view of an execution (bohr replay --gdb): a call before each step, in the thread
 * that is about to take it, and one at the end. gdb's side is src/gdb/commands.py. */
#ifndef RUNTIME_ENGINE_DEBUGGER_H
#define RUNTIME_ENGINE_DEBUGGER_H

void debug_thread(void); /* the current thread is about to announce an operation */
void debug_step(void);   /* the thread is about to carry the step out */
void debug_end(void);    /* the execution is over; the thread that ended it is where it did */

#endif
