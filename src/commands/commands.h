/* commands.h - all commands. A new command is a function and its row `command_NAME`,
 * here and in the table of commands.c. (`make record` writes lessons/REFERENCE.md from
 * the rows.) */
#pragma once

#include "command/command.h"
#include "session/session.h"

extern const Command command_next, command_back, command_more, command_less,
    command_goto, command_stages, command_follow, command_map, command_screen,
    command_target, command_batch, command_decode, command_lesson, command_hint,
    command_answer, command_skip, command_where, command_stop, command_beam,
    command_sample, command_pick, command_branches, command_force, command_show,
    command_heat, command_why, command_because, command_up, command_lens, command_code,
    command_tokens, command_window, command_only, command_merges, command_toy,
    command_set, command_zero, command_mask, command_hide, command_no, command_swap,
    command_patch, command_edit, command_changes, command_undo, command_redo,
    command_reset, command_keep, command_compare, command_option, command_preset,
    command_dropout, command_learn, command_draw, command_page, command_trace,
    command_generate, command_model, command_models, command_new, command_learn_bpe,
    command_learn_words, command_train, command_data, command_evaluate, command_grammar,
    command_options, command_define, command_help, command_read, command_version,
    command_quit;
