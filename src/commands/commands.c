#include "commands/commands.h"

#include "base/language.h"

/* Within a group, in the order of :help. */
/* clang-format off */
const Command *const commands[] = {
    &command_next, &command_back, &command_more, &command_less, &command_goto,
    &command_stages, &command_follow, &command_map, &command_screen,
    &command_target, &command_batch, &command_decode, &command_show, &command_heat,
    &command_lens, &command_tokens, &command_window, &command_only, &command_merges,
    &command_code, &command_toy, &command_why, &command_because, &command_up,
    &command_set, &command_zero, &command_mask, &command_hide, &command_no,
    &command_swap, &command_patch, &command_edit, &command_changes, &command_undo,
    &command_redo, &command_reset, &command_keep, &command_compare, &command_option,
    &command_preset, &command_dropout, &command_learn, &command_beam,
    &command_sample, &command_pick, &command_branches, &command_force,
    &command_draw, &command_page, &command_trace, &command_generate,
    &command_lesson, &command_hint, &command_answer, &command_skip, &command_where,
    &command_stop, &command_define, &command_model, &command_models, &command_new,
    &command_learn_bpe, &command_learn_words, &command_train, &command_data,
    &command_evaluate, &command_grammar, &command_options, &command_help,
    &command_read, &command_version, &command_quit, NULL};
/* clang-format on */

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
