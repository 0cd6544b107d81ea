#include "base/builder.h"
#include "base/language.h"
#include "commands/commands.h"
#include "explain/glossary.h"
#include "session/stops.h"

/* The terms that belong together, one behind the other. */
static const char *list_terms(const Glossary *glossary, Arena *arena) {
    Builder out = {.arena = arena};
    for (const GlossaryTerm *term = glossary->term; term->term; term++)
        build(&out, "%s%s", term == glossary->term ? "" : ", ",
              glossary_name(term, arena));
    return builder_text(&out);
}

static void say_all(Page *page) {
    for (const Glossary *glossary = glossaries; glossary->title; glossary++) {
        page_section(page, glossary->title);
        page_prose(page, list_terms(glossary, page->arena));
    }
    page_gap(page);
    page_hint(page, "one of them, in English or in Korean", ":define softmax");
}

/* With the stage that shows it, where this walk has one. */
static void say_term(Session *session, const GlossaryTerm *term) {
    Page *page = &session->page;
    page_section(page, glossary_name(term, page->arena));
    page_prose(page, term->text);
    if (term->idea && stops_find(session, term->idea, &session->scratch) >= 0)
        page_hint(page, "a stage that shows it",
                  arena_print(&session->scratch, ":goto %s", term->idea));
}

static bool run_define(Session *session, const Arguments *arguments, Error *error) {
    Arena *arena = &session->scratch;
    if (arguments->words == 0) {
        say_all(&session->page);
        return true;
    }
    const char *typed = arguments_text(arguments, arena);
    const GlossaryTerm *term = glossary_find(typed);
    if (term) {
        say_term(session, term);
        return true;
    }
    Nearest nearest = {.word = typed};
    glossary_offer(&nearest, arena);
    return nearest.count
               ? fail(error, "there is no term '%s'%s", typed,
                      nearest_question(&nearest, arena))
               : fail(error, "there is no term '%s'; :define lists them", typed);
}

const Command command_define = {
    .name = "define",
    .group = N_("The program"),
    .arguments = "[TERM]",
    .summary = N_("explain a term, in a sentence or two"),
    .details = N_("Each says at which stage it can be seen. Without a term all of them "
                  "are listed; Korean names are understood, too."),
    .example = ":define softmax",
    .most = 8,
    .pages = true,
    .choice = CHOICE_TERM,
    .run = run_define,
};
