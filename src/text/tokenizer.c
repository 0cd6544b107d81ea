#include "text/tokenizer.h"

#include <string.h>

#include "base/builder.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "text/decode.h"
#include "text/label.h"
#include "text/words.h"

const char *const tokenizer_kinds[] = {[TOKENIZER_NONE] = "none",
                                       [TOKENIZER_WORDS] = "words",
                                       [TOKENIZER_BPE] = "bpe",
                                       [TOKENIZER_JSON] = "json",
                                       NULL};

const char *const tokenizer_special[] = {"<pad>", "<start>", "<end>", "<unk>", NULL};

static const char *const special_with_mask[] = {"<pad>", "<start>", "<end>",
                                                "<unk>", "<mask>",  NULL};

static bool is_special(const Tokenizer *tokenizer, int id) {
    const SpecialIds *special = &tokenizer->special;
    if (tokenizer->json) return tokenizer->json->special[id];
    return id == special->pad || id == special->start || id == special->end ||
           id == special->unknown || id == special->mask;
}

/* A leading space would be invisible on an axis, so show it as a dot. */
static const char *label_with(int spaces, const char *bytes, int length, Arena *arena,
                              Arena *scratch) {
    const char *rest = unicode_escape(bytes, (size_t)length, scratch);
    char *label =
        arena_take(arena, strlen(LABEL_SPACE) * (size_t)spaces + strlen(rest) + 1);
    char *end = label;
    for (int i = 0; i < spaces; i++) end = stpcpy(end, LABEL_SPACE);
    stpcpy(end, rest);
    return label;
}

static const char *label_bytes(const char *bytes, int length, Arena *arena,
                               Arena *scratch) {
    int spaces = 0;
    while (spaces < length && bytes[spaces] == ' ') spaces++;
    return label_with(spaces, bytes + spaces, length - spaces, arena, scratch);
}

/* Return "▁word" as "·word", "<0xEA>" as "<EA>", and bytes as their text. */
static const char *json_label(const Tokenizer *tokenizer, int id, Arena *arena,
                              Arena *scratch) {
    static const char space[] = "▁";
    const char *word = tokenizer->vocabulary.word[id];
    int length = tokenizer->vocabulary.length[id];
    int byte = decode_byte(word, (size_t)length);
    const char *bytes = tokenizer->json->by_bytes && !is_special(tokenizer, id)
                            ? bytepair_bytes(word, &length, scratch)
                            : NULL;
    if (bytes) return label_bytes(bytes, length, arena, scratch);
    if (byte >= 0) return arena_print(arena, "<%02X>", (unsigned)byte);
    int spaces = 0;
    for (; strncmp(word, space, sizeof space - 1) == 0; word += sizeof space - 1)
        spaces++;
    return label_with(spaces, word, (int)strlen(word), arena, scratch);
}

/* Return the first id whose word represents no bytes, or -1. If a signal stops it,
 * labels are missing. */
static int make_labels(Tokenizer *tokenizer, Arena *arena) {
    int count = tokenizer->vocabulary.count;
    const char **label = ARENA_ARRAY(arena, const char *, count);
    int bad = -1;
    Arena scratch = {0};
    for (int id = 0; id < count && bad < 0 && !interrupt_signal(); id++) {
        const char *word = tokenizer->vocabulary.word[id];
        int length = tokenizer->vocabulary.length[id];
        bool is_of_bytes = tokenizer->kind == TOKENIZER_BPE;
        if (tokenizer->json)
            label[id] = json_label(tokenizer, id, arena, &scratch);
        else if (!is_of_bytes || is_special(tokenizer, id))
            label[id] = unicode_escape(word, (size_t)length, arena);
        else if ((word = bytepair_bytes(word, &length, &scratch)))
            label[id] = label_bytes(word, length, arena, &scratch);
        else
            bad = id;
        arena_reset(&scratch);
    }
    arena_free(&scratch);
    tokenizer->label = label;
    return bad;
}

static const char *file_of(const char *folder, const char *prefix, const char *name,
                           Arena *arena) {
    return file_join(arena, folder, arena_print(arena, "%s%s", prefix, name));
}

