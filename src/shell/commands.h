/* commands.h - the rows of the command table, each beside the function it runs. */
#pragma once

#include "shell/command.h"

extern const Command command_next, command_back, command_goto, command_stages,
    command_target, command_batch, command_decode; /* commands_walk.c */
extern const Command command_show, command_heat, command_why, command_tokens,
    command_merges; /* commands_look.c */
extern const Command command_draw, command_trace,
    command_generate; /* commands_file.c */
extern const Command command_model, command_new, command_learn_bpe,
    command_learn_words;                          /* commands_model.c */
extern const Command command_train, command_data; /* commands_learn.c */
extern const Command command_evaluate;            /* commands_evaluate.c */
extern const Command command_options, command_help, command_version,
    command_quit;                     /* commands_program.c */
extern const Command command_grammar; /* commands_grammar.c */
