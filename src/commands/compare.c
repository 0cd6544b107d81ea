#include <ctype.h>
#include <string.h>

#include "base/language.h"
#include "base/nearest.h"
#include "commands/commands.h"
#include "present/two_runs.h"
#include "session/read_change.h"

static const Flag flags_compare[] = {
    {"side-by-side", 0, NULL, N_("two maps side by side, not their difference")},
    {0},
};

static bool may_name_run(const char *name) {
    if (strcmp(name, "now") == 0 || strcmp(name, "unchanged") == 0) return false;
    for (const char *c = name; *c; c++)
        if (isspace((unsigned char)*c) || strchr(".[]*=\"", *c)) return false;
    return *name && strlen(name) <= 40;
}

static bool run_keep(Session *session, const Arguments *arguments, Error *error) {
    WhatIf *what_if = &session->what_if;
    for (int k = 0; arguments->words == 0 && k < what_if->kept_count; k++) {
        const Snapshot *run = &what_if->kept[k].run;
        page_line(&session->page, "%s: %s  (%s, %s)", session_safe(session, run->name),
                  run->answer.best ? run->answer.best : "…", run->sentence,
                  *run->changes ? session_safe(session, run->changes)
                                : tr("no changes"));
    }
    if (arguments->words == 0 && what_if->kept_count == 0)
        page_note(&session->page, "no run is kept; :keep NAME keeps the current one");
    if (arguments->words == 0) return true;
    const char *name = arguments->word[0];
    if (!session->run->is_made) return fail(error, "no sentence to run; type one");
    if (!may_name_run(name))
        return fail(error,
                    "'%s' cannot be the name of a run; use up to 40 letters, without "
                    "dots, brackets or spaces, and neither now nor unchanged",
                    name);
    KeptRun *kept = session_kept(session, name);
    if (!kept && what_if->kept_count == KEPT_MAX)
        return fail(error,
                    "%d runs are kept, which is the limit; give the name of "
                    "one of them",
                    KEPT_MAX);
    if (!kept) kept = &what_if->kept[what_if->kept_count++];
    arena_reset(&kept->arena);
    kept->run = session_snapshot(session, SNAPSHOT_OUTLIVES_MODEL, &kept->arena);
    kept->run.name = arena_print(&kept->arena, "%s", name);
    page_line(&session->page, "kept as %s; :compare %s compares it with a later run",
              session_safe(session, name), session_safe(session, name));
    return true;
}

/* Take a snapshot of the run without its changes: undo and redo them, which gives the
 * same bits. Call it for the first run of a pair, since a shallow snapshot would become
 * invalid. */
static bool find_run(Session *session, const char *name, Snapshot *run, Error *error) {
    const KeptRun *kept = session_kept(session, name);
    int done = session->what_if.changes.done;
    bool unchanged = !kept && strcmp(name, "unchanged") == 0;
    if (kept) {
        *run = kept->run;
        return true;
    }
    if (unchanged && !session_hold_changes(session, 0, error)) return false;
    *run = session_snapshot(session, SNAPSHOT_COPY, &session->scratch);
    run->name = unchanged ? tr(N_("unchanged")) : tr("now");
    return !unchanged || session_hold_changes(session, done, error);
}

static bool run_compare(Session *session, const Arguments *arguments, Error *error) {
    TwoRuns runs = {0};
    if (!session_can_change(session, error)) return false;
    /* Up to two names of runs, then an address. */
    const char *name[2] = {"unchanged", "now"};
    int names = 0;
    const char *const *word = arguments->word;
    while (names < 2 && names < arguments->words &&
           (strcmp(word[names], "now") == 0 || strcmp(word[names], "unchanged") == 0 ||
            session_kept(session, word[names]))) {
        name[names] = word[names];
        names++;
    }
    int words = arguments->words - names;
    Slice slice;
    Error problem;
    if (words && !read_slice(session, word + names, words, &slice, &problem)) {
        Nearest nearest = {.word = word[names]};
        if (strpbrk(word[names], ".[") || words > 1)
            return fail(error, "%s", problem.message);
        for (int k = 0; k < session->what_if.kept_count; k++)
            nearest_offer(&nearest, session->what_if.kept[k].run.name);
        return fail(error,
                    "'%s' is not a kept run and not an address%s; :keep lists the "
                    "runs",
                    word[names], nearest_question(&nearest, &session->scratch));
    }
    if (words) runs.address = what_slice(session, &slice);
    if (!find_run(session, name[0], &runs.before, error) ||
        !find_run(session, name[1], &runs.after, error))
        return false;
    const Differences all =
        snapshot_differences(&runs.before, &runs.after, false, &session->scratch);
    two_runs_say(session, &runs, &all);
    return two_runs_draw(session, arguments, &runs, &all, error);
}

const Command command_compare = {
    .name = "compare",
    .group = GROUP_CHANGE,
    .arguments = "[RUN [RUN]] [ADDRESS[slice]]",
    .summary = N_("compare two runs: answers and differences"),
    .details =
        N_("A run is the name given by :keep, now (the current run) or unchanged "
           "(the current run without its changes). With one name, it is compared "
           "with now; without any, unchanged is compared with now. Tokens are "
           "aligned by words; what only one run has is not compared. With an "
           "address, a heatmap shows the second run minus the first; -o writes it to "
           "a file."),
    .example = ":compare",
    .words = {0, WORDS_MAX},
    .flags = {flags_output, flags_compare, flags_figure},
    .needs = {.run = true},
    .only_prompt = true,
    .reads_words = true,
    .choice = CHOICE_ADDRESS,
    .pages = true,
    .run = run_compare,
};

const Command command_keep = {
    .name = "keep",
    .group = GROUP_CHANGE,
    .arguments = "[NAME]",
    .summary = N_("keep this run under a name for comparison"),
    .details = N_("Its numbers, answer and changes are kept until the program ends, "
                  "whatever happens to the run. Without a name: the runs that are "
                  "kept."),
    .example = ":keep first",
    .words = {0, 1},
    .only_prompt = true,
    .run = run_keep,
};
