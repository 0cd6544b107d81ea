#include "shell/commands.h"

const Command *const commands[] = {
    &command_next,   &command_back,      &command_goto,        &command_stages,
    &command_target, &command_batch,     &command_decode,      &command_show,
    &command_heat,   &command_why,       &command_tokens,      &command_merges,
    &command_draw,   &command_trace,     &command_generate,    &command_model,
    &command_new,    &command_learn_bpe, &command_learn_words, &command_train,
    &command_data,   &command_evaluate,  &command_grammar,     &command_options,
    &command_help,   &command_version,   &command_quit,        NULL,
};
