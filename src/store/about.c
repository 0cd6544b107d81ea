#include "store/about.h"

#include "base/json.h"
#include "base/language.h"

/* Of {"en": "...", "ko": "..."} the text in the language of the program. */
static const char *text_of(const Json *about, const char *key) {
    const Json *texts = json_find(about, key);
    if (!texts || texts->type != JSON_MAP) return "";
    const Json *text = json_find(texts, language_name());
    if (!text) text = json_find(texts, "en");
    return text && text->type == JSON_TEXT ? text->text : "";
}

About about_read(const char *folder, Arena *arena) {
    enum { LARGEST = 1 << 16 };
    About about = {"", "", {""}};
    for (int e = 0; e < ABOUT_EXAMPLES; e++) about.example[e] = "";
    const char *path = file_join(arena, folder, "about.json");
    Bytes bytes;
    const Json *json;
    Error unread;
    if (!file_exists(path) ||
        !file_read_regular(path, LARGEST, arena, &bytes, &unread) ||
        !json_read(bytes, path, arena, &json, &unread) || json->type != JSON_MAP)
        return about;
    about.purpose = text_of(json, "purpose");
    about.knows = text_of(json, "knows");
    const Json *examples = json_find(json, "examples");
    for (int e = 0; examples && examples->type == JSON_LIST && e < examples->count &&
                    e < ABOUT_EXAMPLES;
         e++)
        if (examples->child[e].type == JSON_TEXT)
            about.example[e] = examples->child[e].text;
    return about;
}
