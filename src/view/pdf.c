#include "view/pdf.h"

#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "text/unicode.h"

/* An object of the file: its number, and the bytes of its dictionary without the end.
 */
typedef struct {
    int number;
    const char *text;
    int length;
} Object;

/* The last place of `what` before `end`, or NULL: streams, in which it could stand by
 * chance, come before the objects that are sought. */
static const char *find_last(const char *bytes, const char *end, const char *what) {
    size_t length = strlen(what);
    for (const char *c = end - length; c >= bytes; c--)
        if (memcmp(c, what, length) == 0) return c;
    return NULL;
}

/* The object in whose dictionary `at` lies. */
static bool object_around(const char *bytes, const char *at, const char *end,
                          Object *object) {
    static const char begin[] = " 0 obj\n<<", close[] = "\n>>\nendobj";
    const char *head = find_last(bytes, at, begin);
    const char *tail = memmem(at, (size_t)(end - at), close, strlen(close));
    if (!head || !tail) return false;
    const char *number = head;
    while (number > bytes && number[-1] >= '0' && number[-1] <= '9') number--;
    object->number = (int)strtol(number, NULL, 10);
    object->text = head + strlen(begin) - 2;
    object->length = (int)(tail - object->text);
    return object->number > 0;
}

/* A text of a PDF that is no ASCII: UTF-16, the higher byte first. */
static void write_text(const char *text, Builder *out) {
    build(out, "<FEFF");
    for (int bytes; *text; text += bytes) {
        int letter = unicode_decode(text, strlen(text), &bytes);
        if (letter < 0x10000)
            build(out, "%04X", (unsigned)letter);
        else
            build(out, "%04X%04X", 0xD800U + ((unsigned)(letter - 0x10000) >> 10),
                  0xDC00U + ((unsigned)(letter - 0x10000) & 0x3FF));
    }
    build(out, ">");
}

/* The object once more, up to its end, so that entries can follow; gives where it
 * stands in a file that had `before` bytes. */
static int write_begin(const Object *object, int before, Builder *out) {
    int place = before + out->count;
    build(out, "%d 0 obj\n%.*s", object->number, object->length, object->text);
    return place;
}

const char *pdf_update(const char *bytes, int count, const Facts *facts,
                       const char *language, Arena *arena) {
    static const char table_at[] = "startxref\n";
    const char *end = bytes + count;
    const char *element = find_last(bytes, end, "/Type /StructElem\n   /S /Figure");
    const char *root = find_last(bytes, end, "/Type /Catalog");
    const char *trailer = find_last(bytes, end, "trailer\n");
    const char *table = find_last(bytes, end, table_at);
    Object object[2];
    Builder out = {.arena = arena};
    if (!element || !root || !trailer || !table || table < trailer ||
        !object_around(bytes, element, end, &object[0]) ||
        !object_around(bytes, root, end, &object[1]))
        return "";
    const char *close = find_last(trailer, table, ">>");
    if (!close) return "";
    int place[2];
    place[0] = write_begin(&object[0], count, &out);
    build(&out, "\n   /Alt ");
    write_text(arena_print(arena, "%s. %s", facts->title,
                           facts->description ? facts->description : ""),
               &out);
    build(&out, "\n>>\nendobj\n");
    place[1] = write_begin(&object[1], count, &out);
    build(&out,
          "\n   /Lang (%s)"
          "\n   /ViewerPreferences << /DisplayDocTitle true >>\n>>\nendobj\n",
          language);
    /* The table of the two objects, and the old trailer with the way to the table
     * before.
     */
    int start = count + out.count;
    build(&out, "xref\n");
    for (int i = 0; i < 2; i++)
        build(&out, "%d 1\n%010d 00000 n \n", object[i].number, place[i]);
    build(&out, "%.*s   /Prev %ld\n>>\nstartxref\n%d\n%%%%EOF\n",
          (int)(close - trailer), trailer, strtol(table + strlen(table_at), NULL, 10),
          start);
    return builder_text(&out);
}
