#include "commands/commands.h"

#include "base/language.h"

const Command *const commands[] = {
    /* Walking through a sentence */
    &command_next, &command_back, &command_more, &command_less, &command_goto,
    &command_stages, &command_follow, &command_map, &command_screen, &command_target,
    &command_batch, &command_decode,
    /* Lessons */
    &command_lesson, &command_hint, &command_answer, &command_skip, &command_where,
    &command_stop,
    /* Decoding another way */
    &command_beam, &command_sample, &command_pick, &command_branches, &command_force,
    /* Looking at numbers */
    &command_show, &command_heat, &command_why, &command_because, &command_up,
    &command_lens, &command_code, &command_tokens, &command_window, &command_only,
    &command_merges, &command_toy,
    /* What if */
    &command_set, &command_zero, &command_mask, &command_hide, &command_no,
    &command_swap, &command_patch, &command_edit, &command_changes, &command_undo,
    &command_redo, &command_reset, &command_keep, &command_compare, &command_option,
    &command_preset, &command_dropout, &command_learn,
    /* Writing files */
    &command_draw, &command_page, &command_trace, &command_generate,
    /* Models */
    &command_model, &command_models, &command_new, &command_learn_bpe,
    &command_learn_words,
    /* Training */
    &command_train, &command_data, &command_evaluate, &command_grammar,
    /* The program */
    &command_options, &command_define, &command_help, &command_read, &command_version,
    &command_quit, NULL};

const CommandGroup command_groups[] = {
    {N_("Walking through a sentence"), &command_next},
    {N_("Lessons"), &command_lesson},
    {N_("Decoding another way"), &command_beam},
    {N_("Looking at numbers"), &command_show},
    {N_("What if"), &command_set},
    {N_("Writing files"), &command_draw},
    {N_("Models"), &command_model},
    {N_("Training"), &command_train},
    {N_("The program"), &command_options},
    {0},
};
