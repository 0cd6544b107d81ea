#include "present/forks_page.h"

#include <math.h>

#include "base/language.h"
#include "session/decoding.h"

static void say_token(const Session *session, TableWriter *writer,
                      const Generated *generated, const double *log_probability,
                      int t) {
    if (t < generated->count) {
        table_put(writer, decoding_label(session, generated->id[t], writer->arena));
        table_print(writer, "%.4f", exp(log_probability[t]));
    } else {
        for (int c = 0; c < 2; c++) table_put(writer, "");
    }
}

static const char *fork_title(int number, Arena *arena) {
    return number ? trf(arena, "branch %d", number) : tr(N_("the model's own"));
}

static void say_sentence(Session *session, int number) {
    const Fork *fork = &session->run->forks.fork[number];
    page_say(
        &session->page,
        (Block){.kind = BLOCK_ANSWER,
                .answer = {fork->text, trf(&session->scratch, "log probability %.2f",
                                           fork->log_probability)}});
}

void forks_say_picked(Session *session, const ForkBefore *before, int step) {
    Page *page = &session->page;
    say_sentence(session, before->number);
    say_sentence(session, session->run->forks.at);
    page_gap(page);
    Arena *arena = &session->scratch;
    const Generated *now = &session->run->generated;
    double sum;
    const double *log_probability = decoding_logs(session, &sum, arena);
    int max =
        now->count > before->generated.count ? now->count : before->generated.count;
    const char *const headings[] = {fork_title(before->number, arena),
                                    N_("probability"),
                                    fork_title(session->run->forks.at, arena),
                                    N_("probability"),
                                    "",
                                    NULL};
    TableWriter writer = table_begin(headings, arena);
    for (int t = 0; t < max; t++) {
        table_row(&writer, arena_print(arena, "step.%d", t));
        say_token(session, &writer, &before->generated, before->log_probability, t);
        say_token(session, &writer, now, log_probability, t);
        table_put(&writer, t == step ? tr(N_("◀ picked")) : "");
    }
    table_row(&writer, tr(N_("log P")));
    table_put(&writer, "");
    table_print(&writer, "%.2f", before->sum);
    table_put(&writer, "");
    table_print(&writer, "%.2f", sum);
    table_put(&writer, "");
    page_table(page, &writer.table);
    if (!session->command) return;
    page_gap(page);
    page_prose(page,
               "The decoding steps are now those of this branch; the stages before "
               "them still show the model's own answer.");
    page_hint(page, N_("Show all branches, then return to the model's own"),
              ":branches   :branches 0");
}

void forks_say_current(Session *session) {
    say_sentence(session, session->run->forks.at);
}

void forks_say(Session *session) {
    static const char *const headings[] = {
        "", N_("picked"), N_("log P"), N_("log P per token"), N_("sentence"), NULL};
    Arena *arena = &session->scratch;
    Forks *forks = &session->run->forks;
    TableWriter writer = table_begin(headings, arena);
    for (int f = 0; f < forks->count; f++) {
        const Fork *fork = &forks->fork[f];
        table_print(&writer, "%s %d", f == forks->at ? "▶" : " ", f);
        table_put(&writer, /* "from 0, step 4: friend" */
                  fork->from < 0
                      ? tr(N_("the model's own"))
                      : trf(arena, "from %d, step %d: %s", fork->from, fork->step,
                            decoding_label(session, fork->taken[fork->step], arena)));
        table_print(&writer, "%.2f", fork->log_probability);
        table_print(&writer, "%.2f",
                    fork->log_probability / (fork->tokens ? fork->tokens : 1));
        table_put(&writer, fork->text);
    }
    page_table_lines(&session->page, &writer.table);
    if (forks->count == 1)
        page_note(&session->page, "no token was picked yet; :pick 1 WORD picks one "
                                  "at step 1");
}
