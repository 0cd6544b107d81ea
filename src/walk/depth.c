#include "walk/depth.h"

#include <string.h>

#include "base/language.h"

const char *const depths[] = {"numbers", "steps", "path", "boxes", NULL};

/* Depth of stages by name. A stage that is neither listed here nor a stop of the path
 * is DEPTH_NUMBERS. */
static const struct {
    Depth depth;
    bool only_first; /* only in the stack that runs first */
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

static const StopWords boxes[] = {
    {.name = "embedding",
     .title = N_("Embedding: words become rows of numbers"),
     .text = N_(
         "A model computes with numbers, so each token is replaced by its row of the "
         "embedding table. The table is a weight matrix: training sets its numbers.")},
    {.name = "position",
     .when = "position=learned",
     .title = N_("Position: which word stands where"),
     .text = N_("Without positions, a query and a key would give the same score "
                "wherever their tokens are. So each position has a row of weights, "
                "which is added to the row of its token.")},
    {.name = "position",
     .title = N_("Position: which word stands where"),
     .text = N_("Without positions, a query and a key would give the same score "
                "wherever their tokens are. So each position has a pattern of numbers, "
                "which is added to the row of its token.")},
    {.name = "weights",
     .stack = "encoder",
     .title = N_("Encoder: self-attention"),
     .text = N_("Every token (row) attends to the tokens that no mask hides (columns). "
                "The shade is the weight: how much it takes from each.")},
    {.name = "weights",
     .stack = "decoder",
     .address = "cross_attention.weights",
     .when = "as_written!=cross_query_from_encoder",
     .title = N_("Decoder: cross-attention"),
     .text =
         N_("Here the two stacks meet: queries come from the decoder, keys and "
            "values from the encoder's output. A row is the token that the decoder "
            "has read last; to choose the next one, it attends to the source tokens "
            "(columns).")},
    {.name = "weights",
     .stack = "decoder",
     .address = "cross_attention.weights",
     .title = N_("Decoder: cross-attention, its roles exchanged"),
     .text = N_(
         "Here the two sides should meet: the target asks and the source answers. In "
         "this model the source asks itself, and the target only passes on its "
         "values.")},
    {.name = "weights",
     .stack = "decoder",
     .address = "self_attention.weights",
     .when = "causal=true encoder_layers=0",
     .title = N_("Masked self-attention"),
     .text =
         N_("Every token (row) attends to itself and to tokens before it (columns). "
            "The shade is the weight: how much it takes from each. Later tokens are "
            "hidden (hatched): they do not exist yet when a token is chosen.")},
    {.name = "weights",
     .stack = "decoder",
     .address = "self_attention.weights",
     .when = "causal=true as_written!=mask_hides_self",
     .title = N_("Decoder: masked self-attention"),
     .text =
         N_("The decoder reads <start> and the target, embedded like the source, "
            "all at once, though an answer is written token by token. Each token "
            "(row) attends only to itself and to earlier tokens: later ones are "
            "masked (hatched), because they do not exist yet when the next token is "
            "chosen.")},
    {.name = "weights",
     .stack = "decoder",
     .address = "self_attention.weights",
     .when = "causal=true",
     .title = N_("Decoder: masked self-attention"),
     .text = N_("Every target token (row) attends to those before it (columns). Later "
                "ones should be hidden (hatched), as they do not exist yet when a "
                "token is chosen.")},
    {.name = "weights",
     .stack = "decoder",
     .address = "self_attention.weights",
     .title = N_("Decoder: self-attention"),
     .text = N_("The decoder attends to all tokens of the target. In this model not "
                "even later ones are hidden.")},
    {.name = "weights",
     .stack = "decoder",
     .title = N_("Attention: which words of the source matter now"),
     .text =
         N_("Before each word the decoder's state (row) is compared with the encoder's "
            "states (columns); the nearer, the more is taken from it.")},
    {.name = "add-norm-1",
     .when = "norm_type=rms",
     .title = N_("Add & norm"),
     .text =
         N_("The output of attention is added to its input. Then each row is brought "
            "to root mean square 1 and multiplied by weights, one for each column.")},
    {.name = "add-norm-1",
     .title = N_("Add & norm"),
     .text = N_("The output of attention is added to its input. Then each row is "
                "brought to mean 0 and deviation 1; a weight for each column scales "
                "it, another shifts it.")},
    {.name = "add-1",
     .title = N_("Add: the way around the sublayer"),
     .text = N_("The output of attention is added to the row that goes around it.")},
    {.name = "feed-forward",
     .stack = "encoder",
     .when = "activation!=none as_written!=activation_dropped",
     .title = N_("Encoder: feed-forward"),
     .text = N_(
         "Each token alone: a matrix makes d_ff numbers of its row, the units; an "
         "activation follows; another matrix makes a row of d_model numbers of them.")},
    {.name = "feed-forward",
     .stack = "decoder",
     .when = "activation!=none as_written!=activation_dropped encoder_layers=0",
     .title = N_("Feed-forward"),
     .text = N_(
         "Each token alone: a matrix makes d_ff numbers of its row, the units; an "
         "activation follows; another matrix makes a row of d_model numbers of them.")},
    {.name = "feed-forward",
     .stack = "decoder",
     .when = "activation!=none as_written!=activation_dropped",
     .title = N_("Decoder: feed-forward"),
     .text = N_("The same as in the encoder, with other weights: each token alone, "
                "wider, an activation, and back.")},
    {.name = "feed-forward",
     .title = N_("Feed-forward, without an activation"),
     .text = N_(
         "Two matrices, one after the other, work on each token alone. Without the "
         "activation that the paper has between them they can do no more than one.")},
    {.name = "step",
     .stack = "decoder",
     .when = "as_written=lstm_restarts",
     .title = N_("Writing word by word"),
     .text = N_("The decoder has a state, too: the word that was read last makes it.")},
    {.name = "step",
     .stack = "decoder",
     .when = "as_written=keys_are_last_state",
     .title = N_("Writing word by word"),
     .text =
         N_("The decoder has a state, too: what it has said so far changes it word by "
            "word.")},
    {.name = "step",
     .stack = "decoder",
     .title = N_("Writing word by word"),
     .text =
         N_("The decoder has a state, too: what it has said so far changes it word by "
            "word. It asks the encoder's states what to say next.")},
    {.name = "step",
     .title = N_("Reading word by word"),
     .text = N_("This model reads without attention: one token after the other changes "
                "a single state.")},
    {.name = "mean",
     .title = N_("Mean: the sentence as one row"),
     .text = N_("To judge the whole sentence, the rows of its tokens are averaged.")},
    {.name = "last-state",
     .title = N_("The last state: the sentence as one row"),
     .text = N_(
         "To judge the whole sentence, only the state after its last word is used.")},
    {.name = "probabilities",
     .stack = "",
     .when = "model_type=classifier label_activation=sigmoid",
     .title = N_("Probabilities: the decision"),
     .text =
         N_("One row of weights gives a score for the second label, and the sigmoid "
            "makes it a probability between 0 and 1; the first label has the rest.")},
    {.name = "probabilities",
     .stack = "",
     .when = "model_type=classifier",
     .title = N_("Probabilities: the decision"),
     .text = N_(
         "A last matrix gives each label a score, and the softmax makes shares of the "
         "scores that add up to 1.")},
    {.name = "probabilities",
     .when = "masked_words=true",
     .title = N_("Probabilities: which word is hidden"),
     .text = N_(
         "A last matrix gives each word of the vocabulary a score, and the softmax "
         "makes shares of the scores that add up to 1. The model has read the tokens "
         "on both sides of the position; the largest probability is its prediction.")},
    {.name = "probabilities",
     .title = N_("Probabilities: which word comes next"),
     .text =
         N_("A last matrix gives each token of the vocabulary a score, and the softmax "
            "turns the scores into probabilities that sum to 1. Each row predicts the "
            "token after it; the largest probability is the model's choice.")},
    {0},
};

static const char *const same_layer = N_(
    "The rows go through the same layer again, with the same weights. The table tells "
    "how much they change each time; 1 means that they point the same way as "
    "before.");

static const char *const other_layers =
    N_("Each further layer does the same again with weights of its own. The "
       "table tells how much each layer changes the rows; 1 means that they "
       "point the same way as before.");
static const char *const other_layers_normed = N_(
    "Each further layer does the same again with its own weights, and a last norm "
    "follows. The table shows how much each layer changes the rows; 1 means that they "
    "point the same way as before.");

/* The path: all steps of the stack that runs first, then the boxes of the other stack.
 * `everywhere`: the row applies to both stacks. */
static const struct {
    bool everywhere;
    StopWords kind;
} path[] = {
    {false, {.name = "embedding", .then = "embedding-scaled"}},
    {false, {.name = "token-types"}},
    {false, {.name = "position"}},
    {false, {.name = "input"}},
    {false,
     {.name = "heads",
      .when = "key_value_heads!=0 attention_heads!=1",
      .covers = "projections",
      .title = N_("Q, K, V: three roles for each token"),
      .text = N_("Each row is multiplied by three weight matrices: the query is what "
                 "the token looks for, the key what it offers, the value what it "
                 "passes on. Several query heads share one head of keys and values "
                 "(grouped-query attention).")}},
    {false,
     {.name = "heads",
      .covers = "projections",
      .title = N_("Q, K, V: three roles for each token"),
      .text = N_("Each row is multiplied by three weight matrices: the query is what "
                 "the token looks for, the key what it offers, the value what it "
                 "passes on. Each head gets its own part of their columns.")}},
    {false, {.name = "rotated"}},
    {false, {.name = "scores", .when = "scale_scores=false"}},
    {false,
     {.name = "scaled",
      .covers = "scores",
      .title = N_("Scores: Q·Kᵀ / √d_head"),
      .text =
          N_("The query of each token (row) is multiplied by the key of each token "
             "(column): a large dot product means that the key offers what the query "
             "looks for. The division by √d_head makes the scores smaller.")}},
    {false, {.name = "masked"}},
    {false, {.name = "weights"}},
    {false,
     {.name = "output",
      .covers = "context|concat",
      .title = N_("Heads concatenated and projected"),
      .text =
          N_("In each head a row of weights mixes the values into one row. The heads' "
             "rows are concatenated, and one more weight matrix combines them.")}},
    {false,
     {.name = "concat",
      .when = "attention_output_projection=false attention_output_activation=none",
      .covers = "context"}},
    {false, {.name = "norm-1"}},
    {false, {.name = "add-1"}},
    {false, {.name = "add-norm-1"}},
    {false,
     {.name = "feed-forward",
      .covers = "feed-forward-gate",
      .then = "feed-forward-output"}},
    {false, {.name = "norm-2"}},
    {false, {.name = "add-2"}},
    {false, {.name = "add-norm-2"}},
    {false, {.name = "rnn-input"}},
    {false, {.name = "lstm-input"}},
    {true,
     {.name = "encoder-output",
      .when = "model_type=transformer share_layers=true encoder_layers!=1",
      .tells_layers = true,
      .title = N_("The same layer again"),
      .text = same_layer}},
    {true,
     {.name = "decoder-output",
      .when = "model_type=transformer share_layers=true decoder_layers!=1",
      .tells_layers = true,
      .title = N_("The same layer again"),
      .text = same_layer}},
    {true,
     {.name = "encoder-output",
      .when = "model_type=transformer encoder_layers!=1",
      .tells_layers = true,
      .title = N_("The other layers of the encoder"),
      .text = other_layers}},
    {true,
     {.name = "decoder-output",
      .when =
          "model_type=transformer encoder_layers=0 decoder_layers!=1 final_norm=true",
      .tells_layers = true,
      .title = N_("The other layers"),
      .text = other_layers_normed}},
    {true,
     {.name = "decoder-output",
      .when = "model_type=transformer encoder_layers=0 decoder_layers!=1",
      .tells_layers = true,
      .title = N_("The other layers"),
      .text = other_layers}},
    {true,
     {.name = "decoder-output",
      .when = "model_type=transformer decoder_layers!=1",
      .tells_layers = true,
      .title = N_("The other layers of the decoder"),
      .text = other_layers}},
    {true, {.name = "encoder-output"}},
    {true, {.name = "decoder-output"}},
    {true,
     {.name = "weights",
      .stack = "decoder",
      .covers = "projections|heads|rotated|shared|scores|scaled|masked"}},
    {true, {.name = "feed-forward", .then = "feed-forward-output"}},
    {true, {.name = "step"}},
    {true, {.name = "attention"}},
    {true, {.name = "context", .when = "model_type=seq2seq"}},
    {true, {.name = "word"}},
    {true, {.name = "last-state"}},
    {true, {.name = "mean"}},
    {true, {.name = "probabilities", .covers = "logits"}},
    {0},
};

static bool is_about(const StopWords *kind, const Stage *stage, const Config *config) {
    return strcmp(kind->name, stage->kind->name) == 0 &&
           (!kind->stack || strcmp(kind->stack, stage->stack) == 0) &&
           (!kind->address || stage_shows(stage, kind->address)) &&
           (!kind->when || config_holds(config, kind->when));
}

const StopWords *path_words(const Stage *stage, const Config *config) {
    if (stage->layer > 0) return NULL;
    for (size_t p = 0; path[p].kind.name; p++)
        if ((path[p].everywhere || stage->is_first) &&
            is_about(&path[p].kind, stage, config))
            return &path[p].kind;
    return NULL;
}

Depth depth_of(const Stage *stage, const Config *config) {
    Depth depth = DEPTH_NUMBERS;
    for (size_t s = 0; s < sizeof stops / sizeof *stops; s++)
        if (stage_lists(stops[s].names, stage->kind->name) &&
            (!stops[s].only_first || stage->is_first)) {
            depth = stops[s].depth;
            break;
        }
    if (stage->layer > 0 && depth != DEPTH_NUMBERS)
        return depth == DEPTH_BOXES ? DEPTH_STEPS : DEPTH_NUMBERS;
    return depth < DEPTH_PATH && path_words(stage, config) ? DEPTH_PATH : depth;
}

static const StopWords *box_of(const Stage *stage, const Config *config) {
    for (const StopWords *box = boxes; box->name; box++)
        if (is_about(box, stage, config)) return box;
    return NULL;
}

const StopWords *stop_words(const Stage *stage, const Config *config, Depth depth) {
    if (depth == DEPTH_BOXES) return box_of(stage, config);
    const StopWords *kind = depth == DEPTH_PATH ? path_words(stage, config) : NULL;
    if (!kind || kind->text) return kind;
    return stage->is_first ? NULL : box_of(stage, config);
}
