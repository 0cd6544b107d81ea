#include <string.h>

#include "base/language.h"
#include "base/nearest.h"
#include "explain/drawing.h"
#include "shell/commands.h"
#include "shell/figures.h"
#include "shell/what_if.h"
#include "shell/what_if_read.h"
#include "text/unicode.h"

static const Flag flags_compare[] = {
    {"side-by-side", 0, NULL, N_("both maps beside each other, not their difference")},
    {0},
};

/* Two runs, and where to look. */
typedef struct {
    Snapshot before, after;
    const char *const *address; /* words of an address; none: the first that differs */
    int words;
} Pair;

static const Snapshot *find_kept(const Session *session, const char *name) {
    for (int k = 0; k < session->what_if.kept_count; k++)
        if (strcmp(session->what_if.kept[k].run.name, name) == 0)
            return &session->what_if.kept[k].run;
    return NULL;
}

/* The run without its changes: they are undone and made again, which gives the same
 * bits. */
static bool without_changes(Session *session, Snapshot *snapshot, Error *error) {
    int done = session->what_if.changes.done;
    if (!session_hold_changes(session, 0, error)) return false;
    *snapshot = what_if_now(session, SNAPSHOT_COPY, &session->scratch);
    snapshot->name = "unchanged";
    return session_hold_changes(session, done, error);
}

static bool is_run(const Session *session, const char *name) {
    return strcmp(name, "now") == 0 || strcmp(name, "unchanged") == 0 ||
           find_kept(session, name);
}

/* Where nobody is called so, and it could be no address either. */
static bool fail_name(const Session *session, const char *name, Error *error) {
    Nearest nearest = {.word = name};
    for (int k = 0; k < session->what_if.kept_count; k++)
        nearest_offer(&nearest, session->what_if.kept[k].run.name);
    Arena arena = {0};
    fail(error, "no run is kept as '%s', and it is no address%s; :keep lists the runs",
         name, nearest_question(&nearest, &arena));
    arena_free(&arena);
    return false;
}

/* `unchanged` first: it makes the run anew, and what was shallow would be lost. */
static bool find_run(Session *session, const char *name, Snapshot *run, Error *error) {
    const Snapshot *kept = find_kept(session, name);
    if (kept) *run = *kept;
    if (!kept && strcmp(name, "unchanged") == 0)
        return without_changes(session, run, error);
    if (!kept) {
        *run = what_if_now(session, SNAPSHOT_COPY, &session->scratch);
        run->name = "now";
    }
    return true;
}

static bool find_pair(Session *session, const Arguments *arguments, Pair *pair,
                      Error *error) {
    const char *name[2] = {"unchanged", "now"};
    int names = 0;
    const char *const *word = arguments->word;
    while (names < 2 && names < arguments->words && is_run(session, word[names]))
        names++;
    if (names == 1) name[0] = word[0];
    if (names == 2) name[0] = word[0], name[1] = word[1];
    pair->address = word + names;
    pair->words = arguments->words - names;
    if (pair->words && !strpbrk(pair->address[0], ".[") &&
        !tape_find(&session->run, pair->address[0]) && names < 2) {
        Slice slice;
        Error unread;
        if (!read_slice(session, pair->address, pair->words, &slice, &unread))
            return fail_name(session, pair->address[0], error);
    }
    return find_run(session, name[0], &pair->before, error) &&
           find_run(session, name[1], &pair->after, error);
}

static void say_run(Session *session, const Snapshot *run) {
    const Outcome *outcome = &run->outcome;
    Page *page = &session->page;
    page_line(page, "%s: %s", session_safe(session, run->name),
              outcome->text ? outcome->text : "…");
    page_note(page, "%s: %s; %s", run->model, run->sentence,
              *run->changes ? session_safe(session, run->changes) : said("no changes"));
    if (outcome->count)
        page_note(page, "%s", outcome_words(outcome, 0, outcome->count, page->arena));
}

static void say_table(const Difference *found, int count, int shared, Page *page) {
    enum { ROWS_SHOWN = 8 };
    Arena *arena = page->arena;
    page_gap(page);
    page_prose(page, say(arena,
                         "%d of %d tensors differ; the first of them, by up to how "
                         "much, and where:",
                         count, shared));
    for (int d = 0; d < count && d < ROWS_SHOWN; d++) {
        const char *cell = address_print(found[d].after, found[d].cell, arena);
        page_line(page, "%8.3g  %s", found[d].most,
                  unicode_escape(cell, strlen(cell), arena));
    }
}

/* The attention that differs first, or, without any, the first tensor that does. */
static const Difference *best_to_draw(const Difference *found, int count) {
    for (int d = 0; d < count; d++)
        if (strcmp(found[d].after->short_name, "weights") == 0) return &found[d];
    return found;
}

/* The slice that is to be drawn, of both runs; brackets choose in `after`. */
static bool find_slices(Session *session, const Pair *pair, const char *name,
                        Slice slice[2], Error *error) {
    Slice here = {0};
    const char *cells = "";
    if (pair->words) {
        if (!read_slice(session, pair->address, pair->words, &here, error))
            return false;
        name = here.tensor->name;
        const char *last = pair->address[pair->words - 1];
        if (strchr(last, '[')) cells = strchr(last, '[');
    }
    const Snapshot *const run[] = {&pair->before, &pair->after};
    for (int r = 0; r < 2; r++) {
        const Tensor *tensor = snapshot_find(run[r], name);
        if (!tensor)
            return fail(error, "%s is no part of the run %s", name, run[r]->name);
        const char *address = arena_print(&session->scratch, "%s%s", name, cells);
        if (!address_slice(address, tensor, &session->scratch, &slice[r], error))
            return false;
        if (here.tensor && here.tensor->rank == tensor->rank && !*cells) {
            memcpy(slice[r].from, here.from, sizeof here.from);
            memcpy(slice[r].to, here.to, sizeof here.to);
            for (int a = 0; a < tensor->rank; a++)
                if (here.to[a] - here.from[a] == here.tensor->axis[a].size)
                    slice[r].to[a] = tensor->axis[a].size;
        }
    }
    return true;
}

