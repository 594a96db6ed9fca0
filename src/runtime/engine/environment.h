/* The environment variables that the coordinator set: read, then hidden from the program. */
#ifndef RUNTIME_ENGINE_ENVIRONMENT_H
#define RUNTIME_ENGINE_ENVIRONMENT_H

int environment_number(const char *name); /* -1: not set */
void environment_clean(void);             /* takes out what we added */

#endif
