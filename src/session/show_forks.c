#include "session/show_forks.h"

#include <math.h>
#include <string.h>

#include "base/language.h"
#include "session/decoding.h"

Before show_forks_remember(const Session *session, Arena *arena) {
    const Generated *generated = &session->run->generated;
    Before before = {.number = session->run->forks.at, .generated = *generated};
    int *id = ARENA_ARRAY(arena, int, generated->count + 1);
    memcpy(id, generated->id, (size_t)generated->count * sizeof *id);
    before.generated.id = id;
    before.log_probability = decoding_logs(session, &before.sum, arena);
    return before;
}

static void say_token(const Session *session, TableWriter *writer,
                      const Generated *generated, const double *log_probability, int t,
                      Arena *arena) {
    bool inside = t < generated->count;
    decoding_cell(writer,
                  inside ? decoding_label(session, generated->id[t], arena) : "");
    decoding_cell(writer,
                  inside ? arena_print(arena, "%.4f", exp(log_probability[t])) : "");
}

static const char *fork_title(int number, Arena *arena) {
    return number ? say(arena, "branch %d", number) : said(N_("the model's own"));
}

static void say_table(Session *session, const Before *before, int step) {
    Arena *arena = &session->scratch;
    const Generated *now = &session->run->generated;
    double sum;
    const double *log_probability = decoding_logs(session, &sum, arena);
    int most =
        now->count > before->generated.count ? now->count : before->generated.count;
    const char *const headings[] = {fork_title(before->number, arena),
                                    N_("share"),
                                    fork_title(session->run->forks.at, arena),
                                    N_("share"),
                                    "",
                                    NULL};
    TableWriter writer = decoding_table(most + 1, headings, arena);
    const char **label = ARENA_ARRAY(arena, const char *, most + 1);
    for (int t = 0; t < most; t++) {
        label[t] = arena_print(arena, "step.%d", t);
        say_token(session, &writer, &before->generated, before->log_probability, t,
                  arena);
        say_token(session, &writer, now, log_probability, t, arena);
        decoding_cell(&writer, t == step ? said(N_("◀ picked")) : "");
    }
    label[most] = said(N_("log P"));
    decoding_cell(&writer, "");
    decoding_cell(&writer, arena_print(arena, "%.2f", before->sum));
    decoding_cell(&writer, "");
    decoding_cell(&writer, arena_print(arena, "%.2f", sum));
    decoding_cell(&writer, "");
    writer.table.row_label = label;
    page_table(&session->page, &writer.table);
}

void show_forks_sentence(Session *session, int number) {
    const Fork *fork = &session->run->forks.fork[number];
    page_say(
        &session->page,
        (Block){.kind = BLOCK_ANSWER,
                .answer = {fork->text, say(&session->scratch, "log probability %.2f",
                                           fork->log_probability)}});
}

static void say_hints(Session *session) {
    if (!session->command) return;
    page_gap(&session->page);
    page_prose(&session->page,
               "The steps of the decoding are those of this branch now; the stages "
               "before them still read what the model said itself.");
    page_hint(&session->page, N_("All of them, and back to the model's own"),
              ":branches   :branches 0");
}

void show_forks_both(Session *session, const Before *before, int step) {
    show_forks_sentence(session, before->number);
    show_forks_sentence(session, session->run->forks.at);
    page_gap(&session->page);
    say_table(session, before, step);
    say_hints(session);
}

/* "step 4: friend instead of sister". */
static const char *fork_text(const Session *session, const Fork *fork, Arena *arena) {
    if (fork->from < 0) return said(N_("the model's own"));
    return say(arena, "from %d, step %d: %s", fork->from, fork->step,
               decoding_label(session, fork->taken[fork->step], arena));
}

void show_forks_list(Session *session) {
    static const char *const headings[] = {
        "", N_("picked"), N_("log P"), N_("a token"), N_("sentence"), NULL};
    Arena *arena = &session->scratch;
    Forks *forks = &session->run->forks;
    TableWriter writer = decoding_table(forks->count, headings, arena);
    for (int f = 0; f < forks->count; f++) {
        const Fork *fork = &forks->fork[f];
        decoding_cell(&writer,
                      arena_print(arena, "%s %d", f == forks->at ? "▶" : " ", f));
        decoding_cell(&writer, fork_text(session, fork, arena));
        decoding_cell(&writer, arena_print(arena, "%.2f", fork->log_probability));
        decoding_cell(&writer, arena_print(arena, "%.2f",
                                           fork->log_probability /
                                               (fork->tokens ? fork->tokens : 1)));
        decoding_cell(&writer, fork->text);
    }
    decoding_lines(&writer, &session->page);
    if (forks->count == 1)
        page_note(&session->page, "nothing was picked yet; :pick 1 WORD takes another "
                                  "token at step 1");
}
