#include <stddef.h>

#include "base/language.h"
#include "walk/stage.h"

const StageKind stage_kinds_attention[] = {
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
    {0},
};
