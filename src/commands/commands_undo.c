#include <ctype.h>
#include <string.h>

#include "base/language.h"
#include "commands/commands.h"
#include "session/what_if.h"

static const char *const group = N_("What if");

/* What is changed of the model is taken back elsewhere. */
static void say_of_model(Session *session) {
    Page *page = &session->page;
    if (session->is_variant)
        page_hint(page,
                  N_("the model's options are not those it was opened with; back"),
                  ":option reset");
    if (session->learning.steps)
        page_hint(page, N_("the model has learned since; back"), ":learn undo");
    if (session->drops) page_hint(page, N_("dropout is on; off"), ":dropout off");
}

static bool run_changes(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    (void)error;
    const Changes *changes = &session->what_if.changes;
    Page *page = &session->page;
    for (int c = 0; c < changes->count; c++)
        page_line(page, c < changes->done ? N_("%3d  %s") : N_("%3d  %s   (undone)"),
                  c + 1, session_safe(session, changes->change[c].text));
    if (changes->count == 0)
        page_note(page,
                  "nothing is changed; :set, :zero, :mask, :no, :swap, :patch and "
                  ":edit change the run");
    say_of_model(session);
    return true;
}

static bool run_undo(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    int done = session->what_if.changes.done;
    if (done > 0) return what_if_hold(session, done - 1, error);
    page_note(&session->page, "nothing is changed, so there is nothing to undo");
    say_of_model(session);
    return true;
}

static bool run_redo(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    const Changes *changes = &session->what_if.changes;
    if (changes->done < changes->count)
        return what_if_hold(session, changes->done + 1, error);
    page_note(&session->page, "nothing was undone, so there is nothing to do again");
    return true;
}

static bool run_reset(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    if (session->what_if.changes.done) return what_if_hold(session, 0, error);
    page_note(&session->page, "nothing of the run is changed by hand");
    say_of_model(session);
    return true;
}

static void list_kept(Session *session) {
    const WhatIf *what_if = &session->what_if;
    for (int k = 0; k < what_if->kept_count; k++) {
        const Snapshot *run = &what_if->kept[k].run;
        page_line(&session->page, "%s: %s  (%s, %s)", session_safe(session, run->name),
                  run->outcome.text ? run->outcome.text : "…", run->sentence,
                  *run->changes ? session_safe(session, run->changes)
                                : said("no changes"));
    }
    if (what_if->kept_count == 0)
        page_note(&session->page, "no run is kept; :keep NAME keeps the one at hand");
}

static bool is_name(const char *name) {
    if (strcmp(name, "now") == 0 || strcmp(name, "unchanged") == 0) return false;
    for (const char *c = name; *c; c++)
        if (isspace((unsigned char)*c) || strchr(".[]*=\"", *c)) return false;
    return *name && strlen(name) <= 40;
}

/* The place of that name, or a new one; NULL: all are taken. */
static KeptRun *place_for(WhatIf *what_if, const char *name) {
    for (int k = 0; k < what_if->kept_count; k++)
        if (strcmp(what_if->kept[k].run.name, name) == 0) return &what_if->kept[k];
    if (what_if->kept_count == KEPT_MAX) return NULL;
    return &what_if->kept[what_if->kept_count++];
}

static bool run_keep(Session *session, const Arguments *arguments, Error *error) {
    if (arguments->words == 0) {
        list_kept(session);
        return true;
    }
    const char *name = arguments->word[0];
    if (!session->run->is_made)
        return fail(error, "there is no sentence yet: type one");
    if (!is_name(name))
        return fail(error,
                    "'%s' cannot be the name of a run: take up to 40 letters, without "
                    "dots, brackets or spaces; now and unchanged have their meaning",
                    name);
    KeptRun *kept = place_for(&session->what_if, name);
    if (!kept)
        return fail(error, "%d runs are kept, and no more; give one of their names",
                    KEPT_MAX);
    arena_reset(&kept->arena);
    kept->run = what_if_now(session, SNAPSHOT_OUTLIVES_MODEL, &kept->arena);
    kept->run.name = arena_print(&kept->arena, "%s", name);
    page_line(&session->page, "kept as %s; :compare %s compares it with what comes",
              session_safe(session, name), session_safe(session, name));
    return true;
}

const Command command_changes = {
    .name = "changes",
    .group = group,
    .arguments = "",
    .summary = N_("list what was changed in the run by hand"),
    .details = N_("In their order; each holds on top of those before."),
    .example = ":changes",
    .only_prompt = true,
    .run = run_changes,
};

const Command command_undo = {
    .name = "undo",
    .group = group,
    .arguments = "",
    .summary = N_("take the last change back"),
    .details = N_("The run is then what it was, to the last bit."),
    .example = ":undo",
    .only_prompt = true,
    .run = run_undo,
};

const Command command_redo = {
    .name = "redo",
    .group = group,
    .arguments = "",
    .summary = N_("make the change again that was undone"),
    .details = N_("A new change forgets those that were undone."),
    .example = ":redo",
    .only_prompt = true,
    .run = run_redo,
};

const Command command_reset = {
    .name = "reset",
    .group = group,
    .arguments = "",
    .summary = N_("take all changes back, also those of weights"),
    .details = N_(":redo brings them again, one by one."),
    .example = ":reset",
    .only_prompt = true,
    .run = run_reset,
};

const Command command_keep = {
    .name = "keep",
    .group = group,
    .arguments = "[NAME]",
    .summary = N_("name the run as it is now, to compare others with it"),
    .details = N_("Its numbers, its answer and its changes are kept until the program "
                  "ends, whatever becomes of the run. Without a name: what is kept."),
    .example = ":keep first",
    .most = 1,
    .only_prompt = true,
    .run = run_keep,
};
