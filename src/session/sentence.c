#include "session/sentence.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "model/ids.h"
#include "text/unicode.h"

static const Tokenizer *tokenizer_of(const Model *model, bool is_target) {
    return is_target ? &model->target : &model->source;
}

static void append_id(const Model *model, bool is_target, Sentence *sentence, int id,
                      const char *label) {
    const Tokenizer *tokenizer = tokenizer_of(model, is_target);
    sentence->id[sentence->count] = id;
    if (sentence->label)
        sentence->label[sentence->count] =
            label ? label : tokenizer_label(tokenizer, id);
    sentence->count++;
}

static void make_room(const Model *model, int count, Arena *arena, Sentence *sentence) {
    sentence->id = ARENA_ARRAY(arena, int, count);
    if (model->source.kind != TOKENIZER_NONE)
        sentence->label = ARENA_ARRAY(arena, const char *, count);
}

/* Return the text up to the next bar, or the end, without surrounding spaces. A bar
 * after a backslash is part of the text. */
static Bytes cut_sentence(const char **typed, Arena *arena) {
    const char *c = *typed;
    while (isspace((unsigned char)*c)) c++;
    char *text = arena_take(arena, strlen(c) + 1);
    size_t size = 0;
    for (; *c; c++) {
        const bool is_within_token = (c > *typed && c[-1] == '<') || c[1] == '>';
        if (*c == '|' && !is_within_token) break; /* unlike those of <|endoftext|> */
        if (*c == '\\' && c[1] == '|') c++;
        text[size++] = *c;
    }
    *typed = c;
    while (size && isspace((unsigned char)text[size - 1])) size--;
    return (Bytes){text, size};
}

/* Replace the usual ways to type a blank by the model's own mask token. */
static Bytes name_hidden(const Model *model, Bytes typed, Arena *arena) {
    static const char *const forms[] = {"[MASK]", "<mask>", "___"};
    const Config *config = &model->config;
    if (!config->masked_words || config->mask_id < 0) return typed;
    const char *mask = model->source.vocabulary.word[config->mask_id];
    Builder text = {.arena = arena};
    for (size_t at = 0, length; at < typed.size; at += length) {
        const char *rest = typed.bytes + at;
        length = 0;
        for (size_t f = 0; f < sizeof forms / sizeof *forms && !length; f++)
            if (strncmp(rest, forms[f], strlen(forms[f])) == 0)
                length = strlen(forms[f]);
        if (length) {
            while (rest[length] == '_') length++; /* a run of underscores is one word */
            build_text(&text, mask);
            continue;
        }
        length = 1;
        build(&text, "%c", *rest);
    }
    const char *named = builder_text(&text);
    return (Bytes){named, strlen(named)};
}

static bool read_one(const Model *model, bool is_target, Bytes typed, Arena *arena,
                     Sentence *sentence, Error *error) {
    const Tokenizer *tokenizer = tokenizer_of(model, is_target);
    if (!is_target) typed = name_hidden(model, typed, arena);
    Clean clean = tokenizer_clean(tokenizer, typed.bytes, typed.size, arena);
    *sentence = (Sentence){
        .text = clean.text,
        .was_decomposed = clean.was_decomposed,
        .malformed = clean.malformed,
    };
    if (clean.length == 0 && !is_target)
        return fail(error, "found an empty sentence; type at least one word");
    if (!tokenizer_encode(tokenizer, clean.text, clean.length, arena, &sentence->tokens,
                          error))
        return false;
    /* As in tokenizer.json, or <start> for a target or a prompt and <end> for a
     * source. */
    const SpecialIds *special = &tokenizer->special;
    const bool is_prompt = model->config.encoder_layers == 0;
    const bool begins = (is_target || is_prompt) && special->start >= 0;
    AroundIds before = {&special->start, begins};
    AroundIds after = {&special->end, !is_target && !is_prompt};
    if (tokenizer->json && !is_target) {
        before = tokenizer->json->before;
        after = tokenizer->json->after;
    }
    make_room(model, before.count + sentence->tokens.count + after.count + 1, arena,
              sentence);
    for (int i = 0; i < before.count; i++)
        append_id(model, is_target, sentence, before.id[i], NULL);
    sentence->before = before.count;
    for (int t = 0; t < sentence->tokens.count; t++) {
        const Token *token = &sentence->tokens.token[t];
        append_id(model, is_target, sentence, token->id, token->label);
    }
    for (int i = 0; i < after.count; i++)
        append_id(model, is_target, sentence, after.id[i], NULL);
    return sentence->count > 0 ||
           fail(error, "the tokenizer removes everything from this sentence; type "
                       "another");
}

bool sentence_read(const Model *model, bool is_target, const char *typed, Arena *arena,
                   Side *side, Error *error) {
    if (tokenizer_of(model, is_target)->kind == TOKENIZER_NONE)
        return sentence_read_ids(model, is_target, typed, arena, side, error);
    *side = (Side){0};
    for (;; typed++) {
        if (side->rows == ROWS_MAX)
            return fail(error, "a batch has at most %d sentences", ROWS_MAX);
        if (!read_one(model, is_target, cut_sentence(&typed, arena), arena,
                      &side->sentence[side->rows++], error))
            return false;
        if (!*typed) return true;
    }
}

