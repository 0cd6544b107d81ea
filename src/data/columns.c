#include "data/columns.h"

#include <string.h>

#include "base/language.h"

bool columns_open(Columns *columns, const char *path, Arena *arena, Error *error) {
    Bytes bytes;
    if (!file_read(path, COLUMNS_BYTES_MAX, arena, &bytes, error)) return false;
    /* There is a '\0' after the last byte. */
    if (strncmp(bytes.bytes, "\xff\xfe", 2) == 0 ||
        strncmp(bytes.bytes, "\xfe\xff", 2) == 0)
        return fail(error, "%s is UTF-16; save it as UTF-8", path);
    const char *lf = memchr(bytes.bytes, '\n', bytes.size);
    const char *cr = memchr(bytes.bytes, '\r', bytes.size);
    if (cr && !lf && cr + 1 < bytes.bytes + bytes.size)
        return fail(error, "%s: its lines end in CR only; save it with LF or CR LF",
                    path);
    size_t length = lf ? (size_t)(lf - bytes.bytes) : bytes.size;
    bool has_tabs = file_has_ending(path, ".tsv") || file_has_ending(path, ".tab") ||
                    memchr(bytes.bytes, '\t', length);
    *columns = (Columns){
        .next = file_without_mark(bytes).bytes,
        .end = bytes.bytes + bytes.size,
        .line = 1,
        .separator = file_has_ending(path, ".csv") ? ','
                     : has_tabs                    ? '\t'
                                                   : '\n',
    };
    return true;
}

static bool at_line_end(const Columns *columns, const char *c) {
    return c == columns->end || *c == '\n' ||
           (*c == '\r' && (c + 1 == columns->end || c[1] == '\n'));
}

static void next_line(Columns *columns, const char *from) {
    const char *end = memchr(from, '\n', (size_t)(columns->end - from));
    columns->next = end ? end + 1 : columns->end;
    columns->line++;
}

/* Read the field after an opening quote; doubled quotes inside become single. Returns
 * the text after the closing quote, or NULL if there is none. */
static const char *read_quoted(Columns *columns, const char *from, Arena *arena,
                               Field *field) {
    const char *close = from;
    for (;; close += 2) {
        close = memchr(close, '"', (size_t)(columns->end - close));
        if (!close) return NULL;
        if (close + 1 == columns->end || close[1] != '"') break;
    }
    char *text = arena_copy(arena, from, (size_t)(close - from));
    size_t length = 0;
    for (const char *c = from; c < close; c++) {
        columns->line += *c == '\n';
        text[length++] = *c;
        if (*c == '"') c++;
    }
    *field = (Field){text, length};
    return close + 1;
}

/* Read fields up to the end of the row; return its end, or NULL after a problem. */
static const char *read_fields(Columns *columns, const char *c, Arena *arena,
                               Row *row) {
    for (;; c++) {
        if (row->count == FIELDS_MAX) {
            row->problem = trf(arena, "it has more than %d columns", FIELDS_MAX);
            return NULL;
        }
        Field *field = &row->field[row->count++];
        bool quoted = columns->separator == ',' && c < columns->end && *c == '"';
        if (quoted) {
            c = read_quoted(columns, c + 1, arena, field);
        } else {
            *field = (Field){.text = c};
            while (!at_line_end(columns, c) && *c != columns->separator) c++;
            field->length = (size_t)(c - field->text);
        }
        if (!c) {
            row->problem = tr("a quotation mark is opened but not closed");
            return NULL;
        }
        if (at_line_end(columns, c)) return c;
        if (*c != columns->separator) {
            row->problem =
                tr("there is text between a closing quotation mark and the next comma");
            return NULL;
        }
    }
}

bool columns_next(Columns *columns, Arena *arena, Row *row) {
    while (columns->next < columns->end && at_line_end(columns, columns->next))
        next_line(columns, columns->next);
    if (columns->next >= columns->end) return false;
    *row = (Row){.line = columns->line};
    const char *end = read_fields(columns, columns->next, arena, row);
    if (!end) {
        /* After an error continue with the next line as a new row. */
        columns->line = row->line;
        end = columns->next;
    }
    next_line(columns, end);
    return true;
}
