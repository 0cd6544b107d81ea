#include "session/tokens.h"

#include <ctype.h>
#include <string.h>

#include "base/language.h"
#include "session/sentence.h"
#include "text/unicode.h"
#include "walk/here.h"

/* The bytes in hexadecimal: "EB 82 98". */
static const char *hex(const char *bytes, int count, Arena *arena) {
    enum { EACH = 3 };
    char *text = arena_take(arena, EACH * (size_t)count + 1);
    for (int i = 0; i < count; i++)
        snprintf(text + EACH * i, EACH + 1, "%02X ", (unsigned)(unsigned char)bytes[i]);
    if (count) text[EACH * count - 1] = '\0';
    return text;
}

/* Where the letter begins that byte `at` of UTF-8 belongs to. */
static int letter_start(const char *text, int at) {
    while (at > 0 && ((unsigned char)text[at] & 0xc0) == 0x80) at--;
    return at;
}

/* The whole letter that a token is only a part of, or NULL: bytes that begin or end
 * within a letter belong to it. */
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

static TokenRow token_row(const Sentence *sentence, const Token *token, Arena *arena) {
    return (TokenRow){
        .label = token->label,
        .id = token->id,
        .bytes = hex(sentence->text + token->start, token->end - token->start, arena),
        .start = token->start,
        .end = token->end,
        .letter = broken_letter(sentence->text, token, arena),
    };
}

/* Does <start> come before the tokens? */
static bool has_start(const Sentence *sentence) {
    const Tokens *tokens = &sentence->tokens;
    return tokens->count && sentence->id[0] != tokens->token[0].id;
}

/* All ids of a sentence; those that the tokenizer did not make, such as <end>, have no
 * bytes. */
static void say_rows(Page *page, const Sentence *sentence) {
    TokenRow *row = ARENA_ARRAY(page->arena, TokenRow, sentence->count);
    int first = has_start(sentence);
    for (int i = 0; i < sentence->count; i++) {
        int t = i - first;
        const char *label = sentence->label ? sentence->label[i] : NULL;
        if (sentence->text && t >= 0 && t < sentence->tokens.count)
            row[i] = token_row(sentence, &sentence->tokens.token[t], page->arena);
        else
            row[i] = (TokenRow){.label = label ? label : "", .id = sentence->id[i]};
    }
    page_say(page, (Block){.kind = BLOCK_TOKENS, .tokens = {row, sentence->count}});
}

static void say_sentence(Page *page, const Sentence *sentence, bool is_target) {
    Arena *arena = page->arena;
    if (sentence->text)
        page_prose(page, arena_print(arena, "%s: \"%s\"",
                                     is_target             ? tr("target")
                                     : has_start(sentence) ? tr(N_("prompt"))
                                                           : tr("source"),
                                     unicode_escape(sentence->text,
                                                    strlen(sentence->text), arena)));
    if (sentence->was_decomposed)
        page_prose(page, "It was typed with letters taken apart (as some systems store "
                         "Hangul); they were put together first (normal form C).");
    if (sentence->malformed)
        page_prose(page, trf(arena, "%d parts were not UTF-8; each became U+FFFD.",
                             sentence->malformed));
    say_rows(page, sentence);
}

static const char *const texts[] = {
    [TOKENIZER_NONE] = N_("This model has no tokenizer: its sentences are typed as the "
                          "numbers of their tokens."),
    [TOKENIZER_WORDS] =
        N_("The sentence is cut into words and punctuation. A word that "
           "is not in the vocabulary becomes <unk>."),
    [TOKENIZER_BPE] =
        N_("The sentence is cut into pieces that the model knows: frequent "
           "ones whole, rare ones down to single bytes, so that nothing is "
           "unknown. A · is the space before a word. :merges shows how."),
};

static void say_heading(Session *session, const StoryPlace *place) {
    Page *page = &session->page;
    page_heading(
        page, (HeadingBlock){place->number, place->count, place->title, place->name});
    page_prose(page, texts[session->model.source.kind]);
    page_gap(page);
}

/* Nothing in it that a command line would read as more than a letter. */
static bool is_plain(const char *word) {
    for (const char *c = word; *c; c++)
        if (!isalnum((unsigned char)*c) && (unsigned char)*c < 0x80) return false;
    return true;
}

