#include <string.h>

#include "base/language.h"
#include "commands/commands.h"
#include "player/player.h"
#include "present/draw_alone.h"
#include "present/visit.h"
#include "session/sentence.h"
#include "session/stops.h"
#include "walk/followed.h"
#include "walk/glossary.h"
#include "walk/story_page.h"

static bool run_next(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    return visit_next(session, error);
}

static bool run_back(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    if (session->lesson.is_open && !session->lesson.is_typing)
        return player_back(session, error);
    return visit_previous(session, error);
}

/* Change the depth by one, or by the given number. */
static bool change_depth(Session *session, const Arguments *arguments, int direction,
                         Error *error) {
    long long depths_passed = 1;
    if (arguments->words > 0 && (!option_whole(arguments->word[0], &depths_passed) ||
                                 depths_passed < 1 || depths_passed >= DEPTH_KINDS))
        return fail(error, "%s: give a number of depths, from 1 to %d",
                    arguments->word[0], DEPTH_KINDS - 1);
    return visit_at_depth(session, direction * (int)depths_passed, error);
}

static bool run_more(Session *session, const Arguments *arguments, Error *error) {
    return change_depth(session, arguments, -1, error);
}

static bool run_less(Session *session, const Arguments *arguments, Error *error) {
    return change_depth(session, arguments, +1, error);
}

static bool run_goto(Session *session, const Arguments *arguments, Error *error) {
    Arena *arena = &session->scratch;
    const char *name = arguments_text(arguments, arena);
    int stop = stops_find(session, name, arena);
    /* A full name, as listed by :stages, means exactly that stage. */
    int view = stop >= 0 && !strchr(name, '.') ? stops_telling(session, stop) : -1;
    if (view >= 0) stop = view;
    if (stop >= 0) return visit_stop(session, stop, error);
    if (idea_find(NULL, name))
        return fail(error, "no stage of this walk shows '%s'; :stages lists them",
                    name);
    const Record record = session_record(session);
    if (!record_has_layer(&record, name, arena, error)) return false;
    Nearest nearest = {.word = name};
    for (const Idea *idea = ideas; idea->words; idea++)
        idea_offer(idea->words, &nearest, arena);
    for (int s = 0; s < stops_all(session); s++)
        nearest_offer(&nearest, stops_name(session, s, arena));
    return nearest.count
               ? fail(error, "there is no stage '%s'%s", name,
                      nearest_question(&nearest, arena))
               : fail(error, "there is no stage '%s'; :stages lists them", name);
}

static bool run_stages(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    (void)error;
    Arena *arena = &session->scratch;
    int all = stops_all(session);
    int count = 0;
    ListItem *item = ARENA_ARRAY(arena, ListItem, all);
    for (int s = 0; s < all; s++) {
        if (!stops_visits(session, s)) continue;
        const StopNumber at = stops_number(session, s);
        item[count] = (ListItem){.here = s == session->run->stage,
                                 .number = at.number,
                                 .part = at.part,
                                 .name = stops_name(session, s, arena),
                                 .text = stops_title(session, s, arena)};
        count++;
    }
    page_list(&session->page, LIST_STAGES, item, count);
    return true;
}

/* List every attention of the run, and what is followed in it. */
static void say_followed(Session *session) {
    static const char *const headings[] = {N_("attention"), N_("head"),   N_("query"),
                                           N_("key"),       N_("weight"), NULL};
    Arena *arena = &session->scratch;
    const Story story = session_story(session);
    const StageView view = stage_view(&story, NULL, arena);
    const Tape *run = story.record.run;
    TableWriter writer = table_begin(headings, arena);
    for (int e = 0; e < run->entries; e++) {
        const Entry *entry = &run->entry[e];
        if (strcmp(entry->name, "weights") != 0) continue;
        const Followed followed = followed_in(&view, entry->tensor);
        const QueryKey *pair = &followed.pair;
        if (pair->cell < 0) continue;
        table_put(&writer, entry->address);
        table_print(&writer, "%d", pair->head);
        table_put(&writer, session_safe(session, pair->asks));
        table_put(&writer, session_safe(session, pair->answers));
        table_print(&writer, "%.*f", story.digits, pair->value);
    }
    page_table(&session->page, &writer.table);
}