static bool check_special(const Tokenizer *tokenizer, const char *path, Error *error) {
    const SpecialIds *special = &tokenizer->special;
    const struct {
        const char *name;
        int id;
    } ids[] = {
        {"pad_id", special->pad},   {"start_id", special->start},
        {"end_id", special->end},   {"unknown_id", special->unknown},
        {"mask_id", special->mask},
    };
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (ids[i].id >= tokenizer->vocabulary.count)
            return fail(error, "%s: %s is %d, but the ids of its %d words are 0 to %d",
                        path, ids[i].name, ids[i].id, tokenizer->vocabulary.count,
                        tokenizer->vocabulary.count - 1);
    return true;
}

static bool load_json(Tokenizer *tokenizer, const char *folder, const char *prefix,
                      Arena *arena, Error *error) {
    const char *path = file_of(folder, prefix, "tokenizer.json", arena);
    const char *merges = file_of(folder, prefix, "merges.txt", arena);
    const char *words = file_of(folder, prefix, "vocab.txt", arena);
    if (!file_exists(path) && file_exists(merges))
        tokenizer->json = tokenizer_json_of_pairs(
            file_of(folder, prefix, "vocab.json", arena), merges, arena, error);
    else if (!file_exists(path) && file_exists(words))
        tokenizer->json = tokenizer_json_of_words(
            words, file_of(folder, prefix, "tokenizer_config.json", arena), arena,
            error);
    else
        tokenizer->json = tokenizer_json_read(path, arena, error);
    if (!tokenizer->json) return false;
    tokenizer->vocabulary = tokenizer->json->vocabulary;
    make_labels(tokenizer, arena);
    return interrupt_none(error);
}

static bool load(Tokenizer *tokenizer, const char *folder, const char *prefix,
                 Arena *arena, Arena *scratch, Error *error) {
    if (tokenizer->kind == TOKENIZER_JSON)
        return load_json(tokenizer, folder, prefix, arena, error);
    const char *words = file_of(folder, prefix, "vocab.json", scratch);
    const char *merges = file_of(folder, prefix, "merges.txt", scratch);
    const Vocabulary *vocabulary = &tokenizer->vocabulary;
    if (!vocabulary_read(&tokenizer->vocabulary, words, arena, error)) return false;
    if (!check_special(tokenizer, words, error)) return false;
    int bad = make_labels(tokenizer, arena);
    if (!interrupt_none(error)) return false;
    if (bad >= 0)
        return fail(
            error, "%s: '%s' does not consist of bytes, as a byte-pair token must",
            words,
            vocabulary_show(vocabulary->word[bad], vocabulary->length[bad], scratch));
    if (tokenizer->kind != TOKENIZER_BPE) return true;
    const BytePair *read = &tokenizer->merges;
    if (!bytepair_read(&tokenizer->merges, vocabulary, merges, arena, error))
        return false;
    /* No sentence can produce <end>: special words are neither merges nor single
     * bytes. */
    for (int i = 0; i < 256; i++)
        if (is_special(tokenizer, read->byte[i]))
            return fail(error, "%s: the special id %d is the word of the byte %02X",
                        merges, read->byte[i], (unsigned)i);
    for (int rank = 0; rank < read->count; rank++)
        if (is_special(tokenizer, read->merge[rank].joined))
            return fail(error, "%s: a merge makes the special word '%s'", merges,
                        tokenizer->label[read->merge[rank].joined]);
    return true;
}

bool tokenizer_load(Tokenizer *tokenizer, const char *folder, const char *prefix,
                    Arena *arena, Error *error) {
    if (tokenizer->kind == TOKENIZER_NONE) return true;
    Arena scratch = {0};
    bool done = load(tokenizer, folder, prefix, arena, &scratch, error);
    arena_free(&scratch);
    return done;
}

bool tokenizer_fill(Tokenizer *tokenizer, int words, Arena *arena) {
    Vocabulary *vocabulary = &tokenizer->vocabulary;
    if (vocabulary->count >= words) return true;
    const char **label = ARENA_ARRAY(arena, const char *, words);
    memcpy(label, tokenizer->label, (size_t)vocabulary->count * sizeof *label);
    for (int id = vocabulary->count; id < words; id++) {
        label[id] = arena_print(arena, "<unused %d>", id);
        if (vocabulary_add(vocabulary, label[id], (int)strlen(label[id]), arena) != id)
            return false;
    }
    tokenizer->label = label;
    return true;
}

