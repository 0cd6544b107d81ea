#include <string.h>

#include "base/language.h"
#include "commands/commands.h"
#include "session/stops.h"
#include "why/code.h"

static const Flag flags_code[] = {
    {"numpy", 0, NULL, N_("only the lines of NumPy")},
    {"torch", 0, NULL, N_("only the lines of PyTorch")},
    {0},
};

/* Without a language, both. */
static bool wants(const Arguments *arguments, CodeLanguage language) {
    static const char *const flag[CODE_LANGUAGES] = {"numpy", "torch"};
    bool none =
        !arguments_flag(arguments, flag[0]) && !arguments_flag(arguments, flag[1]);
    return none || arguments_flag(arguments, flag[language]);
}

static bool is_load(const Arguments *arguments) {
    return arguments->words == 1 && strcmp(arguments->word[0], "load") == 0;
}

static Needs needs_of_code(const Arguments *arguments) {
    return (Needs){.model = true, .run = !is_load(arguments)};
}

/* Find the current stage, or that of a number, a name, an idea or an address. */
static bool find_aim(Session *session, const Arguments *arguments, CodeAim *aim,
                     Error *error) {
    Arena *arena = &session->scratch;
    const char *name = arguments_text(arguments, arena);
    int stop = *name ? stops_find(session, name, arena) : session->run->stage;
    const Stage *stage = stop < 0 ? NULL : stops_stage(session, stop);
    const Tensor **only = ARENA_ARRAY(arena, const Tensor *, 1);
    const char **address = ARENA_ARRAY(arena, const char *, 1);
    *only = *name ? tape_find(&session->run->tape, name) : NULL;
    *address = name;
    if (*only)
        *aim = (CodeAim){only, address, 1};
    else if (stage)
        *aim = (CodeAim){stage->tensor, stage->address, stage->tensors};
    else if (stop >= 0)
        return fail(error,
                    "nothing is computed at %s; give a stage such as scores or "
                    "softmax (:stages lists them)",
                    stops_name(session, stop, arena));
    else if (*name)
        return fail(error, "there is no stage '%s'; :stages lists them",
                    session_safe(session, name));
    else
        return fail(error, "no stage is open; name one, as in :code softmax, or "
                           "press Enter to go to the first");
    return true;
}

static bool run_code(Session *session, const Arguments *arguments, Error *error) {
    Arena *arena = &session->scratch;
    Page *page = &session->page;
    const Record record = session_record(session);
    CodeAim aim;
    bool any = false;
    if (is_load(arguments)) {
        const char *folder = session->model.path;
        if (!*folder)
            return fail(error, "this model has no folder to load weights from; save "
                               "it with new -o");
        /* For both languages, the lines for PyTorch are enough. */
        CodeLanguage language = wants(arguments, CODE_TORCH) ? CODE_TORCH : CODE_NUMPY;
        page_document(page, code_load(folder, language, arena));
        return true;
    }
    if (!find_aim(session, arguments, &aim, error)) return false;
    for (int l = 0; l < CODE_LANGUAGES; l++) {
        const char *code;
        if (!wants(arguments, (CodeLanguage)l)) continue;
        if (any) page_gap(page);
        if (!code_stage(&record, &aim, (CodeLanguage)l, arena, &code, error))
            return false;
        page_document(page, arena_print(arena, "# %s\n%s", code_languages[l], code));
        any = true;
    }
    return true;
}

const Command command_code = {
    .name = "code",
    .group = GROUP_LOOK,
    .arguments = "[STAGE|load]",
    .summary = N_("show a stage as NumPy and PyTorch code"),
    .details = N_(
        "Without a stage: the current one. An address also works. The code reads its "
        "inputs from a trace (\":trace -o run.npz\") and from the weights; its last "
        "line says whether the numbers agree. \":code load\" shows the lines that "
        "open both files; put them at the top once."),
    .example = ":code scores",
    .words = {0, WORDS_MAX},
    .flags = {flags_code, flags_model, flags_sentence, flags_target},
    .needs_of = needs_of_code,
    .pages = true,
    .choice = CHOICE_STAGE,
    .run = run_code,
};
