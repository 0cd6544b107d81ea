#include "prompt/reading.h"

#include <string.h>

#include "base/language.h"
#include "session/models.h"
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

static bool answers(const MetModel *model) {
    return strcmp(model->model.writes, language_name()) == 0;
}

/* Return true if `a` reads it better, or equally well with a readable answer. */
static bool is_better(const MetModel *a, const MetModel *b) {
    if (a->met.foreign != b->met.foreign) return a->met.foreign < b->met.foreign;
    if (a->met.missing_count != b->met.missing_count)
        return a->met.missing_count < b->met.missing_count;
    return answers(a) && !answers(b);
}

bool reading_offers(Session *session, const char *text) {
    Offer *offer = &session->reading.offer;
    Page *page = &session->page;
    const Background *background = session_background(session);
    const char *clean = unicode_clean(text, strlen(text), page->arena).text;
    if (!session->input.is_prompt || session->lesson.is_open ||
        !background->knows_words || (offer->text && strcmp(offer->text, text) == 0))
        return false;
    if (strlen(clean) > TOKENIZER_BYTES) return false; /* too long for any model */
    WordsMet met = seen_words_check(&background->seen, clean, page->arena);
    if (!reads_little(&met)) return false;
    int count;
    const MetModel *model = models_met(clean, page->arena, &count), *best = NULL;
    for (int m = 0; m < count; m++)
        if (*model[m].model.reads && !reads_little(&model[m].met) &&
            (!best || is_better(&model[m], best)))
            best = &model[m];
    if (!best) return false;
    const char *name = best->model.name;
    session_forget_offer(session);
    offer->model = arena_copy(&offer->arena, name, strlen(name));
    offer->text = arena_copy(&offer->arena, text, strlen(text));
    const char *reads = background->about.reads;
    page_prose(page,
               *reads ? trf(page->arena,
                            "This model reads %s. :model %s reads %s; Enter opens it.",
                            name_of(reads), name, name_of(best->model.reads))
                      : trf(page->arena,
                            "This model was trained on other scripts. :model %s "
                            "reads %s; Enter opens it.",
                            name, name_of(best->model.reads)));
    return true;
}
