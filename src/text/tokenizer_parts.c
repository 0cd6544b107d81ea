#include "text/tokenizer_parts.h"

#include <string.h>

#include "base/language.h"
#include "text/decode.h"
#include "text/split.h"

enum { FILE_BYTES = 64 * 1024 * 1024 };

bool part_fail(const Reading *reading, const char *key, const Json *value,
               const char *must) {
    const char *found = json_type_name(value);
    if (value->type == JSON_TEXT)
        found = arena_print(
            reading->scratch, "\"%s\"",
            vocabulary_show(value->text, (int)strlen(value->text), reading->scratch));
    return fail(reading->error, "%s: \"%s\" of the %s is %s; expected %s",
                reading->path, key, tr(reading->part), found, tr(must));
}

const char *part_type(const Json *json) {
    const Json *type = json_find(json, "type");
    return type && type->type == JSON_TEXT ? type->text : "";
}

const char *part_type_shown(const Reading *reading, const Json *json) {
    const char *type = part_type(json);
    if (!*type) return tr(N_("without a \"type\""));
    return vocabulary_show(type, (int)strlen(type), reading->scratch);
}

const TokenizerJson *tokenizer_json_read(const char *path, Arena *arena, Error *error) {
    Bytes file;
    return file_read_regular(path, FILE_BYTES, arena, &file, error)
               ? tokenizer_json_parse(path, file, arena, error)
               : NULL;
}

const TokenizerJson *tokenizer_json_parse(const char *path, Bytes file, Arena *arena,
                                          Error *error) {
    Arena scratch = {0};
    Reading reading = {
        .path = path, .arena = arena, .scratch = &scratch, .error = error};
    TokenizerJson *tokenizer = ARENA_ARRAY(arena, TokenizerJson, 1);
    tokenizer->file = file;
    const Json *json;
    bool done = json_read(file, path, &scratch, &json, error);
    if (done && json->type != JSON_MAP)
        done =
            fail(error, "%s: found %s; expected an object", path, json_type_name(json));
    done = done && part_steps_read(&reading, json, tokenizer) &&
           part_model_read(&reading, json, tokenizer) &&
           part_around_read(&reading, json_find(json, "post_processor"), tokenizer);
    arena_free(&scratch);
    return done ? tokenizer : NULL;
}

const TokenizerJson *tokenizer_json_of_pairs(const char *words, const char *merges,
                                             Arena *arena, Error *error) {
    static const char end[] = "<|endoftext|>";
    TokenizerJson *tokenizer = ARENA_ARRAY(arena, TokenizerJson, 1);
    Vocabulary *vocabulary = &tokenizer->vocabulary;
    Subword *model = &tokenizer->model;
    if (!vocabulary_read(vocabulary, words, arena, error) ||
        !bytepair_read(&model->merges, vocabulary, merges, arena, error))
        return NULL;
    model->vocabulary = vocabulary;
    model->unknown = -1;
    tokenizer->by_bytes = true;
    TextSteps *steps[] = {&tokenizer->pre_tokenizers, &tokenizer->decoders};
    for (int s = 0; s < 2; s++)
        *steps[s] = (TextSteps){ARENA_ARRAY(arena, TextStep, 1), 1};
    steps[0]->step[0] =
        (TextStep){.type = "ByteLevel", .apply = split_byte_level, .use_regex = true};
    steps[1]->step[0] = (TextStep){.type = "ByteLevel", .decode = decode_byte_level};
    bool *special = ARENA_ARRAY(arena, bool, vocabulary->count);
    tokenizer->special = special;
    int id = vocabulary_find(vocabulary, end, (int)strlen(end));
    if (id < 0) return tokenizer;
    special[id] = true;
    AddedToken *added = ARENA_ARRAY(arena, AddedToken, 1);
    *added = (AddedToken){
        .text = end, .length = (int)strlen(end), .id = id, .special = true};
    tokenizer->added[0].sorted = ARENA_ARRAY(arena, const AddedToken *, 1);
    tokenizer->added[0].sorted[tokenizer->added[0].count++] = added;
    return tokenizer;
}
