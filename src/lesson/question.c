#include "lesson/question.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "base/nearest.h"

bool findings_add(Findings *findings, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = trf_list(findings->arena, format, arguments);
    va_end(arguments);
    ARENA_GROW(findings->arena, findings->finding, findings->count, findings->capacity);
    findings->finding[findings->count++] = (Finding){line, text};
    return false;
}

static int by_line(const void *a, const void *b) {
    return ((const Finding *)a)->line - ((const Finding *)b)->line;
}

void findings_sort(Findings *findings) {
    if (findings->count)
        qsort(findings->finding, (size_t)findings->count, sizeof(Finding), by_line);
}

const char *digest_of(const char *bytes, size_t size, Arena *arena) {
    unsigned long long sum = 0xcbf29ce484222325ULL;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ (unsigned char)bytes[i]) * 0x100000001b3ULL;
    return arena_print(arena, "%016llx", sum);
}

/* Remove blanks at both ends. */
static const char *trimmed(const char *text, Arena *arena) {
    text += strspn(text, " \t\r");
    size_t length = strlen(text);
    while (length && strchr(" \t\r", text[length - 1])) length--;
    return arena_copy(arena, text, length);
}

bool item_read(const char *line, int number, Item *item, Arena *arena) {
    size_t length = strcspn(line, ":");
    *item = (Item){
        .key = arena_copy(arena, line, length),
        .value = trimmed(line + length + (line[length] == ':'), arena),
        .line = number,
    };
    return line[length] == ':';
}

int item_key(const Item *item, const char *const *keys, const char **question,
             Arena *arena) {
    Nearest nearest = {.word = item->key};
    for (int k = 0; keys[k]; k++) {
        nearest_offer(&nearest, keys[k]);
        if (strcmp(keys[k], item->key) == 0) return k;
    }
    *question = nearest_question(&nearest, arena);
    return -1;
}

/* The keys, and the kind of answer that each implies; ASKS_NOTHING: any. */
enum { WRONG = 2, ANSWER = 8, HINT };
static const char *const keys[] = {"ask",  "right", "wrong",  "number", "text", "token",
                                   "cell", "true",  "answer", "hint",   "why",  NULL};
static const Asks asks_by_key[] = {ASKS_NOTHING, ASKS_CHOICE,  ASKS_CHOICE, ASKS_NUMBER,
                                   ASKS_TEXT,    ASKS_TOKEN,   ASKS_CELL,   ASKS_STATE,
                                   ASKS_NOTHING, ASKS_NOTHING, ASKS_NOTHING};

static bool has_room(int count, int max, const Item *item, Findings *findings) {
    return count < max || findings_add(findings, item->line,
                                       N_("more than %d of \"%s:\""), max, item->key);
}

static bool add_choice(Quiz *question, const Item *item, Findings *findings) {
    static const char dash[] = " -- ";
    const char *reply = strstr(item->value, dash);
    size_t length = reply ? (size_t)(reply - item->value) : strlen(item->value);
    const char *text = arena_copy(findings->arena, item->value, length);
    if (!has_room(question->choices, CHOICES_MAX, item, findings)) return false;
    for (int c = 0; c < question->choices; c++)
        if (strcmp(question->choice[c].text, text) == 0)
            return findings_add(findings, item->line,
                                N_("the choice '%s' is there twice"), text);
    if (!reply && question->asks == ASKS_NUMBER)
        return findings_add(findings, item->line,
                            N_("a wrong number needs a reply, after \" -- \""));
    question->choice[question->choices++] = (Choosable){
        .text = text,
        .reply = reply ? reply + strlen(dash) : NULL,
        .is_right = strcmp(item->key, "right") == 0,
    };
    return true;
}

/* Split "0.87 +- 0.01" into the value and its tolerance. */
static bool cut_tolerance(Quiz *question, Item *item, Findings *findings) {
    static const char mark[] = " +- ";
    const char *found = strstr(item->value, mark);
    question->tolerance = -1;
    if (!found) return true;
    const char *tolerance = found + strlen(mark);
    char *end;
    question->tolerance = strtod(tolerance, &end);
    if (*end || !(question->tolerance >= 0) || isinf(question->tolerance))
        return findings_add(findings, item->line, N_("'%s' after +- is not a number"),
                            tolerance);
    item->value =
        arena_copy(findings->arena, item->value, (size_t)(found - item->value));
    return true;
}

