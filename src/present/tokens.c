#include "present/tokens.h"

#include <ctype.h>
#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "session/sentence.h"
#include "text/unicode.h"
#include "walk/path_page.h"

/* Return the start of the UTF-8 letter that contains byte `at`. */
static int letter_start(const char *text, int at) {
    while (at > 0 && ((unsigned char)text[at] & 0xc0) == 0x80) at--;
    return at;
}

/* Return the letters that a token cuts, in full, or NULL if its bytes are complete
 * letters. */
static const char *broken_letter(const char *text, const Token *token, Arena *arena) {
    enum { LETTER_BYTES = 4 };
    bool starts_inside = letter_start(text, token->start) < token->start;
    int inside = starts_inside ? token->start : token->end;
    int at = letter_start(text, inside);
    if (at == inside) return NULL;
    int letter = 0;
    unicode_decode(text + at, LETTER_BYTES, &letter);
    return unicode_escape(text + at, (size_t)letter, arena);
}

/* List the first `max` ids of a sentence; 0: all. Ids that the tokenizer added, such
 * as <end>, have no bytes. */
static void say_rows(Page *page, const Sentence *sentence, int max) {
    int count = max > 0 && max < sentence->count ? max - 1 : sentence->count;
    TokenRow *row = ARENA_ARRAY(page->arena, TokenRow, sentence->count);
    for (int i = 0; i < sentence->count; i++) {
        int t = i - sentence->before;
        const char *label = sentence->label ? sentence->label[i] : NULL;
        row[i] = (TokenRow){.label = label ? label : "", .id = sentence->id[i]};
        if (!sentence->text || t < 0 || t >= sentence->tokens.count) continue;
        const Token *token = &sentence->tokens.token[t];
        Builder hex = {.arena = page->arena}; /* "EB 82 98" */
        for (int b = token->start; b < token->end; b++)
            build_item(&hex, " ", "%02X", (unsigned)(unsigned char)sentence->text[b]);
        row[i] = (TokenRow){
            .label = token->label,
            .id = token->id,
            .bytes = builder_text(&hex),
            .start = token->start,
            .end = token->end,
            .letter = broken_letter(sentence->text, token, page->arena),
        };
    }
    page_say(page, (Block){.kind = BLOCK_TOKENS, .tokens = {row, count}});
    if (count < sentence->count)
        page_hint(
            page,
            trf(page->arena, "the first %d of %d tokens; all", count, sentence->count),
            ":tokens");
}

/* Report how the text was repaired before reading. */
static void say_repairs(Page *page, const Sentence *sentence) {
    if (sentence->was_decomposed)
        page_prose(page, "The text came with its letters decomposed (some systems "
                         "store Hangul so); it was composed first (normal form C).");
    if (sentence->malformed)
        page_prose(page,
                   trf(page->arena, "%d parts were not UTF-8; each became U+FFFD.",
                       sentence->malformed));
}

static void say_sentence(Page *page, const Sentence *sentence, const char *side) {
    Arena *arena = page->arena;
    if (sentence->text)
        page_prose(page, arena_print(arena, "%s: \"%s\"", side,
                                     unicode_escape(sentence->text,
                                                    strlen(sentence->text), arena)));
    say_repairs(page, sentence);
    say_rows(page, sentence, 0);
}

static const char *const texts[] = {
    [TOKENIZER_NONE] = N_("This model has no tokenizer, so sentences are typed as "
                          "token ids."),
    [TOKENIZER_WORDS] =
        N_("The sentence is split into words and punctuation. A word that is not in "
           "the vocabulary becomes <unk>."),
    [TOKENIZER_BPE] =
        N_("The sentence is split into pieces that the model knows: frequent ones "
           "whole, rare ones down to single bytes, so nothing is unknown. A · is the "
           "space before a word."),
};

static const char *const cuts[] = {
    [SUBWORD_PAIRS] =
        N_("The sentence is split at words; then neighboring pieces are merged again "
           "and again, in the order in which the pairs were learned. A · is the "
           "space before a word."),
    [SUBWORD_LONGEST] =
        N_("The sentence is split into words, and each word into tokens: the longest "
           "one that starts it, then the longest that starts the rest, with ## "
           "before it."),
    [SUBWORD_BEST] =
        N_("Each token has a score, the logarithm of its probability; a word is split "
           "so that the sum of the scores is largest. A · is the space before a word."),
    [SUBWORD_WHOLE] = N_("The sentence is split into words. A word that is not in "
                         "the vocabulary is unknown."),
};

/* Return true if a command line reads every character of the word literally. */
static bool is_plain(const char *word) {
    for (const char *c = word; *c; c++)
        if (!isalnum((unsigned char)*c) && (unsigned char)*c < 0x80) return false;
    return true;
}

