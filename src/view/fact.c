#include "view/fact.h"

#include <string.h>

const char *fact_lines(const Fact *fact, int facts, Arena *arena) {
    const char *lines = "";
    for (int i = 0; i < facts; i++)
        lines = arena_print(arena, "%s%s%s: %s", lines, i ? "\n" : "", fact[i].name,
                            fact[i].value);
    return lines;
}

static const char *escape_xml(const char *text, Arena *arena) {
    static const struct {
        char letter;
        const char *name;
    } entity[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
    char *escaped = arena_take(arena, strlen(text) * 6 + 1);
    char *end = escaped;
    for (const char *c = text; *c; c++) {
        size_t i = 0;
        while (i < 4 && entity[i].letter != *c) i++;
        if (i < 4)
            end = stpcpy(end, entity[i].name);
        else
            *end++ = *c;
    }
    return escaped;
}

const char *fact_svg(const char *title, const Fact *fact, int facts, Arena *arena) {
    const char *lines = "";
    for (int i = 0; i < facts; i++)
        lines = arena_print(arena, "%s<fact name=\"%s\">%s</fact>\n", lines,
                            escape_xml(fact[i].name, arena),
                            escape_xml(fact[i].value, arena));
    return arena_print(arena, "\n<title>%s</title>\n<metadata>\n%s</metadata>",
                       escape_xml(title, arena), lines);
}
