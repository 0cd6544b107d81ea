#include "walk/depth.h"

#include <string.h>

#include "base/language.h"

const char *const depths[] = {"numbers", "steps", "path", "boxes", NULL};

/* Depth of stages by name. A stage that is neither listed here nor a stop on the path
 * has DEPTH_NUMBERS. */
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

/* With a gate, at the boxes and in the path. */
static const char *const gated_title = N_("Feed-forward with a gate");
static const char *const gated_text =
    N_("Two matrices project each row to d_ff numbers (units). An activation turns the "
       "first ones into the gate, which multiplies the second ones. A third matrix "
       "projects them back to d_model. The paper has no gate.");
#define GATED "feed_forward_gate=true activation!=none as_written!=activation_dropped"

static const StopWords boxes[] = {
    {.name = "embedding",
     .title = N_("Embedding: words become rows of numbers"),
     .text = N_(
         "A model computes with numbers, so each token is replaced by its row of the "
         "embedding table. The table is a weight matrix: training sets its numbers.")},
    {.name = "position",
     .when = "position=learned",
     .title = N_("Position: the order of the words"),
     .text = N_("Without positions, a query and a key would give the same score "
                "wherever their tokens are. So each position has a row of weights, "
                "which is added to the row of its token.")},
    {.name = "position",
     .title = N_("Position: the order of the words"),
     .text = N_("Without positions, a query and a key would give the same score "
                "wherever their tokens are. So each position has a pattern of numbers, "
                "which is added to the row of its token.")},
    {.name = "weights",
     .stack = "encoder",
     .title = N_("Encoder: self-attention"),
     .text = N_("Each token (row) attends to the tokens that are not masked (columns). "
                "The shade is the attention weight.")},
    {.name = "weights",
     .stack = "decoder",
     .address = "cross_attention.weights",
     .when = "as_written!=cross_query_from_encoder",
     .title = N_("Decoder: cross-attention"),
     .text = N_("Here, the decoder reads the source: queries come from the decoder, "
                "keys and values from the encoder's output. A row is the last token "
                "that the decoder has read. To predict the next token, it attends to "
                "the source tokens (columns).")},
    {.name = "weights",
     .stack = "decoder",
     .address = "cross_attention.weights",
     .title = N_("Decoder: cross-attention with swapped roles"),
     .text = N_("In the paper, queries come from the target, keys and values from the "
                "source. In this model, queries and keys come from the source; only "
                "the values come from the target.")},
    {.name = "weights",
     .stack = "decoder",
     .address = "self_attention.weights",
     .when = "causal=true encoder_layers=0",
     .title = N_("Masked self-attention"),
     .text = N_("Each token (row) attends to itself and to earlier tokens (columns). "
                "The shade is the attention weight. Later tokens are masked (hatched): "
                "they do not exist yet when a token is chosen.")},
    {.name = "weights",
     .stack = "decoder",
     .address = "self_attention.weights",
     .when = "causal=true as_written!=mask_hides_self",
     .title = N_("Decoder: masked self-attention"),
     .text = N_("An answer is generated token by token, but here the decoder reads "
                "<start> and the whole target at once. Each token (row) attends only "
                "to itself and to earlier tokens. Later ones are masked (hatched), "
                "because they do not exist yet when the next token is chosen.")},
    {.name = "weights",
     .stack = "decoder",
     .address = "self_attention.weights",
     .when = "causal=true",
     .title = N_("Decoder: masked self-attention"),
     .text = N_("Each target token (row) attends to earlier tokens (columns). Later "
                "ones should be masked (hatched), because they do not exist yet when a "
                "token is chosen.")},
    {.name = "weights",
     .stack = "decoder",
     .address = "self_attention.weights",
     .title = N_("Decoder: self-attention"),
     .text = N_("The decoder attends to all tokens of the target. This model does not "
                "mask later tokens.")},
    {.name = "weights",
     .stack = "decoder",
     .title = N_("Attention: which source words matter for the next word"),
     .text = N_("Before each word, the decoder's state (row) is compared with the "
                "encoder's states (columns). The larger the dot product of the two, "
                "the higher the attention weight.")},
    {.name = "add-norm-1",
     .when = "norm_type=rms",
     .title = N_("Add & norm"),
     .text = N_("The output of attention is added to its input (residual connection). "
                "Then each row is scaled to the root mean square 1 and multiplied by "
                "learned weights, one per column.")},
    {.name = "add-norm-1",
     .title = N_("Add & norm"),
     .text = N_("The output of attention is added to its input (residual connection). "
                "Then each row is normalized to mean 0 and standard deviation 1, and "
                "learned weights scale and shift each column.")},
    {.name = "add-1",
     .title = N_("Add: the residual connection"),
     .text = N_("The row that bypasses attention is added to its output.")},
    {.name = "feed-forward", .when = GATED, .title = gated_title, .text = gated_text},
    {.name = "feed-forward",
     .stack = "encoder",
     .when = "activation!=none as_written!=activation_dropped",
     .title = N_("Encoder: feed-forward"),
     .text = N_("Each row is processed separately: a matrix projects it to d_ff "
                "numbers (units), an activation follows, and another matrix projects "
                "them back to d_model numbers.")},
    {.name = "feed-forward",
     .stack = "decoder",
     .when = "activation!=none as_written!=activation_dropped encoder_layers=0",
     .title = N_("Feed-forward"),
     .text = N_("Each row is processed separately: a matrix projects it to d_ff "
                "numbers (units), an activation follows, and another matrix projects "
                "them back to d_model numbers.")},
    {.name = "feed-forward",
     .stack = "decoder",
     .when = "activation!=none as_written!=activation_dropped",
     .title = N_("Decoder: feed-forward"),
     .text = N_("The same computation as in the encoder, with other weights: each row "
                "is projected to d_ff numbers, an activation follows, and they are "
                "projected back.")},
    {.name = "feed-forward",
     .title = N_("Feed-forward, without an activation"),
     .text = N_("Each row is multiplied by two matrices, one after the other. The "
                "paper has an activation between them; without it, they can do no more "
                "than one matrix.")},
    {.name = "step",
     .stack = "decoder",
     .when = "as_written=lstm_restarts",
     .title = N_("Writing word by word"),
     .text = N_("The decoder also has a state: it depends only on the last word that "
                "was read.")},
    {.name = "step",
     .stack = "decoder",
     .when = "as_written=keys_are_last_state",
     .title = N_("Writing word by word"),
     .text =
         N_("The decoder also has a state, which each word that it reads updates.")},
    {.name = "step",
     .stack = "decoder",
     .title = N_("Writing word by word"),
     .text = N_("The decoder also has a state, which each word that it reads updates. "
                "The state is the query: attention compares it with the encoder's "
                "states to predict the next word.")},
    {.name = "step",
     .title = N_("Reading word by word"),
     .text =
         N_("This model reads without attention: each token updates a single state.")},
    {.name = "mean",
     .title = N_("Mean: the sentence as one row"),
     .text = N_("To classify the sentence, the rows of its tokens are averaged.")},
    {.name = "last-state",
     .title = N_("The last state: the sentence as one row"),
     .text =
         N_("To classify the sentence, only the state after its last word is used.")},
    {.name = "probabilities",
     .stack = "",
     .when = "model_type=classifier label_activation=sigmoid",
     .title = N_("Probabilities: the decision"),
     .text =
         N_("One row of weights gives a score for the second label. The sigmoid turns "
            "it into a probability between 0 and 1; the first label gets the rest.")},
    {.name = "probabilities",
     .stack = "",
     .when = "model_type=classifier",
     .title = N_("Probabilities: the decision"),
     .text = N_("The output matrix gives each label a score, and the softmax turns the "
                "scores into probabilities that sum to 1.")},
    {.name = "probabilities",
     .when = "masked_words=true",
     .title = N_("Probabilities: which word is masked"),
     .text = N_("The output matrix gives each token of the vocabulary a score, and the "
                "softmax turns the scores into probabilities that sum to 1. The model "
                "has read the tokens on both sides of the position. The most probable "
                "word is its prediction.")},
    {.name = "probabilities",
     .title = N_("Probabilities: which word comes next"),
     .text = N_(
         "The output matrix gives each token of the vocabulary a score, and the "
         "softmax turns the scores into probabilities that sum to 1. Each row predicts "
         "the token after it. The most probable token is the model's prediction.")},
    {0},
};

