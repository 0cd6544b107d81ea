#include "base/language.h"
#include "commands/commands.h"

static bool run_screen(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    if (!session->is_prompt || !session->open_screen || session->is_on_screen) {
        page_note(&session->page, session->is_on_screen
                                      ? N_("this is the full screen; q leaves it")
                                      : N_("a screen needs a terminal on both sides"));
        return true;
    }
    session_clear(session);
    session->is_on_screen = true;
    bool opened = session->open_screen(session, error);
    session->is_on_screen = false;
    return opened;
}

const Command command_screen = {
    .name = "screen",
    .group = N_("Walking through a sentence"),
    .arguments = "",
    .summary = N_("open the full screen: map, numbers, why and sentence side by side"),
    .details = N_(
        "On the same run and with the same commands, by keys and mouse: n and p walk, "
        "arrows choose a cell, Enter takes it apart, : types a command, ? lists the "
        "keys, q comes back here. `glassbox --screen` begins there."),
    .example = ":screen",
    .needs_model = true,
    .only_prompt = true,
    .run = run_screen,
};