/* Report the number of words and tokens, and the word with the most pieces. */
static Here here_of_tokens(const Sentence *sentence, bool merges, Arena *arena) {
    Here here = {.head = -1};
    int count = 0;
    int max = 0;
    if (!sentence->text) return here;
    const Word *word = sentence_words(sentence, arena, &count);
    for (int w = 1; w < count; w++)
        if (word[w].last - word[w].first > word[max].last - word[max].first) max = w;
    if (count == 0) return here;
    int pieces = word[max].last - word[max].first;
    const char *beside = NULL;
    for (int i = 0; i < sentence->count; i++) {
        bool around =
            i < sentence->before || i >= sentence->before + sentence->tokens.count;
        if (around)
            beside = beside ? arena_print(arena, "%s, %s", beside, sentence->label[i])
                            : sentence->label[i];
    }
    here.text = pieces > 1 && count == 1 && beside
                    ? trf(arena, "One word became %d tokens, and %s.",
                          sentence->tokens.count, beside)
                : pieces > 1 && count == 1
                    ? trf(arena, "One word became %d tokens.", sentence->tokens.count)
                : pieces > 1 && !beside
                    ? trf(arena, "%d words became %d tokens; \"%s\" became %d.", count,
                          sentence->tokens.count, word[max].text, pieces)
                : pieces > 1
                    ? trf(arena, "%d words became %d tokens, and %s; \"%s\" became %d.",
                          count, sentence->tokens.count, beside, word[max].text, pieces)
                : count > 1 ? trf(arena, "Each of the %d words is one token.", count)
                            : tr(N_("The word is one token."));
    if (!merges)
        here.command = ":tokens";
    else
        here.command = is_plain(word[max].text)
                           ? arena_print(arena, ":merges %s", word[max].text)
                           : ":merges";
    return here;
}

/* "나는 학생입니다.", 23 bytes → ids [5]: source */
static void say_shapes(Session *session, const Sentence *sentence, const char *side) {
    enum { TEXT_MAX = 48 };
    Page *page = &session->page;
    Arena *arena = page->arena;
    int lines = 1;
    const char **line = ARENA_ARRAY(arena, const char *, 2);
    line[0] = arena_print(arena, "ids [%d]: %s", sentence->count, side);
    if (sentence->text) {
        const size_t bytes = strlen(sentence->text);
        const char *text = unicode_escape(sentence->text, bytes, arena);
        line[0] = trf(arena, "\"%s\", %d bytes → %s",
                      unicode_cut(text, TEXT_MAX, arena), (int)bytes, line[0]);
    }
    const Story story = session_story(session);
    const int added = story_added(&story);
    if (added)
        line[lines++] =
            trf(arena, "%d ids and %d added by the model: [%d] from here on",
                sentence->count, added, sentence->count + added);
    page_say(page, (Block){.kind = BLOCK_FORMULA,
                           .formula = {line, lines, .is_close = true}});
}

void show_tokens(Session *session, const StoryPlace *place) {
    enum { AROUND = 2 }; /* a blank line and the column names */
    Page *page = &session->page;
    const Sentence *source = &session->run->source.sentence[session->run->row];
    const bool is_prompt = session->model.config.encoder_layers == 0;
    const char *side = is_prompt ? tr(N_("prompt")) : tr("source");
    const Here here = here_of_tokens(source,
                                     session->model.source.kind == TOKENIZER_BPE ||
                                         session->model.source.kind == TOKENIZER_JSON,
                                     page->arena);
    if (place) {
        const Tokenizer *tokenizer = &session->model.source;
        page_heading(page, place->heading);
        page_prose(page, tokenizer->json ? cuts[tokenizer->json->model.kind]
                                         : texts[tokenizer->kind]);
    }
    if (place && place->depth == DEPTH_PATH) {
        say_shapes(session, source, side);
        say_repairs(page, source);
        page_gap(page);
        say_rows(page, source, path_lines_left(&here, page) - AROUND + 1);
    } else {
        if (place) page_gap(page);
        say_sentence(page, source, side);
    }
    if (session->run->target_given && (!place || place->depth != DEPTH_PATH)) {
        page_gap(page);
        say_sentence(page, &session->run->target.sentence[session->run->row],
                     tr("target"));
    }
    if (place) here_say(&here, page);
}

/* Print a piece of the sentence; its letters may represent bytes. */
static const char *piece_text(const Tokenizer *tokenizer, const char *piece, int length,
                              Arena *arena) {
    const char *bytes =
        tokenizer->json && tokenizer->json->by_bytes
            ? bytepair_bytes(arena_copy(arena, piece, (size_t)length), &length, arena)
            : NULL;
    return unicode_escape(bytes ? bytes : piece, (size_t)length, arena);
}

