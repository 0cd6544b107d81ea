#include "walk/walk.h"

#include <string.h>

#include "base/language.h"
#include "tensor/address.h"

/* What the stages are of. */
typedef struct {
    const Tape *tape;
    const Config *config;
    int row; /* of the batch: titles have its words */
    Arena *arena;
} Walked;

static const StageKind *find_kind(const Entry *entry, const Walked *walked) {
    for (const StageKind *kind = stage_kinds; kind->name; kind++)
        if (stage_lists(kind->parts, entry->part) &&
            (!kind->stack || strcmp(kind->stack, entry->where.stack) == 0) &&
            (!kind->when || config_holds(walked->config, kind->when)))
            return kind;
    return NULL;
}

/* The stage that the part joins: the last one, or for parts that stand apart any one of
 * the same place. A place has two attentions at most, so looking back is short. */
static Stage *stage_to_join(Walk *walk, const StageKind *kind, const char *place) {
    for (int s = walk->count - 1; s >= 0; s--) {
        Stage *stage = &walk->stage[s];
        if (stage->kind == kind && strcmp(stage->place, place) == 0) return stage;
        if (kind->look != LOOK_TABLES) break;
    }
    return NULL;
}

/* A second name is worth a stop of its own only where the next box reads it. */
static bool is_shown_already(const Walk *walk, const Entry *entry) {
    if (strcmp(entry->part, "output") == 0) return false;
    for (int s = 0; s < walk->count; s++)
        for (int t = 0; t < walk->stage[s].tensors; t++)
            if (walk->stage[s].tensor[t] == entry->tensor) return true;
    return false;
}

/* Without any padding its mask is a row of zeros: nothing to see. */
static bool is_empty_padding(const Entry *entry) {
    const Tensor *tensor = entry->tensor;
    if (strcmp(entry->part, "padding_mask") != 0) return false;
    for (int i = 0; i < tensor_size(tensor); i++)
        if (tensor->data[i] != 0) return false;
    return true;
}

/* "encoder.0.scores", "decoder.1.cross_attention.scores": within its layer unique. */
static const char *stage_name(const StageKind *kind, const Entry *entry, Arena *arena) {
    const char *place = entry->where.place;
    const char *dot = *place ? "." : "";
    bool across = strcmp(entry->where.box, "cross_attention") == 0;
    return arena_print(arena, "%s%s%s%s", place, dot, across ? "cross_attention." : "",
                       kind->name);
}

/* The token that is at the place's number in the ids of the same stack. */
static const char *token_at(const Entry *entry, const Walked *walked) {
    for (int e = 0; e < walked->tape->entries; e++) {
        const Entry *ids = &walked->tape->entry[e];
        if (strcmp(ids->part, "ids") == 0 &&
            strcmp(ids->where.stack, entry->where.stack) == 0)
            return address_label(&ids->tensor->axis[1], walked->row, entry->where.layer,
                                 walked->arena);
    }
    return "";
}

static const char *stage_title(const StageKind *kind, const Entry *entry,
                               const Walked *walked) {
    const char *title = tr(kind->title);
    const char *mark = strstr(title, "$token");
    if (!mark) return kind->title; /* in the language of whenever it is shown */
    return arena_print(walked->arena, "%.*s%s%s", (int)(mark - title), title,
                       token_at(entry, walked), mark + strlen("$token"));
}

static void add_entry(Walk *walk, const Walked *walked, const Entry *entry) {
    const StageKind *kind = find_kind(entry, walked);
    if (!kind || is_shown_already(walk, entry) || is_empty_padding(entry)) return;
    const char *place = entry->where.place;
    Stage *stage = stage_to_join(walk, kind, place);
    if (!stage) {
        stage = &walk->stage[walk->count++];
        *stage = (Stage){
            .kind = kind,
            .title = stage_title(kind, entry, walked),
            .place = place,
            .stack = entry->where.stack,
            .is_first =
                strcmp(entry->where.stack,
                       walked->config->encoder_layers ? "encoder" : "decoder") == 0,
            .layer = entry->where.layer,
            .name = stage_name(kind, entry, walked->arena),
        };
    }
    if (stage->tensors == STAGE_PARTS) return;
    stage->address[stage->tensors] = entry->address;
    stage->part[stage->tensors] = entry->part;
    stage->called[stage->tensors] = entry->name;
    stage->tensor[stage->tensors++] = entry->tensor;
}

Walk walk_new(const Tape *tape, const Config *config, int row, Arena *arena) {
    Walk walk = {.stage = ARENA_ARRAY(arena, Stage, tape->entries)};
    const Walked walked = {tape, config, row, arena};
    for (int e = 0; e < tape->entries; e++) add_entry(&walk, &walked, &tape->entry[e]);
    return walk;
}

