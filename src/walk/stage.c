#include "walk/stage.h"

#include <string.h>

#include "base/language.h"

bool stage_lists(const char *list, const char *part) {
    size_t length = strlen(part);
    for (const char *at = list; (at = strstr(at, part)); at += length)
        if ((at == list || at[-1] == '|') && (!at[length] || at[length] == '|'))
            return true;
    return false;
}

/* For models whose layers have a norm but no residual connection. */
static const char *const norm_alone = N_("$op This model has no residual connection.");
static const char *const added_and_normed_again =
    N_("Again, the sublayer's input is added and each row is normalized.");
static const char *const normed_again =
    N_("Again, each row is normalized before the sublayer.");
static const char *const added_again =
    N_("Again, the row that bypasses the sublayer is added to its output.");

/* Rows for classifiers and seq2seq come first, so that their words are found before
 * those about a Transformer. */
const StageKind stage_kinds[] = {
    {"rnn-input", "rnn.from_input|rnn.initial_state", NULL, NULL, LOOK_TABLE,
     N_("What each token contributes"),
     N_("Each token's row is multiplied by a learned matrix. Each step adds its result "
        "to the state, which starts at zero.")},
    {"step", "from_state|state", NULL, "encoder_type=rnn", LOOK_TABLE,
     N_("RNN: read $token"),
     N_("The previous state is multiplied by a weight matrix and added to the token's "
        "contribution; tanh keeps each number between -1 and 1. An RNN has no gates: "
        "the state is its only memory.")},
    {"encoder-output", "output", "encoder", "encoder_type=rnn", LOOK_TABLE,
     N_("All states of the RNN"),
     N_("One row per token: the state after it. It depends on this token and earlier "
        "ones, not on later ones.")},
    {"last-state", "last_state", NULL, NULL, LOOK_TABLE,
     N_("The last state: one row per sentence"),
     N_("Only the state after the last token that is not padding is used. What it has "
        "lost of earlier tokens cannot be recovered.")},
    {"mean", "mean", "encoder", NULL, LOOK_TABLE, N_("Mean: one row per sentence"),
     N_("The tokens' rows are averaged. Apply :why to one number to see which tokens "
        "count and what each contributes.")},
    {"logits", "logits", NULL, "model_type=classifier label_activation=sigmoid",
     LOOK_BARS, N_("Logit: a score for the second label"),
     N_("One row of weights is enough for two labels: its dot product with the "
        "sentence's row, plus a bias if the model has one, is the logit. A positive "
        "logit favors the second label, a negative one the first.")},
    {"probabilities", "probabilities", NULL,
     "model_type=classifier label_activation=sigmoid", LOOK_BARS,
     N_("Probabilities: the decision"),
     N_("The sigmoid turns the logit into the probability of the second label; the "
        "first label gets the rest. The label with the higher probability is the "
        "answer.")},
    {"logits", "logits", NULL, "model_type=classifier", LOOK_BARS,
     N_("Logits: a score for every label"),
     N_("The output matrix has one row of weights per label. Its dot product with the "
        "sentence's row, plus a bias if the model has one, is the label's score.")},
    {"probabilities", "probabilities", NULL, "model_type=classifier", LOOK_BARS,
     N_("Probabilities: the decision"),
     N_("The logits become probabilities that sum to 1. The most probable label is the "
        "answer.")},
    {"lstm-input", "lstm.from_input|lstm.initial_state|lstm.initial_cell", "encoder",
     NULL, LOOK_TABLE, N_("What each token contributes to the gates"),
     N_("Each token's row is multiplied by a learned matrix. The result has four "
        "parts, each as wide as the state: one for the input, forget, cell and output "
        "gate. State and cell start at zero.")},
    {"lstm-input", "lstm.from_input|lstm.initial_state|lstm.initial_cell", "decoder",
     NULL, LOOK_TABLE, N_("What each target token contributes to the gates"),
     N_("The same computation for the target, with its own matrix.")},
    {"step", "from_state|input_gate|forget_gate|cell_gate|output_gate|cell|state",
     "encoder", NULL, LOOK_TABLE, N_("LSTM: read $token"),
     N_("For each number, the token and the previous state decide what the cell "
        "forgets, adds and outputs. Padding is read like any other token.")},
    {"step", "from_state|input_gate|forget_gate|cell_gate|output_gate|cell|state",
     "decoder", "as_written!=lstm_restarts", LOOK_TABLE, N_("LSTM: read $token"),
     N_("The decoder's LSTM starts from the encoder's final state and passes its own "
        "state from token to token. The formula of the cell names the cell that it "
        "reads.")},
    {"step", "from_state|input_gate|forget_gate|cell_gate|output_gate|cell|state",
     "decoder", NULL, LOOK_TABLE, N_("LSTM: read $token"),
     N_("For each number, the token alone decides what the cell forgets, adds and "
        "outputs.")},
    {"encoder-output", "output", "encoder", "model_type=seq2seq", LOOK_TABLE,
     N_("All states of the encoder"),
     N_("One row per source token: the state after it. It depends on this token and "
        "earlier ones, not on later ones.")},
    {"decoder-output", "output|cells", "decoder", "as_written=keys_are_last_state",
     LOOK_TABLE, N_("All states of the decoder"),
     N_("One row per target token: the state after it.")},
    {"decoder-output", "output|cells", "decoder", "model_type=seq2seq", LOOK_TABLE,
     N_("All states of the decoder: the queries"),
     N_("One row per target token: the state after it. It is the query into the "
        "source.")},
    {"scores", "attention.scores", NULL, NULL, LOOK_HEATMAP,
     N_("Scores: target rows, source columns"),
     N_("The dot product of each decoder state (query, row) with each encoder state "
        "(key, column).")},
    {"scaled", "attention.scaled", NULL, NULL, LOOK_HEATMAP, N_("Scaled"),
     N_("A score is a sum of n products, where n is the size of a state. If the "
        "products are independent, a score spreads √n times as widely as one product. "
        "Dividing by √n cancels this.")},
    {"weights", "attention.weights", NULL, NULL, LOOK_HEATMAP,
     N_("Softmax: the alignment"),
     N_("Each row of scores becomes weights that sum to 1: how strongly the next word "
        "attends to each column.")},
    {"context", "attention.context", NULL, "as_written!=keys_are_last_state",
     LOOK_TABLE, N_("Context: weighted sum of the encoder's states"),
     N_("Each encoder state is multiplied by its weight, and the products are added.")},
    {"context", "attention.context", NULL, NULL, LOOK_TABLE,
     N_("Context: one row per step"), N_("The contexts of the steps, stacked.")},
    {"attention", "scores|scaled|weights|context", "decoder",
     "as_written=keys_are_last_state", LOOK_TABLE,
     N_("Attention at $token, across the batch"),
     N_("The state of each sentence in the batch (row) is compared with one state of "
        "every sentence (column). The result is the weighted sum of the columns' "
        "states.")},
    {"concat", "attention.concat", NULL, "as_written=cell_for_state", LOOK_TABLE,
     N_("Context and cell, concatenated"),
     N_("The context comes first, then the LSTM's cell. The output layer reads both.")},
    {"concat", "attention.concat", NULL, NULL, LOOK_TABLE,
     N_("Context and state, concatenated"),
     N_("The context comes first, then the decoder's state. The output layer reads "
        "both.")},
    {"ids", "ids", "encoder", "tokenizer!=none", LOOK_TABLE,
     N_("Ids: each token becomes a number"),
     N_("A model computes with numbers, so each token is replaced by its index in the "
        "vocabulary. <end> ends the sentence.")},
    {"ids", "ids", "encoder", NULL, LOOK_TABLE, N_("Ids: each token is a number"),
     N_("A model computes with numbers: a token is an index in the vocabulary. This "
        "model has no tokenizer; you gave the ids.")},
    {"ids", "ids", "decoder", "encoder_layers=0 tokenizer!=none", LOOK_TABLE,
     N_("Ids: each token becomes a number"),
     N_("A model computes with numbers, so each token is replaced by its index in the "
        "vocabulary. The prompt comes first, then its continuation. Each position "
        "predicts the next token.")},
    {"ids", "ids", "decoder", "encoder_layers=0", LOOK_TABLE,
     N_("Ids: each token is a number"),
     N_("A model computes with numbers: a token is an index in the vocabulary. The "
        "prompt comes first, then its continuation.")},
    {"ids", "ids", "decoder", "model_type=seq2seq", LOOK_TABLE,
     N_("Ids of the target, shifted right"),
     N_("The decoder reads <start> and the tokens so far, one by one. After each, it "
        "predicts the next.")},
    {"ids", "ids", "decoder",
     "causal=true as_written!=cross_query_from_encoder "
     "as_written!=mask_hides_self",
     LOOK_TABLE, N_("Ids of the target, shifted right"),
     N_("The decoder reads <start> and the tokens so far and predicts the next. All "
        "positions are computed at once. The mask hides later tokens from each "
        "position, so the numbers are the same as when computed step by step.")},
    {"ids", "ids", "decoder", "causal=true", LOOK_TABLE,
     N_("Ids of the target, shifted right"),
     N_("The decoder reads <start> and the tokens so far and predicts the next. All "
        "positions are computed at once. This model has a bug: later tokens leak into "
        "earlier rows.")},
    {"ids", "ids", "decoder", NULL, LOOK_TABLE, N_("Ids of the target, shifted right"),
     N_("The decoder reads <start> and the tokens so far and predicts the next. In "
        "this model (causal is false), each position also sees later tokens.")},
    {"padding", "padding_mask", NULL, NULL, LOOK_TABLE, N_("Padding mask"),
     N_("Sentences in a batch must be equally long, so shorter ones are padded with "
        "<pad>. A 1 marks padding.")},
    {"token-types", "token_types|token_type_embedding|embedding_typed", NULL, NULL,
     LOOK_TABLE, N_("Token types: first or second sentence"),
     N_("The first sentence of a pair, including its end token, has one type; the "
        "second sentence has another. Each type has a learned row, which is added.")},
    {"embedding", "embedding", NULL, NULL, LOOK_TABLE,
     N_("Embedding: look up a row of the table"),
     N_("Each id selects one row of the embedding table. The table is a weight matrix: "
        "training sets its numbers.")},
    {"embedding-scaled", "embedding_scaled", NULL, NULL, LOOK_TABLE,
     N_("Embedding × √d_model"),
     N_("The rows are multiplied by √d_model. In the paper, this keeps them from being "
        "outweighed by the positions, which are added next.")},
    {"position-ids", "position_ids", NULL, NULL, LOOK_TABLE, N_("Position ids"),
     N_("Each position's number selects a row of the position table.")},
    {"position", "position", NULL, "position=sinusoidal", LOOK_TABLE,
     N_("Positional encoding: sine waves"),
     N_("Without positions, a query and a key would give the same score wherever their "
        "tokens are. So each position gets its own pattern: waves of high frequency on "
        "the left, of low frequency on the right. Nothing is learned.")},
    {"position", "position", NULL, NULL, LOOK_TABLE,
     N_("Positional encoding: learned rows"),
     N_("Without positions, a query and a key would give the same score wherever their "
        "tokens are. So each position selects a row of a second table, which is also "
        "learned.")},
    {"input", "input", NULL, NULL, LOOK_TABLE, N_("Embedding + position"),
     N_("The embedding row and the position row of each token are added.")},
    {"input-normed", "input_normed", NULL, NULL, LOOK_TABLE,
     N_("The input, normalized"),
     N_("The rows are normalized before the first layer. $op")},
    {"encoder-output", "output", "encoder",
     "encoder_causal=true as_written!=padding_not_hidden", LOOK_TABLE,
     N_("The encoder's output"),
     N_("One row per source token, computed from this token and earlier ones, not from "
        "later ones.")},
    {"encoder-output", "output", "encoder", "final_norm=true", LOOK_TABLE,
     N_("The encoder's output, normalized"),
     N_("The output of the last layer is normalized again: one row per source token.")},
    {"encoder-output", "output", "encoder", "model_type=transformer decoder_layers!=0",
     LOOK_TABLE, N_("The encoder's output"),
     N_("One row per source token. The decoder attends to these rows.")},
    {"encoder-output", "output", "encoder", NULL, LOOK_TABLE,
     N_("The encoder's output"),
     N_("One row per source token, computed from all tokens that the layers let it "
        "attend to.")},
    {"decoder-output", "output", "decoder", "encoder_layers=0 final_norm=true",
     LOOK_TABLE, N_("The output of the layers, normalized"),
     N_("The output of the last layer is normalized again: one row per position, which "
        "predicts the next token.")},
    {"decoder-output", "output", "decoder", "encoder_layers=0", LOOK_TABLE,
     N_("The output of the layers"),
     N_("One row per position, which predicts the next token.")},
    {"decoder-output", "output", "decoder", "final_norm=true", LOOK_TABLE,
     N_("The decoder's output, normalized"),
     N_("The output of the last layer is normalized again: one row per position, which "
        "predicts the next token.")},
    {"decoder-output", "output", "decoder", NULL, LOOK_TABLE,
     N_("The decoder's output"),
     N_("One row per target position, which predicts the next token.")},
    {"word", "word_projection|word_activated|word_normed", NULL, NULL, LOOK_TABLE,
     N_("Prediction head: one more layer"),
     N_("Before the logits, each row goes through one more weight matrix, an "
        "activation and a norm. $op")},
    {"logits", "logits", NULL, "masked_words=true", LOOK_BARS,
     N_("Logits: a score for every word"),
     N_("The output matrix gives each token of the vocabulary a score for this "
        "position. If words are masked, the best scores at their positions are "
        "shown.")},
    {"probabilities", "probabilities", NULL, "masked_words=true", LOOK_BARS,
     N_("Probabilities: which word is masked"),
     N_("The logits become probabilities that sum to 1. The model has read the tokens "
        "on both sides of the position. The most probable word is its prediction.")},
    {"logits", "logits", NULL, "tie_embeddings=true logits_bias=true", LOOK_BARS,
     N_("Logits: a score for every word"),
     N_("The embedding table is also the output matrix: a token's score as the next "
        "one is the dot product of a row with the token's embedding, plus the token's "
        "bias. The best scores at each position are shown.")},
    {"logits", "logits", NULL, "tie_embeddings=true", LOOK_BARS,
     N_("Logits: a score for every word"),
     N_("The embedding table is also the output matrix: the dot product of a row with "
        "a token's embedding is the token's score as the next one. The best scores at "
        "each position are shown.")},
    {"logits", "logits", NULL, NULL, LOOK_BARS, N_("Logits: a score for every word"),
     N_("The output matrix gives each token of the vocabulary a score as the next one. "
        "The best scores at each position are shown.")},
    {"probabilities", "probabilities", NULL, NULL, LOOK_BARS,
     N_("Probabilities: softmax over the vocabulary"),
     N_("The logits become probabilities that sum to 1. The most probable token is the "
        "model's prediction of the next one.")},
    {"projections",
     "self_attention.query_projection|self_attention.key_projection|self_attention."
     "value_projection",
     NULL, NULL, LOOK_TABLES, N_("Q, K, V: three roles for each token"),
     N_("Each row is multiplied by three weight matrices. The query is what the token "
        "looks for, the key what it offers, the value what it passes on.")},
    {"projections",
     "cross_attention.query_projection|cross_attention.key_projection|cross_attention."
     "value_projection",
     NULL, "as_written!=cross_query_from_encoder", LOOK_TABLES,
     N_("Cross-attention: Q from the target, K and V from the source"),
     N_("Queries come from the target, keys and values from the encoder's output. This "
        "is where the decoder reads the source.")},
    {"projections",
     "cross_attention.query_projection|cross_attention.key_projection|cross_attention."
     "value_projection",
     NULL, NULL, LOOK_TABLES,
     N_("Cross-attention with swapped roles: Q and K from the source"),
     N_("Queries and keys come from the encoder's output; only the values come from "
        "the target.")},
    {"heads", "self_attention.query|self_attention.key|self_attention.value", NULL,
     NULL, LOOK_TABLES, N_("Split into heads"),
     N_("Each row is split into pieces of d_head numbers, one for each head. So each "
        "head computes its own attention weights.")},
    {"heads", "cross_attention.query|cross_attention.key|cross_attention.value", NULL,
     "as_written!=cross_query_from_encoder", LOOK_TABLES, N_("Split into heads"),
     N_("Each row is split into pieces of d_head numbers, as before. Queries are "
        "target tokens; keys and values are source tokens.")},
    {"heads", "cross_attention.query|cross_attention.key|cross_attention.value", NULL,
     NULL, LOOK_TABLES, N_("Split into heads"),
     N_("Each row is split into pieces of d_head numbers, as before. Here, queries and "
        "keys are source tokens; values are target tokens.")},
    {"rotated", "self_attention.query_rotated|self_attention.key_rotated", NULL, NULL,
     LOOK_TABLES, N_("Rotary position embeddings: Q and K rotated"), "$op"},
    {"shared",
     "self_attention.key_shared|self_attention.value_shared|cross_attention.key_shared|"
     "cross_attention.value_shared",
     NULL, NULL, LOOK_TABLES, N_("Grouped-query attention: shared keys and values"),
     "$op"},
    {"scores", "self_attention.scores", NULL, NULL, LOOK_HEATMAP,
     N_("Scores: every query with every key"),
     N_("The dot product of each query (row) with each key (column). A high score "
        "means that the key offers what the query looks for.")},
    {"scores", "cross_attention.scores", NULL, "as_written!=cross_query_from_encoder",
     LOOK_HEATMAP, N_("Cross-attention scores: target rows, source columns"),
     N_("The dot product of each target query (row) with each source key (column): "
        "which source tokens matter for the next word?")},
    {"scores", "cross_attention.scores", NULL, NULL, LOOK_HEATMAP,
     N_("Cross-attention scores: source rows, source columns"),
     N_("The dot product of each source query (row) with each source key (column). The "
        "target plays no part.")},
    {"scaled", "self_attention.scaled|cross_attention.scaled", NULL, NULL, LOOK_HEATMAP,
     N_("Scaled by √d_head"),
     N_("A score is a sum of d_head products (d_k in the paper). If the products are "
        "independent, a score spreads √d_head times as widely as one product. Dividing "
        "by √d_head cancels this.")},
    {"masked", "self_attention.masked", "decoder", "causal=true encoder_layers=0",
     LOOK_HEATMAP, N_("Masked: later tokens are hidden"),
     N_("In training, the model gets the whole text at once. The mask hides later "
        "tokens (and padding), so the model cannot copy them.")},
    {"masked", "self_attention.masked", "decoder",
     "causal=true as_written!=cross_query_from_encoder "
     "as_written!=mask_hides_self",
     LOOK_HEATMAP, N_("Masked: later tokens are hidden"),
     N_("In training, the decoder gets the whole target at once. The mask hides later "
        "tokens (and padding), so the decoder cannot copy them.")},
    {"masked", "self_attention.masked", "decoder", "causal=true", LOOK_HEATMAP,
     N_("Masked: later tokens are hidden"),
     N_("In training, the decoder gets the whole target at once. The mask hides later "
        "tokens (and padding). This model has a bug: later tokens leak through.")},
    {"masked", "self_attention.masked", "encoder", "encoder_causal=true", LOOK_HEATMAP,
     N_("Masked: padding and later tokens"),
     N_("Two masks are combined: a token attends to itself and earlier tokens, and no "
        "token attends to padding. Masked scores get the weight 0.")},
    {"masked", "self_attention.masked|cross_attention.masked", NULL, NULL, LOOK_HEATMAP,
     N_("Masked: padding is hidden"),
     N_("The scores of padding become so low that the softmax gives them the weight 0. "
        "Without padding, the scores do not change.")},
    {"weights", "self_attention.weights|cross_attention.weights", NULL, NULL,
     LOOK_HEATMAP, N_("Softmax: attention weights"),
     N_("Each row of scores becomes weights from 0 to 1 that sum to 1: how strongly "
        "this token (row) attends to each token (column).")},
    {"weights-dropped",
     "self_attention.weights_dropped|cross_attention.weights_dropped", NULL, NULL,
     LOOK_HEATMAP, N_("Attention weights after dropout"),
     N_("As in training, random weights are set to 0 and the others are divided by the "
        "fraction that is kept. A row sums to 1 only on average over many draws, not "
        "in this one.")},
    {"context", "self_attention.context|cross_attention.context", NULL, NULL,
     LOOK_TABLE, N_("Context: weighted sum of the values"),
     N_("For each row, the values are multiplied by the row's attention weights and "
        "added.")},
    {"concat", "self_attention.concat|cross_attention.concat", NULL,
     "attention_heads=1", LOOK_TABLE, N_("One head: nothing to concatenate"),
     N_("The output of the only head is the whole row.")},
    {"concat", "self_attention.concat|cross_attention.concat", NULL, NULL, LOOK_TABLE,
     N_("Concatenate the heads"),
     N_("The heads' outputs are joined into one row: head 0 first, then head 1, and so "
        "on.")},
    {"output", "self_attention.output|cross_attention.output", NULL,
     "attention_output_projection=false", LOOK_TABLE, N_("Activation after the heads"),
     N_("This model applies an activation to the heads' outputs; the paper does not.")},
    {"output",
     "self_attention.output_projection|self_attention.output|cross_attention.output_"
     "projection|cross_attention.output",
     NULL, "attention_output_activation=none", LOOK_TABLE, N_("Output projection"),
     N_("One more weight matrix combines the heads' outputs.")},
    {"output",
     "self_attention.output_projection|self_attention.output|cross_attention.output_"
     "projection|cross_attention.output",
     NULL, NULL, LOOK_TABLE, N_("Output projection and activation"),
     N_("One more weight matrix combines the heads' outputs. This model then applies "
        "an activation; the paper does not.")},
    {"dropped",
     "input_dropped|feed_forward.activated_dropped|feed_forward.gated_dropped", NULL,
     NULL, LOOK_TABLE, N_("Dropout"),
     N_("As in training, random numbers are set to 0, so the model cannot rely on any "
        "single one. The others are divided by the fraction that is kept.")},
    {"dropped-1", "dropped_1", NULL, NULL, LOOK_TABLE,
     N_("Dropout on the sublayer's output"),
     N_("As in training, numbers of the sublayer's output, chosen at random, are set "
        "to 0. The others are divided by the fraction that is kept.")},
    {"dropped-2", "dropped_2", NULL, NULL, LOOK_TABLE,
     N_("Dropout on the sublayer's output"),
     N_("As in training, numbers of the sublayer's output, chosen at random, are set "
        "to 0. The others are divided by the fraction that is kept.")},
    {"dropped-3", "dropped_3", NULL, NULL, LOOK_TABLE,
     N_("Dropout on the sublayer's output"),
     N_("As in training, numbers of the sublayer's output, chosen at random, are set "
        "to 0. The others are divided by the fraction that is kept.")},
    {"add-norm-1", "add_1|norm_1", NULL, "norm=post residual=true", LOOK_TABLE,
     N_("Add & norm"),
     N_("The sublayer's input is added to its output (residual connection). $op")},
    {"norm-1", "norm_1", NULL, "norm=pre", LOOK_TABLE,
     N_("Pre-norm: before the sublayer"),
     N_("$op This model normalizes the sublayer's input; the paper normalizes the sum "
        "after it.")},
    {"add-1", "add_1", NULL, "norm!=post residual=true", LOOK_TABLE,
     N_("Add: the residual connection"),
     N_("The row that bypasses the sublayer is added to its output (residual "
        "connection).")},
    {"norm-1", "norm_1", NULL, "norm=post residual=false", LOOK_TABLE, N_("Norm"),
     norm_alone},
    {"add-norm-2", "add_2|norm_2", NULL, "norm=post residual=true", LOOK_TABLE,
     N_("Add & norm"), added_and_normed_again},
    {"norm-2", "norm_2", NULL, "norm=pre", LOOK_TABLE,
     N_("Pre-norm: before the sublayer"), normed_again},
    {"add-2", "add_2", NULL, "norm!=post residual=true", LOOK_TABLE,
     N_("Add: the residual connection"), added_again},
    {"norm-2", "norm_2", NULL, "norm=post residual=false", LOOK_TABLE, N_("Norm"),
     norm_alone},
    {"add-norm-3", "add_3|norm_3", NULL, "norm=post residual=true", LOOK_TABLE,
     N_("Add & norm"), added_and_normed_again},
    {"norm-3", "norm_3", NULL, "norm=pre", LOOK_TABLE,
     N_("Pre-norm: before the sublayer"), normed_again},
    {"add-3", "add_3", NULL, "norm!=post residual=true", LOOK_TABLE,
     N_("Add: the residual connection"), added_again},
    {"norm-3", "norm_3", NULL, "norm=post residual=false", LOOK_TABLE, N_("Norm"),
     norm_alone},
    {"feed-forward-gate", "feed_forward.gate|feed_forward.activated", NULL,
     "feed_forward_gate=true", LOOK_TABLE, N_("Feed-forward: the gate"),
     N_("Each row is projected separately to d_ff numbers, which control how much of "
        "each number of the next stage passes. $op")},
    {"feed-forward", "feed_forward.hidden|feed_forward.gated", NULL,
     "feed_forward_gate=true", LOOK_TABLE,
     N_("Feed-forward: d_ff numbers, times the gate"),
     N_("A second matrix projects each row to d_ff numbers. Each is multiplied by its "
        "number of the gate. The paper has no gate.")},
    {"feed-forward", "feed_forward.hidden|feed_forward.activated", NULL,
     "activation=none", LOOK_TABLE, N_("Feed-forward: to d_ff, no activation"),
     N_("Each row is projected separately to d_ff numbers. The paper applies an "
        "activation (ReLU) here; this model does not, so its two matrices can do no "
        "more than one.")},
    {"feed-forward", "feed_forward.hidden|feed_forward.activated", NULL, NULL,
     LOOK_TABLE, N_("Feed-forward: to d_ff, then an activation"),
     N_("Each row is projected separately to d_ff numbers. $op Without an activation, "
        "two matrices could do no more than one.")},
    {"feed-forward-output", "feed_forward.output_projection|feed_forward.output", NULL,
     "feed_forward_output_activation=none", LOOK_TABLE,
     N_("Feed-forward: back to d_model"),
     N_("One more matrix projects the d_ff numbers back to d_model.")},
    {"feed-forward-output", "feed_forward.output_projection|feed_forward.output", NULL,
     NULL, LOOK_TABLE, N_("Feed-forward: back to d_model, then an activation"),
     N_("One more matrix projects the d_ff numbers back to d_model. This model then "
        "applies an activation; the paper does not.")},
    {0},
};
