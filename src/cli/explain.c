/* bohr explain: the story of a finding, from its replay file. */
#include "cli/command.h"
#include "cli/replay.h"

int command_explain(int argc, char **argv)
{
    return replay_command(argc, argv, COMMAND_EXPLAIN);
}
