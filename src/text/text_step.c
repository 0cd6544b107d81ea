#include "text/text_step.h"

#include <assert.h>
#include <string.h>

void text_parts_add(TextParts *parts, TextPart part, Arena *arena) {
    if (part.length == 0 && part.id < 0) return;
    ARENA_GROW(arena, parts->part, parts->count, parts->capacity);
    parts->part[parts->count++] = part;
}

TextPart text_part_within(TextPart part, int start, int length) {
    part.text += start;
    part.origin += start;
    part.length = length;
    return part;
}

TextWriter text_writer(int room, Arena *arena) {
    return (TextWriter){
        .text = arena_take_raw(arena, (size_t)room + 1),
        .origin = arena_take_raw(arena, ((size_t)room + 1) * sizeof(int)),
    };
}

void text_write(TextWriter *writer, const char *text, int length, int origin) {
    memcpy(writer->text + writer->length, text, (size_t)length);
    for (int i = 0; i < length; i++) writer->origin[writer->length + i] = origin;
    writer->length += length;
}

TextPart text_written(TextWriter *writer, TextPart part) {
    writer->origin[writer->length] = part.origin[part.length];
    return (TextPart){writer->text, writer->origin, writer->length, -1};
}
