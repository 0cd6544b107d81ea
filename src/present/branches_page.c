#include "present/branches_page.h"

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

static const char *branch_title(int number, Arena *arena) {
    return number ? trf(arena, "branch %d", number) : tr(N_("the model's own"));
}

static void say_sentence(Session *session, int number) {
    const Branch *branch = &session->run->branches.branch[number];
    page_say(
        &session->page,
        (Block){.kind = BLOCK_ANSWER,
                .answer = {branch->text, trf(&session->scratch, "log probability %.2f",
                                             branch->log_probability)}});
}

void branches_say_picked(Session *session, const BranchBefore *before, int step) {
    Page *page = &session->page;
    say_sentence(session, before->number);
    say_sentence(session, session->run->branches.at);
    page_gap(page);
    Arena *arena = &session->scratch;
    const Generated *now = &session->run->generated;
    double sum;
    const double *log_probability = decoding_logs(session, &sum, arena);
    int max =
        now->count > before->generated.count ? now->count : before->generated.count;
    const char *const headings[] = {branch_title(before->number, arena),
                                    N_("probability"),
                                    branch_title(session->run->branches.at, arena),
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

void branches_say_current(Session *session) {
    say_sentence(session, session->run->branches.at);
}

void branches_say(Session *session) {
    static const char *const headings[] = {
        "", N_("picked"), N_("log P"), N_("log P per token"), N_("sentence"), NULL};
    Arena *arena = &session->scratch;
    Branches *branches = &session->run->branches;
    TableWriter writer = table_begin(headings, arena);
    for (int b = 0; b < branches->count; b++) {
        const Branch *branch = &branches->branch[b];
        table_print(&writer, "%s %d", b == branches->at ? "▶" : " ", b);
        table_put(
            &writer, /* "from 0, step 4: friend" */
            branch->from < 0
                ? tr(N_("the model's own"))
                : trf(arena, "from %d, step %d: %s", branch->from, branch->step,
                      decoding_label(session, branch->taken[branch->step], arena)));
        table_print(&writer, "%.2f", branch->log_probability);
        table_print(&writer, "%.2f",
                    branch->log_probability / (branch->tokens ? branch->tokens : 1));
        table_put(&writer, branch->text);
    }
    page_table_lines(&session->page, &writer.table);
    if (branches->count == 1)
        page_note(&session->page, "no token was picked yet; :pick 1 WORD picks one "
                                  "at step 1");
}
