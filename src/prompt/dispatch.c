#include "prompt/dispatch.h"

#include <string.h>

#include "command/command.h"
#include "prompt/execute.h"
#include "session/answers.h"
#include "session/session.h"
#include "session/stops.h"

/* What people type where they mean a command, and which one. */
static const struct {
    const char *typed, *command;
} short_forms[] = {
    {"help", "help"}, {"next", "next"}, {"back", "back"},  {"quit", "quit"},
    {"exit", "quit"}, {":h", "help"},   {":?", "help"},    {":n", "next"},
    {":b", "back"},   {":q", "quit"},   {":exit", "quit"}, {"+", "more"},
    {"-", "less"},    {"?", "help"},
};

/* The command that `line` is a short form of, or NULL. */
static const char *command_meant(const char *line) {
    for (size_t i = 0; i < sizeof short_forms / sizeof *short_forms; i++)
        if (strcmp(line, short_forms[i].typed) == 0) return short_forms[i].command;
    return NULL;
}

/* Without the backslash that makes a sentence of what would be something else. */
static const char *sentence_of(const char *line) {
    bool protects = line[0] == '\\' &&
                    (line[1] == ':' || line[1] == '#' || command_meant(line + 1));
    return line + protects;
}

static bool run_sentence(Session *session, const char *line, Error *error) {
    if (!session->has_model && !session_open(session, NULL, error)) return false;
    const Request request = {.source = sentence_of(line),
                             .limit = session_usual_limit(session)};
    session->command = line;
    if (!session_run(session, &request, error)) return false;
    answers_say(session);
    return true;
}

/* One word that is the name of a command stays a sentence, but hardly any was meant. */
static void hint_at_command(Session *session, const char *line) {
    if (command_find(line))
        page_note(&session->page, "the model read a sentence; the command is :%s",
                  line);
}

/* What stands behind the colon of a command, or NULL. Blanks in front of it do not
 * count, and a wide one, as Korean keyboards may write it, is as good. */
static const char *behind_colon(const char *line) {
    static const char wide[] = "：";
    line += strspn(line, " \t");
    if (*line == ':') return line + 1;
    return strncmp(line, wide, strlen(wide)) == 0 ? line + strlen(wide) : NULL;
}

bool dispatch_is_blank(const char *line) {
    return line[strspn(line, " \t")] == '\0';
}

/* As they stand in files of commands. */
bool dispatch_is_comment(const char *line) {
    return line[strspn(line, " \t")] == '#';
}

const char *dispatch_command(const char *line) {
    const char *command = command_meant(line);
    return command ? command : behind_colon(line);
}

bool dispatch_meant(Session *session, const char *line, Error *error) {
    if (dispatch_is_blank(line)) return stops_next(session, error);
    if (dispatch_is_comment(line)) return true;
    const char *command = dispatch_command(line);
    if (command) return command_line(session, command, error);
    if (!run_sentence(session, line, error)) return false;
    hint_at_command(session, line);
    return true;
}
