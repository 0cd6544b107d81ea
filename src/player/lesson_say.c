#include "player/lesson_say.h"

#include <string.h>

#include "base/language.h"
#include "text/unicode.h"

/* Make a text of a lesson safe to print. */
static const char *safe(const char *text, Page *page) {
    return unicode_escape(text, strlen(text), page->arena);
}

/* Return the text of a table cell; "" if the row has no such cell. */
static const char *cell_text(const Passage *row, int cell, Page *page) {
    return cell < row->cells ? safe(words_bare(&row->cell[cell], page->arena), page)
                             : "";
}

static void say_item(Page *page, int level, const char *mark, const char *text) {
    page_say(page, (Block){.kind = BLOCK_ITEM, .item = {level, mark, text}});
}

/* The first column labels the rows, and the header the columns. */
static void say_table(const Lesson *lesson, int step, Page *page) {
    const Passage *head = lesson->step[step].part;
    const LessonStep *row = &lesson->step[step + 1];
    int columns = head->cells - 1;
    int rows = 0;
    while (step + 1 + rows < lesson->steps && row[rows].kind == STEP_WORDS &&
           row[rows].part->kind == PASSAGE_ROW && !row[rows].part->is_head)
        rows++;
    if (columns < 1 || rows < 1) return;
    Arena *arena = page->arena;
    const char **row_label = ARENA_ARRAY(arena, const char *, rows);
    const char **column_label = ARENA_ARRAY(arena, const char *, columns);
    const char **cell = ARENA_ARRAY(arena, const char *, rows *columns);
    for (int c = 0; c < columns; c++) column_label[c] = cell_text(head, c + 1, page);
    for (int r = 0; r < rows; r++) {
        row_label[r] = cell_text(row[r].part, 0, page);
        for (int c = 0; c < columns; c++)
            cell[r * columns + c] = cell_text(row[r].part, c + 1, page);
    }
    page_gap(page);
    page_table(page, &(Table){.corner = cell_text(head, 0, page),
                              .rows = rows,
                              .columns = columns,
                              .row_label = row_label,
                              .column_label = column_label,
                              .cell = cell});
}

void lesson_say_part(const Lesson *lesson, int step, Page *page) {
    const Passage *part = lesson->step[step].part;
    const char *words = safe(words_plain(&part->words, page->arena), page);
    bool follows_item = step && lesson->step[step - 1].kind == STEP_WORDS &&
                        lesson->step[step - 1].part->kind == PASSAGE_ITEM;
    switch (part->kind) {
    case PASSAGE_HEADING:
        page_section(page, words);
        break;
    case PASSAGE_ITEM:
        if (!follows_item) page_gap(page);
        say_item(page, part->level,
                 part->number ? arena_print(page->arena, "%d.", part->number) : "-",
                 words);
        break;
    case PASSAGE_QUOTE:
        page_gap(page);
        say_item(page, 1, "|", words);
        break;
    case PASSAGE_CODE:
        page_gap(page);
        for (const char *text = part->text; *text;) {
            size_t length = strcspn(text, "\n");
            page_line(page, "    %s", unicode_escape(text, length, page->arena));
            text += length + (text[length] == '\n');
        }
        break;
    case PASSAGE_ROW:
        if (part->is_head) say_table(lesson, step, page);
        break;
    default:
        page_gap(page);
        page_prose(page, words);
    }
}

void lesson_say_question(const Quiz *question, Page *page) {
    const char *ask = safe(question->ask, page);
    page_gap(page);
    page_prose(page, question->predicts ? trf(page->arena, "Predict first: %s", ask)
                                        : trf(page->arena, "Question: %s", ask));
    for (int c = 0; question->asks == ASKS_CHOICE && c < question->choices; c++)
        say_item(page, 2, arena_print(page->arena, "%c)", 'a' + c),
                 safe(question->choice[c].text, page));
}

void lesson_say_findings(const Lesson *lesson, int from, int to, Page *page) {
    const Findings *findings = &lesson->findings;
    const char *path = safe(lesson->path, page);
    for (int f = from; f < findings->count && f < to; f++)
        page_line(page, "%s:%d: %s", path, findings->finding[f].line,
                  safe(findings->finding[f].text, page));
    if (findings->count > to)
        page_line(page, N_("and %d more; lesson check %s lists them"),
                  findings->count - to, path);
}