/* The pair is kept while it exists. Here it must be in one attention. */
static bool check_followed(Session *session, const char *chosen, Error *error) {
    const Tape *run = &session->run->tape;
    /* The weights of the current attention, or else of the first. */
    const Story story = session_story(session);
    const Stage *stage = stops_stage(session, session->run->stage);
    const StageView view = stage_view(&story, stage, &session->scratch);
    const Tensor *at_hand =
        stage ? tensor_beside(&view, stage->tensor[0], "weights") : NULL;
    for (int e = 0; !at_hand && e < run->entries; e++)
        if (strcmp(run->entry[e].name, "weights") == 0) at_hand = run->entry[e].tensor;
    Slice slice;
    Error elsewhere;
    if (*chosen != '[')
        return fail(error, "write the pair in brackets, as in :follow [head=0, "
                           "query=0, key=1]; :follow best returns to the most "
                           "telling pair");
    if (!at_hand) return fail(error, "this model has no attention");
    if (address_slice(chosen, at_hand, &session->scratch, &slice, error)) return true;
    for (int e = 0; e < run->entries; e++)
        if (strcmp(run->entry[e].name, "weights") == 0 &&
            address_slice(chosen, run->entry[e].tensor, &session->scratch, &slice,
                          &elsewhere))
            return true;
    return false;
}

static bool run_follow(Session *session, const Arguments *arguments, Error *error) {
    const char *chosen = arguments_text(arguments, &session->scratch);
    if (*chosen && strcmp(chosen, "best") != 0 &&
        !check_followed(session, chosen, error))
        return false;
    if (*chosen) {
        arena_reset(&session->focus.followed_arena);
        session->focus.followed =
            strcmp(chosen, "best") == 0
                ? NULL
                : arena_print(&session->focus.followed_arena, "%s", chosen);
    }
    const Stage *stage = stops_stage(session, session->run->stage);
    const Story story = session_story(session);
    const StageView view = stage_view(&story, stage, &session->scratch);
    if (*chosen && stage && tensor_beside(&view, stage->tensor[0], "weights"))
        return visit_stop(session, session->run->stage, error);
    say_followed(session);
    return true;
}

static const Flag flags_map[] = {
    {"at", 0, "STAGE", N_("the current stage, as named by :stages")},
    {0},
};

static bool run_map(Session *session, const Arguments *arguments, Error *error) {
    Figure figure = {0};
    if (!show_map(session, arguments, &figure, error)) return false;
    page_figure(&session->page, &figure);
    if (session->command) {
        page_gap(&session->page);
        page_hint(&session->page, N_("The same as a picture"), ":draw map -o map.svg");
    }
    return true;
}

static bool run_target(Session *session, const Arguments *arguments, Error *error) {
    Arena *arena = &session->scratch;
    if (!session->run->source.sentence[0].text)
        return fail(error, "the source was given as ids; also give --target-ids");
    Request request = {
        .source = sentence_print(&session->run->source, arena),
        .target = arguments->words ? arguments_text(arguments, arena) : NULL,
    };
    return session_run(session, &request, error) && visit_stop(session, 0, error);
}

static bool run_batch(Session *session, const Arguments *arguments, Error *error) {
    const Run *run = session->run;
    if (arguments->words) {
        long long row;
        /* Reject anything that is not a batch number. */
        if (!option_whole(arguments->word[0], &row) || row < 0 || row > ROWS_MAX)
            row = ROWS_MAX;
        return session_choose(session, (int)row, error) &&
               (session->run->stage < 0 ||
                visit_stop(session, session->run->stage, error));
    }
    Arena *arena = &session->scratch;
    ListItem *item = ARENA_ARRAY(arena, ListItem, run->source.rows);
    for (int r = 0; r < run->source.rows; r++) {
        const Sentence *sentence = &run->source.sentence[r];
        const char *text = sentence->text ? sentence->text : tr("(ids)");
        item[r] = (ListItem){.here = r == run->row,
                             .number = r,
                             .value = trf(arena, "%d tokens", sentence->count),
                             .text = session_safe(session, text)};
    }
    page_list(&session->page, LIST_SENTENCES, item, run->source.rows);
    return true;
}

