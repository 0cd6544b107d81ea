#include "view/fact.h"

#include <string.h>

const char *xml_escape(const char *text, Arena *arena) {
    /* What XML has names for, and the letters that it does not allow. */
    static const struct {
        const char *letter, *name;
    } entity[] = {{"&", "&amp;"},
                  {"<", "&lt;"},
                  {">", "&gt;"},
                  {"\"", "&quot;"},
                  {"\xEF\xBF\xBE", "\uFFFD"},
                  {"\xEF\xBF\xBF", "\uFFFD"}};
    enum { ENTITIES = sizeof entity / sizeof *entity };
    char *escaped = arena_take(arena, strlen(text) * 6 + 1);
    char *end = escaped;
    for (const char *c = text; *c;) {
        size_t i = 0;
        while (i < ENTITIES &&
               strncmp(entity[i].letter, c, strlen(entity[i].letter)) != 0)
            i++;
        if (i < ENTITIES) {
            end = stpcpy(end, entity[i].name);
            c += strlen(entity[i].letter);
        } else {
            *end++ = *c++;
        }
    }
    *end = '\0';
    return escaped;
}

const char *fact_xml(const Facts *facts, Arena *arena) {
    const char *lines =
        arena_print(arena, "<title>%s</title>\n", xml_escape(facts->title, arena));
    if (facts->description && *facts->description)
        lines = arena_print(arena, "%s<desc>%s</desc>\n", lines,
                            xml_escape(facts->description, arena));
    lines = arena_print(arena, "%s<metadata>\n", lines);
    for (int i = 0; i < facts->count; i++)
        lines = arena_print(arena, "%s<fact name=\"%s\">%s</fact>\n", lines,
                            xml_escape(facts->fact[i].name, arena),
                            xml_escape(facts->fact[i].value, arena));
    return arena_print(arena, "%s</metadata>\n", lines);
}

char *fact_in_svg(const char *svg, const Facts *facts, Arena *arena) {
    static const char group[] = "<g id=\"surface";
    const char *root = strstr(svg, "<svg");
    const char *inside = root ? strchr(root, '>') : NULL;
    if (!inside++) return NULL;
    const char *said = arena_print(arena, "\n%s", fact_xml(facts, arena));
    const char *id = strstr(inside, group);
    const char *rest = id ? strchr(id, '>') : NULL;
    if (!rest)
        return arena_print(arena, "%.*s%s%s", (int)(inside - svg), svg, said, inside);
    return arena_print(arena, "%.*s%s%.*s<g%s", (int)(inside - svg), svg, said,
                       (int)(id - inside), inside, rest);
}
