/* The answer. */
#include "base/language.h"
#include "walk/glossary.h"

const GlossaryTerm glossary_output[] = {
    {"logit", "logits|로짓",
     N_("A score for each entry of the vocabulary, any number at all. The softmax "
        "makes probabilities of them."),
     "logit"},
    {"probability", "probabilities|확률",
     N_("The share that the model gives to a token as the next one. All entries of the "
        "vocabulary together have 1."),
     "probability"},
    {"greedy decoding", "greedy|decoding|탐욕적 디코딩|그리디|디코딩",
     N_("The answer is written token by token, and each time the most probable one is "
        "taken. What was taken is not taken back."),
     "decoding"},
    {"beam search", "beam|빔 서치|빔",
     N_("Keeps several beginnings of an answer side by side and ends with the one that "
        "is the most probable as a whole, where greedy decoding keeps only one."),
     "decoding"},
    {"temperature", "sampling|온도|샘플링",
     N_("Logits are divided by it before the softmax when the next token is drawn by "
        "lot. Below 1 the favourite gains, above 1 the others do."),
     "logit"},
    {"sure", "sureness|confidence|확신",
     N_("How probable the model held the words that it chose, on average. It says how "
        "settled the choice was, not that the answer is right."),
     "probabilities"},
    {0},
};
