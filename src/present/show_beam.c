#include "present/show_beam.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "present/what_if.h"
#include "session/decoding.h"
#include "session/sentence.h"

enum { WIDTH = 3 };
static const double alpha_of_paper = 0.6;
static const double alpha_max = 10;

/* State of one command. */
typedef struct {
    Session *session;
    Arena *arena;
    BeamOptions options;
    Beam beam;
    Generated greedy;
    double greedy_log;
} Search;

static bool read_width(const Arguments *arguments, int *width, Error *error) {
    bool is_word = strcmp(arguments->command->name, "beam") == 0 && arguments->words;
    long long number;
    if (!is_word)
        return arguments_number(arguments, "beams", 1, BEAM_WIDTH_MAX, width, error);
    const char *word = arguments->word[0];
    if (!option_whole(word, &number) || number < 1 || number > BEAM_WIDTH_MAX)
        return fail_usage(error,
                          "the width of a beam is '%s'; expected a whole number from "
                          "1 to %d",
                          word, BEAM_WIDTH_MAX);
    *width = (int)number;
    return true;
}

static bool run_search(Search *search, Error *error) {
    const Session *session = search->session;
    Tape tape = {0};
    Encoded encoded = session_encoded(session, &tape);
    search->beam =
        beam_search(&tape, &session->model, &encoded, &search->options, search->arena);
    BeamOptions one = search->options;
    one.width = 1;
    Beam greedy = tape.failed ? (Beam){0}
                              : beam_search(&tape, &session->model, &encoded, &one,
                                            search->arena);
    bool done = tape_done(&tape, error);
    if (done && greedy.node) {
        search->greedy = beam_target(&greedy, greedy.best, search->arena);
        search->greedy_log = greedy.node[greedy.best].log_probability;
    }
    tape_free(&tape);
    return done;
}

static const char *note_of(const Search *search, const BeamNode *node) {
    Arena *arena = search->arena;
    if (node->end == BEAM_FINISHED) return arena_print(arena, "%.2f", node->score);
    if (node->end == BEAM_PRUNED)
        return search->options.width == 1
                   ? trf(arena, "not the best (%.2f)", node->score)
                   : trf(arena, "dropped from the best %d (%.2f)",
                         search->options.width, node->score);
    if (node->end == BEAM_LEFT)
        return trf(arena, "unfinished when the search ended (%.2f)", node->score);
    return NULL;
}

/* Convert the nodes for drawing. */
static BranchTree *draw_nodes(const Search *search) {
    static const BranchEnd ends[] = {[BEAM_GROWN] = BRANCH_GROWN,
                                     [BEAM_FINISHED] = BRANCH_FINISHED,
                                     [BEAM_PRUNED] = BRANCH_PRUNED,
                                     [BEAM_LEFT] = BRANCH_LEFT};
    Arena *arena = search->arena;
    const Beam *beam = &search->beam;
    BranchWord *word = ARENA_ARRAY(arena, BranchWord, beam->count);
    for (int n = 0; n < beam->count; n++) {
        const BeamNode *node = &beam->node[n];
        const double share = exp(node->token_log);
        word[n] = (BranchWord){
            .label = decoding_label(search->session, node->id, arena),
            .share = n == 0         ? ""
                     : share < 0.01 ? "<0.01" /* instead of 0.00 */
                                    : arena_print(arena, "%.2f", share),
            .note = note_of(search, node),
            .parent = node->parent,
            .end = ends[node->end],
        };
    }
    for (int n = beam->best; n >= 0; n = beam->node[n].parent) word[n].wins = true;
    BranchTree *branches = ARENA_ARRAY(arena, BranchTree, 1);
    *branches = (BranchTree){
        .branch = word,
        .count = beam->count,
        .note = tr(N_("After a token: its probability after those before it. At the "
                      "end of a branch: its score, log probability / length penalty.")),
    };
    return branches;
}

static bool search_figure(Search *search, const Arguments *arguments, Figure *figure,
                          Error *error) {
    Session *session = search->session;
    BeamOptions *options = &search->options;
    *options = session->beam.width
                   ? session->beam
                   : (BeamOptions){.width = WIDTH, .alpha = alpha_of_paper};
    options->limit = decoding_limit(session);
    options->cached = true;
    if (!decoding_possible(session, error) ||
        !read_width(arguments, &options->width, error) ||
        !arguments_real(arguments, "penalty", (Bounds){.max = alpha_max},
                        &options->alpha, error) ||
        !run_search(search, error))
        return false;
    session->beam = *options;
    what_if_note_decoding(session);
    figure->kind = FIGURE_BRANCHES;
    figure->branches = draw_nodes(search);
    figure->title =
        trf(search->arena,
            options->width == 1
                ? N_("Beam search, the best %d at each step, length penalty "
                     "%g")
                : N_("Beam search, the %d best at each step, length "
                     "penalty %g"),
            options->width, options->alpha);
    return true;
}

