/* The layers. */
#include "base/language.h"
#include "walk/glossary.h"

const GlossaryTerm glossary_layer[] = {
    {"layer", "layers|층|레이어",
     N_("One round of attention and feed-forward with weights of its own. What leaves "
        "a layer is what the next one reads."),
     "layer"},
    {"encoder", "인코더",
     N_("The part that reads the source. Its tokens look at all others of the "
        "sentence."),
     "encoder"},
    {"decoder", "디코더",
     N_("The part that writes the answer, token by token. It looks at what it has "
        "written, and at what the encoder has read."),
     "decoder"},
    {"feed-forward",
     "ffn|mlp|feed forward network|피드 포워드|피드 포워드 신경망|피드포워드",
     N_("Two projections with an activation between them, on each token alone. "
        "Attention moves information between tokens; this works on what has come."),
     "ffn"},
    {"d_ff", "inner dimension|feed forward dimension",
     N_("How many numbers a token has between the two projections of the feed-forward; "
        "2048 in the paper."),
     "ffn"},
    {"activation", "activation function|활성화|활성화 함수",
     N_("A bend between two projections. Without it the two would be no more than "
        "one."),
     "activation"},
    {"ReLU", "relu|렐루",
     N_("The plainest activation: negative numbers become 0, the others stay."),
     "activation"},
    {"GELU", "gelu|젤루",
     N_("An activation like ReLU with a soft bend: small negative numbers pass a "
        "little."),
     "activation"},
    {"residual connection", "residual|skip connection|add|잔차|잔차 연결",
     N_("What goes into a box is added to what comes out of it. So a box only has to "
        "find what is to be changed, and the gradient has a short way back."),
     "residual"},
    {"layer norm", "norm|layer normalization|layernorm|normalization|층 정규화|정규화",
     N_("Takes the mean off the row of a token and divides by its standard deviation; "
        "then each number gets a learned factor and offset. So rows keep one size "
        "through all layers."),
     "norm"},
    {"mean", "average|평균",
     N_("The sum of the numbers, divided by how many they are."), "norm"},
    {"standard deviation", "deviation|표준편차|편차",
     N_("How far numbers usually lie from their mean: the root of the mean of the "
        "squared distances."),
     "norm"},
    {"hidden state", "state|은닉 상태|상태",
     N_("What a recurrent network remembers of all tokens so far: one row of numbers "
        "that each token changes."),
     "state"},
    {"LSTM", "rnn|recurrent network|gate|gates|게이트|순환 신경망",
     N_("A recurrent network: it reads token by token and keeps a state, and gates "
        "decide what is forgotten, taken in and shown. It was what one used before the "
        "Transformer."),
     "lstm"},
    {"classifier", "label|labels|분류기|레이블",
     N_("A model that gives a sentence one of a few labels, such as good or bad, "
        "instead of another sentence."),
     "probability"},
    {"unit", "neuron|유닛|뉴런",
     N_("One of the d_ff numbers inside the feed-forward network: it looks for one "
        "pattern in a row and is awake (above 0) where it finds it."),
     "ffn"},
    {"gain", "이득|스케일",
     N_("The learned number by which a layer norm stretches each number of a row."),
     "layer norm"},
    {0},
};
