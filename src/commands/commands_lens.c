#include "base/language.h"
#include "commands/commands.h"
#include "present/show_lens.h"

static const char *const group = N_("Looking at numbers");

/* Without a name it lists them. */
static Needs needs_of_lens(const Arguments *arguments) {
    bool named = arguments->words > 0;
    return (Needs){.model = named, .run = named};
}

static void list(Session *session) {
    enum { LENSES_MOST = 16 };
    ListItem item[LENSES_MOST] = {0};
    int count = 0;
    for (const Lens *lens = lenses; lens->name; lens++)
        item[count++] = (ListItem){.name = lens->name, .text = said(lens->summary)};
    page_list(&session->page, LIST_MODELS, item, count);
}

static bool run_lens(Session *session, const Arguments *arguments, Error *error) {
    if (arguments->words) return show_lens(session, arguments, error);
    list(session);
    return true;
}

const Command command_lens = {
    .name = "lens",
    .group = group,
    .arguments = "[NAME [PLACE]]",
    .summary = N_("look through the run: what layers would say, where words lead"),
    .details = N_(
        "\":lens logit\" shows what each layer would say if it were the last; with a "
        "word that was chosen, or [target=0], the best few at that place. \":lens "
        "rollout\" multiplies the attention of all layers; \":lens entropy\" shows how "
        "spread each head is, and which plain habit it is nearest to; \":lens "
        "gradient\" which words the score of a chosen word hangs on: the least sure "
        "one, or \":lens gradient friend\". Each number has an address that begins "
        "with lens. and can be asked with :why, shown and drawn: \":draw "
        "lens.rollout.decoder.1.rollout\". With -o the picture goes to a file, of "
        "rollout that of the encoder."),
    .example = ":lens rollout",
    .most = 2,
    .flags = {flags_model, flags_sentence, flags_target, flags_output, flags_figure},
    .needs = needs_of_lens,
    .pages = true,
    .choice = CHOICE_LENS,
    .run = run_lens,
};
