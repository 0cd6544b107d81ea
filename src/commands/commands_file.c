#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/language.h"
#include "commands/commands.h"
#include "explain/export.h"
#include "present/figures.h"
#include "session/sentence.h"

static const char *const group = N_("Writing files");

static bool run_trace(Session *session, const Arguments *arguments, Error *error) {
    Arena *arena = &session->scratch;
    const char *path = arguments_flag(arguments, "output");
    if (!path)
        return fail(error, "trace needs a file: -o run.safetensors, .npz or .json");
    Figure facts = {0};
    figures_add_facts(session, arguments, &facts, arena);
    Note *note = ARENA_ARRAY(arena, Note, facts.facts);
    for (int f = 0; f < facts.facts; f++)
        note[f] = (Note){facts.fact[f].name, facts.fact[f].value};
    Contents trace = {.note = note, .notes = facts.facts};
    trace.stored = trace_entries(&session->run->tape, arena, &trace.count);
    if (!trace_save(&trace, path, arguments_replace(arguments), error)) return false;
    page_line(&session->page, "wrote %s: %d tensors", session_safe(session, path),
              trace.count);
    return true;
}

static void say_generated(Session *session) {
    page_line(
        &session->page, "%s",
        sentence_spoken(&session->model, &session->run->generated, &session->scratch));
}

/* Each line of standard input. */
static bool generate_input(Session *session, int limit, Error *error) {
    char line[TOKENIZER_BYTES + 2];
    for (int number = 1; fgets(line, sizeof line, stdin); number++) {
        size_t length = strcspn(line, "\r\n");
        if (length == sizeof line - 1)
            return fail(error, "line %d has more than %d bytes", number,
                        TOKENIZER_BYTES);
        line[length] = '\0';
        Error problem;
        Request request = {.source = line, .limit = limit};
        if (!session_generate(session, &request, say_generated, &problem))
            return fail(error, "line %d: %s", number, problem.message);
        page_flush(&session->page);
    }
    return !ferror(stdin) ||
           fail(error, "cannot read standard input: %s", error_reason(errno));
}

/* The sentences at hand, as they were given. */
static bool generate_current(Session *session, Request *request, Error *error) {
    if (!session->run->is_made)
        return fail(error, "there is no sentence yet: type one, or give --source");
    const char *typed = sentence_print(&session->run->source, &session->scratch);
    bool is_text = session->run->source.sentence[0].text != NULL;
    if (session->what_if.changes.done)
        page_note(&session->messages,
                  "generate reads the sentence again, without its changes");
    if (is_text)
        request->source = typed;
    else
        request->source_ids = typed;
    return session_generate(session, request, say_generated, error);
}

static bool run_generate(Session *session, const Arguments *arguments, Error *error) {
    Request request = {
        .source = arguments_flag(arguments, "source"),
        .source_ids = arguments_flag(arguments, "source-ids"),
        .limit = INT_MAX,
    };
    if (!arguments_number(arguments, "limit", 1, INT_MAX, &request.limit, error))
        return false;
    if (request.source && request.source_ids)
        return fail(error, "give --source or --source-ids, not both");
    if (request.source || request.source_ids)
        return session_generate(session, &request, say_generated, error);
    /* At the prompt, standard input holds the commands to come. */
    if (session->command) return generate_current(session, &request, error);
    return generate_input(session, request.limit, error);
}

const Command command_trace = {
    .name = "trace",
    .group = group,
    .arguments = "-o FILE",
    .summary =
        N_("write every tensor of the run to a .safetensors, .npz or .json file"),
    .details =
        N_("Each stands under its address, and the words of its axes beside: \"words\" "
           "holds each list once, \"labels\" says which axis has which. The run is the "
           "one "
           "on the source and the target (teacher forcing); without a target, on what "
           "greedy decoding gives."),
    .example = ":trace -o run.npz --force",
    .flags = {flags_model, flags_sentence, flags_target, flags_output},
    .needs_model = true,
    .needs_run = true,
    .run = run_trace,
};

const Command command_generate = {
    .name = "generate",
    .group = group,
    .arguments = "",
    .summary = N_("print what greedy decoding gives, a line for each sentence"),
    .details =
        N_("Without --source it is the sentence at hand; in a shell, sentences are "
           "read from standard input."),
    .example = ":generate --source \"나는 어제 친구를 만났다.\" --limit 5",
    .flags = {flags_model, flags_sentence},
    .needs_model = true,
    .run = run_generate,
};
