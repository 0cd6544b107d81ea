#include <string.h>

#include "text/tokenizer_parts.h"

enum {
    AROUND_MAX = 16,
    PARTS_MAX = 64, /* limit for a template: each part is searched for */
};

/* Ids before "A", then those after it. */
typedef struct {
    int *id[2];
    int count[2];
    bool has_sentence;
} Around;

static bool add_around(const Reading *reading, Around *around, long long id,
                       const TokenizerJson *tokenizer) {
    int side = around->has_sentence;
    if (id < 0 || id >= tokenizer->vocabulary.count ||
        around->count[side] == AROUND_MAX)
        return fail(reading->error,
                    "%s: the post-processor adds a token that does not exist to a "
                    "sentence, or adds too many",
                    reading->path);
    around->id[side][around->count[side]++] = (int)id;
    return true;
}

static bool read_template(const Reading *reading, const Json *json,
                          const TokenizerJson *tokenizer, Around *around) {
    const Json *single = json_find(json, "single");
    const Json *specials = json_find(json, "special_tokens");
    if (!single || single->type != JSON_LIST)
        return fail(reading->error, "%s: the post-processor has no list \"single\"",
                    reading->path);
    if (single->count > PARTS_MAX)
        return fail(reading->error,
                    "%s: \"single\" of the post-processor has %d parts; the limit is "
                    "%d",
                    reading->path, single->count, PARTS_MAX);
    for (int i = 0; i < single->count; i++) {
        const Json *special = json_find(&single->child[i], "SpecialToken");
        if (!special) {
            around->has_sentence = true;
            continue;
        }
        const Json *name = json_find(special, "id");
        const Json *entry =
            name && name->type == JSON_TEXT ? json_find(specials, name->text) : NULL;
        const Json *ids = entry ? json_find(entry, "ids") : NULL;
        for (int k = 0; ids && ids->type == JSON_LIST && k < ids->count; k++)
            if (!add_around(reading, around,
                            ids->child[k].type == JSON_WHOLE ? ids->child[k].whole : -1,
                            tokenizer))
                return false;
        if (!ids)
            return fail(reading->error,
                        "%s: \"special_tokens\" of the post-processor lacks a token of "
                        "\"single\"",
                        reading->path);
    }
    return true;
}

static long long id_of_pair(const Json *pair) {
    return pair && pair->type == JSON_LIST && pair->count == 2 &&
                   pair->child[1].type == JSON_WHOLE
               ? pair->child[1].whole
               : -1;
}

static bool read_around(const Reading *reading, const Json *json,
                        const TokenizerJson *tokenizer, Around *around) {
    if (!json || json->type == JSON_NOTHING) return true;
    const char *type = part_type(json);
    if (strcmp(type, "ByteLevel") == 0) return true;
    if (strcmp(type, "TemplateProcessing") == 0)
        return read_template(reading, json, tokenizer, around);
    if (strcmp(type, "BertProcessing") == 0 || strcmp(type, "RobertaProcessing") == 0) {
        bool begun =
            add_around(reading, around, id_of_pair(json_find(json, "cls")), tokenizer);
        around->has_sentence = true;
        return begun && add_around(reading, around, id_of_pair(json_find(json, "sep")),
                                   tokenizer);
    }
    const Json *list = json_find(json, "processors");
    if (strcmp(type, "Sequence") != 0 || !list || list->type != JSON_LIST)
        return fail(reading->error, "%s: the post-processor %s is not supported",
                    reading->path, part_type_shown(reading, json));
    for (int i = 0; i < list->count; i++)
        if (!read_around(reading, &list->child[i], tokenizer, around)) return false;
    return true;
}

bool part_around_read(const Reading *reading, const Json *json,
                      TokenizerJson *tokenizer) {
    Around around = {0};
    for (int side = 0; side < 2; side++)
        around.id[side] = ARENA_ARRAY(reading->arena, int, AROUND_MAX);
    if (!read_around(reading, json, tokenizer, &around)) return false;
    tokenizer->before = (AroundIds){around.id[0], around.count[0]};
    tokenizer->after = (AroundIds){around.id[1], around.count[1]};
    return true;
}
