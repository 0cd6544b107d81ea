#include "present/show_lens.h"

#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "command/figure_flags.h"
#include "present/figures.h"
#include "text/label.h"

/* Find the first position that chose the word; for a classifier, the label. */
static bool aim_at_word(const Story *story, const Tensor *logits, const char *word,
                        LensAim *aim, Arena *arena, Error *error) {
    const Tensor *shares = tape_find(story->record.run, "probabilities");
    const Axis *words = &shares->axis[shares->rank - 1];
    if (logits->rank < 3) {
        for (int label = 0; label < words->size; label++)
            if (label_is(address_label(words, 0, label, arena), word)) {
                *aim = (LensAim){.word = label};
                return true;
            }
        return fail(error, "there is no label '%s'; there are %s to %s", word,
                    address_label(words, 0, 0, arena),
                    address_label(words, 0, words->size - 1, arena));
    }
    for (int p = 0; p < lens_places(story); p++) {
        int chosen = lens_chosen(story, p);
        if (!label_is(address_label(words, 0, chosen, arena), word)) continue;
        *aim = (LensAim){p, chosen};
        return true;
    }
    Builder list = {.arena = arena};
    for (int p = 0; p < lens_places(story); p++)
        build(&list, "%s%s", p ? " " : "",
              address_label(words, 0, lens_chosen(story, p), arena));
    return fail(error,
                "'%s' is not in the output, which has %s; for another token give its "
                "position: [target=0, vocabulary=%s]",
                word, builder_text(&list), word);
}

/* Return true if the slice has one index along axis `a`. */
static bool chooses_one(const Slice *slice, int a) {
    return slice->to[a] - slice->from[a] == 1;
}

/* Read "[target=나는]", or with the word: "[target=나는, vocabulary=·friend]". */
static bool aim_at_address(const Lens *lens, const Story *story, const char *brackets,
                           LensAim *aim, Arena *arena, Error *error) {
    const Tensor *logits = tape_find(story->record.run, "logits");
    Slice slice;
    const char *address = arena_print(arena, "logits%s", brackets);
    if (!address_slice(address, logits, arena, &slice, error)) return false;
    int last = logits->rank - 1;
    if (last == 2 && !chooses_one(&slice, 1))
        return fail(error, "%s needs one position; [target=0] is the first", brackets);
    if (last == 2 && !lens->takes_word && chooses_one(&slice, 2))
        return fail(error,
                    "lens %s shows all tokens of a position; leave out vocabulary",
                    lens->name);
    aim->place = last < 2 ? 0 : slice.from[1];
    if (aim->place >= lens_places(story))
        return fail(error,
                    "position %d is padding; this sentence has positions 0 to "
                    "%d",
                    aim->place, lens_places(story) - 1);
    aim->word =
        chooses_one(&slice, last) ? slice.from[last] : lens_chosen(story, aim->place);
    return true;
}

static bool record(Session *session, const Lens *lens, const char *word, LensAim *aim,
                   Error *error) {
    Arena *arena = &session->scratch;
    const Story story = session_story(session);
    const Tensor *logits = tape_find(&session->run->tape, "logits");
    bool done = true;
    *aim = (LensAim){.place = LENS_ROW_ALL};
    if (word && !lens->takes_word && !lens->takes_place)
        return fail(error, "lens %s shows the whole sentence; leave out '%s'",
                    lens->name, session_safe(session, word));
    /* Without logits, the lens reports that the model has none. */
    if (logits && word)
        done = word[0] == '[' ? aim_at_address(lens, &story, word, aim, arena, error)
                              : aim_at_word(&story, logits, word, aim, arena, error);
    else if (logits && lens->takes_word)
        done = lens_least_sure(&story, aim, error);
    if (!done) return false;
    session->run->questions = (Questions){0}; /* they may refer to the old lens */
    return lens_record(lens, &session->run->lens, &story, aim, error);
}

bool show_lens(Session *session, const Arguments *arguments, Error *error) {
    const Lens *lens = lens_find(arguments->word[0]);
    const char *word = arguments->words > 1 ? arguments->word[1] : NULL;
    LensAim aim;
    if (!lens) {
        Builder list = {.arena = &session->scratch};
        for (lens = lenses; lens->name; lens++)
            build_item(&list, ", ", "%s", lens->name);
        return fail(error, "there is no lens '%s'; the lenses are %s",
                    session_safe(session, arguments->word[0]), builder_text(&list));
    }
    if (!record(session, lens, word, &aim, error)) return false;
    const Story story = session_story(session);
    const char *path = arguments_flag(arguments, "output");
    if (path) {
        Arena *arena = &session->scratch;
        Figure figure = lens->figure(&session->run->lens, &story, aim.place, arena);
        Arguments told = *arguments;
        if (!figure_flags_read(&told, &figure.look, arena, error)) return false;
        figures_add_facts(session, &told, NULL, NULL, &figure, arena);
        if (!figures_save(session, arguments, &figure, path, error)) return false;
    } else {
        lens->say(&session->run->lens, &story, aim.place, &session->page);
    }
    page_gap(&session->page);
    page_prose(&session->page, tr(lens->caution));
    return true;
}

bool show_lens_ready(Session *session, const Arguments *arguments, Error *error) {
    for (int w = 0; session->run->is_made && w < arguments->words; w++) {
        const Lens *lens = lens_of_address(arguments->word[w]);
        LensAim aim;
        const char *name = address_name(arguments->word[w], &session->scratch);
        if (lens && !tape_find(&session->run->lens, name) &&
            !record(session, lens, NULL, &aim, error))
            return false;
    }
    return true;
}