/* Add a line to the question. If that fails, add a finding and return false. */
static bool take(Quiz *question, Item item, Findings *findings) {
    const char *nearest;
    int line = item.line;
    int key = item_key(&item, keys, &nearest, findings->arena);
    if (key < 0)
        return findings_add(findings, line, N_("a question has no \"%s:\"%s"), item.key,
                            nearest);
    if (!*item.value)
        return findings_add(findings, line, N_("nothing follows \"%s:\""), item.key);
    Asks asks = asks_by_key[key];
    if (key == WRONG && question->asks == ASKS_NUMBER)
        return add_choice(question, &item, findings);
    if (asks == ASKS_NUMBER && !cut_tolerance(question, &item, findings)) return false;
    if (question->asks == ASKS_NOTHING) question->asks = asks;
    if (asks != ASKS_NOTHING && question->asks != asks)
        return findings_add(
            findings, line,
            N_("\"%s:\" asks for another kind of answer than the lines above it; a "
               "question has only one kind"),
            item.key);
    if (asks == ASKS_CHOICE) return add_choice(question, &item, findings);
    if (key == ANSWER && strlen(item.value) > LESSON_LINE_MAX)
        return findings_add(findings, line, N_("the line has more than %d bytes"),
                            LESSON_LINE_MAX);
    if (asks == ASKS_STATE || key == HINT || key == ANSWER) {
        const char **list = asks == ASKS_STATE ? question->condition
                            : key == HINT      ? question->hint
                                               : question->command;
        int *count = asks == ASKS_STATE ? &question->conditions
                     : key == HINT      ? &question->hints
                                        : &question->commands;
        int max = asks == ASKS_STATE ? CONDITIONS_MAX
                  : key == HINT      ? HINTS_MAX
                                     : COMMANDS_MAX;
        if (!has_room(*count, max, &item, findings)) return false;
        if (key == ANSWER && !*count) question->answer_line = line;
        list[(*count)++] = item.value;
        return true;
    }
    const char **once = strcmp(item.key, "ask") == 0   ? &question->ask
                        : strcmp(item.key, "why") == 0 ? &question->why
                                                       : &question->expected;
    if (*once)
        return findings_add(findings, line, N_("\"%s:\" is there twice"), item.key);
    *once = item.value;
    return true;
}

/* Check the keys that every question needs. */
static bool is_whole(const Quiz *question, Findings *findings) {
    int rights = 0;
    for (int c = 0; c < question->choices; c++) rights += question->choice[c].is_right;
    bool has_choices = question->asks == ASKS_CHOICE;
    bool is_state = question->asks == ASKS_STATE;
    const struct {
        bool is_wrong;
        const char *text;
    } rules[] = {
        {!question->ask, N_("the question has no \"ask:\"")},
        {!question->why, N_("the question has no \"why:\", which explains the answer")},
        {!question->hints, N_("the question has no \"hint:\"")},
        {question->asks == ASKS_NOTHING,
         N_("the question has no answer: right: and wrong:, number:, text:, token:, "
            "cell: or true:")},
        {has_choices && rights == 0, N_("no choice is right")},
        {has_choices && rights == question->choices, N_("no choice is wrong")},
        {is_state && !question->commands,
         N_("no \"answer:\" gives the commands that make it true")},
        {!is_state && question->commands,
         N_("\"answer:\" goes with \"true:\"; the answer of this question is known "
            "without it")},
    };
    int before = findings->count;
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++)
        if (rules[r].is_wrong)
            findings_add(findings, question->line, "%s", tr(rules[r].text));
    return findings->count == before;
}

bool question_read(Quiz *question, const char *text, int line, Findings *findings) {
    size_t size = strlen(text);
    *question = (Quiz){.line = line,
                       .answer_line = line,
                       .id = digest_of(text, size, findings->arena)};
    int lines = 1;
    for (const char *c = text; *c; c++) lines += *c == '\n';
    Arena *arena = findings->arena;
    Item *item = ARENA_ARRAY(arena, Item, lines);
    Builder value = {.arena = arena}; /* of the last item */
    int items = 0;
    bool done = true;
    Bytes rest = {text, size};
    for (int number = line; rest.size; number++) {
        bool indented = *rest.bytes == ' ' || *rest.bytes == '\t';
        const char *words = trimmed(file_line(&rest, arena), arena);
        Item read;
        if (!*words) continue;
        if (indented && items) {
            if (value.count) build_text(&value, " ");
            build_text(&value, words);
        } else if (item_read(words, number, &read, arena)) {
            if (items) item[items - 1].value = builder_text(&value);
            value = (Builder){.arena = arena};
            build_text(&value, read.value);
            item[items++] = read;
        } else {
            done = findings_add(findings, number,
                                N_("'%s' is not a line of a question; write \"key: "
                                   "value\", and indent lines that continue it"),
                                words);
        }
    }
    if (items) item[items - 1].value = builder_text(&value);
    for (int i = 0; i < items; i++) done = take(question, item[i], findings) && done;
    return done && is_whole(question, findings);
}