/* A tensor under a name that says which run it is of. */
static Slice named(const Slice *slice, const char *run, Arena *arena) {
    Tensor *copy = ARENA_ARRAY(arena, Tensor, 1);
    *copy = *slice->tensor;
    copy->name = arena_print(arena, "%s: %s", run, slice->tensor->name);
    copy->step = STEP_NONE;
    Slice renamed = *slice;
    renamed.tensor = copy;
    return renamed;
}

static bool figure_of(Session *session, const Pair *pair, const Slice slice[2],
                      bool beside, Figure *figure, Error *error) {
    Arena *arena = &session->scratch;
    Record record = session_record(session);
    Slice *drawn = ARENA_ARRAY(arena, Slice, 2);
    const char *name = slice[0].tensor->name;
    if (slice[0].tensor->rank != slice[1].tensor->rank)
        return fail(error, "%s is %s in one run and %s in the other", name,
                    shape_text(slice[0].tensor).text, shape_text(slice[1].tensor).text);
    if (beside) {
        drawn[0] = named(&slice[0], pair->before.name, arena);
        drawn[1] = named(&slice[1], pair->after.name, arena);
        *figure = drawing_new(&record, drawn, 2, session_story(session).palette, arena);
        figure->title = say(arena, "%s: %s (first) beside %s", name, pair->before.name,
                            pair->after.name);
        return true;
    }
    drawn[0] = slice[1];
    drawn[0].tensor = snapshot_subtract(slice[0].tensor, slice[1].tensor, arena);
    for (int a = 0; a < drawn[0].tensor->rank; a++)
        if (drawn[0].to[a] > drawn[0].tensor->axis[a].size)
            drawn[0].to[a] = drawn[0].tensor->axis[a].size;
    *figure = drawing_new(&record, drawn, 1, NULL, arena);
    const Palette *palette = session_story(session).palette;
    figure->palette = palette && palette->diverges ? palette : NULL;
    figure->scale = SCALE_SIGNED;
    figure->row_sums = false;
    figure->title =
        say(arena, "%s: %s less %s", name, pair->after.name, pair->before.name);
    return true;
}

static bool draw(Session *session, const Arguments *arguments, const Pair *pair,
                 const Difference *found, int count, Error *error) {
    Arena *arena = &session->scratch;
    const char *path = arguments_flag(arguments, "output");
    bool beside = arguments_flag(arguments, "side-by-side") != NULL;
    const char *name = count ? best_to_draw(found, count)->after->name : NULL;
    Slice slice[2];
    Figure figure;
    const char *warning;
    if (!name && !pair->words)
        return !path ||
               fail(error, "nothing differs, so there is nothing to draw; name "
                           "an address to draw it all the same");
    if (!find_slices(session, pair, name, slice, error) ||
        !figure_of(session, pair, slice, beside, &figure, error))
        return false;
    if (!path) {
        page_figure(&session->page, &figure);
        return true;
    }
    figures_add_facts(session, arguments, &figure, arena);
    if (!figure_save(&figure, path, arguments_replace(arguments), arena, &warning,
                     error))
        return false;
    if (warning) page_line(&session->messages, "%s", session_safe(session, warning));
    page_line(&session->page, "wrote %s", session_safe(session, path));
    return true;
}

static bool run_compare(Session *session, const Arguments *arguments, Error *error) {
    Page *page = &session->page;
    Pair pair;
    int count;
    int shared;
    if (!session_can_change(session, error) ||
        !find_pair(session, arguments, &pair, error))
        return false;
    const Difference *found =
        snapshot_differences(&pair.before, &pair.after, page->arena, &count, &shared);
    say_run(session, &pair.before);
    say_run(session, &pair.after);
    what_if_outcomes(&pair.before.outcome, &pair.after.outcome, page);
    if (count == 0 && shared)
        page_prose(page, "No number differs.");
    else if (count == 0)
        page_prose(page, "The two runs have no address in common.");
    else
        say_table(found, count, shared, page);
    return draw(session, arguments, &pair, found, count, error);
}

const Command command_compare = {
    .name = "compare",
    .group = N_("What if"),
    .arguments = "[RUN [RUN]] [ADDRESS[slice]]",
    .summary = N_("compare two runs: answers, where they first differ, by how much"),
    .details =
        N_("A run is a name given by :keep, or now, or unchanged: the one at hand "
           "without its changes. With one name it is compared with now, without any "
           "unchanged with now. The heatmap shows the second run less the first, of "
           "the first attention that differs or of the address; -o writes it to a "
           "file."),
    .example = ":compare",
    .most = WORDS_MAX,
    .flags = {flags_output, flags_compare},
    .needs_run = true,
    .only_prompt = true,
    .reads_words = true,
    .choice = CHOICE_ADDRESS,
    .run = run_compare,
};
