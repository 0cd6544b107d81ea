#include "lesson/question.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "base/nearest.h"

void findings_add(Findings *findings, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_print_list(findings->arena, said(format), arguments);
    va_end(arguments);
    ARENA_GROW(findings->arena, findings->finding, findings->count, findings->capacity);
    findings->finding[findings->count++] = (Finding){line, text};
}

static int by_line(const void *a, const void *b) {
    return ((const Finding *)a)->line - ((const Finding *)b)->line;
}

void findings_sort(Findings *findings) {
    if (findings->count)
        qsort(findings->finding, (size_t)findings->count, sizeof(Finding), by_line);
}

/* A line "key: value", with the lines that go on below it. */
typedef struct {
    const char *key, *value;
    int line;
    Builder more; /* the value, while lines are added to it */
} Item;

/* What takes an item in. False, with a finding, where it cannot. */
typedef bool Take(Quiz *question, const Item *item, Findings *findings);

static bool full(const Item *item, Findings *findings, int most) {
    findings_add(findings, item->line, N_("more than %d of \"%s:\""), most, item->key);
    return false;
}

static bool take_kind(Quiz *question, const Item *item, Asks asks, Findings *findings) {
    if (question->asks == ASKS_NOTHING) question->asks = asks;
    if (question->asks == asks) return true;
    findings_add(findings, item->line,
                 N_("\"%s:\" asks for something else than the lines above it: a "
                    "question has one kind of answer"),
                 item->key);
    return false;
}

static bool take_once(const char **place, const Item *item, Findings *findings) {
    if (*place) {
        findings_add(findings, item->line, N_("\"%s:\" stands there twice"), item->key);
        return false;
    }
    *place = item->value;
    return true;
}

static bool take_ask(Quiz *question, const Item *item, Findings *findings) {
    return take_once(&question->ask, item, findings);
}

static bool take_why(Quiz *question, const Item *item, Findings *findings) {
    return take_once(&question->why, item, findings);
}

static bool take_choice(Quiz *question, const Item *item, Findings *findings) {
    static const char dash[] = " -- ";
    if (!take_kind(question, item, ASKS_CHOICE, findings)) return false;
    if (question->choices == CHOICES_MAX) return full(item, findings, CHOICES_MAX);
    const char *reply = strstr(item->value, dash);
    size_t length = reply ? (size_t)(reply - item->value) : strlen(item->value);
    const char *text = arena_copy(findings->arena, item->value, length);
    for (int c = 0; c < question->choices; c++)
        if (strcmp(question->choice[c].text, text) == 0) {
            findings_add(findings, item->line, N_("the choice '%s' stands there twice"),
                         text);
            return false;
        }
    question->choice[question->choices++] = (Choosable){
        .text = text,
        .reply = reply ? reply + strlen(dash) : NULL,
        .is_right = strcmp(item->key, "right") == 0,
    };
    return true;
}

static bool take_wanted(Quiz *question, const Item *item, Asks asks,
                        Findings *findings) {
    return take_kind(question, item, asks, findings) &&
           take_once(&question->wanted, item, findings);
}

/* "0.87 +- 0.01": the value in front, and how far an answer may be from it. */
static bool take_number(Quiz *question, const Item *item, Findings *findings) {
    static const char mark[] = " +- ";
    Item value = *item;
    const char *tolerance = strstr(item->value, mark);
    question->tolerance = -1;
    if (tolerance) {
        char *end;
        question->tolerance = strtod(tolerance + strlen(mark), &end);
        if (*end || !(question->tolerance >= 0) || isinf(question->tolerance)) {
            findings_add(findings, item->line,
                         N_("behind +- stands '%s', which is no number"),
                         tolerance + strlen(mark));
            return false;
        }
        value.value =
            arena_copy(findings->arena, item->value, (size_t)(tolerance - item->value));
    }
    return take_wanted(question, &value, ASKS_NUMBER, findings);
}

static bool take_text(Quiz *question, const Item *item, Findings *findings) {
    return take_wanted(question, item, ASKS_TEXT, findings);
}

static bool take_token(Quiz *question, const Item *item, Findings *findings) {
    return take_wanted(question, item, ASKS_TOKEN, findings);
}

static bool take_cell(Quiz *question, const Item *item, Findings *findings) {
    return take_wanted(question, item, ASKS_CELL, findings);
}

static bool take_into(const char **list, int *count, int most, const Item *item,
                      Findings *findings) {
    if (*count == most) return full(item, findings, most);
    list[(*count)++] = item->value;
    return true;
}

static bool take_condition(Quiz *question, const Item *item, Findings *findings) {
    return take_kind(question, item, ASKS_STATE, findings) &&
           take_into(question->condition, &question->conditions, CONDITIONS_MAX, item,
                     findings);
}

static bool take_command(Quiz *question, const Item *item, Findings *findings) {
    if (strlen(item->value) > LESSON_LINE_MAX) {
        findings_add(findings, item->line, N_("the line has more than %d bytes"),
                     LESSON_LINE_MAX);
        return false;
    }
    return take_into(question->command, &question->commands, COMMANDS_MAX, item,
                     findings);
}

static bool take_hint(Quiz *question, const Item *item, Findings *findings) {
    return take_into(question->hint, &question->hints, HINTS_MAX, item, findings);
}

