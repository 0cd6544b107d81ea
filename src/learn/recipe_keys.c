#include <string.h>

#include "base/language.h"
#include "learn/adam.h"
#include "learn/recipe.h"
#include "learn/schedule.h"

static const char *const plot_formats[] = {"png", "svg", "pdf", "apng", "none", NULL};

/* Semicolons stand between the addresses, which may have commas inside. */
static bool add_address(const Option *option, void *owner, const char *text,
                        Arena *arena) {
    return !strchr(text, ';') && option_add_item(option, owner, text, arena);
}

static const OptionKind column_kind = {.expects =
                                           N_("the name of a column, or its number"),
                                       .types = 1 << JSON_TEXT | 1 << JSON_WHOLE,
                                       .set = option_set_text,
                                       .print = option_print_text};
/* In a file, relative to the file. */
const OptionKind recipe_path_kind = {.expects = N_("a path"),
                                     .types = 1 << JSON_TEXT,
                                     .set = option_set_text,
                                     .print = option_print_text};
static const OptionKind addresses_kind = {.types = 1 << JSON_LIST,
                                          .separator = ';',
                                          .set = option_set_list,
                                          .add = add_address,
                                          .print = option_print_item};

#define KEY(...) OPTION(Recipe, __VA_ARGS__)
#define RANGE(least_, most_) .least = (least_), .most = (most_)
#define CHOICES(list) .choices = (list)
#define CHANGES .may_change = true
#define FIXED .may_change = false

const Option recipe_keys[] = {
    KEY(preset, option_text, "paper", "the options that the model begins with", FIXED),
    KEY(tokenizer, recipe_path_kind, "words",
        "learned from the data: words, or bpe (byte pairs); or a folder that has one",
        FIXED),
    KEY(vocabulary, option_count, "8000", "entries of a learned vocabulary, at most",
        RANGE(5, 1 << 20)),
    KEY(one_vocabulary, option_truth, "false",
        "source and target share it, as with share_embeddings", FIXED),
    KEY(data, recipe_path_kind, "", "the file to learn from: .tsv, .csv or plain lines",
        FIXED),
    KEY(source, column_kind, "1", "the column of the source", FIXED),
    KEY(target, column_kind, "2", "the column of the target", FIXED),
    KEY(label, column_kind, "label", "the column of the label (classifier)", FIXED),
    KEY(header, option_choice, "auto", "is the first row a header?",
        CHOICES(header_kinds)),
    KEY(bad_rows, option_choice, "skip", "what happens to a row that cannot be read",
        CHOICES(bad_rows_kinds)),
    KEY(validation, recipe_path_kind, "",
        "a file like the data to measure with; none: \"\"", CHANGES),
    KEY(validation_share, option_number, "0",
        "share of the data kept to measure with, instead of such a file: the last rows "
        "of an order that follows from data_seed",
        RANGE(0, 0.5)),
    KEY(batch, option_count, "64",
        "sentences that go through together, at most; 0: any", RANGE(0, 1 << 16)),
    KEY(batch_tokens, option_count, "0",
        "tokens of both sides that go through together, at most; 0: any",
        RANGE(0, 1 << 24)),
    KEY(epochs, option_count, "10", "times that all data are seen", RANGE(0, 1 << 20),
        CHANGES),
    KEY(steps, option_count, "0", "batches to learn from, instead of epochs; 0: epochs",
        RANGE(0, 1 << 30), CHANGES),
    KEY(optimizer, option_choice, "adam", "what makes a step of a gradient",
        CHOICES(optimizer_kinds)),
    KEY(schedule, option_choice, "paper", "how the learning rate goes",
        CHOICES(schedule_kinds)),
    KEY(warmup, option_count, "4000", "steps in which the rate grows (paper, cosine)",
        RANGE(0, 1 << 30)),
    KEY(factor, option_number, "1", "times the paper's learning rate", RANGE(0, 1000)),
    KEY(learning_rate, option_number, "0.001",
        "constant: the rate; cosine: the highest", RANGE(0, 1000)),
    KEY(beta_1, option_number, "0.9", "Adam's memory of gradients", RANGE(0, 0.999999)),
    KEY(beta_2, option_number, "0.98", "the memory of their squares, RMSprop's rho",
        RANGE(0, 0.999999)),
    KEY(epsilon, option_number, "1e-9", "keeps a step from dividing by 0", RANGE(0, 1)),
    KEY(clip, option_number, "0", "the longest gradient; 0: as long as it is",
        RANGE(0, 1e9)),
    KEY(smoothing, option_number, "0", "label smoothing, section 5.4", RANGE(0, 0.99)),
    KEY(seed, option_count, "1", "of the initial weights", RANGE(0, 1 << 30)),
    KEY(data_seed, option_count, "1", "of the order of the data and of dropout",
        RANGE(0, 1 << 30)),
    KEY(threads, option_count, "0",
        "cores to use; 0: all. The same number gives the same result", RANGE(0, 64)),
    KEY(validate_every, option_count, "0", "steps between measurements; 0: each epoch",
        RANGE(0, 1 << 30), CHANGES),
    KEY(save_every, option_count, "0", "steps between saves; 0: as validate_every",
        RANGE(0, 1 << 30), CHANGES),
    KEY(log_every, option_count, "1", "steps between the rows of train.csv",
        RANGE(1, 1 << 30), CHANGES),
    KEY(samples, option_count, "3", "sentences decoded at each measurement",
        RANGE(0, 64), CHANGES),
    KEY(snapshots, addresses_kind, "",
        "addresses, such as "
        "decoder.1.cross_attention.weights, drawn along the way",
        CHANGES, .most = RECIPE_SNAPSHOTS, .items = N_("addresses"),
        .count = offsetof(Recipe, snapshot_count)),
    KEY(snapshot_every, option_count, "0",
        "steps between snapshots; 0: as validate_every", RANGE(0, 1 << 30), CHANGES),
    KEY(snapshot_row, option_count, "1",
        "the sentence of the validation file, or of the data, that they show",
        RANGE(1, 1 << 30), CHANGES),
    KEY(plot, option_choice, "png", "the format of the curves", CHOICES(plot_formats),
        CHANGES),
    KEY(output, recipe_path_kind, "", "the folder of the model that is made", CHANGES),
    {0},
};
