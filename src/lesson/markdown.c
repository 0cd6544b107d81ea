#include "lesson/markdown.h"

#include <assert.h>
#include <string.h>

#include <md4c.h>

#include "base/builder.h"
#include "base/language.h"

enum { DEPTH_MAX = 16, PARTS_MAX = 10000, COLUMNS_MAX = 64 };

/* State of the callbacks of md4c. */
typedef struct {
    Markdown *markdown;
    Arena *arena;
    const char *start, *end; /* of the text */
    const char *seen;        /* lines have been counted up to here */
    int line;                /* line number at `seen` */
    int lists, quotes;       /* current depth */
    int number[DEPTH_MAX];
    bool numbered[DEPTH_MAX];
    bool in_item;             /* an item's first paragraph is the item itself */
    SpanKind kind[DEPTH_MAX]; /* of nested formatting, up to `marks` */
    int marks;
    const char *target; /* of the surrounding link */
    Builder text;       /* of code */
    bool is_head;
    Error error;
    bool failed;
} Reader;

static int stop(Reader *reader, const char *reason) {
    if (!reader->failed) fail(&reader->error, "%s", tr(reason));
    reader->failed = true;
    return -1;
}

/* Return the line number of `text`, or 0. md4c has no line numbers, but most of its
 * strings point into the text; others, such as line ends, do not. */
static int line_at(Reader *reader, const char *text) {
    if (text < reader->start || text >= reader->end) return 0;
    for (; reader->seen < text; reader->seen++) reader->line += *reader->seen == '\n';
    return reader->line;
}

static Passage *last(const Reader *reader) {
    return &reader->markdown->part[reader->markdown->count - 1];
}

static int add(Reader *reader, Passage part) {
    Markdown *markdown = reader->markdown;
    if (markdown->count == PARTS_MAX)
        return stop(reader, N_("the text has more parts than a lesson can have"));
    ARENA_GROW(reader->arena, markdown->part, markdown->count, markdown->capacity);
    markdown->part[markdown->count++] = part;
    return 0;
}

static const char *attribute(Reader *reader, const MD_ATTRIBUTE *attribute) {
    return attribute->text ? arena_copy(reader->arena, attribute->text, attribute->size)
                           : "";
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *state) {
    Reader *reader = state;
    Passage *row;
    const MD_BLOCK_CODE_DETAIL *code = detail;
    Passage part = {.level = reader->lists};
    switch (type) {
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
        if (reader->lists + 1 >= DEPTH_MAX)
            return stop(reader, N_("lists are nested deeper than 16"));
        reader->numbered[++reader->lists] = type == MD_BLOCK_OL;
        if (type == MD_BLOCK_OL)
            reader->number[reader->lists] = (int)((MD_BLOCK_OL_DETAIL *)detail)->start;
        return 0;
    case MD_BLOCK_LI:
        part.kind = PASSAGE_ITEM;
        if (reader->numbered[reader->lists])
            part.number = reader->number[reader->lists]++;
        reader->in_item = true;
        return add(reader, part);
    case MD_BLOCK_QUOTE:
        reader->quotes++;
        return 0;
    case MD_BLOCK_P:
        part.kind = reader->quotes ? PASSAGE_QUOTE : PASSAGE_PROSE;
        if (!reader->in_item) return add(reader, part);
        reader->in_item = false;
        return 0;
    case MD_BLOCK_HR:
        return add(reader, (Passage){.kind = PASSAGE_RULE});
    case MD_BLOCK_H:
        part.kind = PASSAGE_HEADING;
        part.level = (int)((MD_BLOCK_H_DETAIL *)detail)->level;
        return add(reader, part);
    case MD_BLOCK_CODE:
        reader->text = (Builder){.arena = reader->arena};
        part = (Passage){.kind = PASSAGE_CODE, .info = attribute(reader, &code->info)};
        if (code->info.text) part.line = line_at(reader, code->info.text);
        return add(reader, part);
    case MD_BLOCK_THEAD:
    case MD_BLOCK_TBODY:
        reader->is_head = type == MD_BLOCK_THEAD;
        return 0;
    case MD_BLOCK_TR:
        return add(reader, (Passage){.kind = PASSAGE_ROW, .is_head = reader->is_head});
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        /* md4c fills each row with cells up to the number of header columns. Limit
         * them: a wide header above many short rows would take quadratic memory. */
        row = last(reader);
        if (row->cells == COLUMNS_MAX)
            return stop(reader, N_("a table has more than 64 columns"));
        if (!row->cell) row->cell = ARENA_ARRAY(reader->arena, Words, COLUMNS_MAX);
        row->cells++;
        return 0;
    default:
        return 0;
    }
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *state) {
    (void)detail;
    Reader *reader = state;
    if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) reader->lists--;
    if (type == MD_BLOCK_QUOTE) reader->quotes--;
    if (type == MD_BLOCK_LI) reader->in_item = false;
    if (type == MD_BLOCK_CODE) last(reader)->text = builder_text(&reader->text);
    return 0;
}

