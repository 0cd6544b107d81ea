#include <math.h>
#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "command/figure_flags.h"
#include "commands/commands.h"
#include "learn/evaluate.h"
#include "page/table.h"
#include "present/figures.h"
#include "session/program.h"

static const Flag flags_evaluate[] = {
    {"json", 0, NULL, N_("print the results as JSON")},
    {"from", 0, "COLUMN", N_("the column of the source: its name or number")},
    {"to", 0, "COLUMN", N_("the column of the target or the label")},
    {"alignment", 0, "COLUMN",
     N_("the column that says which word came from which; \"\": none")},
    {"header", 0, "KIND", N_("whether the first row is a header: auto, yes or no")},
    {0},
};

/* Add a line: a name, a value, and a remark. */
static void add_line(TableWriter *writer, const char *name, const char *value,
                     const char *remark) {
    table_row(writer, tr(name));
    table_put(writer, value);
    table_put(writer, remark);
}

static const char *percent(double share, Arena *arena) {
    return arena_print(arena, "%.2f%%", 100 * share);
}

static void say_figures(Page *page, const Model *model, const Evaluation *found) {
    Arena *arena = page->arena;
    TableWriter writer = {.table.columns = 2, .arena = arena};
    TableWriter *lines = &writer;
    bool alone = config_learns_texts(&model->config);
    bool hides = model->config.masked_words;
    add_line(lines, alone ? N_("texts") : N_("pairs"),
             arena_print(arena, "%d", found->pairs),
             hides   ? tr(N_("each word masked once, the others seen"))
             : alone ? tr(N_("each separately, after <start>"))
                     : "");
    add_line(lines, N_("loss"), arena_print(arena, "%.4f", found->loss),
             trf(arena, "-ln p, the mean of %lld", found->tokens));
    add_line(lines, N_("perplexity"), arena_print(arena, "%.4f", found->perplexity),
             alone ? tr(N_("by token")) : "");
    bool labels = model->config.model_type == MODEL_CLASSIFIER;
    add_line(lines, labels ? N_("accuracy") : N_("token accuracy"),
             percent(found->accuracy, arena), "");
    if (!labels && !alone) {
        add_line(lines, N_("exact match"),
                 percent((double)found->exact / found->pairs, arena),
                 trf(arena, "%d of %d", found->exact, found->pairs));
        add_line(lines, "BLEU", arena_print(arena, "%.2f", found->bleu), "");
        if (found->content_words)
            add_line(lines, N_("alignment"), percent(found->best_head.share, arena),
                     found->best_head.address);
        if (found->content_words && found->heads > found->means)
            add_line(lines, "", percent(found->best_mean.share, arena),
                     trf(arena, "%s, mean of its heads", found->best_mean.address));
    }
    page_table(page, &writer.table);
}

/* Return the confusion matrix, with labels as rows and predictions as columns. */
static Slice confusion_slice(const Model *model, const Evaluation *found,
                             Arena *arena) {
    const Config *config = &model->config;
    Axis axis[] = {{.name = "label", .size = config->label_count},
                   {.name = "predicted", .size = config->label_count}};
    for (int a = 0; a < 2; a++) {
        axis[a].labels = config->labels;
        axis[a].label_rows = 1;
    }
    Tensor *tensor = tensor_new(arena, "confusion", 2, axis);
    for (int i = 0; i < tensor_size(tensor); i++)
        tensor->data[i] = (Number)found->confusion[i];
    return slice_all(tensor);
}

static bool draw_confusion(Session *session, const Arguments *arguments,
                           const Model *model, const Evaluation *found,
                           const char *data, Error *error) {
    Arena *arena = &session->scratch;
    const char *path = arguments_flag(arguments, "output");
    Slice slice = confusion_slice(model, found, arena);
    const char *folder = program_path(model->path, arena);
    const char *file = program_path(data, arena);
    Arguments told = *arguments;
    FigureLook look;
    if (!figure_flags_read(&told, &look, arena, error)) return false;
    const char *command = figures_command(session, &told, arena);
    Fact fact[] = {
        {N_("model"), unicode_escape(folder, strlen(folder), arena)},
        {N_("data"), unicode_escape(file, strlen(file), arena)},
        {N_("accuracy"),
         trf(arena, "%.2f%% of %d", 100 * found->accuracy, found->pairs)},
        {N_("command"), unicode_escape(command, strlen(command), arena)},
    };
    Figure figure = {
        .kind = FIGURE_HEATMAP,
        .slice = &slice,
        .slices = 1,
        .title = tr("How often each label was predicted"),
        .fact = fact,
        .facts = sizeof fact / sizeof *fact,
        .scale = SCALE_SPAN,
        .annotate = ANNOTATE_ALWAYS,
        .look = look,
    };
    return figures_write(session, arguments, &figure, path, error);
}

/* JSON has no infinity. */
static const char *number(double value, Arena *arena) {
    return isfinite(value) ? arena_print(arena, "%.9g", value) : "null";
}

static void write_shares(Builder *out, const char *name, const AlignmentShare *share,
                         int count, Arena *arena) {
    build(out, "    \"%s\": {", name);
    for (int s = 0; s < count; s++)
        build(out, "%s\n      %s: %s", s ? "," : "",
              json_quote(share[s].address, arena), number(share[s].share, arena));
    build(out, "\n    }");
}