static bool is_called(const Stage *stage, const char *name) {
    return address_ends(stage->name, name) || strcmp(stage->place, name) == 0;
}

static bool shows(const Stage *stage, const char *ending) {
    for (int t = 0; t < stage->tensors; t++)
        if (address_ends(stage->address[t], ending)) return true;
    return false;
}

int walk_find(const Walk *walk, const char *name, int from) {
    bool (*const fits[])(const Stage *stage, const char *name) = {is_called, shows};
    for (size_t f = 0; f < sizeof fits / sizeof *fits; f++)
        for (int i = 0; i < walk->count; i++) {
            int s = (from + i) % walk->count;
            if (fits[f](&walk->stage[s], name)) return s;
        }
    return -1;
}

const char *const depths[] = {"numbers", "steps", "boxes", NULL};

/* Stages by name; what is not named is a number among others. */
static const struct {
    Depth depth;
    bool only_first; /* in the stack that runs first */
    const char *names;
} stops[] = {
    {DEPTH_BOXES, false,
     "weights|weights-dropped|feed-forward|step|attention|last-state|mean|"
     "probabilities"},
    {DEPTH_BOXES, true, "embedding|position|add-norm-1|add-1"},
    {DEPTH_STEPS, false,
     "ids|padding|embedding|embedding-scaled|token-types|word|position|input|input-"
     "normed|projections|"
     "heads|rotated|"
     "shared|scores|scaled|masked|dropped|feed-forward-gate|dropped-1|dropped-2|"
     "dropped-3|context|concat|output|add-norm-1|norm-1|add-1|"
     "add-norm-2|norm-2|add-2|add-norm-3|norm-3|add-3|feed-forward-output|"
     "encoder-output|decoder-output|rnn-input|lstm-input|logits"},
};

static Depth depth_of_kind(const Stage *stage) {
    for (size_t s = 0; s < sizeof stops / sizeof *stops; s++)
        if (stage_lists(stops[s].names, stage->kind->name) &&
            (!stops[s].only_first || stage->is_first))
            return stops[s].depth;
    return DEPTH_NUMBERS;
}

Depth depth_of(const Stage *stage) {
    Depth depth = depth_of_kind(stage);
    if (stage->layer <= 0 || depth == DEPTH_NUMBERS) return depth;
    return depth == DEPTH_BOXES ? DEPTH_STEPS : DEPTH_NUMBERS;
}

