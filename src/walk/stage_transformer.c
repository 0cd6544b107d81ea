#include <stddef.h>

#include "base/language.h"
#include "walk/stage.h"

/* Where a layer has the same box again. */
static const char *const norm_alone =
    N_("$op This model does not add the input again.");
static const char *const added_and_normed_again =
    N_("Again the input of the sublayer is added and each row is normed.");
static const char *const normed_again =
    N_("Again each row is normed before it goes into the sublayer.");
static const char *const added_again =
    N_("Again what went in is added to what came out.");

const StageKind stage_kinds_transformer[] = {
    {
        .name = "ids",
        .part = {"ids"},
        .stack = "encoder",
        .when = "tokenizer!=none",
        .title = N_("Ids: each token becomes a number"),
        .text = N_("A model cannot read. Each token is replaced by its place in the "
                   "vocabulary, and <end> closes the sentence."),
    },
    {
        .name = "ids",
        .part = {"ids"},
        .stack = "encoder",
        .title = N_("Ids: each token is a number"),
        .text = N_("A model cannot read: a token is its place in the vocabulary. This "
                   "model has no tokenizer, so the numbers are as they were given."),
    },
    {
        .name = "ids",
        .part = {"ids"},
        .stack = "decoder",
        .when = "model_type=seq2seq",
        .title = N_("Ids of the target, shifted right"),
        .text = N_("The decoder reads <start> and what has been said so far, one after"
                   " the other, and after each is to say what comes next."),
    },
    {
        .name = "ids",
        .part = {"ids"},
        .stack = "decoder",
        .when = "causal=true",
        .title = N_("Ids of the target, shifted right"),
        .text = N_("The decoder reads <start> and what has been said so far, and is to"
                   " say what comes next. All places are given at once, each seeing "
                   "only what stands before it: the same numbers as one step after "
                   "another."),
    },
    {
        .name = "ids",
        .part = {"ids"},
        .stack = "decoder",
        .title = N_("Ids of the target, shifted right"),
        .text = N_("The decoder reads <start> and what has been said so far, and is to"
                   " say what comes next. In this model (causal is false) each place "
                   "sees all the others, those behind it, too."),
    },
    {
        .name = "padding",
        .part = {"padding_mask"},
        .title = N_("Padding mask"),
        .text = N_("Sentences of a batch must be equally long, so the shorter ones are"
                   " filled up with <pad>. A 1 marks a place of padding."),
    },
    {
        .name = "embedding",
        .part = {"embedding"},
        .title = N_("Embedding: look up a row of the table"),
        .text = N_("Each id chooses one row of a table of learned numbers. Tokens used"
                   " alike come to have rows alike: this is all the model knows of a "
                   "word alone."),
    },
    {
        .name = "embedding-scaled",
        .part = {"embedding_scaled"},
        .when = "position!=none",
        .title = N_("Embedding × √d_model"),
        .text = N_("The rows are made larger, so that the positions that are added "
                   "next do not drown them."),
    },
    {
        .name = "embedding-scaled",
        .part = {"embedding_scaled"},
        .title = N_("Embedding × √d_model"),
        .text = N_("The rows are made larger. In the paper that keeps the positions "
                   "from drowning them; this model has no positions."),
    },
    {
        .name = "position",
        .part = {"position"},
        .when = "position=sinusoidal",
        .title = N_("Positional encoding: waves"),
        .text = N_("Attention does not know the order of its tokens. So each place "
                   "gets a pattern of its own: waves, from fast ones (left) to slow "
                   "ones (right). Nothing here is learned."),
    },
    {
        .name = "position",
        .part = {"position"},
        .title = N_("Positional encoding: learned rows"),
        .text = N_("Attention does not know the order of its tokens. So each place "
                   "chooses a row of a second table, learned as that of the words is; "
                   "it has as many rows as the model knows places."),
    },
    {
        .name = "input",
        .part = {"input"},
        .title = N_("Embedding + position"),
        .text = N_("Word and place are added into one row of numbers: this goes into "
                   "the first layer."),
    },
    {
        .name = "encoder-output",
        .part = {"output"},
        .stack = "encoder",
        .when = "encoder_causal=true",
        .title = N_("The encoder's output"),
        .text =
            N_("One row for each source token, which now knows of the tokens before "
               "it, and not of those behind."),
    },
    {
        .name = "encoder-output",
        .part = {"output"},
        .stack = "encoder",
        .when = "final_norm=true",
        .title = N_("The encoder's output, normed"),
        .text = N_("The result of the layers, normed once more: one row for each "
                   "source token, which now knows of all the others."),
    },
    {
        .name = "encoder-output",
        .part = {"output"},
        .stack = "encoder",
        .when = "model_type=transformer decoder_layers!=0",
        .title = N_("The encoder's output"),
        .text = N_("One row for each source token, which now knows of all the others: "
                   "this is what the encoder hands to the decoder."),
    },
    {
        .name = "encoder-output",
        .part = {"output"},
        .stack = "encoder",
        .title = N_("The encoder's output"),
        .text = N_("One row for each source token, which now knows of all the others."),
    },
    {
        .name = "decoder-output",
        .part = {"output"},
        .stack = "decoder",
        .when = "final_norm=true",
        .title = N_("The decoder's output, normed"),
        .text = N_("The result of the layers, normed once more: what the model "
                   "has in mind for the word that comes next."),
    },
    {
        .name = "decoder-output",
        .part = {"output"},
        .stack = "decoder",
        .title = N_("The decoder's output"),
        .text = N_("One row for each target place: what the model has in mind for the "
                   "word that comes next."),
    },
    {
        .name = "logits",
        .part = {"logits"},
        .when = "tie_embeddings=true",
        .title = N_("Logits: a score for every word"),
        .text = N_("Each row is compared with the row of every word in the embedding "
                   "table, which serves as the last matrix, too: its score as the next"
                   " word. The best ones of each place are shown."),
        .look = LOOK_BARS,
    },
    {
        .name = "logits",
        .part = {"logits"},
        .title = N_("Logits: a score for every word"),
        .text = N_("A last matrix gives each word of the vocabulary a score as the "
                   "next word. The best ones of each place are shown."),
        .look = LOOK_BARS,
    },
    {
        .name = "probabilities",
        .part = {"probabilities"},
        .title = N_("Probabilities: softmax over the vocabulary"),
        .text = N_("The scores become shares that sum to 1. The largest is the model's"
                   " choice for the next word."),
        .look = LOOK_BARS,
    },
    {
        .name = "projections",
        .part = {"self_attention.query_projection", "self_attention.key_projection",
                 "self_attention.value_projection"},
        .title = N_("Q, K, V: three roles for each token"),
        .text = N_("Each token is multiplied with three learned matrices: the query is"
                   " what it looks for, the key what it offers, the value what it "
                   "passes on."),
        .gathers = true,
    },
    {
        .name = "projections",
        .part = {"cross_attention.query_projection", "cross_attention.key_projection",
                 "cross_attention.value_projection"},
        .when = "as_written!=cross_query_from_encoder",
        .title = N_("Cross-attention: Q from the target, K and V from the source"),
        .text = N_("Here the two sides meet: each target token asks (query), and the "
                   "encoder's output answers (key, value)."),
        .gathers = true,
    },
    {
        .name = "projections",
        .part = {"cross_attention.query_projection", "cross_attention.key_projection",
                 "cross_attention.value_projection"},
        .title =
            N_("Cross-attention with its roles exchanged: Q and K from the source"),
        .text = N_("Here the two sides meet, but the source asks itself: query and key"
                   " are made of the encoder's output, and the target passes on the "
                   "values."),
        .gathers = true,
    },
    {
        .name = "heads",
        .part = {"self_attention.query", "self_attention.key", "self_attention.value"},
        .title = N_("Split into heads"),
        .text = N_("The d_model numbers are cut into pieces of d_head. Each head works"
                   " with its own piece and can look for something else."),
        .gathers = true,
    },
    {
        .name = "heads",
        .part = {"cross_attention.query", "cross_attention.key",
                 "cross_attention.value"},
        .when = "as_written!=cross_query_from_encoder",
        .title = N_("Split into heads"),
        .text = N_("The d_model numbers are cut into pieces of d_head, as before. The "
                   "queries are target tokens, the keys and values source tokens."),
        .gathers = true,
    },
    {
        .name = "heads",
        .part = {"cross_attention.query", "cross_attention.key",
                 "cross_attention.value"},
        .title = N_("Split into heads"),
        .text = N_("The d_model numbers are cut into pieces of d_head, as before. Here"
                   " queries and keys are source tokens, the values target tokens."),
        .gathers = true,
    },
    {
        .name = "scores",
        .part = {"self_attention.scores"},
        .title = N_("Scores: every query with every key"),
        .text = N_("Query and key are multiplied number by number and added up. A "
                   "large score says: what this token looks for, that one offers."),
        .look = LOOK_HEATMAP,
    },
    {
        .name = "scores",
        .part = {"cross_attention.scores"},
        .when = "as_written!=cross_query_from_encoder",
        .title = N_("Cross-attention scores: target rows, source columns"),
        .text = N_("Each target token (row) is compared with each source token "
                   "(column): which word of the sentence matters for the next one?"),
        .look = LOOK_HEATMAP,
    },
    {
        .name = "scores",
        .part = {"cross_attention.scores"},
        .title = N_("Cross-attention scores: source rows, source columns"),
        .text = N_("Each source token (row) is compared with each source token "
                   "(column). The target has no say in it."),
        .look = LOOK_HEATMAP,
    },
    {
        .name = "scaled",
        .part = {"self_attention.scaled", "cross_attention.scaled"},
        .title = N_("Scaled by √d_k"),
        .text = N_("A score is a sum of d_k products, so scores spread √d_k times as "
                   "wide as one product does. Divided by that, they stay where the "
                   "softmax still answers to small changes."),
        .look = LOOK_HEATMAP,
    },
    {
        .name = "masked",
        .part = {"self_attention.masked"},
        .stack = "decoder",
        .when = "causal=true",
        .title = N_("Masked: no looking ahead"),
        .text =
            N_("While it learns, the decoder has the whole answer before it. The "
               "mask hides what comes later (and padding), so that it cannot copy."),
        .look = LOOK_HEATMAP,
    },
    {
        .name = "masked",
        .part = {"self_attention.masked"},
        .stack = "encoder",
        .when = "encoder_causal=true",
        .title = N_("Masked: padding and what comes later"),
        .text = N_("Two masks at once: a token sees those before it and itself, and "
                   "nobody sees padding. What is hidden gets nothing of the softmax."),
        .look = LOOK_HEATMAP,
    },
    {
        .name = "masked",
        .part = {"self_attention.masked", "cross_attention.masked"},
        .title = N_("Masked: padding is hidden"),
        .text = N_("Scores of padding are made so low that the softmax gives them "
                   "nothing. Without padding every score stays as it was."),
        .look = LOOK_HEATMAP,
    },
    {
        .name = "weights",
        .part = {"self_attention.weights", "cross_attention.weights"},
        .title = N_("Softmax: attention weights"),
        .text =
            N_("Each row of scores becomes shares that are positive and sum to 1: "
               "how much this token (row) takes from each of the others (columns)."),
        .look = LOOK_HEATMAP,
    },
    {
        .name = "weights-dropped",
        .part = {"self_attention.weights_dropped", "cross_attention.weights_dropped"},
        .title = N_("Attention weights after dropout"),
        .text = N_("As in training, some weights are set to 0 at random and the others"
                   " divided by the share that is kept. A row adds up to 1 only on "
                   "average over many such draws: in this one it does not."),
        .look = LOOK_HEATMAP,
    },
    {
        .name = "context",
        .part = {"self_attention.context", "cross_attention.context"},
        .title = N_("Weighted values"),
        .text = N_("Each row takes the values of the columns it looks at, each times "
                   "its share, and adds them up: a mixture."),
    },
    {
        .name = "concat",
        .part = {"self_attention.concat", "cross_attention.concat"},
        .when = "attention_heads=1",
        .title = N_("One head: nothing to concatenate"),
        .text = N_("What the only head found becomes the whole row again."),
    },
    {
        .name = "concat",
        .part = {"self_attention.concat", "cross_attention.concat"},
        .title = N_("Concatenate the heads"),
        .text = N_("What the heads found is put side by side again: head 0 first, then"
                   " head 1, and so on."),
    },
    {
        .name = "output",
        .part = {"self_attention.output", "cross_attention.output"},
        .when = "attention_output_projection=false",
        .title = N_("Activation of the heads' output"),
        .text =
            N_("A curve through what the heads found, which the paper does not have."),
    },
    {
        .name = "output",
        .part = {"self_attention.output_projection", "self_attention.output",
                 "cross_attention.output_projection", "cross_attention.output"},
        .when = "attention_output_activation=none",
        .title = N_("Output projection"),
        .text = N_("One more learned matrix lets the findings of the heads work "
                   "together."),
    },
    {
        .name = "output",
        .part = {"self_attention.output_projection", "self_attention.output",
                 "cross_attention.output_projection", "cross_attention.output"},
        .title = N_("Output projection and activation"),
        .text = N_("One more learned matrix lets the findings of the heads work "
                   "together. In this model an activation follows, which the paper "
                   "does not have."),
    },
    {
        .name = "dropped",
        .part = {"input_dropped", "feed_forward.activated_dropped"},
        .title = N_("Dropout"),
        .text = N_("As in training, some numbers are set to 0 at random, so that the "
                   "model cannot rely on any of them; the others are divided by the "
                   "share that is kept."),
    },
    {
        .name = "dropped-1",
        .part = {"dropped_1"},
        .title = N_("Dropout, before it is added"),
        .text = N_("As in training, some numbers of what the sublayer made are set to "
                   "0 at random; the others are divided by the share that is kept."),
    },
    {
        .name = "dropped-2",
        .part = {"dropped_2"},
        .title = N_("Dropout, before it is added"),
        .text = N_("As in training, some numbers of what the sublayer made are set to "
                   "0 at random; the others are divided by the share that is kept."),
    },
    {
        .name = "dropped-3",
        .part = {"dropped_3"},
        .title = N_("Dropout, before it is added"),
        .text = N_("As in training, some numbers of what the sublayer made are set to "
                   "0 at random; the others are divided by the share that is kept."),
    },
    {
        .name = "add-norm-1",
        .part = {"add_1", "norm_1"},
        .when = "norm=post residual=true",
        .title = N_("Add & norm"),
        .text = N_("The input is added again, so that nothing is lost on the way "
                   "(residual connection). $op"),
    },
    {
        .name = "norm-1",
        .part = {"norm_1"},
        .when = "norm=pre",
        .title = N_("Norm, before the sublayer"),
        .text = N_("$op This model norms what goes into a sublayer; the paper norms "
                   "what comes out."),
    },
    {
        .name = "add-1",
        .part = {"add_1"},
        .when = "norm!=post residual=true",
        .title = N_("Add: the way around the sublayer"),
        .text = N_("What went in is added to what came out, so that nothing is lost on"
                   " the way (residual connection)."),
    },
    {
        .name = "norm-1",
        .part = {"norm_1"},
        .when = "norm=post residual=false",
        .title = N_("Norm"),
        .text = norm_alone,
    },
    {
        .name = "add-norm-2",
        .part = {"add_2", "norm_2"},
        .when = "norm=post residual=true",
        .title = N_("Add & norm"),
        .text = added_and_normed_again,
    },
    {
        .name = "norm-2",
        .part = {"norm_2"},
        .when = "norm=pre",
        .title = N_("Norm, before the sublayer"),
        .text = normed_again,
    },
    {
        .name = "add-2",
        .part = {"add_2"},
        .when = "norm!=post residual=true",
        .title = N_("Add: the way around the sublayer"),
        .text = added_again,
    },
    {
        .name = "norm-2",
        .part = {"norm_2"},
        .when = "norm=post residual=false",
        .title = N_("Norm"),
        .text = norm_alone,
    },
    {
        .name = "add-norm-3",
        .part = {"add_3", "norm_3"},
        .when = "norm=post residual=true",
        .title = N_("Add & norm"),
        .text = added_and_normed_again,
    },
    {
        .name = "norm-3",
        .part = {"norm_3"},
        .when = "norm=pre",
        .title = N_("Norm, before the sublayer"),
        .text = normed_again,
    },
    {
        .name = "add-3",
        .part = {"add_3"},
        .when = "norm!=post residual=true",
        .title = N_("Add: the way around the sublayer"),
        .text = added_again,
    },
    {
        .name = "norm-3",
        .part = {"norm_3"},
        .when = "norm=post residual=false",
        .title = N_("Norm"),
        .text = norm_alone,
    },
    {
        .name = "feed-forward",
        .part = {"feed_forward.hidden", "feed_forward.activated"},
        .when = "activation=none",
        .title = N_("Feed-forward: wider, without a bend"),
        .text = N_("Each token alone is projected to d_ff numbers. The paper bends the"
                   " line here (ReLU); this model does not, so its two matrices are no"
                   " more than one."),
    },
    {
        .name = "feed-forward",
        .part = {"feed_forward.hidden", "feed_forward.activated"},
        .title = N_("Feed-forward: wider, then a bend"),
        .text = N_("Each token alone is projected to d_ff numbers. $op Without a bend "
                   "two matrices would be no more than one."),
    },
    {
        .name = "feed-forward-output",
        .part = {"feed_forward.output_projection", "feed_forward.output"},
        .when = "feed_forward_output_activation=none",
        .title = N_("Feed-forward: back to d_model"),
        .text = N_("A second matrix brings the d_ff numbers back to the width of the "
                   "model."),
    },
    {
        .name = "feed-forward-output",
        .part = {"feed_forward.output_projection", "feed_forward.output"},
        .title = N_("Feed-forward: back to d_model, and an activation"),
        .text = N_("A second matrix brings the d_ff numbers back to the width of the "
                   "model. In this model an activation follows, which the paper does "
                   "not have."),
    },
    {0},
};