bool show_beam(Session *session, const Arguments *arguments, Figure *figure,
               Error *error) {
    Search search = {.session = session, .arena = &session->scratch};
    return search_figure(&search, arguments, figure, error);
}

static void tell(Arguments *told, const char *flag, const char *value) {
    if (arguments_flag(told, flag) || told->flags == WORDS_MAX) return;
    told->flag[told->flags] = flag;
    told->value[told->flags++] = value;
}

void show_beam_tell(const Session *session, Arguments *told, Arena *arena) {
    const char *width = arena_print(arena, "%d", session->beam.width);
    if (strcmp(told->command->name, "beam") != 0)
        tell(told, "beams", width);
    else if (told->words == 0)
        told->word[told->words++] = width;
    tell(told, "penalty", arena_print(arena, "%g", session->beam.alpha));
}

/* Best score first. */
static int compare(const void *a, const void *b) {
    const BeamNode *first = *(const BeamNode *const *)a;
    const BeamNode *second = *(const BeamNode *const *)b;
    if (first->score != second->score) return first->score > second->score ? -1 : 1;
    return first < second ? -1 : 1;
}

static void say_sentence(const Search *search, TableWriter *writer,
                         const Generated *target, double log_probability) {
    double penalty = beam_length_penalty(target->count, search->options.alpha);
    table_print(writer, "%.2f", log_probability);
    table_print(writer, "%.2f", target->count ? log_probability / target->count : 0);
    table_print(writer, "%.2f", log_probability / penalty);
    table_put(writer, sentence_spoken(&search->session->model, target, search->arena));
}

static void say_results(const Search *search, Page *page) {
    static const char *const headings[] = {
        "", N_("log P"), N_("log P per token"), N_("score"), N_("sentence"), NULL};
    const Beam *beam = &search->beam;
    int count = 0;
    const BeamNode **node = ARENA_ARRAY(search->arena, const BeamNode *, beam->count);
    for (int n = 0; n < beam->count; n++)
        if (beam->node[n].end == BEAM_FINISHED || n == beam->best)
            node[count++] = &beam->node[n];
    qsort(node, (size_t)count, sizeof(BeamNode *), compare);
    TableWriter writer = table_begin(headings, search->arena);
    for (int i = 0; i < count; i++) {
        bool best = node[i] == &beam->node[beam->best];
        Generated target =
            beam_target(beam, (int)(node[i] - beam->node), search->arena);
        table_print(&writer, "%s %d", best ? "▶" : " ", i + 1);
        say_sentence(search, &writer, &target, node[i]->log_probability);
    }
    table_put(&writer, tr(N_("greedy")));
    say_sentence(search, &writer, &search->greedy, search->greedy_log);
    page_table_lines(page, &writer.table);
}

static void say_greedy(const Search *search, Page *page) {
    const BeamNode *best = &search->beam.node[search->beam.best];
    Generated target = beam_target(&search->beam, search->beam.best, search->arena);
    bool same = target.count == search->greedy.count &&
                memcmp(target.id, search->greedy.id,
                       (size_t)target.count * sizeof *target.id) == 0;
    if (same)
        page_prose(page, "Greedy decoding finds the same sentence.");
    else
        page_prose(page,
                   trf(search->arena,
                       "Greedy decoding finds another sentence: its log probability "
                       "is %.2f, that of the winner %.2f.",
                       search->greedy_log, best->log_probability));
    int kept = beam_lost(&search->beam, &search->greedy);
    double greedy = search->greedy_log /
                    beam_length_penalty(search->greedy.count, search->options.alpha);
    if (greedy > best->score && kept < search->greedy.count)
        page_prose(page,
                   trf(search->arena,
                       "That score is better, but the beam lost it: at token %d, "
                       "others were more probable so far, and \"%s\" was dropped.",
                       kept + 1,
                       decoding_label(search->session, search->greedy.id[kept],
                                      search->arena)));
    if (best->end != BEAM_FINISHED)
        page_note(page, "the limit came before <end>, so no sentence was finished");
}

bool show_beam_page(Session *session, const Arguments *arguments, Error *error) {
    Page *page = &session->page;
    Search search = {.session = session, .arena = &session->scratch};
    Figure figure = {0};
    if (!search_figure(&search, arguments, &figure, error)) return false;
    page_figure(page, &figure);
    page_gap(page);
    say_results(&search, page);
    page_gap(page);
    say_greedy(&search, page);
    if (session->command)
        page_hint(page, N_("The tree as a picture"), ":draw beam -o tree.svg");
    return true;
}