static void say_json(Page *page, const Model *model, const Evaluation *found) {
    Arena *arena = page->arena;
    Builder builder = {.arena = arena};
    Builder *out = &builder;
    build(out, "{\n  \"pairs\": %d,\n  \"left_out\": %d,\n  \"tokens\": %lld,\n",
          found->pairs, found->bad_rows + found->too_long, found->tokens);
    build(out, "  \"loss\": %s,\n  \"perplexity\": %s", number(found->loss, arena),
          number(found->perplexity, arena));
    if (model->config.model_type == MODEL_CLASSIFIER) {
        int count = model->config.label_count;
        build(out, ",\n  \"accuracy\": %s,\n  \"confusion\": {\n    \"labels\": [",
              number(found->accuracy, arena));
        for (int l = 0; l < count; l++) {
            const char *label = model->config.labels[l];
            build(out, "%s%s", l ? ", " : "",
                  json_quote(unicode_escape(label, strlen(label), arena), arena));
        }
        build(out, "],\n    \"counts\": [");
        for (int i = 0; i < count * count; i++)
            build(out, "%s%d",
                  i == 0      ? "["
                  : i % count ? ", "
                              : "], [",
                  found->confusion[i]);
        build(out, "]]\n  }");
    } else if (config_learns_texts(&model->config)) {
        build(out, ",\n  \"token_accuracy\": %s", number(found->accuracy, arena));
    } else {
        build(out, ",\n  \"token_accuracy\": %s,\n  \"exact_match\": %s",
              number(found->accuracy, arena),
              number((double)found->exact / found->pairs, arena));
        build(out, ",\n  \"bleu\": %s", number(found->bleu, arena));
        if (found->content_words) {
            build(out, ",\n  \"alignment\": {\n    \"words\": %d,\n",
                  found->content_words);
            build(out, "    \"best_head\": %s,\n    \"best_share\": %s,\n",
                  json_quote(found->best_head.address, arena),
                  number(found->best_head.share, arena));
            build(out, "    \"mean_layer\": %s,\n    \"mean_share\": %s,\n",
                  json_quote(found->best_mean.address, arena),
                  number(found->best_mean.share, arena));
            write_shares(out, "heads", found->head, found->heads, arena);
            build(out, ",\n");
            write_shares(out, "means", found->mean, found->means, arena);
            build(out, "\n  }");
        }
    }
    build(out, "\n}\n");
    page_document(page, builder_text(out));
}

static bool measure(Session *session, const Model *model, const Arguments *arguments,
                    Error *error) {
    Arena *arena = &session->scratch;
    const char *from = arguments_flag(arguments, "from");
    bool draws = arguments_flag(arguments, "output") != NULL;
    bool labels = model->config.model_type == MODEL_CLASSIFIER;
    Evaluation found;
    EvaluateOptions options = {
        .file = {.source = from ? from : "1",
                 .target = arguments_flag(arguments, "to")},
        .alignment = arguments_flag(arguments, "alignment"),
        .messages = &session->messages,
    };
    if (draws && !labels)
        return fail(error,
                    "-o draws the confusion matrix of a classifier; %s is not a "
                    "classifier",
                    model->path);
    if (!arguments_choice(arguments, "header", header_kinds, &options.file.header,
                          error))
        return false;
    /* The given file, or the one with sentences outside of the training. */
    options.file.path = arguments->words > 1
                            ? arguments->word[1]
                            : file_join(arena, model->path, "held-out.tsv");
    if (arguments->words == 1 && !file_exists(options.file.path))
        return fail(error, "%s has no held-out.tsv; name a file of pairs to evaluate",
                    model->path);
    if (!evaluate(model, &options, arena, &found, error)) return false;
    const char *path = session_safe(session, options.file.path);
    if (found.bad_rows)
        page_line(&session->messages,
                  "%s:%d: not a row of this file; %d such rows are skipped", path,
                  found.first_bad, found.bad_rows);
    if (found.too_long)
        page_line(&session->messages,
                  "%s:%d: longer than the model can read; %d such pairs are skipped",
                  path, found.first_too_long, found.too_long);
    if (draws &&
        !draw_confusion(session, arguments, model, &found, options.file.path, error))
        return false;
    if (arguments_flag(arguments, "json")) {
        say_json(&session->page, model, &found);
        return true;
    }
    say_figures(&session->page, model, &found);
    if (!labels) return true;
    int count;
    Slice slice = confusion_slice(model, &found, arena);
    Table table = table_matrix(matrix_list(&slice, NULL, arena, &count), 0, arena);
    page_gap(&session->page);
    page_table(&session->page, &table);
    return true;
}

/* Use a separate session, so that the current one does not change. */
static bool run_evaluate(Session *session, const Arguments *arguments, Error *error) {
    Session *aside = session_new(&session->scratch);
    aside->messages.window = session->messages.window;
    bool done = session_open(aside, arguments->word[0], error) &&
                measure(session, &aside->model, arguments, error);
    session_free(aside);
    return done;
}

const Command command_evaluate = {
    .name = "evaluate",
    .group = GROUP_TRAINING,
    .arguments = "MODEL [DATA]",
    .summary = N_("measure loss, accuracy, exact match and BLEU"),
    .details =
        N_("DATA is .tsv or .csv: a source and a target, or a text and its label; "
           "without it, held-out.tsv of the model's folder. A column \"alignment\" "
           "gives for each target word the source word that it translates (0 is the "
           "first; 2+3 is both; -1 is none); then cross-attention is also measured. A "
           "classifier gives its confusion matrix; -o draws it."),
    .example = ":evaluate classifier",
    .words = {1, 2},
    .flags = {flags_evaluate, flags_output, flags_figure},
    .choice = CHOICE_MODEL,
    .run = run_evaluate,
};