static const struct {
    const char *key;
    Take *take;
} keys[] = {
    {"ask", take_ask},       {"right", take_choice},   {"wrong", take_choice},
    {"number", take_number}, {"text", take_text},      {"token", take_token},
    {"cell", take_cell},     {"true", take_condition}, {"answer", take_command},
    {"hint", take_hint},     {"why", take_why},
};

static bool take(Quiz *question, const Item *item, Findings *findings) {
    Nearest nearest = {.word = item->key};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        nearest_offer(&nearest, keys[k].key);
        if (strcmp(keys[k].key, item->key) != 0) continue;
        if (*item->value) return keys[k].take(question, item, findings);
        findings_add(findings, item->line, N_("behind \"%s:\" stands nothing"),
                     item->key);
        return false;
    }
    findings_add(findings, item->line, N_("a question has no \"%s:\"%s"), item->key,
                 nearest_question(&nearest, findings->arena));
    return false;
}

/* A line without its end and the blanks around it; `*text` goes on behind it. */
static const char *next_line(const char **text, bool *is_indented, Arena *arena) {
    const char *start = *text;
    size_t length = strcspn(start, "\n");
    *text = start + length + (start[length] == '\n');
    *is_indented = *start == ' ' || *start == '\t';
    size_t blanks = strspn(start, " \t\r");
    if (blanks > length) blanks = length;
    while (length > blanks && strchr(" \t\r", start[length - 1])) length--;
    return arena_copy(arena, start + blanks, length - blanks);
}

/* Cut "key: value"; false where there is no colon. */
static bool cut_item(const char *line, int number, Item *item, Arena *arena) {
    const char *colon = strchr(line, ':');
    if (!colon) return false;
    const char *value = colon + 1;
    *item = (Item){arena_copy(arena, line, (size_t)(colon - line)),
                   value + strspn(value, " \t"),
                   number,
                   {0}};
    return true;
}

/* Another line of the value. */
static void go_on(Item *item, const char *words, Arena *arena) {
    if (!item->more.arena) {
        item->more = (Builder){.arena = arena};
        build_text(&item->more, item->value);
    }
    if (item->more.count) build_text(&item->more, " ");
    build_text(&item->more, words);
}

/* The items of the block, with what goes on in indented lines. */
static int read_items(const char *text, int line, Item *item, Findings *findings,
                      bool *done) {
    int items = 0;
    for (int number = line; *text; number++) {
        bool indented;
        const char *words = next_line(&text, &indented, findings->arena);
        if (!*words) continue;
        if (indented && items) {
            go_on(&item[items - 1], words, findings->arena);
        } else if (cut_item(words, number, &item[items], findings->arena)) {
            items++;
        } else {
            findings_add(findings, number,
                         N_("'%s' is no line of a question: \"key: value\" is, and "
                            "what goes on below is indented"),
                         words);
            *done = false;
        }
    }
    for (int i = 0; i < items; i++)
        if (item[i].more.arena) item[i].value = builder_text(&item[i].more);
    return items;
}

static int rights(const Quiz *question) {
    int count = 0;
    for (int c = 0; c < question->choices; c++) count += question->choice[c].is_right;
    return count;
}

/* What every question must have. */
static bool is_whole(const Quiz *question, Findings *findings) {
    int before = findings->count;
    int line = question->line;
    if (!question->ask)
        findings_add(findings, line, N_("the question has no \"ask:\""));
    if (!question->why)
        findings_add(findings, line,
                     N_("the question has no \"why:\", which explains "
                        "the answer"));
    if (!question->hints)
        findings_add(findings, line, N_("the question has no \"hint:\""));
    if (question->asks == ASKS_NOTHING)
        findings_add(
            findings, line,
            N_("the question has no answer: right: and wrong:, number:, text:, "
               "token:, cell: or true:"));
    if (question->asks == ASKS_CHOICE && rights(question) == 0)
        findings_add(findings, line, N_("none of the choices is right"));
    if (question->asks == ASKS_CHOICE && rights(question) == question->choices)
        findings_add(findings, line, N_("none of the choices is wrong"));
    if (question->asks == ASKS_STATE && !question->commands)
        findings_add(findings, line,
                     N_("no \"answer:\" says by which commands it comes true"));
    if (question->asks != ASKS_STATE && question->commands)
        findings_add(findings, line,
                     N_("\"answer:\" belongs to \"true:\"; the answer of this question "
                        "is known without it"));
    return findings->count == before;
}

const char *digest_of(const char *bytes, size_t size, Arena *arena) {
    unsigned long long sum = 0xcbf29ce484222325ULL;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ (unsigned char)bytes[i]) * 0x100000001b3ULL;
    return arena_print(arena, "%016llx", sum);
}

bool question_read(Quiz *question, const char *text, int line, Findings *findings) {
    *question =
        (Quiz){.line = line, .id = digest_of(text, strlen(text), findings->arena)};
    int lines = 1;
    for (const char *c = text; *c; c++) lines += *c == '\n';
    Item *item = ARENA_ARRAY(findings->arena, Item, lines);
    bool done = true;
    int items = read_items(text, line, item, findings, &done);
    for (int i = 0; i < items; i++) done = take(question, &item[i], findings) && done;
    return done && is_whole(question, findings);
}
