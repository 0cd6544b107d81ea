/* The flags that several commands share. */
#include "base/language.h"
#include "command/command.h"

const Flag flags_model[] = {
    {"model", 0, "DIR",
     N_("a model folder, or the name of one that comes with glassbox")},
    {"option", 0, "NAME=VALUE ...", N_("an option of the model that is changed")},
    {0},
};
const Flag flags_sentence[] = {
    {"source", 0, "TEXT",
     N_("what the model reads; | separates the sentences of a batch")},
    {"source-ids", 0, "IDS",
     N_("the same as ids: 5,7,9,2 or, as a batch, 5,7,9,2|5,2")},
    {"limit", 0, "N", N_("tokens to generate where no target is given")},
    {0},
};
const Flag flags_target[] = {
    {"target", 0, "TEXT", N_("what the decoder reads (teacher forcing)")},
    {"target-ids", 0, "IDS", N_("the same as ids, the first being <start>: 1,8,4")},
    {"picks", 0, "LIST",
     N_("tokens taken in place of the model's, as steps and ids: 5=308,7=12")},
    {"batch", 0, "N", N_("the sentence of a batch that is shown, the first being 0")},
    {0},
};
const Flag flags_toy[] = {
    {"toy", 0, "VECTORS", N_("numbers for attention, as :toy takes them")},
    {0},
};
const Flag flags_output[] = {
    {"output", 'o', "FILE", N_("the file to write")},
    {"force", 0, NULL, N_("overwrite a file that exists")},
    {0},
};
const Flag flags_display[] = {
    {"width", 0, "N", N_("columns to print within")},
    {"color", 0, "MODE", N_("auto, never, 256 or true")},
    {"language", 0, "NAME", N_("auto, en or ko")},
    {0},
};

const Flag *const flags_shared[] = {flags_model, flags_sentence, flags_target,
                                    flags_toy,   flags_figure,   flags_display,
                                    NULL};
