/* Runs a recorded schedule again, for the commands that take a replay file. */
#ifndef CLI_REPLAY_H
#define CLI_REPLAY_H

#include "cli/settings.h"

/* The whole command: reads options and file, and writes the report. */
int replay_command(int argc, char **argv, enum command_bit command);

#endif
