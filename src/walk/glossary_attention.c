/* Attention. */
#include "base/language.h"
#include "walk/glossary.h"

const GlossaryTerm glossary_attention[] = {
    {"attention", "어텐션",
     N_("Lets a token take information from others: it computes a weight for each of "
        "them and adds up their values in these shares."),
     "attention"},
    {"self-attention", "셀프 어텐션|self attention",
     N_("Attention of a sentence with itself: each token looks at all tokens of the "
        "same sentence."),
     "attention"},
    {"cross-attention", "encoder decoder attention|크로스 어텐션|인코더 디코더 어텐션",
     N_("Attention of the decoder with the source: the tokens written so far ask, and "
        "the tokens that the encoder has read answer."),
     "cross attention"},
    {"query", "queries|q|쿼리",
     N_("What a token looks for: a row of numbers that is compared with the key of "
        "every token."),
     "query"},
    {"key", "keys|k|키",
     N_("What a token offers to be found by: a row of numbers with which queries are "
        "compared."),
     "key"},
    {"value", "values|v|값|밸류",
     N_("What a token gives to those that look at it: attention adds up values, each "
        "by its weight."),
     "value"},
    {"projection", "linear layer|linear|W_Q|W_K|W_V|W_O|투영|사영|선형 변환",
     N_("A multiplication by a learned matrix. Three of them make the query, the key "
        "and the value from the same row."),
     "query"},
    {"dot product", "내적|inner product",
     N_("Two rows are multiplied number by number and the products added up. It is "
        "large where the rows point in the same direction."),
     "score"},
    {"score", "attention score|scores|어텐션 스코어|스코어|점수",
     N_("The dot product of a query with a key: how well they fit, before anything is "
        "made a share."),
     "score"},
    {"scaling", "scale|scaled|스케일링|나누기",
     N_("Scores are divided by the root of d_k. Otherwise long rows would give large "
        "scores, and the softmax would put nearly everything on one token."),
     "scaling"},
    {"d_k", "d_head|head dimension|헤드 차원",
     N_("How many numbers a query and a key have within one head; in the paper 64."),
     "heads"},
    {"mask", "masking|마스크|마스킹",
     N_("Says where a token may not look: such scores become so small that their "
        "weight is 0."),
     "mask"},
    {"look-ahead mask", "causal mask|look ahead|룩어헤드 마스크",
     N_("Hides from each token of the target those that come after it, since they are "
        "not yet written when the model is used."),
     "mask"},
    {"softmax", "소프트맥스",
     N_("Makes shares of any numbers: e to the power of each, divided by the sum of "
        "all. They lie between 0 and 1 and add up to 1."),
     "softmax"},
    {"attention weight", "weights|attention weights|어텐션 가중치",
     N_("The share that a token takes from another, a number from 0 to 1. A row of "
        "weights adds up to 1. It is computed anew for each sentence, not learned."),
     "softmax"},
    {"weighted sum", "context|가중합|문맥",
     N_("Each row times its weight, all added up: what a token has gathered from the "
        "others."),
     "weighted sum"},
    {"head", "heads|헤드",
     N_("One of several attentions that run side by side in a layer. Each has "
        "projections of its own, so each can look for something else."),
     "heads"},
    {"multi-head attention", "multihead|멀티 헤드 어텐션|멀티헤드 어텐션",
     N_("Several heads at once: the row is split among them, and what they found is "
        "joined again and mixed by one more projection."),
     "heads"},
    {0},
};
