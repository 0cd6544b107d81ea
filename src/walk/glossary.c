#include "walk/glossary.h"

#include <string.h>

#include "base/language.h"
#include "walk/idea.h"

const Glossary glossaries[] = {
    {N_("From the sentence to numbers"), glossary_sentence},
    {N_("Attention"), glossary_attention},
    {N_("A layer"), glossary_layer},
    {N_("From numbers to the answer"), glossary_output},
    {N_("Learning"), glossary_learning},
    {0},
};

const GlossaryTerm *glossary_find(const char *typed) {
    const GlossaryTerm *other = NULL;
    for (const Glossary *glossary = glossaries; glossary->title; glossary++)
        for (const GlossaryTerm *term = glossary->term; term->term; term++) {
            if (idea_is_word(term->term, typed)) return term;
            if (!other && idea_is_word(term->words, typed)) other = term;
        }
    return other;
}

const char *glossary_name(const GlossaryTerm *term, Arena *arena) {
    if (strcmp(language_name(), "ko") != 0) return term->term;
    for (const char *word = term->words; word;
         word = strchr(word, '|') ? strchr(word, '|') + 1 : NULL)
        if ((unsigned char)*word >= 0xEA) /* the first byte of Hangul */
            return arena_print(arena, "%.*s (%s)", (int)strcspn(word, "|"), word,
                               term->term);
    return term->term;
}

void glossary_offer(Nearest *nearest, Arena *arena) {
    for (const Glossary *glossary = glossaries; glossary->title; glossary++)
        for (const GlossaryTerm *term = glossary->term; term->term; term++) {
            nearest_offer(nearest, term->term);
            idea_offer(term->words, nearest, arena);
        }
}