static bool run_decode(Session *session, const Arguments *arguments, Error *error) {
    Arena *arena = &session->scratch;
    if (session->model.config.decoder_layers == 0)
        return fail(error, "this model has no decoder");
    if (session->run->holds_target)
        return fail(error, "a change to a part that exists only in the whole run "
                           "fixes the target, so nothing was decoded; :undo decodes "
                           "again");
    if (session->run->target_given)
        return fail(error, "the target was given, so nothing was decoded; :target with "
                           "no text decodes");
    if (arguments->words == 0) {
        Story story = session_story(session);
        story_decoding(&story, &session->page);
        return true;
    }
    const char *name = arena_print(arena, "step.%s", arguments->word[0]);
    int stop = stops_find(session, name, arena);
    if (stop < 0)
        return fail(error, "there is no step '%s'; the decoding has the steps 0 to %d",
                    arguments->word[0], session->run->generated.count - 1);
    return visit_stop(session, stop, error);
}

const Command command_next = {
    .name = "next",
    .group = GROUP_WALK,
    .is_first = true,
    .summary = N_("go to the next stage (also: empty line)"),
    .details =
        N_("Each stage shows what happens, the formula, the shapes and the numbers."),
    .example = ":next",
    .needs = {.run = true},
    .only_prompt = true,
    .pages = true,
    .run = run_next,
};

const Command command_back = {
    .name = "back",
    .group = GROUP_WALK,
    .summary = N_("go back one stage, or to the answer"),
    .details = N_(
        "Nothing is computed again: the stages are read from the record of the run."),
    .example = ":back",
    .only_prompt = true,
    .pages = true,
    .run = run_back,
};

const Command command_more = {
    .name = "more",
    .group = GROUP_WALK,
    .is_first = true,
    .arguments = "[DEPTHS]",
    .words = {0, 1},
    .summary = N_("show more stages (also: + and ++)"),
    .details =
        N_("There are four depths: the boxes of the paper's Figure 1; the path, which "
           "shows each stage once; smaller steps and every layer; and every tensor "
           "with its "
           "numbers. :less (-) goes back."),
    .example = ":more",
    .needs = {.run = true},
    .only_prompt = true,
    .pages = true,
    .run = run_more,
};

const Command command_less = {
    .name = "less",
    .group = GROUP_WALK,
    .arguments = "[DEPTHS]",
    .words = {0, 1},
    .summary = N_("show fewer stages (also: - and --)"),
    .details =
        N_("The boxes are the coarsest depth. :options depth=numbers chooses one by "
           "name."),
    .example = ":less",
    .needs = {.run = true},
    .only_prompt = true,
    .pages = true,
    .run = run_less,
};

const Command command_goto = {
    .name = "goto",
    .group = GROUP_WALK,
    .is_first = true,
    .arguments = "STAGE",
    .summary = N_("go to a stage by number, name, address or topic"),
    .details = N_(
        "The end of a name is enough: \"scores\" is the next stage with that name. A "
        "layer (\"decoder.1\") is its first stage. A topic is what a stage is about: "
        "softmax, mask, residual, ffn, layer norm, 어텐션; if there are several, the "
        "next one."),
    .example = ":goto softmax",
    .words = {1, 8},
    .needs = {.run = true},
    .only_prompt = true,
    .choice = CHOICE_STAGE,
    .pages = true,
    .run = run_goto,
};

const Command command_stages = {
    .name = "stages",
    .group = GROUP_WALK,
    .summary = N_("list the stages of this sentence"),
    .details = N_("> marks the current stage."),
    .example = ":stages",
    .flags = {flags_model, flags_sentence, flags_target},
    .needs = {.model = true, .run = true},
    .pages = true,
    .run = run_stages,
};

