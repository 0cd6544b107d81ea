#include "walk/depth.h"

#include <stddef.h>
#include <string.h>

#include "base/language.h"
#include "tensor/address.h"

const char *const depths[] = {"numbers", "steps", "boxes", NULL};

/* By the name of the stage; what is not named is a number among others. */
static const struct {
    const char *name;
    const char *stack; /* NULL: in both */
    Depth depth;
} stops[] = {
    {"ids", NULL, DEPTH_STEPS},
    {"padding", NULL, DEPTH_STEPS},
    {"embedding", "encoder", DEPTH_BOXES},
    {"embedding", "decoder", DEPTH_STEPS},
    {"position", "encoder", DEPTH_BOXES},
    {"position", "decoder", DEPTH_STEPS},
    {"input", NULL, DEPTH_STEPS},
    {"projections", NULL, DEPTH_STEPS},
    {"scores", NULL, DEPTH_STEPS},
    {"scaled", NULL, DEPTH_STEPS},
    {"masked", NULL, DEPTH_STEPS},
    {"weights", NULL, DEPTH_BOXES},
    {"weights-dropped", NULL, DEPTH_BOXES},
    {"dropped", NULL, DEPTH_STEPS},
    {"dropped-1", NULL, DEPTH_STEPS},
    {"dropped-2", NULL, DEPTH_STEPS},
    {"dropped-3", NULL, DEPTH_STEPS},
    {"context", NULL, DEPTH_STEPS},
    {"concat", NULL, DEPTH_STEPS},
    {"output", NULL, DEPTH_STEPS},
    {"add-norm-1", "encoder", DEPTH_BOXES},
    {"add-norm-1", "decoder", DEPTH_STEPS},
    {"norm-1", NULL, DEPTH_STEPS},
    {"add-1", "encoder", DEPTH_BOXES},
    {"add-1", "decoder", DEPTH_STEPS},
    {"add-norm-2", NULL, DEPTH_STEPS},
    {"norm-2", NULL, DEPTH_STEPS},
    {"add-2", NULL, DEPTH_STEPS},
    {"add-norm-3", NULL, DEPTH_STEPS},
    {"norm-3", NULL, DEPTH_STEPS},
    {"add-3", NULL, DEPTH_STEPS},
    {"feed-forward", NULL, DEPTH_BOXES},
    {"feed-forward-output", NULL, DEPTH_STEPS},
    {"encoder-output", NULL, DEPTH_STEPS},
    {"decoder-output", NULL, DEPTH_STEPS},
    {"rnn-input", NULL, DEPTH_STEPS},
    {"lstm-input", NULL, DEPTH_STEPS},
    {"step", NULL, DEPTH_BOXES},
    {"attention", NULL, DEPTH_BOXES},
    {"last-state", NULL, DEPTH_BOXES},
    {"mean", NULL, DEPTH_BOXES},
    {"logits", NULL, DEPTH_STEPS},
    {"probabilities", NULL, DEPTH_BOXES},
};

static Depth depth_of_kind(const Stage *stage) {
    for (size_t s = 0; s < sizeof stops / sizeof *stops; s++)
        if (strcmp(stops[s].name, stage->kind->name) == 0 &&
            (!stops[s].stack || strcmp(stops[s].stack, stage->stack) == 0))
            return stops[s].depth;
    return DEPTH_NUMBERS;
}

Depth depth_of(const Stage *stage) {
    Depth depth = depth_of_kind(stage);
    if (stage->layer <= 0 || depth == DEPTH_NUMBERS) return depth;
    return depth == DEPTH_BOXES ? DEPTH_STEPS : DEPTH_NUMBERS;
}