static const char *const same_layer =
    N_("The rows pass through the same layer again, with the same weights. The table "
       "shows how much they change each time, on average: with cosine 1, they point "
       "the same way as before.");

static const char *const other_layers = N_(
    "Each further layer does the same with its own weights. The table shows how much "
    "each layer changes the rows on average: with cosine 1, they point the same way as "
    "before.");
static const char *const other_layers_normed =
    N_("Each further layer does the same with its own weights, and a final norm "
       "follows. The table shows how much each layer changes the rows on average: with "
       "cosine 1, they point the same way as before.");

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
      .text = N_("Each row is multiplied by three weight matrices. The query is what "
                 "the token looks for, the key what it offers, the value what it "
                 "passes on. Several query heads share one key and value head "
                 "(grouped-query attention).")}},
    {false,
     {.name = "heads",
      .covers = "projections",
      .title = N_("Q, K, V: three roles for each token"),
      .text = N_("Each row is multiplied by three weight matrices. The query is what "
                 "the token looks for, the key what it offers, the value what it "
                 "passes on. Each head gets its own part of their columns.")}},
    {false, {.name = "rotated"}},
    {false, {.name = "scores", .when = "scale_scores=false"}},
    {false,
     {.name = "scaled",
      .covers = "scores",
      .title = N_("Scores: Q·Kᵀ / √d_head"),
      .text = N_("The dot product of each token's query (row) with each token's key "
                 "(column). A high score means that the key offers what the query "
                 "looks for. Dividing by √d_head brings the scores closer to 0.")}},
    {false, {.name = "masked"}},
    {false, {.name = "weights"}},
    {false,
     {.name = "output",
      .covers = "context|concat",
      .title = N_("Heads concatenated and projected"),
      .text = N_(
          "In each head, each row of weights gives a weighted sum of the values. The "
          "heads' rows are concatenated, and one more weight matrix combines them.")}},
    {false,
     {.name = "concat",
      .when = "attention_output_projection=false attention_output_activation=none",
      .covers = "context"}},
    {false, {.name = "norm-1"}},
    {false, {.name = "add-1"}},
    {false, {.name = "add-norm-1"}},
    {false,
     {.name = "feed-forward",
      .when = GATED,
      .covers = "feed-forward-gate",
      .then = "feed-forward-output",
      .title = gated_title,
      .text = gated_text}},
    {false,
     {.name = "feed-forward",
      .when = "activation!=none feed_forward_gate=false "
              "feed_forward_output_activation=none as_written!=activation_dropped",
      .then = "feed-forward-output",
      .title = N_("Feed-forward: to d_ff and back"),
      .text = N_("Each row is projected separately to d_ff numbers. $op Another matrix "
                 "projects them back to d_model. Without an activation, two matrices "
                 "could do no more than one.")}},
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