const Command command_follow = {
    .name = "follow",
    .group = GROUP_WALK,
    .arguments = "[[head=H, query=TOKEN, key=TOKEN] | best]",
    .summary = N_("choose the head and token pair to follow"),
    .details =
        N_("In every attention, the walk follows one pair in one head: its query and "
           "key, their score, the division, the mask, the softmax, and the "
           "contribution of the value. Tables mark the row with >, heatmaps mark the "
           "cell. Without a choice, or after \":follow best\", it is the most "
           "telling pair. If you give only a part, the rest is chosen by the largest "
           "weight. Without arguments: the pairs that are followed."),
    .example = ":follow [head=0, query=1]",
    .words = {0, WORDS_MAX},
    .flags = {flags_model, flags_sentence, flags_target},
    .needs = {.model = true, .run = true},
    .reads_words = true,
    .choice = CHOICE_ADDRESS,
    .pages = true,
    .run = run_follow,
};

const Command command_map = {
    .name = "map",
    .group = GROUP_WALK,
    .summary = N_("draw the model's boxes and mark the current one"),
    .details = N_("Figure 1 of the paper for this model, with the shapes of the "
                  "current sentence or, without one, the names of the axes. Data "
                  "flows upwards; a mark shows the current box. `draw map -o "
                  "map.svg` makes a picture of it."),
    .example = ":map",
    .flags = {flags_model, flags_sentence, flags_target, flags_map},
    .needs = {.model = true, .run_if_any = true},
    .run = run_map,
};

const Command command_target = {
    .name = "target",
    .group = GROUP_WALK,
    .arguments = "[TEXT]",
    .summary = N_("give the decoder its target (teacher forcing)"),
    .details = N_("The decoder reads <start> and this text instead of its own "
                  "choices. Without a text it decodes again."),
    .example = ":target I met a friend.",
    .words = {0, WORDS_MAX},
    .needs = {.run = true},
    .only_prompt = true,
    .pages = true,
    .run = run_target,
};

const Command command_batch = {
    .name = "batch",
    .group = GROUP_WALK,
    .arguments = "[NUMBER]",
    .summary = N_("choose a sentence of the batch"),
    .details = N_("Sentences separated by | are a batch; \\| is a bar in a sentence, "
                  "and \\: a colon at its start. Without a number, the sentences are "
                  "listed."),
    .example = ":batch 0",
    .words = {0, 1},
    .needs = {.run = true},
    .only_prompt = true,
    .run = run_batch,
};

const Command command_decode = {
    .name = "decode",
    .group = GROUP_WALK,
    .arguments = "[STEP]",
    .summary = N_("show the candidates at each decoding step"),
    .details =
        N_("Greedy decoding takes the most probable token at each step, until <end> "
           "or a limit. With a number: that step and what it attended to."),
    .example = ":decode 0",
    .words = {0, 1},
    .flags = {flags_model, flags_sentence, flags_target},
    .needs = {.model = true, .run = true},
    .run = run_decode,
};

static bool run_screen(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    if (!session->input.is_prompt || !session->screen.show || session->screen.is_on) {
        page_note(&session->page, session->screen.is_on
                                      ? N_("this is the full screen; q leaves it")
                                      : N_("the full screen needs a terminal for "
                                           "input and output"));
        return true;
    }
    session_clear(session);
    session->screen.is_on = true;
    bool opened = session->screen.show(session, error);
    session->screen.is_on = false;
    return opened;
}

const Command command_screen = {
    .name = "screen",
    .group = GROUP_WALK,
    .is_first = true,
    .summary = N_("open the full screen"),
    .details =
        N_("The same run and the same commands, with keys and mouse: n and p walk, "
           "arrows choose a cell, Enter explains it, : types a command, ? lists the "
           "keys, q comes back here. `glassbox --screen` starts there."),
    .example = ":screen",
    .needs = {.model = true},
    .only_prompt = true,
    .run = run_screen,
};