static const BoxKind boxes[] = {
    {"embedding", NULL, NULL, NULL, N_("Embedding: words become rows of numbers"),
     N_("The model calculates, so each token is replaced by a row of numbers that were "
        "learned. Words that are used alike have rows that are alike.")},
    {"position", NULL, NULL, "position=learned",
     N_("Position: which word stands where"),
     N_("All tokens are looked at together, so nothing tells the first from the last. "
        "Each place has a row of its own that was learned, and it is added to the word "
        "that stands there.")},
    {"position", NULL, NULL, NULL, N_("Position: which word stands where"),
     N_("All tokens are looked at together, so nothing tells the first from the last. "
        "Each place has a pattern of numbers that is added to the word that stands "
        "there.")},
    {"weights", "encoder", NULL, NULL, N_("Encoder: self-attention"),
     N_("Every token (row) looks at all tokens of the sentence (columns) and takes "
        "something from each, as much as the shade says. So a word comes to know of "
        "the words it belongs to.")},
    {"weights", "decoder", "cross_attention.weights",
     "as_written!=cross_query_from_encoder", N_("Decoder: cross-attention"),
     N_("Here the two sides meet. A row is the word that the decoder has read last; to "
        "find the one that comes after it, it looks at the words of the source "
        "(columns) that the encoder has read.")},
    {"weights", "decoder", "cross_attention.weights", NULL,
     N_("Decoder: cross-attention, its roles exchanged"),
     N_("Here the two sides should meet: the target asks and the source answers. In "
        "this model the source asks itself, and the target only passes on its "
        "values.")},
    {"weights", "decoder", "self_attention.weights", "causal=true encoder_layers=0",
     N_("Masked self-attention"),
     N_("Every token (row) looks at itself and at those before it (columns) and takes "
        "something from each, as much as the shade says. What comes later is hidden "
        "(hatched): it does not exist yet when the word is chosen.")},
    {"weights", "decoder", "self_attention.weights", "causal=true",
     N_("Decoder: masked self-attention"),
     N_("The decoder looks at the words it has said so far. What comes later is hidden "
        "(hatched): it does not exist yet when the word is chosen.")},
    {"weights", "decoder", "self_attention.weights", NULL,
     N_("Decoder: self-attention"),
     N_("The decoder looks at all words of the target. In this model nothing is "
        "hidden, not even what comes later.")},
    {"weights", "decoder", NULL, NULL,
     N_("Attention: which words of the source matter now"),
     N_("Before each word the decoder's state (row) is compared with the encoder's "
        "states (columns); the nearer, the more is taken from it.")},
    {"add-norm-1", NULL, NULL, "norm_type=rms", N_("Add & norm: keep what was there"),
     N_("What attention found is added to what went in, so nothing is lost. Then each "
        "row is brought to the same size, so that the numbers neither grow nor fade "
        "from layer to layer.")},
    {"add-norm-1", NULL, NULL, NULL, N_("Add & norm: keep what was there"),
     N_("What attention found is added to what went in, so nothing is lost. Then each "
        "row is brought to the same mean and spread, so that the numbers neither grow "
        "nor fade from layer to layer.")},
    {"add-1", NULL, NULL, NULL, N_("Add: keep what was there"),
     N_("What attention found is added to what went in, so nothing is lost on the "
        "way.")},
    {"feed-forward", "encoder", NULL, "activation!=none", N_("Encoder: feed-forward"),
     N_("After looking around, each token thinks for itself: many small units each "
        "look for a pattern in its row, and those that find it write something into "
        "the row.")},
    {"feed-forward", "decoder", NULL, "activation!=none encoder_layers=0",
     N_("Feed-forward"),
     N_("After looking around, each token thinks for itself: many small units each "
        "look for a pattern in its row, and those that find it write something into "
        "the row.")},
    {"feed-forward", "decoder", NULL, "activation!=none", N_("Decoder: feed-forward"),
     N_("The same as in the encoder: each place works out by itself what to make of "
        "all it has looked at.")},
    {"feed-forward", NULL, NULL, NULL, N_("Feed-forward, without a bend"),
     N_("Two matrices, one after the other, work on each token alone. Without the bend "
        "that the paper puts between them they can do no more than one.")},
    {"step", "decoder", NULL, "as_written=lstm_restarts", N_("Writing word by word"),
     N_("The decoder has a state, too: the word that was read last makes it.")},
    {"step", "decoder", NULL, "as_written=keys_are_last_state",
     N_("Writing word by word"),
     N_("The decoder has a state, too: what it has said so far changes it word by "
        "word.")},
    {"step", "decoder", NULL, NULL, N_("Writing word by word"),
     N_("The decoder has a state, too: what it has said so far changes it word by "
        "word. It asks the encoder's states what to say next.")},
    {"step", NULL, NULL, NULL, N_("Reading word by word"),
     N_("This model has no attention while it reads: one word after the other changes "
        "a single state, which has to hold all that was read.")},
    {"mean", NULL, NULL, NULL, N_("Mean: the sentence as one row"),
     N_("To judge the whole sentence, the rows of its tokens are averaged.")},
    {"last-state", NULL, NULL, NULL, N_("The last state: the sentence as one row"),
     N_("To judge the whole sentence, only the state after its last word is used.")},
    {"probabilities", "", NULL, "model_type=classifier label_activation=sigmoid",
     N_("Probabilities: the decision"),
     N_("One row of weights gives a score for the second label, and the sigmoid bends "
        "it into a share between 0 and 1; the first label has the rest.")},
    {"probabilities", "", NULL, "model_type=classifier",
     N_("Probabilities: the decision"),
     N_("A last matrix gives each label a score, and the softmax makes shares of the "
        "scores that add up to 1.")},
    {"probabilities", NULL, NULL, "masked_words=true",
     N_("Probabilities: which word is hidden"),
     N_("A last matrix gives each word of the vocabulary a score, and the softmax "
        "makes shares of the scores that add up to 1. The words on both sides of the "
        "place have had their say; the largest share is the guess.")},
    {"probabilities", NULL, NULL, NULL, N_("Probabilities: which word comes next"),
     N_("A last matrix gives each word of the vocabulary a score, and the softmax "
        "makes shares of the scores that add up to 1. At each place the largest is the "
        "next word.")},
    {0},
};

const BoxKind *box_of(const Stage *stage, const Config *config) {
    for (const BoxKind *box = boxes; box->name; box++)
        if (strcmp(box->name, stage->kind->name) == 0 &&
            (!box->stack || strcmp(box->stack, stage->stack) == 0) &&
            (!box->address || shows(stage, box->address)) &&
            (!box->when || config_holds(config, box->when)))
            return box;
    return NULL;
}
