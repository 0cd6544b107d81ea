#include <string.h>

#include "shell/show.h"
#include "text/unicode.h"

enum { TOKEN_WIDTH = 14, ID_WIDTH = 6, RANGE_WIDTH = 9 };

/* The bytes in hexadecimal: "EB 82 98". */
static const char *hex(const char *bytes, int count, Arena *arena) {
    const char *text = "";
    for (int i = 0; i < count; i++)
        text = arena_print(arena, "%s%s%02X", text, i ? " " : "",
                           (unsigned)(unsigned char)bytes[i]);
    return text;
}

/* The whole letter that a token is only a part of, or NULL: bytes that begin or end
 * within a letter belong to it. */
static const char *broken_letter(const char *text, const Token *token, Arena *arena) {
    int letter = 0;
    for (int at = 0; text[at]; at += letter) {
        unicode_decode(text + at, strlen(text + at), &letter);
        bool starts_inside = token->start > at && token->start < at + letter;
        bool ends_inside = token->end > at && token->end < at + letter;
        if (starts_inside || ends_inside)
            return unicode_escape(text + at, (size_t)letter, arena);
    }
    return NULL;
}

static void print_token(Session *session, const Sentence *sentence, int number,
                        const Token *token) {
    Arena *arena = &session->scratch;
    const char *range = arena_print(arena, "%d-%d", token->start, token->end);
    const char *letter = broken_letter(sentence->text, token, arena);
    const char *bytes =
        hex(sentence->text + token->start, token->end - token->start, arena);
    if (letter) bytes = arena_print(arena, "%s  (part of %s)", bytes, letter);
    const char *line =
        arena_print(arena, "%4d  %s %*d  %s  %s", number,
                    unicode_pad(token->label, TOKEN_WIDTH, false, arena), ID_WIDTH,
                    token->id, unicode_pad(range, RANGE_WIDTH, false, arena), bytes);
    fprintf(session->out, "%s\n", unicode_cut(line, session_width(session), arena));
}

static void print_special(Session *session, int number, const char *label, int id) {
    fprintf(session->out, "%4d  %s %*d  (no bytes)\n", number,
            unicode_pad(label ? label : "", TOKEN_WIDTH, false, &session->scratch),
            ID_WIDTH, id);
}

/* One sentence: its tokens, and the ids that have no text. */
static void print_sentence(Session *session, const Sentence *sentence, bool is_target) {
    Arena *arena = &session->scratch;
    FILE *out = session->out;
    if (sentence->text)
        show_text(
            session,
            arena_print(arena, "%s: \"%s\"", is_target ? "target" : "source",
                        unicode_escape(sentence->text, strlen(sentence->text), arena)));
    if (sentence->was_decomposed)
        show_text(session,
                  "It was typed with letters taken apart (as some systems store "
                  "Hangul); they were put together first (normal form C).");
    if (sentence->malformed)
        show_text(session,
                  arena_print(arena, "%d parts were not UTF-8; each became U+FFFD.",
                              sentence->malformed));
    const char *head =
        arena_print(arena, "%4s  %s %*s  %s  %s", "#",
                    unicode_pad("token", TOKEN_WIDTH, false, arena), ID_WIDTH, "id",
                    unicode_pad("bytes", RANGE_WIDTH, false, arena), "in hexadecimal");
    fprintf(out, "%s\n", unicode_cut(head, session_width(session), arena));
    int first = is_target && sentence->text ? 1 : 0;
    for (int i = 0; i < sentence->count; i++) {
        int t = i - first;
        const char *label = sentence->label ? sentence->label[i] : "";
        if (sentence->text && t >= 0 && t < sentence->tokens.count)
            print_token(session, sentence, i, &sentence->tokens.token[t]);
        else
            print_special(session, i, label, sentence->id[i]);
    }
}

void show_tokens(Session *session, int number, int count) {
    const Sentence *source = &session->source.sentence[session->row];
    if (count) {
        show_heading(session, number, count, "Tokens: the sentence in pieces",
                     "tokens");
        show_text(
            session,
            session->model.source.kind == TOKENIZER_BPE
                ? "The sentence is cut into pieces that the model knows: frequent "
                  "ones whole, rare ones down to single bytes, so that nothing is "
                  "unknown. A · is the space before a word. :merges shows how."
                : "The sentence is cut into words and punctuation. A word that is "
                  "not in the vocabulary becomes <unk>.");
        fputs("\n", session->out);
    }
    print_sentence(session, source, false);
    if (!session->target_given) return;
    fputs("\n", session->out);
    print_sentence(session, &session->target.sentence[session->row], true);
}

/* "·나 + 는 → ·나는" and the pieces that are left. */
static void print_merge(Session *session, const MergeStep *step) {
    const Tokenizer *tokenizer = &session->model.source;
    Arena *arena = &session->scratch;
    const char *pieces = "";
    for (int i = 0; i < step->count; i++)
        pieces = arena_print(arena, "%s%s%s", pieces, i ? " | " : "",
                             tokenizer_label(tokenizer, step->id[i]));
    if (step->rank < 0) {
        fprintf(session->out, "      bytes      %s\n", pieces);
        return;
    }
    const Merge *merge = &tokenizer->merges.merge[step->rank];
    fprintf(session->out, "      merge %-5d %s + %s:  %s\n", step->rank,
            tokenizer_label(tokenizer, merge->left),
            tokenizer_label(tokenizer, merge->right), pieces);
}

static void print_piece(Session *session, const char *piece, int length) {
    Arena *arena = &session->scratch;
    MergeStep *step;
    int steps =
        bytepair_watch(&session->model.source.merges, piece, length, &step, arena);
    fprintf(session->out, "  \"%s\"\n", unicode_escape(piece, (size_t)length, arena));
    for (int s = 0; s < steps; s++) print_merge(session, &step[s]);
}

bool show_merges(Session *session, const char *word, Error *error) {
    if (session->model.source.kind != TOKENIZER_BPE)
        return fail(error, "this model's tokenizer joins no byte pairs: its words are "
                           "looked up whole");
    const char *text = word;
    if (word) {
        Clean clean = unicode_clean(word, strlen(word), &session->scratch);
        text = clean.text;
    } else {
        text = session->source.sentence[session->row].text;
    }
    if (!text) return fail(error, "ids were given, so there is no text to join");
    for (int left = (int)strlen(text); left > 0;) {
        int length = bytepair_piece(text, left);
        print_piece(session, text, length);
        text += length;
        left -= length;
    }
    return true;
}