static void say_merges(Session *session, const char *piece, int length) {
    const Tokenizer *tokenizer = &session->model.source;
    Arena *arena = session->page.arena;
    MergeStep *step;
    int *id = ARENA_ARRAY(arena, int, length);
    int *bytes = ARENA_ARRAY(arena, int, length);
    int parts = length;
    if (tokenizer->json)
        parts = subword_begin(&tokenizer->json->model, piece, length, id, bytes);
    else
        bytepair_begin(&tokenizer->merges, piece, length, id, bytes);
    int steps =
        bytepair_watch(tokenizer_merges(tokenizer), id, bytes, parts, &step, arena);
    MergeRow *row = ARENA_ARRAY(arena, MergeRow, steps);
    for (int s = 0; s < steps; s++) { /* "·나 + 는" and the remaining pieces */
        Builder pieces = {.arena = arena};
        for (int i = 0; i < step[s].count; i++)
            build_item(&pieces, " | ", "%s", tokenizer_label(tokenizer, step[s].id[i]));
        row[s] = (MergeRow){.rank = step[s].rank, .pieces = builder_text(&pieces)};
        if (step[s].rank < 0) continue;
        const Merge *merge = &tokenizer_merges(tokenizer)->merge[step[s].rank];
        row[s].left = tokenizer_label(tokenizer, merge->left);
        row[s].right = tokenizer_label(tokenizer, merge->right);
    }
    const char *word = piece_text(tokenizer, piece, length, arena);
    page_say(
        &session->page,
        (Block){.kind = BLOCK_MERGES,
                .merges = {.word = word,
                           .row = row,
                           .count = steps,
                           .letters = tokenizer->json && !tokenizer->json->by_bytes}});
}

/* "playing: play | ##ing"; for Unigram with the scores to add up. */
static void say_cut(Session *session, const char *piece, int length) {
    const Tokenizer *tokenizer = &session->model.source;
    const Subword *model = &tokenizer->json->model;
    Arena *arena = session->page.arena;
    int *id = ARENA_ARRAY(arena, int, length);
    int *bytes = ARENA_ARRAY(arena, int, length);
    int count = subword_cut(model, piece, length, id, bytes, arena);
    const char *line =
        arena_print(arena, "%s:", piece_text(tokenizer, piece, length, arena));
    double sum = 0;
    for (int t = 0; t < count; t++) {
        line = arena_print(arena, "%s %s%s", line, t ? "| " : "",
                           tokenizer_label(tokenizer, id[t]));
        if (model->kind != SUBWORD_BEST || id[t] == model->unknown) continue;
        line = arena_print(arena, "%s (%.2f)", line, model->score[id[t]]);
        sum += model->score[id[t]];
    }
    if (model->kind == SUBWORD_BEST && count > 1)
        line = trf(arena, "%s  sum %.2f", line, sum);
    page_line(&session->page, "%s", line);
}

static void say_piece(Session *session, const char *piece, int length) {
    const TokenizerJson *json = session->model.source.json;
    if (json && json->model.kind != SUBWORD_PAIRS)
        say_cut(session, piece, length);
    else
        say_merges(session, piece, length);
}

/* Merges are applied within each piece separately. */
static bool say_pieces(Session *session, const char *text, Error *error) {
    const Tokenizer *tokenizer = &session->model.source;
    int left = (int)strlen(text);
    if (tokenizer->json) {
        TextParts parts;
        const Bytes typed = {text, (size_t)left};
        if (!tokenizer_json_pieces(tokenizer->json, typed, &parts, session->page.arena,
                                   error))
            return false;
        for (int i = 0; i < parts.count; i++)
            if (parts.part[i].id < 0)
                say_piece(session, parts.part[i].text, parts.part[i].length);
        return true;
    }
    while (left > 0) {
        int length = bytepair_piece(text, left);
        say_piece(session, text, length);
        text += length;
        left -= length;
    }
    return true;
}

bool show_merges(Session *session, const char *word, Error *error) {
    const Tokenizer *tokenizer = &session->model.source;
    if (tokenizer->kind != TOKENIZER_BPE && tokenizer->kind != TOKENIZER_JSON)
        return fail(error, "this model's tokenizer merges no byte pairs; it looks up "
                           "whole words");
    const char *text = session->run->source.sentence[session->run->row].text;
    if (!word)
        return text ? say_pieces(session, text, error)
                    : fail(error, "the sentence was given as ids, so there is no text "
                                  "to merge");
    /* Show the word with a leading space, as within a sentence, and without, as at the
     * beginning, since the tokens may differ. */
    Page *page = &session->page;
    Clean clean = tokenizer_clean(tokenizer, word, strlen(word), page->arena);
    /* Other tokenizers add a space to each sentence, or drop spaces. */
    if (tokenizer->json && !tokenizer->json->by_bytes)
        return say_pieces(session, clean.text, error);
    if (!say_pieces(session, arena_print(page->arena, " %s", clean.text), error))
        return false;
    page_gap(page);
    page_prose(page, "This is the word after a space, as within a sentence; the "
                     "first word of a sentence has no space to merge with:");
    return say_pieces(session, clean.text, error);
}
