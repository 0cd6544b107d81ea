/* Decoding in other ways than word by word the most probable. */
#include "base/language.h"
#include "shell/commands.h"
#include "shell/figures.h"
#include "shell/show_beam.h"

static const char *const group = N_("Decoding another way");

static const Flag flags_beam[] = {
    {"penalty", 0, "ALPHA",
     N_("of the length penalty ((5 + tokens) / 6)^ALPHA; 0.6 if left out, 0: none")},
    {0},
};

static bool save_beam(Session *session, const Arguments *arguments, Error *error) {
    Arena *arena = &session->scratch;
    Figure figure = {0};
    if (!show_beam(session, arguments, &figure, error)) return false;
    Arguments told = *arguments;
    show_beam_tell(session, &told, arena);
    figures_add_facts(session, &told, &figure, arena);
    return figures_save(session, arguments, &figure,
                        arguments_flag(arguments, "output"), error);
}

static bool run_beam(Session *session, const Arguments *arguments, Error *error) {
    return arguments_flag(arguments, "output")
               ? save_beam(session, arguments, error)
               : show_beam_page(session, arguments, error);
}

const Command command_beam = {
    .name = "beam",
    .group = group,
    .arguments = "[WIDTH]",
    .summary = N_("search with a beam, and show the tree of what was tried"),
    .details =
        N_("At each step every sentence begun is continued by every token, and the "
           "WIDTH best stay (3 if left out). ■ is finished, with its score: log "
           "probability / length penalty (Wu and others 2016); ✂ fell out. With -o the "
           "tree is drawn to a .png, .svg, .pdf or .txt file."),
    .example = ":beam 3 --penalty 0.6",
    .most = 1,
    .flags = {flags_model, flags_sentence, flags_target, flags_output, flags_beam},
    .needs_model = true,
    .needs_run = true,
    .run = run_beam,
};