static const BoxKind boxes[] = {
    {
        .name = "embedding",
        .title = N_("Embedding: words become rows of numbers"),
        .text = N_("The model calculates, so each token is replaced by a row of "
                   "numbers that were learned. Words that are used alike have rows "
                   "that are alike."),
    },
    {
        .name = "position",
        .when = "position=learned",
        .title = N_("Position: which word stands where"),
        .text =
            N_("All tokens are looked at together, so nothing tells the first from "
               "the last. Each place has a row of its own that was learned, and it is "
               "added to the word that stands there."),
    },
    {
        .name = "position",
        .title = N_("Position: which word stands where"),
        .text = N_("All tokens are looked at together, so nothing tells the first from "
                   "the last. Each place has a pattern of numbers that is added to the "
                   "word that stands there."),
    },
    {
        .name = "weights",
        .stack = "encoder",
        .title = N_("Encoder: self-attention"),
        .text =
            N_("Every token (row) looks at all tokens of the sentence (columns) and "
               "takes something from each, as much as the shade says. So a word "
               "comes to know of the words it belongs to."),
    },
    {
        .name = "weights",
        .stack = "decoder",
        .address = "cross_attention.weights",
        .when = "as_written!=cross_query_from_encoder",
        .title = N_("Decoder: cross-attention"),
        .text =
            N_("Here the two sides meet. A row is the word that the decoder has read "
               "last; to find the one that comes after it, it looks at the words of "
               "the source (columns) that the encoder has read."),
    },
    {
        .name = "weights",
        .stack = "decoder",
        .address = "cross_attention.weights",
        .title = N_("Decoder: cross-attention, its roles exchanged"),
        .text = N_("Here the two sides should meet: the target asks and the source "
                   "answers. In this model the source asks itself, and the target only "
                   "passes on its values."),
    },
    {
        .name = "weights",
        .stack = "decoder",
        .address = "self_attention.weights",
        .when = "causal=true",
        .title = N_("Decoder: masked self-attention"),
        .text =
            N_("The decoder looks at the words it has said so far. What comes later "
               "is hidden (hatched): it does not exist yet when the word is chosen."),
    },
    {
        .name = "weights",
        .stack = "decoder",
        .address = "self_attention.weights",
        .title = N_("Decoder: self-attention"),
        .text =
            N_("The decoder looks at all words of the target. In this model nothing "
               "is hidden, not even what comes later."),
    },
    {
        .name = "weights",
        .stack = "decoder",
        .title = N_("Attention: which words of the source matter now"),
        .text =
            N_("Before each word the decoder's state (row) is compared with the "
               "encoder's states (columns); the nearer, the more is taken from it."),
    },
    {
        .name = "add-norm-1",
        .when = "norm_type=rms",
        .title = N_("Add & norm: keep what was there"),
        .text = N_("What attention found is added to what went in, so nothing is lost. "
                   "Then each row is brought to the same size, so that the numbers "
                   "neither grow nor fade from layer to layer."),
    },
    {
        .name = "add-norm-1",
        .title = N_("Add & norm: keep what was there"),
        .text = N_("What attention found is added to what went in, so nothing is lost. "
                   "Then each row is brought to the same mean and spread, so that the "
                   "numbers neither grow nor fade from layer to layer."),
    },
    {
        .name = "add-1",
        .title = N_("Add: keep what was there"),
        .text =
            N_("What attention found is added to what went in, so nothing is lost on "
               "the way."),
    },
    {
        .name = "feed-forward",
        .stack = "encoder",
        .when = "activation!=none",
        .title = N_("Encoder: feed-forward"),
        .text =
            N_("After looking around, each token thinks for itself: many small units "
               "each look for a pattern in its row, and those that find it write "
               "something into the row."),
    },
    {
        .name = "feed-forward",
        .stack = "decoder",
        .when = "activation!=none",
        .title = N_("Decoder: feed-forward"),
        .text = N_("The same as in the encoder: each place works out by itself what to "
                   "make of all it has looked at."),
    },
    {
        .name = "feed-forward",
        .title = N_("Feed-forward, without a bend"),
        .text =
            N_("Two matrices, one after the other, work on each token alone. Without "
               "the bend that the paper puts between them they can do no more than "
               "one."),
    },
    {
        .name = "step",
        .stack = "decoder",
        .title = N_("Writing word by word"),
        .text =
            N_("The decoder has a state, too: what it has said so far changes it word "
               "by word. It asks the encoder's states what to say next."),
    },
    {
        .name = "step",
        .title = N_("Reading word by word"),
        .text =
            N_("This model has no attention while it reads: one word after the other "
               "changes a single state, which has to hold all that was read."),
    },
    {
        .name = "mean",
        .title = N_("Mean: the sentence as one row"),
        .text = N_("To judge the whole sentence, the rows of its tokens are averaged."),
    },
    {
        .name = "last-state",
        .title = N_("The last state: the sentence as one row"),
        .text = N_("To judge the whole sentence, only the state after its last word is "
                   "used."),
    },
    {
        .name = "probabilities",
        .stack = "",
        .when = "model_type=classifier",
        .title = N_("Probabilities: the decision"),
        .text =
            N_("A last matrix gives each label a score, and the softmax makes shares "
               "of the scores that add up to 1."),
    },
    {
        .name = "probabilities",
        .title = N_("Probabilities: which word comes next"),
        .text = N_("A last matrix gives each word of the vocabulary a score, and the "
                   "softmax makes shares of the scores that add up to 1. At each place "
                   "the largest is the next word."),
    },
    {0},
};

static bool shows(const Stage *stage, const char *ending) {
    for (int t = 0; t < stage->tensors; t++)
        if (address_ends(stage->address[t], ending)) return true;
    return false;
}

const BoxKind *box_of(const Stage *stage, const Config *config) {
    for (const BoxKind *box = boxes; box->name; box++)
        if (strcmp(box->name, stage->kind->name) == 0 &&
            (!box->stack || strcmp(box->stack, stage->stack) == 0) &&
            (!box->address || shows(stage, box->address)) &&
            (!box->when || config_holds(config, box->when)))
            return box;
    return NULL;
}
