#include <stddef.h>

#include "base/language.h"
#include "walk/stage.h"

const StageKind stage_kinds_ends[] = {
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
    {0},
};