bool sentence_read_ids(const Model *model, bool is_target, const char *typed,
                       Arena *arena, Side *side, Error *error) {
    const Config *config = &model->config;
    int words = is_target ? config->target_vocabulary : config->source_vocabulary;
    *side = (Side){0};
    typed += strspn(typed, ", ");
    for (;;) {
        if (side->rows == ROWS_MAX)
            return fail(error, "a batch has at most %d sentences", ROWS_MAX);
        Sentence *sentence = &side->sentence[side->rows++];
        make_room(model, (int)strcspn(typed, "|") + 1, arena, sentence);
        while (*typed && *typed != '|') {
            char *end;
            long id = strtol(typed, &end, 10);
            if (end == typed || !isdigit((unsigned char)*typed))
                return fail(
                    error,
                    "'%.40s' is not an id (this model has no tokenizer, or ids were "
                    "requested); write ids such as 5,7,9,2",
                    typed);
            if (id >= words)
                return fail(
                    error,
                    "the id %ld is outside the vocabulary, whose ids are 0 to %d", id,
                    words - 1);
            typed = end + strspn(end, ", ");
            append_id(model, is_target, sentence, (int)id, NULL);
        }
        if (sentence->count == 0)
            return fail(error, "found an empty row of ids; write at least one");
        if (!*typed) return true;
        typed += 1 + strspn(typed + 1, ", ");
    }
}

const char *sentence_print(const Side *side, Arena *arena) {
    Builder text = {.arena = arena};
    for (int r = 0; r < side->rows; r++) {
        const Sentence *sentence = &side->sentence[r];
        if (r) build_text(&text, sentence->text ? " | " : "|");
        if (!sentence->text)
            build_text(&text, ids_print(sentence->id, sentence->count, arena));
        for (const char *c = sentence->text; c && *c; c++)
            build(&text, "%s%c", *c == '|' ? "\\" : "", *c);
    }
    return builder_text(&text);
}

const char *sentence_spoken(const Model *model, const Generated *generated,
                            Arena *arena) {
    if (model->target.kind != TOKENIZER_NONE) {
        const char *text =
            tokenizer_decode(&model->target, generated->id, generated->count, arena);
        return unicode_escape(text, strlen(text), arena);
    }
    return ids_print(generated->id, generated->count, arena);
}

void sentence_take(const Model *model, const Sentence *source,
                   const Generated *generated, Arena *arena, Sentence *sentence) {
    const Config *config = &model->config;
    /* The last token was chosen but not read: <end>, or the one at the limit. */
    int count = generated->count ? generated->count - 1 : 0;
    *sentence = (Sentence){0};
    bool is_prompt = config->encoder_layers == 0;
    int given = is_prompt ? source->count : 1;
    make_room(model, given + count, arena, sentence);
    for (int i = 0; i < given; i++)
        append_id(model, true, sentence, is_prompt ? source->id[i] : config->start_id,
                  NULL);
    for (int t = 0; t < count; t++)
        append_id(model, true, sentence, generated->id[t], NULL);
}

void sentence_pad(const Model *model, bool is_target, Arena *arena, Side *side) {
    int pad = model->config.pad_id;
    int length = 0;
    for (int r = 0; r < side->rows; r++)
        if (side->sentence[r].count > length) length = side->sentence[r].count;
    int *id = ARENA_ARRAY(arena, int, side->rows *length);
    const char **label = NULL;
    const Tokenizer *tokenizer = tokenizer_of(model, is_target);
    if (tokenizer->kind != TOKENIZER_NONE)
        label = ARENA_ARRAY(arena, const char *, side->rows *length);
    for (int r = 0; r < side->rows; r++) {
        const Sentence *sentence = &side->sentence[r];
        for (int i = 0; i < length; i++) {
            const bool inside = i < sentence->count;
            id[r * length + i] = inside ? sentence->id[i] : pad;
            if (!label) continue;
            label[r * length + i] =
                inside ? sentence->label[i]
                       : tokenizer_label(tokenizer, tokenizer->special.pad);
        }
    }
    side->label = label;
    side->ids = (Ids){id, side->rows, length, label};
}

Word *sentence_words(const Sentence *sentence, Arena *arena, int *count) {
    const Tokens *tokens = &sentence->tokens;
    Word *word = ARENA_ARRAY(arena, Word, tokens->count);
    *count = 0;
    for (int first = 0, last; first < tokens->count; first = last) {
        last = first + 1;
        /* A space starts a new word. It is in the word's first token or, for word
         * tokenizers, before it. */
        while (last < tokens->count &&
               sentence->text[tokens->token[last].start] != ' ' &&
               tokens->token[last].start <= tokens->token[last - 1].end)
            last++;
        int end = last;
        for (; end > first; end--) { /* without the marks behind the word */
            const Token *token = &tokens->token[end - 1];
            if (token->end - token->start != 1 ||
                !strchr(".,?!", sentence->text[token->start]))
                break;
        }
        if (end == first) continue;
        const char *text = sentence->text + tokens->token[first].start;
        const char *text_end = sentence->text + tokens->token[end - 1].end;
        while (text < text_end && *text == ' ') text++;
        word[(*count)++] =
            (Word){unicode_escape(text, (size_t)(text_end - text), arena), first, end};
    }
    return word;
}
