#include "text/tokenizer_json.h"

#include <string.h>

#include "base/language.h"
#include "text/decode.h"
#include "text/unicode.h"

enum { TEXT_BYTES_MAX = 1 << 20 }; /* limit for the text that steps produce */

static bool is_word_letter(int code) {
    const char *category = unicode_category(code);
    return category[0] == 'L' || category[0] == 'M' || strcmp(category, "Nd") == 0 ||
           strcmp(category, "Nl") == 0 || strcmp(category, "Pc") == 0;
}

static bool is_within_word(TextPart part, int at, int end) {
    int bytes, before = at - 1;
    while (before > 0 && (part.text[before] & 0xC0) == 0x80) before--;
    return (at > 0 && is_word_letter(unicode_decode(part.text + before,
                                                    (size_t)(at - before), &bytes))) ||
           (end < part.length &&
            is_word_letter(
                unicode_decode(part.text + end, (size_t)(part.length - end), &bytes)));
}

/* Return the first of the sorted tokens `first` to `end` - 1 whose byte `i` is at least
 * `byte`. If all have the same byte there, no search is needed. */
static int first_from(const AddedTokens *added, int first, int end, int i, int byte) {
    if (first < end && (unsigned char)added->sorted[end - 1]->text[i] < byte)
        return end;
    if (first < end && (unsigned char)added->sorted[first]->text[i] >= byte)
        return first;
    while (first < end) {
        int middle = first + (end - first) / 2;
        if ((unsigned char)added->sorted[middle]->text[i] < byte)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Return the longest added token at byte `at`, or NULL. In the sorted list the tokens
 * that match the text are adjacent, the shortest first. */
static const AddedToken *added_at(const AddedTokens *added, TextPart part, int at) {
    const AddedToken *best = NULL;
    int first = 0, end = added->count;
    for (int i = 0; first < end && at + i < part.length && part.text[at + i]; i++) {
        int byte = (unsigned char)part.text[at + i];
        first = first_from(added, first, end, i, byte);
        end = first_from(added, first, end, i, byte + 1);
        if (first < end && added->sorted[first]->length == i + 1)
            best = added->sorted[first];
    }
    return best;
}

static bool is_space_at(TextPart part, int at, int *bytes) {
    int code = unicode_decode(part.text + at, (size_t)(part.length - at), bytes);
    return unicode_kind(code) == KIND_SPACE;
}

/* Split the part at added tokens. */
static void find_added(const TokenizerJson *tokenizer, TextPart part, bool normalized,
                       TextParts *out, TextRoom *room) {
    int start = 0, bytes;
    for (int at = 0; at < part.length;) {
        const AddedToken *token = added_at(&tokenizer->added[normalized], part, at);
        if (!token) {
            at++;
            continue;
        }
        int begin = at, end = at + token->length;
        at = end;
        if (token->single_word && is_within_word(part, begin, end)) continue;
        while (token->left && begin > start) {
            int before = begin - 1;
            while (before > start && (part.text[before] & 0xC0) == 0x80) before--;
            if (!is_space_at(part, before, &bytes)) break;
            begin = before;
        }
        while (token->right && end < part.length && is_space_at(part, end, &bytes))
            end += bytes;
        at = end;
        text_parts_add(out, text_part_within(part, start, begin - start), room);
        TextPart found = text_part_within(part, begin, end - begin);
        found.id = token->id;
        text_parts_add(out, found, room);
        start = end;
    }
    text_parts_add(out, text_part_within(part, start, part.length - start), room);
}

static bool apply_steps(const TextSteps *steps, TextParts *parts, TextRoom *room,
                        Error *error) {
    for (int s = 0; s < steps->count; s++) {
        const TextStep *step = &steps->step[s];
        TextParts out = {0};
        long long length = 0;
        for (int i = 0; i < parts->count; i++)
            if (parts->part[i].id >= 0)
                text_parts_add(&out, parts->part[i], room);
            else
                step->apply(step, parts->part[i], &out, room);
        for (int i = 0; i < out.count; i++) length += out.part[i].length;
        if (room->is_spent || length > TEXT_BYTES_MAX)
            return fail(error,
                        "%s of the tokenizer turns the sentence into more than %d "
                        "bytes, or needs more than %d MiB of memory; shorten it",
                        step->type, TEXT_BYTES_MAX, TEXT_ROOM_BYTES >> 20);
        *parts = out;
    }
    return true;
}

bool tokenizer_json_pieces(const TokenizerJson *tokenizer, Bytes text, TextParts *parts,
                           Arena *arena, Error *error) {
    TextRoom room = text_room(arena);
    int length = (int)text.size;
    int *origin = arena_take_raw(arena, (text.size + 1) * sizeof *origin);
    for (int i = 0; i <= length; i++) origin[i] = i;
    const TextPart whole = {text.bytes, origin, length, -1};
    TextParts raw = {0}, normal = {0};
    *parts = (TextParts){0};
    find_added(tokenizer, whole, false, &raw, &room);
    if (!apply_steps(&tokenizer->normalizers, &raw, &room, error)) return false;
    for (int i = 0; i < raw.count; i++)
        if (raw.part[i].id >= 0)
            text_parts_add(&normal, raw.part[i], &room);
        else
            find_added(tokenizer, raw.part[i], true, &normal, &room);
    *parts = normal;
    return apply_steps(&tokenizer->pre_tokenizers, parts, &room, error);
}

bool tokenizer_json_encode(const TokenizerJson *tokenizer, Bytes text, Arena *arena,
                           JsonTokens *tokens, Error *error) {
    /* Reset for each part, so that it stays small. */
    Arena scratch = {0}, part = {0};
    TextParts parts;
    *tokens = (JsonTokens){0};
    bool done = tokenizer_json_pieces(tokenizer, text, &parts, &scratch, error);
    size_t room = 0;
    for (int i = 0; done && i < parts.count; i++) room += (size_t)parts.part[i].length;
    JsonToken *made = arena_take_raw(&scratch, room * sizeof *made);
    for (int i = 0; done && i < parts.count; i++) {
        const TextPart *own = &parts.part[i];
        JsonToken *token = made + tokens->count;
        if (own->id >= 0) {
            *token = (JsonToken){own->id, own->origin[0], own->origin[own->length]};
            tokens->count++;
            continue;
        }
        int *id = arena_take_raw(&part, (size_t)own->length * sizeof *id);
        int *bytes = arena_take_raw(&part, (size_t)own->length * sizeof *bytes);
        int found =
            subword_cut(&tokenizer->model, own->text, own->length, id, bytes, &part);
        for (int t = 0, at = 0; t < found; at += bytes[t++])
            token[t] = (JsonToken){id[t], own->origin[at], own->origin[at + bytes[t]]};
        tokens->count += found;
        arena_reset(&part);
    }
    tokens->token = ARENA_ARRAY(arena, JsonToken, tokens->count);
    if (tokens->count)
        memcpy(tokens->token, made, (size_t)tokens->count * sizeof *made);
    arena_free(&part);
    arena_free(&scratch);
    return done;
}

static size_t bytes_of(const Bytes *token, int count) {
    size_t size = 0;
    for (int t = 0; t < count; t++) size += token[t].size;
    return size;
}

Bytes tokenizer_json_decode(const TokenizerJson *tokenizer, const int *id, int count,
                            Arena *arena) {
    static const TextStep as_words = {.type = "Words", .decode = decode_spaced};
    const TextSteps *decoders = &tokenizer->decoders;
    const TextStep *step = decoders->count ? decoders->step : &as_words;
    const TextStep *end = step + (decoders->count ? decoders->count : 1);
    Bytes *token = ARENA_ARRAY(arena, Bytes, count + 1);
    Bytes *before = ARENA_ARRAY(arena, Bytes, count + 1);
    TextRoom room = text_room(arena), last = text_room(arena);
    int tokens = 0;
    for (int i = 0; i < count; i++) {
        bool is_known = id[i] >= 0 && id[i] < tokenizer->vocabulary.count;
        if (!is_known || tokenizer->special[id[i]]) continue;
        token[tokens++] = (Bytes){tokenizer->vocabulary.word[id[i]],
                                  (size_t)tokenizer->vocabulary.length[id[i]]};
    }
    if (tokens == 0) return (Bytes){"", 0};
    for (; step < end; step++) {
        memcpy(before, token, (size_t)tokens * sizeof *token);
        step->decode(step, token, tokens, &room);
        if (room.is_spent || bytes_of(token, tokens) > TEXT_BYTES_MAX) break;
    }
    if (step == end) {
        decode_fuse(step, token, tokens, &last);
        return token[0];
    }
    size_t size = bytes_of(before, tokens);
    while (size > TEXT_BYTES_MAX) size -= before[--tokens].size;
    decode_fuse(step, before, tokens, &last);
    const char *text = arena_print(
        arena,
        tr("%.*s … [%s of the tokenizer turns this into more than %d bytes, or needs "
           "more than %d MiB of memory; this is the text before that step]"),
        (int)size, before[0].bytes, step->type, TEXT_BYTES_MAX, TEXT_ROOM_BYTES >> 20);
    return (Bytes){text, strlen(text)};
}
