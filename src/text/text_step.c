#include "text/text_step.h"

#include <assert.h>
#include <string.h>

TextRoom text_room(Arena *arena) {
    return (TextRoom){.arena = arena, .left = TEXT_ROOM_BYTES};
}

bool text_room_has(TextRoom *room, size_t bytes) {
    room->is_spent |= bytes > room->left;
    if (!room->is_spent) room->left -= bytes;
    return !room->is_spent;
}

void text_parts_add(TextParts *parts, TextPart part, TextRoom *room) {
    if (part.length == 0 && part.id < 0) return;
    /* Twice, because the old array stays in the arena when it grows. */
    if (!text_room_has(room, 2 * sizeof part)) return;
    ARENA_GROW(room->arena, parts->part, parts->count, parts->capacity);
    parts->part[parts->count++] = part;
}

TextPart text_part_within(TextPart part, int start, int length) {
    part.text += start;
    part.origin += start;
    part.length = length;
    return part;
}

bool text_writer(TextWriter *writer, size_t max, TextRoom *room) {
    size_t text = max + 1, origin = text * sizeof(int);
    if (!text_room_has(room, text + origin + 2 * TEXT_PIECE_BYTES)) return false;
    *writer = (TextWriter){
        .text = arena_take_raw(room->arena, text),
        .origin = arena_take_raw(room->arena, origin),
    };
    return true;
}

void text_write(TextWriter *writer, const char *text, int length, int origin) {
    memcpy(writer->text + writer->length, text, (size_t)length);
    for (int i = 0; i < length; i++) writer->origin[writer->length + i] = origin;
    writer->length += length;
}

void text_keep(TextWriter *writer, TextPart part, int from, int to) {
    size_t length = (size_t)(to - from);
    memcpy(writer->text + writer->length, part.text + from, length);
    memcpy(writer->origin + writer->length, part.origin + from,
           length * sizeof *part.origin);
    writer->length += to - from;
}

TextPart text_written(TextWriter *writer, TextPart part) {
    writer->origin[writer->length] = part.origin[part.length];
    return (TextPart){writer->text, writer->origin, writer->length, -1};
}
