#include "base/language.h"
#include "commands/commands.h"
#include "explain/toy_say.h"

static bool run_toy(Session *session, const Arguments *arguments, Error *error) {
    const char *typed = arguments_text(arguments, &session->scratch);
    if (!session_toy(session, typed, error)) return false;
    toy_say(&session->toy, &session->page);
    return true;
}

const Command command_toy = {
    .name = "toy",
    .group = N_("Looking at numbers"),
    .arguments = "query=... keys=... values=...",
    .summary = N_("walk attention over small vectors that you type"),
    .details = N_(
        "A comma stands between numbers, a bar between rows. Instead of queries, keys "
        "and values: tokens=1,0|0,1 with the matrices W_Q=, W_K= and W_V=, each "
        "[feature, d_k]. The numbers stay: :why weights[query=0, key=1], :heat "
        "weights, "
        ":show context; elsewhere with --toy \"query=... keys=... values=...\"."),
    .example = ":toy query=1,0,1 keys=1,0,0|0,1,1 values=1,2|3,4",
    .least = 1,
    .most = WORDS_MAX,
    .run = run_toy,
};
