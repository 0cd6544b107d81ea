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

/* For models whose layers norm without adding. */
static const char *const norm_alone =
    N_("$op This model does not add the input again.");
static const char *const added_and_normed_again =
    N_("Again the input of the sublayer is added and each row is normed.");
static const char *const normed_again =
    N_("Again each row is normed before it goes into the sublayer.");
static const char *const added_again =
    N_("Again the sublayer's output is added to the row that goes around it.");

/* Rows for classifiers and seq2seq come first, so that their words are found before
 * those about a Transformer. */
const StageKind stage_kinds[] = {
    {"rnn-input", "rnn.from_input|rnn.initial_state", NULL, NULL, LOOK_TABLE,
     N_("What each token says to the state"),
     N_("Each token's row is multiplied with a learned matrix: what it would put into "
        "the state if nothing had been read before. The state begins with zeros.")},
    {"step", "from_state|state", NULL, "encoder_type=rnn", LOOK_TABLE,
     N_("RNN: read $token"),
     N_("The previous state is multiplied by a weight matrix and added to what the "
        "token says; tanh brings each number between -1 and 1. There are no gates: "
        "this state is all the memory there is.")},
    {"encoder-output", "output", "encoder", "encoder_type=rnn", LOOK_TABLE,
     N_("All states of the RNN"),
     N_("The state after each token, one row each. It knows of the tokens before it, "
        "and not of those behind.")},
    {"last-state", "last_state", NULL, NULL, LOOK_TABLE,
     N_("The last state: one row for the whole sentence"),
     N_("Only the state after the last token that is not padding goes on: what it does "
        "not hold is lost.")},
    {"mean", "mean", "encoder", NULL, LOOK_TABLE,
     N_("Mean: one row for the whole sentence"),
     N_("The rows of the tokens are added up and divided by how many there are. :why "
        "of one number shows which tokens count, and what each brings.")},
    {"logits", "logits", NULL, "model_type=classifier label_activation=sigmoid",
     LOOK_BARS, N_("Logit: a score for the second label"),
     N_("One row of weights is enough for two labels: multiplied with the row of the "
        "sentence it says how much speaks for the second, and below 0 for the first.")},
    {"probabilities", "probabilities", NULL,
     "model_type=classifier label_activation=sigmoid", LOOK_BARS,
     N_("Probabilities: the decision"),
     N_("The sigmoid makes the score a probability between 0 and 1; the first label "
        "has the rest. The larger one is the answer.")},
    {"logits", "logits", NULL, "model_type=classifier", LOOK_BARS,
     N_("Logits: a score for every label"),
     N_("A last matrix has one row of weights for each label. Multiplied with the row "
        "of the sentence it gives the label's score.")},
    {"probabilities", "probabilities", NULL, "model_type=classifier", LOOK_BARS,
     N_("Probabilities: the decision"),
     N_("The scores become shares that sum to 1. The label with the largest is the "
        "answer.")},
    {"lstm-input", "lstm.from_input|lstm.initial_state|lstm.initial_cell", "encoder",
     NULL, LOOK_TABLE, N_("What each token says to the gates"),
     N_("Each token's row is multiplied with a learned matrix. The result is four "
        "times as wide as the memory: one part each for the input, forget, cell and "
        "output gate. State and cell begin with zeros.")},
    {"lstm-input", "lstm.from_input|lstm.initial_state|lstm.initial_cell", "decoder",
     NULL, LOOK_TABLE, N_("What each target token says to the gates"),
     N_("The same for the target, with a matrix of its own.")},
    {"step", "from_state|input_gate|forget_gate|cell_gate|output_gate|cell|state",
     "encoder", NULL, LOOK_TABLE, N_("LSTM: read $token"),
     N_("The token and the state before it decide together, number by number: what the "
        "cell forgets, what new it takes in, and how much of it shows. Padding is read "
        "like any token.")},
    {"step", "from_state|input_gate|forget_gate|cell_gate|output_gate|cell|state",
     "decoder", "as_written!=lstm_restarts", LOOK_TABLE, N_("LSTM: read $token"),
     N_("The decoder's LSTM begins with the state in which the encoder's ended, and "
        "its own state goes on from token to token: the line of the cell names the one "
        "that was read.")},
    {"step", "from_state|input_gate|forget_gate|cell_gate|output_gate|cell|state",
     "decoder", NULL, LOOK_TABLE, N_("LSTM: read $token"),
     N_("The token alone decides, number by number: what the cell forgets, what new it "
        "takes in, and how much of it shows.")},
    {"encoder-output", "output", "encoder", "model_type=seq2seq", LOOK_TABLE,
     N_("All states of the encoder"),
     N_("The state after each source token, one row each. It knows of the tokens "
        "before it, and not of those behind.")},
    {"decoder-output", "output|cells", "decoder", "as_written=keys_are_last_state",
     LOOK_TABLE, N_("All states of the decoder"),
     N_("The state after each target token, one row each.")},
    {"decoder-output", "output|cells", "decoder", "model_type=seq2seq", LOOK_TABLE,
     N_("All states of the decoder: the queries"),
     N_("The state after each target token, one row each: what the decoder asks the "
        "source with.")},
    {"scores", "attention.scores", NULL, NULL, LOOK_HEATMAP,
     N_("Scores: target rows, source columns"),
     N_("Each state of the decoder (row) is multiplied with each state of the encoder "
        "(column), number by number, and added up: the states are queries and keys.")},
    {"scaled", "attention.scaled", NULL, NULL, LOOK_HEATMAP, N_("Scaled"),
     N_("A score is a sum of as many products as a state has numbers. If these are "
        "independent, it spreads √n times as wide as one product of n; the division "
        "takes that back.")},
    {"weights", "attention.weights", NULL, NULL, LOOK_HEATMAP,
     N_("Softmax: the alignment"),
     N_("Each row of scores becomes shares that sum to 1: how much the next word takes "
        "from each column.")},
    {"context", "attention.context", NULL, "as_written!=keys_are_last_state",
     LOOK_TABLE, N_("Context: a mixture of the encoder's states"),
     N_("The states of the encoder, each times its share, added up: what was found in "
        "the source.")},
    {"context", "attention.context", NULL, NULL, LOOK_TABLE,
     N_("Context: what each step found"),
     N_("What the steps found, one below the other.")},
    {"attention", "scores|scaled|weights|context", "decoder",
     "as_written=keys_are_last_state", LOOK_TABLE,
     N_("Attention at $token, across the batch"),
     N_("The state of each sentence of the batch (row) is compared with one state of "
        "every sentence (column), and takes a mixture of them.")},
    {"concat", "attention.concat", NULL, "as_written=cell_for_state", LOOK_TABLE,
     N_("Context and cell side by side"),
     N_("The context comes first, then the LSTM's cell. The output layer reads both.")},
    {"concat", "attention.concat", NULL, NULL, LOOK_TABLE,
     N_("Context and state side by side"),
     N_("The context comes first, then the decoder's state. The output layer reads "
        "both.")},
    {"ids", "ids", "encoder", "tokenizer!=none", LOOK_TABLE,
     N_("Ids: each token becomes a number"),
     N_("A model cannot read. Each token is replaced by its place in the vocabulary, "
        "and <end> closes the sentence.")},
    {"ids", "ids", "encoder", NULL, LOOK_TABLE, N_("Ids: each token is a number"),
     N_("A model cannot read: a token is its place in the vocabulary. This model has "
        "no tokenizer, so the numbers are as they were given.")},
    {"ids", "ids", "decoder", "encoder_layers=0 tokenizer!=none", LOOK_TABLE,
     N_("Ids: each token becomes a number"),
     N_("A model cannot read. Each token is replaced by its place in the vocabulary: "
        "first those of the prompt, then those that were said to it. At each place the "
        "model is to say what comes next.")},
    {"ids", "ids", "decoder", "encoder_layers=0", LOOK_TABLE,
     N_("Ids: each token is a number"),
     N_("A model cannot read: a token is its place in the vocabulary. First come those "
        "of the prompt, then those that were said to it.")},
    {"ids", "ids", "decoder", "model_type=seq2seq", LOOK_TABLE,
     N_("Ids of the target, shifted right"),
     N_("The decoder reads <start> and what has been said so far, one after the other, "
        "and after each is to say what comes next.")},
    {"ids", "ids", "decoder",
     "causal=true as_written!=cross_query_from_encoder "
     "as_written!=mask_hides_self",
     LOOK_TABLE, N_("Ids of the target, shifted right"),
     N_("The decoder reads <start> and what has been said so far, and is to say what "
        "comes next. All positions are computed at once, and the mask hides from each "
        "what comes after it: the numbers are those of one step after another.")},
    {"ids", "ids", "decoder", "causal=true", LOOK_TABLE,
     N_("Ids of the target, shifted right"),
     N_("The decoder reads <start> and what has been said so far, and is to say what "
        "comes next. All positions are computed at once, and by the mistake of this "
        "model later tokens leak into earlier rows.")},
    {"ids", "ids", "decoder", NULL, LOOK_TABLE, N_("Ids of the target, shifted right"),
     N_("The decoder reads <start> and what has been said so far, and is to say what "
        "comes next. In this model (causal is false) each position also sees the "
        "tokens after it.")},
    {"padding", "padding_mask", NULL, NULL, LOOK_TABLE, N_("Padding mask"),
     N_("Sentences of a batch must be equally long, so the shorter ones are filled up "
        "with <pad>. A 1 marks a place of padding.")},
    {"token-types", "token_types|token_type_embedding|embedding_typed", NULL, NULL,
     LOOK_TABLE, N_("Token types: first or second sentence"),
     N_("Of a pair of sentences the tokens of the second have another type than those "
        "of the first, which ends with its end token. Each type has a learned row, "
        "which is added.")},
    {"embedding", "embedding", NULL, NULL, LOOK_TABLE,
     N_("Embedding: look up a row of the table"),
     N_("Each id selects one row of the embedding table. The table is a weight matrix: "
        "training sets its numbers.")},
    {"embedding-scaled", "embedding_scaled", NULL, NULL, LOOK_TABLE,
     N_("Embedding × √d_model"),
     N_("The rows are multiplied by √d_model. In the paper this keeps them from "
        "drowning in the positions, which are added next.")},
    {"position-ids", "position_ids", NULL, NULL, LOOK_TABLE, N_("Ids of the places"),
     N_("Each number selects a row of the table of positions.")},
    {"position", "position", NULL, "position=sinusoidal", LOOK_TABLE,
     N_("Positional encoding: waves"),
     N_("Without positions, a query and a key would give the same score wherever their "
        "tokens are. So each position gets a pattern of its own: waves, from fast ones "
        "(left) to slow ones (right). Nothing here is learned.")},
    {"position", "position", NULL, NULL, LOOK_TABLE,
     N_("Positional encoding: learned rows"),
     N_("Without positions, a query and a key would give the same score wherever their "
        "tokens are. So each position selects a row of a second table, also of "
        "weights.")},
    {"input", "input", NULL, NULL, LOOK_TABLE, N_("Embedding + position"),
     N_("The rows of token and position are added to one row of numbers.")},
    {"input-normed", "input_normed", NULL, NULL, LOOK_TABLE, N_("The input, normed"),
     N_("The rows are normed before the first layer reads them. $op")},
    {"encoder-output", "output", "encoder",
     "encoder_causal=true as_written!=padding_not_hidden", LOOK_TABLE,
     N_("The encoder's output"),
     N_("One row for each source token, computed from it and the tokens before it, not "
        "from those after it.")},
    {"encoder-output", "output", "encoder", "final_norm=true", LOOK_TABLE,
     N_("The encoder's output, normed"),
     N_("The result of the layers, normed once more: one row for each source token.")},
    {"encoder-output", "output", "encoder", "model_type=transformer decoder_layers!=0",
     LOOK_TABLE, N_("The encoder's output"),
     N_("One row for each source token: this is what the encoder hands to the "
        "decoder.")},
    {"encoder-output", "output", "encoder", NULL, LOOK_TABLE,
     N_("The encoder's output"),
     N_("One row for each source token, computed from all that its layers let it "
        "see.")},
    {"decoder-output", "output", "decoder", "encoder_layers=0 final_norm=true",
     LOOK_TABLE, N_("The output of the layers, normed"),
     N_("The result of the layers, normed once more: one row for each position, from "
        "which the next token is predicted.")},
    {"decoder-output", "output", "decoder", "encoder_layers=0", LOOK_TABLE,
     N_("The output of the layers"),
     N_("One row for each position, from which the next token is predicted.")},
    {"decoder-output", "output", "decoder", "final_norm=true", LOOK_TABLE,
     N_("The decoder's output, normed"),
     N_("The result of the layers, normed once more: one row for each position, from "
        "which the next token is predicted.")},
    {"decoder-output", "output", "decoder", NULL, LOOK_TABLE,
     N_("The decoder's output"),
     N_("One row for each target position, from which the next token is predicted.")},
    {"word", "word_projection|word_activated|word_normed", NULL, NULL, LOOK_TABLE,
     N_("What stands at each place: one more layer"),
     N_("Before words are compared, each row goes through one more weight matrix, an "
        "activation and a norm. $op")},
    {"logits", "logits", NULL, "masked_words=true", LOOK_BARS,
     N_("Logits: a score for every word"),
     N_("A last matrix gives each word of the vocabulary a score as the word of this "
        "place. Where words are hidden, the best ones for them are shown.")},
    {"probabilities", "probabilities", NULL, "masked_words=true", LOOK_BARS,
     N_("Probabilities: which word is hidden"),
     N_("The scores become probabilities that sum to 1. The model has read the tokens "
        "on both sides of the position; the largest probability is its prediction.")},
    {"logits", "logits", NULL, "tie_embeddings=true", LOOK_BARS,
     N_("Logits: a score for every word"),
     N_("Each row is compared with the row of every word in the embedding table, which "
        "serves as the last matrix, too: its score as the next word. The best ones of "
        "each place are shown.")},
    {"logits", "logits", NULL, NULL, LOOK_BARS, N_("Logits: a score for every word"),
     N_("A last matrix gives each word of the vocabulary a score as the next word. The "
        "best ones of each place are shown.")},
    {"probabilities", "probabilities", NULL, NULL, LOOK_BARS,
     N_("Probabilities: softmax over the vocabulary"),
     N_("The scores become shares that sum to 1. The largest is the model's choice for "
        "the next word.")},
    {"projections",
     "self_attention.query_projection|self_attention.key_projection|self_attention."
     "value_projection",
     NULL, NULL, LOOK_TABLES, N_("Q, K, V: three roles for each token"),
     N_("Each row is multiplied by three weight matrices: the query is what the token "
        "looks for, the key what it offers, the value what it passes on.")},
    {"projections",
     "cross_attention.query_projection|cross_attention.key_projection|cross_attention."
     "value_projection",
     NULL, "as_written!=cross_query_from_encoder", LOOK_TABLES,
     N_("Cross-attention: Q from the target, K and V from the source"),
     N_("Here the two sides meet: each target token asks (query), and the encoder's "
        "output answers (key, value).")},
    {"projections",
     "cross_attention.query_projection|cross_attention.key_projection|cross_attention."
     "value_projection",
     NULL, NULL, LOOK_TABLES,
     N_("Cross-attention with its roles exchanged: Q and K from the source"),
     N_("Here the two sides meet, but the source asks itself: query and key are made "
        "of the encoder's output, and the target passes on the values.")},
    {"heads", "self_attention.query|self_attention.key|self_attention.value", NULL,
     NULL, LOOK_TABLES, N_("Split into heads"),
     N_("Each row is cut into pieces of d_head numbers, one for each head. So each "
        "head computes attention weights of its own.")},
    {"heads", "cross_attention.query|cross_attention.key|cross_attention.value", NULL,
     "as_written!=cross_query_from_encoder", LOOK_TABLES, N_("Split into heads"),
     N_("Each row is cut into pieces of d_head numbers, as before. The queries are "
        "target tokens, the keys and values source tokens.")},
    {"heads", "cross_attention.query|cross_attention.key|cross_attention.value", NULL,
     NULL, LOOK_TABLES, N_("Split into heads"),
     N_("Each row is cut into pieces of d_head numbers, as before. Here queries and "
        "keys are source tokens, the values target tokens.")},
    {"rotated", "self_attention.query_rotated|self_attention.key_rotated", NULL, NULL,
     LOOK_TABLES, N_("Rotary positions: queries and keys turned"), "$op"},
    {"shared",
     "self_attention.key_shared|self_attention.value_shared|cross_attention.key_shared|"
     "cross_attention.value_shared",
     NULL, NULL, LOOK_TABLES, N_("Keys and values shared by heads"), "$op"},
    {"scores", "self_attention.scores", NULL, NULL, LOOK_HEATMAP,
     N_("Scores: every query with every key"),
     N_("Query and key are multiplied number by number and added up. A large score "
        "says: what this token looks for, that one offers.")},
    {"scores", "cross_attention.scores", NULL, "as_written!=cross_query_from_encoder",
     LOOK_HEATMAP, N_("Cross-attention scores: target rows, source columns"),
     N_("Each target token (row) is compared with each source token (column): which "
        "word of the sentence matters for the next one?")},
    {"scores", "cross_attention.scores", NULL, NULL, LOOK_HEATMAP,
     N_("Cross-attention scores: source rows, source columns"),
     N_("Each source token (row) is compared with each source token (column). The "
        "target has no say in it.")},
    {"scaled", "self_attention.scaled|cross_attention.scaled", NULL, NULL, LOOK_HEATMAP,
     N_("Scaled by √d_head"),
     N_("A score is a sum of d_head products (d_k in the paper). If these are "
        "independent, it spreads √d_head times as wide as one product; the division "
        "takes that back.")},
    {"masked", "self_attention.masked", "decoder", "causal=true encoder_layers=0",
     LOOK_HEATMAP, N_("Masked: no looking ahead"),
     N_("In training the model is given the whole text at once. The mask hides what "
        "comes later (and padding), so that it cannot copy.")},
    {"masked", "self_attention.masked", "decoder",
     "causal=true as_written!=cross_query_from_encoder "
     "as_written!=mask_hides_self",
     LOOK_HEATMAP, N_("Masked: no looking ahead"),
     N_("In training the decoder is given the whole target at once. The mask hides "
        "what comes later (and padding), so that it cannot copy.")},
    {"masked", "self_attention.masked", "decoder", "causal=true", LOOK_HEATMAP,
     N_("Masked: no looking ahead"),
     N_("In training the decoder is given the whole target at once. The mask hides "
        "what comes later (and padding), but by the mistake of this model it leaks "
        "through.")},
    {"masked", "self_attention.masked", "encoder", "encoder_causal=true", LOOK_HEATMAP,
     N_("Masked: padding and what comes later"),
     N_("Two masks at once: a token sees those before it and itself, and nobody sees "
        "padding. What is hidden gets nothing of the softmax.")},
    {"masked", "self_attention.masked|cross_attention.masked", NULL, NULL, LOOK_HEATMAP,
     N_("Masked: padding is hidden"),
     N_("Scores of padding are made so low that the softmax gives them nothing. "
        "Without padding every score stays as it was.")},
    {"weights", "self_attention.weights|cross_attention.weights", NULL, NULL,
     LOOK_HEATMAP, N_("Softmax: attention weights"),
     N_("Each row of scores becomes weights from 0 to 1 that sum to 1: how much this "
        "token (row) takes from each token (column).")},
    {"weights-dropped",
     "self_attention.weights_dropped|cross_attention.weights_dropped", NULL, NULL,
     LOOK_HEATMAP, N_("Attention weights after dropout"),
     N_("As in training, some weights are set to 0 at random and the others divided by "
        "the share that is kept. A row adds up to 1 only on average over many such "
        "draws: in this one it does not.")},
    {"context", "self_attention.context|cross_attention.context", NULL, NULL,
     LOOK_TABLE, N_("Weighted values"),
     N_("For each row the values are multiplied by its weights and added up: a "
        "mixture.")},
    {"concat", "self_attention.concat|cross_attention.concat", NULL,
     "attention_heads=1", LOOK_TABLE, N_("One head: nothing to concatenate"),
     N_("What the only head found becomes the whole row again.")},
    {"concat", "self_attention.concat|cross_attention.concat", NULL, NULL, LOOK_TABLE,
     N_("Concatenate the heads"),
     N_("What the heads found is put side by side again: head 0 first, then head 1, "
        "and so on.")},
    {"output", "self_attention.output|cross_attention.output", NULL,
     "attention_output_projection=false", LOOK_TABLE,
     N_("Activation of the heads' output"),
     N_("A curve through what the heads found, which the paper does not have.")},
    {"output",
     "self_attention.output_projection|self_attention.output|cross_attention.output_"
     "projection|cross_attention.output",
     NULL, "attention_output_activation=none", LOOK_TABLE, N_("Output projection"),
     N_("One more weight matrix combines what the heads found.")},
    {"output",
     "self_attention.output_projection|self_attention.output|cross_attention.output_"
     "projection|cross_attention.output",
     NULL, NULL, LOOK_TABLE, N_("Output projection and activation"),
     N_("One more weight matrix combines what the heads found. In this "
        "model an activation follows, which the paper does not have.")},
    {"dropped",
     "input_dropped|feed_forward.activated_dropped|feed_forward.gated_dropped", NULL,
     NULL, LOOK_TABLE, N_("Dropout"),
     N_("As in training, some numbers are set to 0 at random, so that the model cannot "
        "rely on any of them; the others are divided by the share that is kept.")},
    {"dropped-1", "dropped_1", NULL, NULL, LOOK_TABLE,
     N_("Dropout, before it is added"),
     N_("As in training, some numbers of what the sublayer made are set to 0 at "
        "random; the others are divided by the share that is kept.")},
    {"dropped-2", "dropped_2", NULL, NULL, LOOK_TABLE,
     N_("Dropout, before it is added"),
     N_("As in training, some numbers of what the sublayer made are set to 0 at "
        "random; the others are divided by the share that is kept.")},
    {"dropped-3", "dropped_3", NULL, NULL, LOOK_TABLE,
     N_("Dropout, before it is added"),
     N_("As in training, some numbers of what the sublayer made are set to 0 at "
        "random; the others are divided by the share that is kept.")},
    {"add-norm-1", "add_1|norm_1", NULL, "norm=post residual=true", LOOK_TABLE,
     N_("Add & norm"),
     N_("The sublayer's input is added to its output (residual connection). $op")},
    {"norm-1", "norm_1", NULL, "norm=pre", LOOK_TABLE, N_("Norm, before the sublayer"),
     N_("$op This model norms the input of a sublayer; the paper norms the sum after "
        "it.")},
    {"add-1", "add_1", NULL, "norm!=post residual=true", LOOK_TABLE,
     N_("Add: the way around the sublayer"),
     N_("The sublayer's output is added to the row that goes around the sublayer "
        "(residual connection).")},
    {"norm-1", "norm_1", NULL, "norm=post residual=false", LOOK_TABLE, N_("Norm"),
     norm_alone},
    {"add-norm-2", "add_2|norm_2", NULL, "norm=post residual=true", LOOK_TABLE,
     N_("Add & norm"), added_and_normed_again},
    {"norm-2", "norm_2", NULL, "norm=pre", LOOK_TABLE, N_("Norm, before the sublayer"),
     normed_again},
    {"add-2", "add_2", NULL, "norm!=post residual=true", LOOK_TABLE,
     N_("Add: the way around the sublayer"), added_again},
    {"norm-2", "norm_2", NULL, "norm=post residual=false", LOOK_TABLE, N_("Norm"),
     norm_alone},
    {"add-norm-3", "add_3|norm_3", NULL, "norm=post residual=true", LOOK_TABLE,
     N_("Add & norm"), added_and_normed_again},
    {"norm-3", "norm_3", NULL, "norm=pre", LOOK_TABLE, N_("Norm, before the sublayer"),
     normed_again},
    {"add-3", "add_3", NULL, "norm!=post residual=true", LOOK_TABLE,
     N_("Add: the way around the sublayer"), added_again},
    {"norm-3", "norm_3", NULL, "norm=post residual=false", LOOK_TABLE, N_("Norm"),
     norm_alone},
    {"feed-forward-gate", "feed_forward.gate|feed_forward.activated", NULL,
     "feed_forward_gate=true", LOOK_TABLE, N_("Feed-forward: the gate"),
     N_("Each token alone is projected to d_ff numbers that say how much of each goes "
        "on. $op")},
    {"feed-forward", "feed_forward.hidden|feed_forward.gated", NULL,
     "feed_forward_gate=true", LOOK_TABLE, N_("Feed-forward: wider, times the gate"),
     N_("A second matrix also projects each token to d_ff numbers, and each is "
        "multiplied by its number of the gate. The paper has no gate.")},
    {"feed-forward", "feed_forward.hidden|feed_forward.activated", NULL,
     "activation=none", LOOK_TABLE, N_("Feed-forward: wider, without an activation"),
     N_("Each token alone is projected to d_ff numbers. The paper has an activation "
        "here (ReLU); this model has none, so its two matrices can do no more than "
        "one.")},
    {"feed-forward", "feed_forward.hidden|feed_forward.activated", NULL, NULL,
     LOOK_TABLE, N_("Feed-forward: wider, then an activation"),
     N_("Each token alone is projected to d_ff numbers. $op Without an activation two "
        "matrices could do no more than one.")},
    {"feed-forward-output", "feed_forward.output_projection|feed_forward.output", NULL,
     "feed_forward_output_activation=none", LOOK_TABLE,
     N_("Feed-forward: back to d_model"),
     N_("One more matrix projects the d_ff numbers back to d_model.")},
    {"feed-forward-output", "feed_forward.output_projection|feed_forward.output", NULL,
     NULL, LOOK_TABLE, N_("Feed-forward: back to d_model, and an activation"),
     N_("One more matrix projects the d_ff numbers back to d_model. In "
        "this model an activation follows, which the paper does not have.")},
    {0},
};

