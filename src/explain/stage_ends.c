#include <stddef.h>

#include "explain/stage.h"

const StageKind stage_kinds_ends[] = {
    {
        .name = "ids",
        .part = {"ids"},
        .stack = "encoder",
        .when = "tokenizer!=none",
        .title = "Ids: each token becomes a number",
        .text = "A model cannot read. Each token is replaced by its place in the "
                "vocabulary, and <end> closes the sentence.",
    },
    {
        .name = "ids",
        .part = {"ids"},
        .stack = "encoder",
        .title = "Ids: each token is a number",
        .text = "A model cannot read: a token is its place in the vocabulary. This "
                "model has no tokenizer, so the numbers are as they were given.",
    },
    {
        .name = "ids",
        .part = {"ids"},
        .stack = "decoder",
        .when = "model_type=seq2seq",
        .title = "Ids of the target, shifted right",
        .text = "The decoder reads <start> and what has been said so far, one after"
                " the other, and after each is to say what comes next.",
    },
    {
        .name = "ids",
        .part = {"ids"},
        .stack = "decoder",
        .when = "causal=true",
        .title = "Ids of the target, shifted right",
        .text = "The decoder reads <start> and what has been said so far, and is to"
                " say what comes next. All places are given at once, each seeing "
                "only what stands before it: the same numbers as one step after "
                "another.",
    },
    {
        .name = "ids",
        .part = {"ids"},
        .stack = "decoder",
        .title = "Ids of the target, shifted right",
        .text = "The decoder reads <start> and what has been said so far, and is to"
                " say what comes next. In this model (causal is false) each place "
                "sees all the others, those behind it, too.",
    },
    {
        .name = "padding",
        .part = {"padding_mask"},
        .title = "Padding mask",
        .text = "Sentences of a batch must be equally long, so the shorter ones are"
                " filled up with <pad>. A 1 marks a place of padding.",
    },
    {
        .name = "embedding",
        .part = {"embedding"},
        .title = "Embedding: look up a row of the table",
        .text = "Each id chooses one row of a table of learned numbers. Tokens used"
                " alike come to have rows alike: this is all the model knows of a "
                "word alone.",
    },
    {
        .name = "embedding-scaled",
        .part = {"embedding_scaled"},
        .when = "position!=none",
        .title = "Embedding × √d_model",
        .text = "The rows are made larger, so that the positions that are added "
                "next do not drown them.",
    },
    {
        .name = "embedding-scaled",
        .part = {"embedding_scaled"},
        .title = "Embedding × √d_model",
        .text = "The rows are made larger. In the paper that keeps the positions "
                "from drowning them; this model has no positions.",
    },
    {
        .name = "position",
        .part = {"position"},
        .when = "position=sinusoidal",
        .title = "Positional encoding: waves",
        .text = "Attention does not know the order of its tokens. So each place "
                "gets a pattern of its own: waves, from fast ones (left) to slow "
                "ones (right). Nothing here is learned.",
    },
    {
        .name = "position",
        .part = {"position"},
        .title = "Positional encoding: learned rows",
        .text = "Attention does not know the order of its tokens. So each place "
                "chooses a row of a second table, learned as that of the words is; "
                "it has as many rows as the model knows places.",
    },
    {
        .name = "input",
        .part = {"input"},
        .title = "Embedding + position",
        .text = "Word and place are added into one row of numbers: this goes into "
                "the first layer.",
    },
    {
        .name = "encoder-output",
        .part = {"output"},
        .stack = "encoder",
        .when = "encoder_causal=true",
        .title = "The encoder's output",
        .text = "One row for each source token, which now knows of the tokens before "
                "it, and not of those behind.",
    },
    {
        .name = "encoder-output",
        .part = {"output"},
        .stack = "encoder",
        .when = "final_norm=true",
        .title = "The encoder's output, normed",
        .text = "A last layer norm over the result of the layers: one row for each "
                "source token, which now knows of all the others.",
    },
    {
        .name = "encoder-output",
        .part = {"output"},
        .stack = "encoder",
        .when = "model_type=transformer decoder_layers!=0",
        .title = "The encoder's output",
        .text = "One row for each source token, which now knows of all the others: "
                "this is what the encoder hands to the decoder.",
    },
    {
        .name = "encoder-output",
        .part = {"output"},
        .stack = "encoder",
        .title = "The encoder's output",
        .text = "One row for each source token, which now knows of all the others.",
    },
    {
        .name = "decoder-output",
        .part = {"output"},
        .stack = "decoder",
        .when = "final_norm=true",
        .title = "The decoder's output, normed",
        .text = "A last layer norm over the result of the layers: what the model "
                "has in mind for the word that comes next.",
    },
    {
        .name = "decoder-output",
        .part = {"output"},
        .stack = "decoder",
        .title = "The decoder's output",
        .text = "One row for each target place: what the model has in mind for the "
                "word that comes next.",
    },
    {
        .name = "logits",
        .part = {"logits"},
        .when = "tie_embeddings=true",
        .title = "Logits: a score for every word",
        .text = "Each row is compared with the row of every word in the embedding "
                "table, which serves as the last matrix, too: its score as the next"
                " word. The best ones of each place are shown.",
        .look = LOOK_BARS,
    },
    {
        .name = "logits",
        .part = {"logits"},
        .title = "Logits: a score for every word",
        .text = "A last matrix gives each word of the vocabulary a score as the "
                "next word. The best ones of each place are shown.",
        .look = LOOK_BARS,
    },
    {
        .name = "probabilities",
        .part = {"probabilities"},
        .title = "Probabilities: softmax over the vocabulary",
        .text = "The scores become shares that sum to 1. The largest is the model's"
                " choice for the next word.",
        .look = LOOK_BARS,
    },
    {0},
};