/* Text that is bold and italic counts as bold. */
static int enter_span(MD_SPANTYPE type, void *detail, void *state) {
    Reader *reader = state;
    if (reader->marks + 1 >= DEPTH_MAX)
        return stop(reader, N_("marks are nested deeper than 16"));
    SpanKind around = reader->kind[reader->marks++];
    bool is_plain = around == SPAN_TEXT;
    reader->kind[reader->marks] = type == MD_SPAN_CODE             ? SPAN_CODE
                                  : type == MD_SPAN_STRONG         ? SPAN_STRONG
                                  : type == MD_SPAN_EM && is_plain ? SPAN_EMPHASIS
                                  : type == MD_SPAN_A              ? SPAN_LINK
                                                                   : around;
    if (type == MD_SPAN_A)
        reader->target = attribute(reader, &((MD_SPAN_A_DETAIL *)detail)->href);
    return 0;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *state) {
    (void)detail;
    Reader *reader = state;
    /* If emphasis starts in a link address, md4c reports only its end. */
    if (reader->marks > 0) reader->marks--;
    if (type == MD_SPAN_A) reader->target = NULL;
    return 0;
}

static void add_words(Reader *reader, const char *text, size_t size) {
    Passage *part = last(reader);
    Words *words = part->kind == PASSAGE_ROW && part->cells
                       ? &part->cell[part->cells - 1]
                       : &part->words;
    SpanKind kind = reader->kind[reader->marks];
    const char *copy = arena_copy(reader->arena, text, size);
    Span *before = words->count ? &words->span[words->count - 1] : NULL;
    /* md4c reports code that spans lines in pieces. */
    if (kind == SPAN_CODE && before && before->kind == SPAN_CODE &&
        before->target == reader->target) {
        before->text = arena_print(reader->arena, "%s%s", before->text, copy);
        return;
    }
    ARENA_GROW(reader->arena, words->span, words->count, words->capacity);
    assert(words->span);
    words->span[words->count++] = (Span){kind, copy, reader->target};
}

static int take_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *state) {
    Reader *reader = state;
    if (reader->markdown->count == 0) return 0;
    if (last(reader)->line == 0) last(reader)->line = line_at(reader, text);
    if (last(reader)->kind == PASSAGE_CODE)
        build_text(&reader->text, arena_copy(reader->arena, text, size));
    else if (type == MD_TEXT_SOFTBR || type == MD_TEXT_BR)
        add_words(reader, " ", 1);
    else
        add_words(reader, text, size);
    return 0;
}

bool markdown_read(Markdown *markdown, Bytes text, int line, Arena *arena,
                   Error *error) {
    const MD_PARSER parser = {
        .flags = MD_FLAG_TABLES | MD_FLAG_NOHTML,
        .enter_block = enter_block,
        .leave_block = leave_block,
        .enter_span = enter_span,
        .leave_span = leave_span,
        .text = take_text,
    };
    *markdown = (Markdown){0};
    if (text.size > MARKDOWN_BYTES_MAX)
        return fail(error, "it has %zu bytes; the limit is %d", text.size,
                    MARKDOWN_BYTES_MAX);
    Reader reader = {.markdown = markdown,
                     .arena = arena,
                     .start = text.bytes,
                     .end = text.bytes + text.size,
                     .seen = text.bytes,
                     .line = line};
    int status = md_parse(text.bytes, (MD_SIZE)text.size, &parser, &reader);
    if (reader.failed) {
        *error = reader.error;
        return false;
    }
    if (status != 0) return fail(error, "it cannot be read as Markdown");
    /* A rule has no text: use the line of the block before it. */
    for (int p = 0; p < markdown->count; p++) {
        Passage *part = &markdown->part[p];
        if (part->line == 0) part->line = p ? part[-1].line : line;
    }
    return true;
}

static const char *join(const Words *words, const char *tick, Arena *arena) {
    Builder text = {.arena = arena};
    for (int s = 0; s < words->count; s++) {
        const Span *span = &words->span[s];
        bool is_code = span->kind == SPAN_CODE;
        if (is_code) build_text(&text, tick);
        build_text(&text, span->text);
        if (is_code) build_text(&text, tick);
    }
    return builder_text(&text);
}

const char *words_plain(const Words *words, Arena *arena) {
    return join(words, "`", arena);
}

const char *words_bare(const Words *words, Arena *arena) {
    return join(words, "", arena);
}
