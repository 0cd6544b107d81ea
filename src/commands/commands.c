#include "commands/commands.h"

#define COMMAND_POINTER(name) &command_##name,

const Command *const commands[] = {COMMANDS(COMMAND_POINTER) NULL};