void tokenizer_add_mask(Tokenizer *tokenizer, Arena *arena) {
    static const char mask[] = "<mask>";
    Vocabulary *vocabulary = &tokenizer->vocabulary;
    int words = vocabulary->count;
    int id = vocabulary_add(vocabulary, mask, sizeof mask - 1, arena);
    tokenizer->special.mask = id;
    if (id < words) return;
    const char **label = ARENA_ARRAY(arena, const char *, words + 1);
    memcpy(label, tokenizer->label, (size_t)words * sizeof *label);
    label[id] = mask;
    tokenizer->label = label;
}

Clean tokenizer_clean(const Tokenizer *tokenizer, const char *bytes, size_t size,
                      Arena *arena) {
    return tokenizer->kind == TOKENIZER_JSON ? unicode_valid(bytes, size, arena)
                                             : unicode_clean(bytes, size, arena);
}

bool tokenizer_learn(Tokenizer *tokenizer, TokenizerOptions options, const Clean *text,
                     Arena *arena, Error *error) {
    const char *const *special = options.masks ? special_with_mask : tokenizer_special;
    TextToLearn from = {text->text, (size_t)text->length, special, options.words};
    Vocabulary *vocabulary = &tokenizer->vocabulary;
    *tokenizer = (Tokenizer){.kind = options.kind,
                             .special = {0, 1, 2, 3, options.masks ? 4 : -1}};
    bool done = options.kind == TOKENIZER_NONE;
    if (options.kind == TOKENIZER_WORDS)
        done = words_learn(&from, vocabulary, arena, error);
    if (options.kind == TOKENIZER_BPE)
        done = bytepair_learn(&from, vocabulary, &tokenizer->merges, arena, error);
    if (!done) return false;
    make_labels(tokenizer, arena);
    return interrupt_none(error);
}

const BytePair *tokenizer_merges(const Tokenizer *tokenizer) {
    return tokenizer->json ? &tokenizer->json->model.merges : &tokenizer->merges;
}

bool tokenizer_save(const Tokenizer *tokenizer, const char *folder, const char *prefix,
                    bool replace, Error *error) {
    if (tokenizer->kind == TOKENIZER_NONE) return true;
    Arena scratch = {0};
    const char *words = file_of(folder, prefix, "vocab.json", &scratch);
    const char *merges = file_of(folder, prefix, "merges.txt", &scratch);
    const char *json = file_of(folder, prefix, "tokenizer.json", &scratch);
    bool in_one = tokenizer->json && tokenizer->json->file.size;
    bool done = in_one ? file_save(json, tokenizer->json->file.bytes,
                                   tokenizer->json->file.size, replace, error)
                       : vocabulary_save(&tokenizer->vocabulary, words, replace, error);
    if (done && tokenizer->kind != TOKENIZER_WORDS && !in_one)
        done = bytepair_save(tokenizer_merges(tokenizer), &tokenizer->vocabulary,
                             merges, replace, error);
    arena_free(&scratch);
    return done;
}

static int encode_bytes(const Tokenizer *tokenizer, const char *text, int length,
                        Token *token, Arena *scratch) {
    int *id = arena_take_raw(scratch, (size_t)length * sizeof *id);
    int *bytes = arena_take_raw(scratch, (size_t)length * sizeof *bytes);
    int count = 0;
    for (int i = 0, piece; i < length; i += piece) {
        piece = bytepair_piece(text + i, length - i);
        bytepair_begin(&tokenizer->merges, text + i, piece, id, bytes);
        int found = bytepair_join(&tokenizer->merges, id, bytes, piece, scratch);
        for (int k = 0, start = i; k < found; k++, count++) {
            int end = start + bytes[k];
            token[count] = (Token){id[k], start, end, tokenizer->label[id[k]]};
            start = end;
        }
    }
    return count;
}

