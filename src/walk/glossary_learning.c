/* How it has learned. */
#include "base/language.h"
#include "walk/glossary.h"

const GlossaryTerm glossary_learning[] = {
    {"weight", "parameter|parameters|model weight|가중치|파라미터",
     N_("A number of the model that was learned from examples and stays as it is while "
        "the model is used. Not to be confused with an attention weight."),
     NULL},
    {"bias", "offset|편향",
     N_("A learned number that is added behind a projection, whatever the input is."),
     NULL},
    {"training", "train|학습",
     N_("Examples go through the model, the loss tells how wrong it was, and every "
        "weight is moved a little so that the loss becomes smaller; a million times "
        "over."),
     NULL},
    {"loss", "cost|손실|손실 함수",
     N_("One number that says how wrong the model was on its examples. Training makes "
        "it smaller."),
     NULL},
    {"cross-entropy", "cross entropy loss|교차 엔트로피|크로스 엔트로피",
     N_("The usual loss: minus the logarithm of the probability that the right token "
        "got. It is 0 where the model was sure and right."),
     "probability"},
    {"label smoothing", "smoothing|레이블 스무딩",
     N_("In training the right token is to get a little less than 1, and the others "
        "share the rest. So the model does not become too sure of itself."),
     "probability"},
    {"teacher forcing", "교사 강요|티처 포싱",
     N_("In training the decoder reads the right answer so far instead of its own. "
        ":target does the same here."),
     "decoder"},
    {"gradient", "backpropagation|기울기|그레이디언트|역전파",
     N_("How much one number would change if another were changed a little. When a "
        "model learns it is the loss for each weight, computed from the loss "
        "backwards; "
        ":because asks it of the number that is followed."),
     NULL},
    {"learning rate", "rate|warm up|warmup|학습률|웜업",
     N_("How far the weights are moved along the gradient at each step. In the paper "
        "it grows at first (warm-up) and then falls; `draw schedule` shows it."),
     NULL},
    {"optimizer", "adam|rmsprop|옵티마이저",
     N_("Decides from the gradients of this step and those before how each weight is "
        "moved; Adam is the usual one."),
     NULL},
    {"dropout", "드롭아웃",
     N_("In training some numbers are set to 0 by lot, so that the model does not rely "
        "on any of them. When the model is used nothing is dropped."),
     NULL},
    {"epoch", "step|에포크|스텝",
     N_("Once through all examples of the training; each batch on the way is a step."),
     NULL},
    {"overfitting", "과적합",
     N_("The model knows its examples by heart and fails on new ones: its loss goes on "
        "falling in training and rises on sentences that it has not seen."),
     NULL},
    {0},
};
