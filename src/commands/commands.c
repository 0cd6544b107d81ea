#include "commands/commands.h"

#include "base/language.h"

#define ADDRESS(name) &command_##name,
const Command *const commands[] = {COMMANDS(ADDRESS) NULL};

const CommandGroup command_groups[GROUPS] = {
    [GROUP_WALK] = {N_("walk"), N_("Walking through a sentence")},
    [GROUP_LOOK] = {N_("look"), N_("Looking at numbers")},
    [GROUP_EXPLAIN] = {N_("explain"), N_("Explaining a number")},
    [GROUP_CHANGE] = {N_("change"), N_("Changing the run (what if)")},
    [GROUP_DECODING] = {N_("decoding"), N_("Decoding in other ways")},
    [GROUP_FILES] = {N_("files"), N_("Writing files")},
    [GROUP_LESSONS] = {N_("lessons"), N_("Lessons and terms")},
    [GROUP_MODELS] = {N_("models"), N_("Models")},
    [GROUP_TRAINING] = {N_("training"), N_("Training")},
    [GROUP_PROGRAM] = {N_("program"), N_("The program")},
};
