#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "commands/commands.h"
#include "present/tokens.h"

static bool run_tokens(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    (void)error;
    show_tokens(session, NULL);
    return true;
}

/* A given word needs no sentence. */
static Needs needs_of_merges(const Arguments *arguments) {
    return (Needs){.model = true, .run = arguments->words == 0};
}

static bool run_merges(Session *session, const Arguments *arguments, Error *error) {
    return show_merges(session, arguments->words ? arguments->word[0] : NULL, error);
}

static void say_shown(Session *session) {
    const ShownTokens *shown = &session->focus.tokens;
    if (shown->tokens)
        page_note(&session->page,
                  "tables and heatmaps show these tokens: %s; :only all "
                  "shows all",
                  session_safe(session, shown_print(shown, &session->scratch)));
    else if (shown->to)
        page_note(&session->page,
                  "tables and heatmaps show the tokens %d to %d; "
                  ":window all shows all",
                  shown->from, shown->to - 1);
    else
        page_note(&session->page, "tables and heatmaps show all tokens");
}

static void show_all(Session *session) {
    session->focus.tokens = (ShownTokens){0};
    arena_reset(&session->focus.tokens_arena);
}

/* "3:9", ":9" or "3:". */
static bool read_window(const char *typed, int *from, int *to) {
    enum { FAR = 1 << 20 };
    const char *colon = strchr(typed, ':');
    if (!colon || strspn(typed, "0123456789:") != strlen(typed) ||
        strchr(colon + 1, ':') || strlen(typed) > 12)
        return false;
    long first = strtol(typed, NULL, 10);
    long after = colon[1] ? strtol(colon + 1, NULL, 10) : FAR;
    *from = (int)(first < FAR ? first : FAR);
    *to = (int)(after < FAR ? after : FAR);
    return *from < *to;
}

static bool run_window(Session *session, const Arguments *arguments, Error *error) {
    const char *typed = arguments->words ? arguments->word[0] : NULL;
    int source = session->run->source.ids.length;
    int target = session->run->target.ids.length;
    int max = source > target ? source : target;
    int from = 0;
    int to = 0;
    if (typed && strcmp(typed, "all") != 0 && !read_window(typed, &from, &to))
        return fail(error,
                    "'%s' is not a range of tokens; write FROM:TO, as in :window "
                    "3:9, which shows the tokens 3 to 8",
                    typed);
    if (typed && from >= max)
        return fail(error, "the sentence has the tokens 0 to %d, none from %d on",
                    max - 1, from);
    if (typed) show_all(session);
    if (to > 0)
        session->focus.tokens = (ShownTokens){.from = from, .to = to < max ? to : max};
    say_shown(session);
    return true;
}

static bool run_only(Session *session, const Arguments *arguments, Error *error) {
    const Tensor *source = tape_find(&session->run->tape, "encoder.ids");
    const Tensor *target = tape_find(&session->run->tape, "decoder.ids");
    ShownTokens shown = {.token = arguments->word, .tokens = arguments->words};
    if (shown.tokens == 1 && strcmp(arguments->word[0], "all") == 0)
        show_all(session);
    else if (shown.tokens > SHOWN_MAX)
        return fail(error, "at most %d tokens can be chosen", SHOWN_MAX);
    else if (shown.tokens && !source)
        return fail(error, "this sentence has no tokens to choose from");
    else if (shown.tokens) {
        if (!shown_check(&shown, &source->axis[source->rank - 1],
                         target ? &target->axis[target->rank - 1] : NULL,
                         session->run->row, &session->scratch, error))
            return false;
        show_all(session);
        Arena *arena = &session->focus.tokens_arena;
        const char **token = ARENA_ARRAY(arena, const char *, shown.tokens);
        for (int w = 0; w < shown.tokens; w++)
            token[w] = arena_print(arena, "%s", arguments->word[w]);
        session->focus.tokens = (ShownTokens){.token = token, .tokens = shown.tokens};
    }
    say_shown(session);
    return true;
}

const Command command_window = {
    .name = "window",
    .group = GROUP_LOOK,
    .arguments = "[FROM:TO | all]",
    .summary = N_("show only a range of tokens"),
    .details = N_("Heatmaps, tables and figures show only the rows and columns of "
                  "these tokens (counted from 0, the last excluded) until \":window "
                  "all\". An address that chooses tokens is not narrowed, and :why "
                  "still explains every number."),
    .example = ":window 1:4",
    .words = {0, 1},
    .flags = {flags_model, flags_sentence, flags_target},
    .needs = {.model = true, .run = true},
    .run = run_window,
};

const Command command_only = {
    .name = "only",
    .group = GROUP_LOOK,
    .arguments = "[TOKEN ... | all]",
    .summary = N_("show only chosen tokens, alone or combined"),
    .details = N_("Write tokens as in addresses: 나는, 나는#2 or a number; a word of "
                  "several tokens, such as 만났다, counts as one. With + they are "
                  "combined into one row or column: keys are summed, so 부산+에서 is "
                  "what both get together; rows are averaged. \":only all\" shows "
                  "all again."),
    .example = ":only 0 1+2",
    .words = {0, WORDS_MAX},
    .flags = {flags_model, flags_sentence, flags_target},
    .needs = {.model = true, .run = true},
    .run = run_only,
};

const Command command_tokens = {
    .name = "tokens",
    .group = GROUP_LOOK,
    .summary = N_("show tokens, ids and bytes"),
    .details =
        N_("A · before a token is the space before the word. Bytes that are not a "
           "whole letter are written <EB 82>."),
    .example = ":tokens",
    .flags = {flags_model, flags_sentence, flags_target},
    .needs = {.model = true, .run = true},
    .pages = true,
    .run = run_tokens,
};

const Command command_merges = {
    .name = "merges",
    .group = GROUP_LOOK,
    .arguments = "[WORD]",
    .summary = N_("show how byte pairs were merged into tokens"),
    .details =
        N_("Without a word: every word of the sentence. With one, no sentence is "
           "needed."),
    .example = ":merges",
    .words = {0, 1},
    .flags = {flags_model, flags_sentence, flags_target},
    .needs_of = needs_of_merges,
    .pages = true,
    .run = run_merges,
};