/* Add the tokens of the bytes from `start` up to `end`. */
static int encode_piece(const Tokenizer *tokenizer, const char *text, int start,
                        int end, Token *token, Arena *scratch) {
    int length = end - start;
    const char *piece = arena_copy(scratch, text + start, (size_t)length);
    int count = 0;
    if (tokenizer->kind == TOKENIZER_BPE)
        count = encode_bytes(tokenizer, piece, length, token, scratch);
    else
        for (int from, to = 0; words_next(piece, &from, &to); count++) {
            int id = vocabulary_find(&tokenizer->vocabulary, piece + from, to - from);
            if (id < 0 || is_special(tokenizer, id)) id = tokenizer->special.unknown;
            token[count] = (Token){id, from, to, tokenizer->label[id]};
        }
    for (int t = 0; t < count; t++) {
        token[t].start += start;
        token[t].end += start;
    }
    return count;
}

bool tokenizer_encode(const Tokenizer *tokenizer, const char *text, int length,
                      Arena *arena, Tokens *tokens, Error *error) {
    *tokens = (Tokens){0};
    if (tokenizer->kind == TOKENIZER_NONE)
        return fail(error, "this model has no tokenizer; give ids, such as 5,7,9,2");
    if (length > TOKENIZER_BYTES)
        return fail(error, "the sentence has %d bytes; the limit is %d", length,
                    TOKENIZER_BYTES);
    if (tokenizer->kind == TOKENIZER_JSON) {
        JsonTokens found;
        if (!tokenizer_json_encode(tokenizer->json, (Bytes){text, (size_t)length},
                                   arena, &found, error))
            return false;
        *tokens = (Tokens){ARENA_ARRAY(arena, Token, found.count), found.count};
        for (int t = 0; t < found.count; t++) {
            const JsonToken *json = &found.token[t];
            tokens->token[t] =
                (Token){json->id, json->start, json->end, tokenizer->label[json->id]};
        }
        return true;
    }
    Arena scratch = {0};
    Token *token = arena_take_raw(&scratch, (size_t)length * sizeof *token);
    int mask = tokenizer->special.mask;
    const char *hidden = mask >= 0 ? tokenizer->vocabulary.word[mask] : NULL;
    const char *ended = arena_copy(&scratch, text, (size_t)length);
    int count = 0;
    for (int at = 0; at < length;) {
        const char *found = hidden ? strstr(ended + at, hidden) : NULL;
        int end = found ? (int)(found - ended) : length;
        int start =
            end; /* as with other tokens, the space before a mask belongs to it */
        while (found && start > at && ended[start - 1] == ' ') start--;
        count += encode_piece(tokenizer, ended, at, start, token + count, &scratch);
        at = end;
        if (!found) continue;
        at += tokenizer->vocabulary.length[mask];
        token[count++] = (Token){mask, start, at, tokenizer->label[mask]};
    }
    *tokens = (Tokens){ARENA_ARRAY(arena, Token, count), count};
    if (count) memcpy(tokens->token, token, (size_t)count * sizeof *token);
    arena_free(&scratch);
    return true;
}

const char *tokenizer_decode(const Tokenizer *tokenizer, const int *ids, int count,
                             Arena *arena) {
    Arena scratch = {0};
    Builder text = {.arena = &scratch};
    const char *before = NULL;
    for (int i = 0; tokenizer->kind != TOKENIZER_JSON && i < count; i++) {
        const int id = ids[i];
        int length;
        if (id < 0 || id >= tokenizer->vocabulary.count || is_special(tokenizer, id))
            continue; /* it has no text */
        const char *word = tokenizer->vocabulary.word[id];
        if (tokenizer->kind == TOKENIZER_BPE) {
            const char *bytes = bytepair_bytes(word, &length, &scratch);
            build_bytes(&text, bytes, (size_t)length);
        } else {
            if (words_have_space(before, word)) build_text(&text, " ");
            build_text(&text, word);
            before = word;
        }
    }
    Bytes made = {text.text, (size_t)text.count};
    if (tokenizer->kind == TOKENIZER_JSON)
        made = tokenizer_json_decode(tokenizer->json, ids, count, &scratch);
    const char *decoded = tokenizer->kind == TOKENIZER_JSON
                              ? unicode_valid(made.bytes, made.size, arena).text
                          : tokenizer->kind == TOKENIZER_BPE
                              ? unicode_clean(made.bytes, made.size, arena).text
                              : arena_copy(arena, made.bytes, made.size);
    arena_free(&scratch);
    return decoded;
}

const char *tokenizer_label(const Tokenizer *tokenizer, int id) {
    if (id < 0 || id >= tokenizer->vocabulary.count) return NULL;
    return tokenizer->label[id];
}
