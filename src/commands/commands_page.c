#include "base/language.h"
#include "commands/commands.h"
#include "present/walk_page.h"

static const char *const group = N_("Writing files");

static const Flag flags_page[] = {
    {"depth", 0, "DEPTH", N_("numbers, steps or boxes: how deep the walk goes")},
    {"palette", 0, "NAME",
     N_("the colours: viridis, cividis ...; a wrong name lists them")},
    {0},
};

const Command command_page = {
    .name = "page",
    .group = group,
    .arguments = "-o FILE.html",
    .summary = N_("write the walk through the sentence as a page for a browser"),
    .details =
        N_("One file that needs no network: every stop with its text, formulas, tables "
           "and figures. Under the pointer, or by Tab and the arrow keys, each number "
           "says its address and how it came about. Without --depth it is as deep as "
           "the walk is now. `lesson page` writes a lesson."),
    .example = ":page -o walk.html --force",
    .flags = {flags_model, flags_sentence, flags_target, flags_output, flags_page},
    .needs_model = true,
    .needs_run = true,
    .run = walk_page,
};