const StageRemark stage_remarks[] = {
    {"self_attention.scores|cross_attention.scores",
     "self_attention.weights|cross_attention.weights", "scale_scores=false",
     N_("Unlike the paper, this model does not divide the scores by √d_head. The "
        "tutorial of the preset pytorch computes this root and never uses it, a "
        "mistake.")},
    {"embedding", "embedding", "scale_embedding=false model_type!=seq2seq",
     N_("Unlike the paper, this model does not multiply these rows by √d_model.")},
    {"embedding", "embedding", "position=rotary",
     N_("Unlike the paper, this model adds no positions here: they rotate queries and "
        "keys instead.")},
    {"embedding", "embedding", "position=none model_type!=seq2seq encoder_type!=rnn",
     N_("Unlike the paper, this model adds no positions. Without a causal mask it "
        "cannot know the order of its tokens.")},
    {"self_attention.concat|cross_attention.concat",
     "self_attention.weights|cross_attention.weights",
     "attention_output_projection=false",
     N_("Unlike in the paper, no output projection W_O follows.")},
    {"self_attention.masked", "self_attention.weights",
     "attention_window!=0 as_written!=padding_not_hidden",
     N_("A layer with a window also hides the tokens that are attention_window or more "
        "positions away. `:option` shows which layers have one "
        "(full_attention_every).")},
    {"self_attention.output", "self_attention.weights",
     "norm=none residual=false model_type!=seq2seq",
     N_("Unlike in the paper, the input is not added again here, and the result is not "
        "normed.")},
    {"add_1", "add_1", "norm=none residual=true",
     N_("The paper norms the sum; this model does not.")},
    {"self_attention.output", "self_attention.weights", "d_ff=0 model_type!=seq2seq",
     N_("Unlike in the paper, no feed-forward follows.")},
    {"self_attention.query_projection", NULL, "share_layers=true encoder_layers!=1",
     N_("All layers of a side are one and the same: every one uses these matrices "
        "again.")},
    {"cross_attention.query_projection", "cross_attention.weights",
     "as_written=cross_query_from_encoder",
     N_("As the tutorial wrote it: attention is called with query = key = the "
        "encoder's output and value = the decoder's state, which works only where both "
        "are of one length. In the paper the decoder asks, and keys and values are the "
        "encoder's.")},
    {"decoder.add_1|decoder.add_2|decoder.add_3",
     "decoder.self_attention.weights|cross_attention.weights|decoder.feed_forward."
     "hidden",
     "as_written=residual_from_norm norm=pre residual=true",
     N_("As the tutorial wrote it: the sublayer adds to its normed input. In a "
        "pre-norm Transformer it adds to the input as it was before the norm.")},
    {"encoder.add_2", "encoder.feed_forward.hidden",
     "as_written=residual_from_norm norm=pre residual=true",
     N_("As the tutorial wrote it: the feed-forward adds to its normed input. In a "
        "pre-norm Transformer it adds to the input as it was before the norm.")},
    {"feed_forward.hidden", "feed_forward.hidden",
     "as_written=activation_dropped feed_forward_gate=false",
     N_("As the tutorial wrote it: the result of the activation is not used, and the "
        "second matrix reads \"hidden\". In the paper it reads the result.")},
    {"decoder.embedding", "encoder.position",
     "as_written=decoder_without_positions position!=none position!=rotary",
     N_("As the tutorial wrote it: the decoder adds no positions, so only its causal "
        "mask depends on the order of its tokens. In the paper both sides have "
        "positions.")},
    {"decoder.embedding", "encoder.embedding",
     "as_written=decoder_without_positions position=rotary",
     N_("As the tutorial wrote it: the decoder adds no positions and rotates by none, "
        "so only its causal mask depends on the order of its tokens.")},
    {"decoder.self_attention.masked", "decoder.self_attention.weights",
     "as_written=mask_hides_self causal=true",
     N_("As the tutorial wrote it: the mask also covers the diagonal, so that no token "
        "sees itself, and for the first one everything is hidden. In the paper a token "
        "sees itself and what is before it.")},
    {"decoder.self_attention.weights", "decoder.self_attention.weights",
     "as_written=mask_hides_self causal=true mask_value=-1e+09 norm!=none",
     N_("The first row is masked whole: each of its scores is about the same large "
        "negative number, and the softmax of equal numbers is even.")},
    {"mean", "mean", "as_written=mean_with_padding",
     N_("As the tutorial wrote it: padding counts like a word, so a sentence alone in "
        "its batch has another mean than beside a longer one. It should not count.")},
    {"self_attention.scores", "self_attention.weights", "as_written=padding_not_hidden",
     N_("As the tutorial wrote it: nothing is masked, so words look at padding, too. "
        "In the paper padding is hidden.")},
    {"decoder.scores", NULL, "as_written=keys_are_last_state",
     N_("As the tutorial wrote it: the keys are one state only, the encoder's last at "
        "the first step and then the decoder's own of the step before. It has no axis "
        "for tokens, so the sentences of a batch look at each other. They should be "
        "all states of the encoder, word by word.")},
    {"decoder.state", "decoder.state", "as_written=lstm_restarts",
     N_("As the tutorial wrote it: the LSTM begins anew with zeros at every token, and "
        "forgets what was said. It should go on from the state before, and at first "
        "from the encoder's.")},
    {"attention.concat", "probabilities", "as_written=cell_for_state",
     N_("As the tutorial wrote it: beside what was found, the output layer reads the "
        "LSTM's cell. It should read the state, which is what the LSTM shows.")},
    {0},
};

bool remark_stands(const StageRemark *remark, const char *stack, const char *part,
                   bool is_box) {
    const char *places = is_box ? remark->box : remark->parts;
    Arena arena = {0};
    bool stands =
        places && (stage_lists(places, part) ||
                   stage_lists(places, arena_print(&arena, "%s.%s", stack, part)));
    arena_free(&arena);
    return stands;
}
