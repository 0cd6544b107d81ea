#include "prompt/reading.h"

#include <string.h>

#include "base/language.h"
#include "session/answers.h"
#include "session/models.h"
#include "session/program.h"
#include "text/unicode.h"

/* Names of languages in about.json. */
static const struct {
    const char *code, *name;
} names[] = {{"en", N_("English")}, {"ko", N_("Korean")}};

static const char *name_of(const char *code) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].code, code) == 0) return tr(names[i].name);
    return code;
}

static bool reads_little(const WordsMet *met) {
    return 2 * met->foreign > met->words;
}

/* A model that may read a text. */
typedef struct {
    const char *name, *reads;
    WordsMet met;
    bool answers; /* in the language of the program */
} Reader;

/* Return true if `a` reads it better, or equally well with a readable answer. */
static bool is_better(const Reader *a, const Reader *b) {
    if (!b->name || a->met.foreign != b->met.foreign)
        return !b->name || a->met.foreign < b->met.foreign;
    if (a->met.missing_count != b->met.missing_count)
        return a->met.missing_count < b->met.missing_count;
    return a->answers && !b->answers;
}

/* Return the best of the program's models; without a name if none reads it. */
static Reader find_reader(const char *text, Arena *arena) {
    Reader best = {0};
    ModelList list;
    Error unread;
    const char *models = program_folder("models", arena);
    models_list(&list, arena, &unread);
    for (int m = 0; models && m < list.count && !list.model[m].is_preset; m++) {
        const char *folder = file_join(arena, models, list.model[m].name);
        About about;
        SeenWords seen;
        if (!about_read(&about, folder, arena, &unread) || !*about.reads ||
            !models_words(folder, &seen, arena, &unread))
            continue;
        Reader reader = {.name = list.model[m].name,
                         .reads = about.reads,
                         .met = seen_words_check(&seen, text, arena),
                         .answers = strcmp(about.writes, language_name()) == 0};
        if (!reads_little(&reader.met) && is_better(&reader, &best)) best = reader;
    }
    return best;
}

bool reading_offers(Session *session, const char *text) {
    Offer *offer = &session->reading.offer;
    Page *page = &session->page;
    const Background *background = answers_background(session);
    const char *clean = unicode_clean(text, strlen(text), page->arena).text;
    if (!session->input.is_prompt || session->lesson.is_open ||
        !background->knows_words || (offer->text && strcmp(offer->text, text) == 0))
        return false;
    if (strlen(clean) > TOKENIZER_BYTES) return false; /* too long for any model */
    WordsMet met = seen_words_check(&background->seen, clean, page->arena);
    if (!reads_little(&met)) return false;
    const Reader reader = find_reader(clean, page->arena);
    if (!reader.name) return false;
    session_forget_offer(session);
    offer->model = arena_copy(&offer->arena, reader.name, strlen(reader.name));
    offer->text = arena_copy(&offer->arena, text, strlen(text));
    const char *reads = background->about.reads;
    page_prose(page,
               *reads ? trf(page->arena,
                            "This model reads %s. :model %s reads %s; Enter opens it.",
                            name_of(reads), reader.name, name_of(reader.reads))
                      : trf(page->arena,
                            "This model was trained on other scripts. :model %s "
                            "reads %s; Enter opens it.",
                            reader.name, name_of(reader.reads)));
    return true;
}
