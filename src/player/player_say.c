#include "player/player_say.h"

#include <string.h>

#include "base/language.h"
#include "text/unicode.h"

const char *player_safe(const char *text, Page *page) {
    return unicode_escape(text, strlen(text), page->arena);
}

static const char *plain(const Words *words, Page *page) {
    return player_safe(words_plain(words, page->arena), page);
}

static const char *bare(const Words *words, Page *page) {
    return player_safe(words_bare(words, page->arena), page);
}

static void say_item(const Passage *part, Page *page) {
    const char *mark =
        part->number ? arena_print(page->arena, "%d.", part->number) : "-";
    page_say(page, (Block){.kind = BLOCK_ITEM,
                           .item = {part->level, mark, plain(&part->words, page)}});
}

static void say_code(const Passage *part, Page *page) {
    page_gap(page);
    for (const char *text = part->text; *text;) {
        size_t length = strcspn(text, "\n");
        page_line(page, "    %s", unicode_escape(text, length, page->arena));
        text += length + (text[length] == '\n');
    }
}

/* How many steps from `step` on are rows of one table. */
static int table_rows(const Lesson *lesson, int step) {
    int rows = 0;
    while (step + rows < lesson->steps &&
           lesson->step[step + rows].kind == STEP_WORDS &&
           lesson->step[step + rows].part->kind == PASSAGE_ROW &&
           (rows == 0 || !lesson->step[step + rows].part->is_head))
        rows++;
    return rows;
}

/* The first column labels the rows, and the head the columns. */
static void say_table(const Lesson *lesson, int step, Page *page) {
    const Passage *head = lesson->step[step].part;
    int rows = table_rows(lesson, step) - 1;
    int columns = head->cells - 1;
    if (columns < 1 || rows < 1) return;
    Arena *arena = page->arena;
    const char **row_label = ARENA_ARRAY(arena, const char *, rows);
    const char **column_label = ARENA_ARRAY(arena, const char *, columns);
    const char **cell = ARENA_ARRAY(arena, const char *, rows *columns);
    for (int c = 0; c < columns; c++) column_label[c] = bare(&head->cell[c + 1], page);
    for (int r = 0; r < rows; r++) {
        const Passage *row = lesson->step[step + 1 + r].part;
        row_label[r] = row->cells ? bare(&row->cell[0], page) : "";
        for (int c = 0; c < columns; c++)
            cell[r * columns + c] =
                c + 1 < row->cells ? bare(&row->cell[c + 1], page) : "";
    }
    page_gap(page);
    page_table(page, &(Table){.corner = bare(&head->cell[0], page),
                              .rows = rows,
                              .columns = columns,
                              .row_label = row_label,
                              .column_label = column_label,
                              .cell = cell});
}

void player_say_part(const Lesson *lesson, int step, Page *page) {
    const Passage *part = lesson->step[step].part;
    bool follows_item = step && lesson->step[step - 1].kind == STEP_WORDS &&
                        lesson->step[step - 1].part->kind == PASSAGE_ITEM;
    switch (part->kind) {
    case PASSAGE_HEADING:
        page_section(page, plain(&part->words, page));
        break;
    case PASSAGE_ITEM:
        if (!follows_item) page_gap(page);
        say_item(part, page);
        break;
    case PASSAGE_QUOTE:
        page_gap(page);
        page_say(page, (Block){.kind = BLOCK_ITEM,
                               .item = {1, "|", plain(&part->words, page)}});
        break;
    case PASSAGE_CODE:
        say_code(part, page);
        break;
    case PASSAGE_ROW:
        if (part->is_head) say_table(lesson, step, page);
        break;
    default:
        page_gap(page);
        page_prose(page, plain(&part->words, page));
    }
}

void player_say_question(const Quiz *question, Page *page) {
    const char *ask = player_safe(question->ask, page);
    page_gap(page);
    page_prose(page, question->predicts ? say(page->arena, "Predict first: %s", ask)
                                        : say(page->arena, "Question: %s", ask));
    for (int c = 0; c < question->choices; c++)
        page_say(page, (Block){.kind = BLOCK_ITEM,
                               .item = {2, arena_print(page->arena, "%d)", c + 1),
                                        player_safe(question->choice[c].text, page)}});
}

void player_say_findings(const Lesson *lesson, Page *page) {
    enum { SAID_MOST = 5 };
    const Findings *findings = &lesson->findings;
    const char *path = player_safe(lesson->path, page);
    for (int f = 0; f < findings->count && f < SAID_MOST; f++)
        page_line(page, "%s:%d: %s", path, findings->finding[f].line,
                  player_safe(findings->finding[f].text, page));
    if (findings->count > SAID_MOST)
        page_line(page, N_("and %d more; lesson check %s lists them"),
                  findings->count - SAID_MOST, path);
}