/* How many words became how many tokens, and which was cut most. */
static Here here_of_tokens(const Sentence *sentence, bool merges, Arena *arena) {
    Here here = {.head = -1};
    int count = 0;
    int most = 0;
    if (!sentence->text) return here;
    const Word *word = sentence_words(sentence, arena, &count);
    for (int w = 1; w < count; w++)
        if (word[w].last - word[w].first > word[most].last - word[most].first) most = w;
    if (count == 0) return here;
    int pieces = word[most].last - word[most].first;
    const char *beside = has_start(sentence) ? "<start>" : "<end>";
    here.text =
        pieces > 1 && count == 1 ? trf(arena, "One word became %d tokens, and %s.",
                                       sentence->tokens.count, beside)
        : pieces > 1
            ? trf(arena,
                  "%d words became %d tokens, and %s; none was cut into more than %d, "
                  "as \"%s\" was.",
                  count, sentence->tokens.count, beside, pieces, word[most].text)
        : count > 1 ? trf(arena, "Each of the %d words is one token.", count)
                    : tr(N_("The word is one token."));
    if (!merges)
        here.command = ":tokens";
    else
        here.command = is_plain(word[most].text)
                           ? arena_print(arena, ":merges %s", word[most].text)
                           : ":merges";
    return here;
}

void show_tokens(Session *session, const StoryPlace *place) {
    Page *page = &session->page;
    if (place) say_heading(session, place);
    say_sentence(page, &session->run->source.sentence[session->run->row], false);
    if (session->run->target_given) {
        page_gap(page);
        say_sentence(page, &session->run->target.sentence[session->run->row], true);
    }
    Here here =
        here_of_tokens(&session->run->source.sentence[session->run->row],
                       session->model.source.kind == TOKENIZER_BPE, page->arena);
    if (place) here_say(&here, page);
}

/* "·나 + 는" and the pieces that are left. */
static MergeRow merge_row(const Tokenizer *tokenizer, const MergeStep *step,
                          Arena *arena) {
    const char *pieces = "";
    for (int i = 0; i < step->count; i++)
        pieces = arena_print(arena, "%s%s%s", pieces, i ? " | " : "",
                             tokenizer_label(tokenizer, step->id[i]));
    MergeRow row = {.rank = step->rank, .pieces = pieces};
    if (step->rank < 0) return row;
    const Merge *merge = &tokenizer->merges.merge[step->rank];
    row.left = tokenizer_label(tokenizer, merge->left);
    row.right = tokenizer_label(tokenizer, merge->right);
    return row;
}

static void say_piece(Session *session, const char *piece, int length) {
    const Tokenizer *tokenizer = &session->model.source;
    Page *page = &session->page;
    Arena *arena = page->arena;
    MergeStep *step;
    int *id = ARENA_ARRAY(arena, int, length);
    int *bytes = ARENA_ARRAY(arena, int, length);
    bytepair_begin(&tokenizer->merges, piece, length, id, bytes);
    int steps = bytepair_watch(&tokenizer->merges, id, bytes, length, &step, arena);
    MergeRow *row = ARENA_ARRAY(arena, MergeRow, steps);
    for (int s = 0; s < steps; s++) row[s] = merge_row(tokenizer, &step[s], arena);
    const char *word = unicode_escape(piece, (size_t)length, arena);
    page_say(page, (Block){.kind = BLOCK_MERGES, .merges = {word, row, steps}});
}

static void say_pieces(Session *session, const char *text) {
    for (int left = (int)strlen(text); left > 0;) {
        int length = bytepair_piece(text, left);
        say_piece(session, text, length);
        text += length;
        left -= length;
    }
}

/* A word as it stands within a sentence, behind a space, and as it begins one: its
 * tokens may differ. */
static void say_word(Session *session, const char *word) {
    Page *page = &session->page;
    Clean clean = unicode_clean(word, strlen(word), page->arena);
    say_pieces(session, arena_print(page->arena, " %s", clean.text));
    page_gap(page);
    page_prose(page, "That is the word behind a space, as within a sentence; at the "
                     "beginning of one there is no space to be joined with:");
    say_pieces(session, clean.text);
}

bool show_merges(Session *session, const char *word, Error *error) {
    if (session->model.source.kind != TOKENIZER_BPE)
        return fail(error, "this model's tokenizer joins no byte pairs: its words are "
                           "looked up whole");
    const char *text = session->run->source.sentence[session->run->row].text;
    if (word)
        say_word(session, word);
    else if (text)
        say_pieces(session, text);
    else
        return fail(error, "ids were given, so there is no text to join");
    return true;
}
