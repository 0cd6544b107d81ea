#include "walk/glossary.h"

#include <ctype.h>
#include <string.h>

#include "base/language.h"

const Idea ideas[] = {
    {"token|tokens|tokenize|tokenizing|tokenization|tokenizer|토큰화|토큰 "
     "나누기|subword|byte pair encoding|bpe|토큰|토크나이저|서브워드",
     "", NULL, "tokens"},
    {"id|ids|vocabulary|단어 집합|어휘|아이디", "ids", NULL, NULL},
    {"padding|padding mask|패딩|패딩 마스크", "padding_mask", NULL, NULL},
    {"embedding|embeddings|embed|embedding lookup|word embedding|임베딩|단어 임베딩",
     "embedding", NULL, NULL},
    {"position|positional encoding|positional encodings|positional|position "
     "encoding|positions|위치|위치 정보|위치 인코딩|포지셔널 인코딩",
     "position", NULL, NULL},
    {"attention|self attention|multi head attention|어텐션|셀프 어텐션|멀티 헤드 "
     "어텐션",
     "query_projection|weights", NULL, NULL},
    {"masked self attention|masked attention|causal attention|마스크드 셀프 어텐션",
     "self_attention.weights", "decoder", NULL},
    {"cross attention|크로스 어텐션|인코더 디코더 어텐션",
     "cross_attention.weights|cross_attention.query_projection", "decoder", NULL},
    /* The attention of an LSTM has no projections. */
    {"attention|cross attention|어텐션|크로스 어텐션", "scores", NULL, NULL},
    {"q|k|v|qkv|q/k/v|q, k, v|q k v|projection|projections|쿼리 키 "
     "값|query|key|value|queries|keys|values|쿼리|키|값|밸류",
     "query_projection|query", NULL, NULL},
    {"head|heads|헤드", "query|rows", NULL, NULL},
    {"rotary|rope|rotary positions|회전 위치|로터리", "query_rotated", NULL, NULL},
    {"grouped query attention|gqa|shared heads|그룹 쿼리 어텐션", "key_shared", NULL,
     NULL},
    {"score|scores|dot product|scaled dot product|scaled scores|attention "
     "score|스코어|점수|내적|어텐션 스코어",
     "scores", NULL, NULL},
    {"scaling|scale|스케일링|나누기", "scaled", NULL, NULL},
    {"mask|masked|masking|마스크|마스킹", "self_attention.masked", NULL, NULL},
    {"mask|masked|masking|masked score|masked scores|마스크된 스코어|look ahead "
     "mask|look ahead|causal mask|마스크|마스킹|룩어헤드 "
     "마스크",
     "masked|padding_mask", NULL, NULL},
    {"softmax|weights|attention weight|attention weights|소프트맥스|어텐션 "
     "가중치|가중치",
     "weights", NULL, NULL},
    {"weighted sum|weighted values|가중합", "context", NULL, NULL},
    {"concatenate|concatenation|concat|multi head concat|multi head "
     "concatenation|multi head|multihead|이어 붙이기|헤드 이어 붙이기|멀티 헤드|콘캣",
     "concat", NULL, NULL},
    {"residual|residual connection|skip connection|skip|add|add & norm|add and "
     "norm|add norm|잔차|잔차 연결",
     "add_1|add_2|add_3", NULL, NULL},
    {"norm|layer norm|layernorm|layer normalization|normalization|mean|standard "
     "deviation|정규화|층 정규화|평균|표준편차",
     "norm_1|norm_2|norm_3", NULL, NULL},
    {"ffn|ff|fnn|feed forward|피드 포워드 층|feedforward|feed forward network|mlp|피드 "
     "포워드|피드 포워드 "
     "신경망|피드포워드",
     "feed_forward.hidden|feed_forward.activated", NULL, NULL},
    {"gated feed forward|swiglu|geglu|glu|게이트 피드포워드", "feed_forward.gate", NULL,
     NULL},
    {"activation|activation function|relu|gelu|silu|활성화|활성화 함수|렐루",
     "feed_forward.activated|hidden", NULL, NULL},
    {"encoder|인코더", "ids|embedding", "encoder", NULL},
    {"decoder|디코더", "ids|embedding", "decoder", NULL},
    {"layer|layers|층|레이어", "self_attention.query_projection|self_attention.weights",
     NULL, NULL},
    {"logit|로짓", "logits", NULL, NULL},
    {"probability|probabilities|prediction|확률|예측", "probabilities", NULL, NULL},
    {"decoding|decode|greedy decoding|greedy|generation|디코딩|탐욕적 "
     "디코딩|그리디|생성",
     "", NULL, "decoding"},
    {"lstm|rnn|hidden state|state|gate|gates|은닉 상태|상태|게이트", "cell|state", NULL,
     NULL},
    {0},
};

/* Return the next letter to compare in [*text, end) and advance, skipping spaces and
 * hyphens; '\0' at the end. */
static char next_letter(const char **text, const char *end) {
    while (*text < end && strchr(" -_", **text)) (*text)++;
    return *text < end ? (char)tolower((unsigned char)*(*text)++) : '\0';
}

/* Return true if `typed` is one of `words`, which are separated by |. */
static bool is_word(const char *words, const char *typed) {
    for (const char *word = words; *word; word += strspn(word, "|")) {
        const char *end = word + strcspn(word, "|");
        const char *at = typed;
        char wanted;
        char letter;
        do {
            wanted = next_letter(&word, end);
            letter = next_letter(&at, typed + strlen(typed));
        } while (wanted == letter && letter);
        if (!wanted && !letter) return true;
        word = end;
    }
    return false;
}

void idea_offer(const char *words, Nearest *nearest, Arena *arena) {
    for (const char *word = words; *word; word += strspn(word, "|")) {
        size_t length = strcspn(word, "|");
        nearest_offer(nearest, arena_copy(arena, word, length));
        word += length;
    }
}

const Idea *idea_find(const Idea *after, const char *word) {
    for (const Idea *idea = after ? after + 1 : ideas; idea->words; idea++)
        if (is_word(idea->words, word)) return idea;
    return NULL;
}

bool idea_is_shown(const Idea *idea, const Stage *stage) {
    if (idea->stack && strcmp(idea->stack, stage->stack) != 0) return false;
    for (const char *end = idea->ends; *end; end += strspn(end, "|")) {
        size_t length = strcspn(end, "|");
        for (int t = 0; t < stage->tensors; t++) {
            const char *part = stage->part[t];
            size_t before = strlen(part) - length;
            if (strlen(part) >= length && strncmp(part + before, end, length) == 0 &&
                (before == 0 || part[before - 1] == '.'))
                return true;
        }
        end += length;
    }
    return false;
}

static const GlossaryTerm glossary_sentence[] = {
    {"token", "tokens|토큰|piece|조각",
     N_("A piece of the sentence: a word, a part of a word or a sign; in some models "
        "(microgpt) a single letter. The model reads and writes tokens only."),
     "token"},
    {"tokenizer", "tokenization|토크나이저|토큰화",
     N_("Cuts a sentence into tokens and gives each its number; in the other direction "
        "it joins the tokens of the answer to a text."),
     "token"},
    {"byte pair encoding", "bpe|subword|서브워드|바이트 페어 인코딩",
     N_("A way to cut words: it begins with single bytes and joins the pair that was "
        "most frequent in the training text, again and again. So frequent words are "
        "one token and rare ones several; :merges shows it."),
     "token"},
    {"vocabulary", "단어 집합|어휘",
     N_("All tokens that the model knows, each with a number. It chooses every token "
        "of its answer from this list."),
     "id"},
    {"id", "ids|아이디|번호",
     N_("The number of a token in the vocabulary. It only says which row of the table "
        "of embeddings belongs to the token; a larger id means nothing."),
     "id"},
    {"special token", "start|end|<start>|<end>|bos|eos|특수 토큰",
     N_("A token that is no text: <start> is what the decoder reads first, <end> says "
        "that the sentence is over, and padding fills what is shorter."),
     "decoder"},
    {"padding", "pad|패딩",
     N_("Tokens without meaning that make short sentences of a batch as long as the "
        "longest. A mask hides them from attention."),
     "padding"},
    {"padding_idx", "padding idx|mask_zero",
     N_("In PyTorch the id whose embedding is zeros and never learns; mask_zero in "
        "Keras "
        "hides it, too. Here <pad> has a row like any other, which reaches nothing "
        "where the padding mask hides it: :show "
        "model.encoder.embed_tokens.weight[vocabulary=<pad>]"),
     "padding"},
    {"batch", "배치|minibatch",
     N_("Several sentences that are computed together, which is faster. They should "
        "not affect each other; in seq2seq-as-written they do, by mistake."),
     NULL},
    {"embedding", "embeddings|임베딩",
     N_("The row of numbers that represents a token. In training, tokens that are used "
        "alike tend to get similar rows."),
     "embedding"},
    {"one-hot", "one hot|one hot vector|dense|원-핫|원핫|원-핫 벡터",
     N_("A row as long as the vocabulary, 0 everywhere but 1 at the place of the id. "
        "Times the table of embeddings it gives the row of that id: an embedding is a "
        "dense layer on one-hot rows, without the multiplications. \":toy "
        "tokens=0,1,0 W_Q=1,2|3,4|5,6 W_K=1,2|3,4|5,6 W_V=1,2|3,4|5,6\" takes row 1 "
        "of each matrix."),
     "embedding"},
    {"positional encoding", "position|positions|위치|위치 인코딩|포지셔널 인코딩",
     N_("Numbers that are added to each embedding and depend only on the position in "
        "the sentence. Without them a query and a key would give the same score "
        "wherever their tokens are."),
     "position"},
    {"d_model", "model dimension|차원|모델 차원",
     N_("How many numbers the row of a token has between the layers; 512 in the "
        "paper."),
     "embedding"},
    {"tensor", "텐서|matrix|vector|행렬|벡터",
     N_("A block of numbers with axes: a vector has one axis, a matrix has two. "
        "Everything that this program shows is part of a tensor."),
     NULL},
    {"axis", "axes|shape|축|모양|형태",
     N_("A direction in which the numbers of a tensor are counted, such as head, query "
        "or key. The shape says how long each axis is."),
     NULL},
    {"source", "source sentence|소스",
     N_("The sentence that is typed and that the encoder reads."), "embedding"},
    {"target", "target sentence|타깃",
     N_("The sentence that the decoder writes, or is given to read: a translation, a "
        "reply."),
     NULL},
    {"cosine similarity", "cosine|코사인 유사도|코사인",
     N_("How alike two rows of numbers are, from 1 (the same direction) over 0 "
        "(nothing "
        "in common) to -1 (opposite)."),
     "embedding"},
    {0},
};

static const GlossaryTerm glossary_attention[] = {
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
     N_("A multiplication by a learned matrix. In self-attention three of them make "
        "the query, the key and the value from the same row."),
     "query"},
    {"dot product", "내적|inner product",
     N_("Two rows are multiplied number by number and the products added up. It grows "
        "with the lengths of both rows, and with how nearly they point in the same "
        "direction."),
     "score"},
    {"score", "attention score|scores|어텐션 스코어|스코어|점수",
     N_("The dot product of a query with a key: how well they fit, before the softmax "
        "makes it a weight."),
     "score"},
    {"scaling", "scale|scaled|스케일링|나누기",
     N_("Scores are divided by the root of d_head. Without that, scores spread more "
        "widely the larger d_head is, and the softmax gives nearly all the weight to "
        "one token."),
     "scaling"},
    {"d_head", "d_k|head dimension|헤드 차원",
     N_("How many numbers a query and a key have within one head; in "
        "the paper it is called d_k, and is 64."),
     "heads"},
    {"mask", "masking|마스크|마스킹",
     N_("Says where a token may not look: such scores become so small that their "
        "weight is 0."),
     "mask"},
    {"padding mask", "key padding mask|패딩 마스크",
     N_("Hides the padding of a batch from every query. \":show mask.padding\" shows "
        "it; "
        "with --as keep also as most tutorials print it: 1 = keep, a row for each "
        "query."),
     "padding"},
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
     N_("One of several attentions that run side by side in a layer. Each has a query "
        "projection of its own, and unless heads share them a key and a value "
        "projection, so it computes weights of its own."),
     "heads"},
    {"contiguous", "view|reshape|transpose|메모리 순서",
     N_("In PyTorch a transpose changes how a block of numbers is read and not where "
        "they lie, and view can only cut what lies in order. So heads are joined by "
        "transpose, contiguous (a copy in order) and view; reshape, as :code has it at "
        "concat, does the last two in one. A view by the length of the source breaks "
        "where the target has another."),
     "heads"},
    {"multi-head attention", "multihead|멀티 헤드 어텐션|멀티헤드 어텐션",
     N_("Several heads at once: queries, keys and values are split among them, and "
        "what they found is concatenated and combined by one more projection."),
     "heads"},
    {"rotary positions", "rotary|rope|회전 위치|로터리",
     N_("Instead of adding a position to a row, pairs of numbers of each query and key "
        "are turned by an angle that grows with the position. A score then depends on "
        "how far apart the two are. Llama and many others have them."),
     "rotary positions"},
    {"grouped-query attention", "gqa|shared heads|그룹 쿼리 어텐션",
     N_("Several heads share the keys and values of one, which makes what decoding "
        "keeps smaller. With one for all it is called multi-query attention."),
     "grouped query attention"},
    {0},
};

static const GlossaryTerm glossary_layer[] = {
    {"layer", "layers|층|레이어",
     N_("One round of attention and feed-forward with weights of its own. What leaves "
        "a layer is what the next one reads."),
     "layer"},
    {"encoder", "인코더",
     N_("The part that reads the source. In the paper each of its tokens attends to "
        "all tokens of the sentence; a window or encoder_causal limits that."),
     "encoder"},
    {"decoder", "디코더",
     N_("The part that writes the answer, token by token. It attends to what it has "
        "written and, if there is an encoder, to what that has read."),
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
     N_("A nonlinear function between two projections. Without it the two could do no "
        "more than one."),
     "activation"},
    {"ReLU", "relu|렐루",
     N_("The plainest activation: negative numbers become 0, the others stay."),
     "activation"},
    {"GELU", "gelu|젤루",
     N_("An activation like ReLU, but smooth: small negative numbers pass a little."),
     "activation"},
    {"batch norm", "batch normalization|batchnorm|배치 정규화",
     N_("Takes for each number of a row the mean and the deviation over all examples "
        "of "
        "a batch, where layer norm takes those of the token's own row. Sentences of "
        "different lengths and small batches upset it, so Transformers use layer "
        "norm. :show encoder.0.add_1[source=mean] has the means of the columns, "
        "[d_model=mean] those of the rows."),
     "norm"},
    {"residual connection", "residual|skip connection|add|잔차|잔차 연결",
     N_("What goes into a box is added to what comes out of it. So a box only has to "
        "find what is to be changed, and the gradient has a short way back."),
     "residual"},
    {"layer norm", "norm|layer normalization|layernorm|normalization|층 정규화|정규화",
     N_("Subtracts the mean of a token's row and divides by its standard deviation, so "
        "that rows have mean 0 and deviation 1; then each number gets a learned factor "
        "and offset, which changes that again."),
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
    {"RNN", "recurrent network|recurrent neural network|순환 신경망",
     N_("A recurrent network: it reads token by token, and each token changes its "
        "state. A plain RNN has no gates; an LSTM has."),
     "state"},
    {"LSTM", "gate|gates|게이트",
     N_("A recurrent network with gates, which decide what of its cell is forgotten, "
        "taken in and shown. It was usual before the Transformer."),
     "lstm"},
    {"classifier", "label|labels|분류기|레이블",
     N_("A model that gives a sentence one of a few labels, such as good or bad, "
        "instead of another sentence."),
     "probability"},
    {"unit", "neuron|유닛|뉴런",
     N_("One of the d_ff numbers inside the feed-forward network; after ReLU it is "
        "active if it is above 0."),
     "ffn"},
    {"gain", "이득|스케일",
     N_("The learned number by which a layer norm stretches each number of a row."),
     "layer norm"},
    {"gated feed-forward", "swiglu|geglu|glu|게이트 피드포워드",
     N_("A feed-forward with a second layer beside the first: what one makes, bent by "
        "the activation, says how much of the other goes on. With SiLU it is called "
        "SwiGLU, with GELU GeGLU."),
     "gated feed forward"},
    {0},
};

static const GlossaryTerm glossary_output[] = {
    {"logit", "logits|로짓",
     N_("A score for each entry of the vocabulary, any number at all. The softmax "
        "makes probabilities of them."),
     "logit"},
    {"probability", "probabilities|확률",
     N_("What the softmax gives a token as the next one, from 0 to 1. All entries of "
        "the vocabulary sum to 1."),
     "probability"},
    {"greedy decoding", "greedy|decoding|탐욕적 디코딩|그리디|디코딩",
     N_("The answer is written token by token, and each time the most probable one is "
        "taken. What was taken is not taken back."),
     "decoding"},
    {"beam search", "beam|빔 서치|빔",
     N_("Keeps several beginnings of an answer and ends with the best of those it "
        "kept, by log probability and length; greedy decoding keeps only one."),
     "decoding"},
    {"temperature", "sampling|온도|샘플링",
     N_("Logits are divided by it before the softmax when the next token is drawn by "
        "lot. Below 1 the favourite gains, above 1 the others do."),
     "logit"},
    {"BLEU", "bleu score",
     N_("A mark for translations, 0 to 100: how many runs of 1 to 4 words of the "
        "answer "
        "stand in the reference, too, with a penalty for answers that are too short. "
        "`evaluate` computes it."),
     NULL},
    {"sure", "sureness|confidence|확신",
     N_("How probable the model held the words that it chose, on average. It says how "
        "settled the choice was, not that the answer is right."),
     "probabilities"},
    {0},
};

static const GlossaryTerm glossary_learning[] = {
    {"weight", "parameter|parameters|model weight|가중치|파라미터",
     N_("A number of the model that training sets and that stays as it is while the "
        "model is used. Not to be confused with an attention weight."),
     NULL},
    {"bias", "offset|편향",
     N_("A learned number that is added behind a projection, whatever the input is."),
     NULL},
    {"training", "train|학습",
     N_("Examples go through the model, the loss says how wrong it was, and every "
        "weight is moved a little so that the loss of these examples becomes smaller. "
        "This is a step; a training has thousands of steps or more."),
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
     N_("In training the target of the right token is a little less than 1, and the "
        "others share the rest. So the loss rewards no probability near 1."),
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
     N_("How far the weights are moved against the gradient at each step. In the paper "
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
    {"vanishing gradient",
     "vanishing gradients|exploding gradient|기울기 소실|기울기 폭주",
     N_("Going back through many steps a gradient is multiplied again and again; by "
        "numbers below 1 it shrinks until early steps learn nothing, above 1 it "
        "explodes. RNNs suffer from it over long sentences; LSTM, residual connections "
        "and attention give it a short way back. After :learn the .grad of each step "
        "shows it."),
     NULL},
    {"overfitting", "과적합",
     N_("The model knows its examples by heart and fails on new ones: its loss goes on "
        "falling in training and rises on sentences that it has not seen."),
     NULL},
    {0},
};

const Glossary glossaries[] = {
    {N_("From the sentence to numbers"), glossary_sentence},
    {N_("Attention"), glossary_attention},
    {N_("A layer"), glossary_layer},
    {N_("From numbers to the answer"), glossary_output},
    {N_("Learning"), glossary_learning},
    {0},
};

const GlossaryTerm *glossary_find(const char *typed) {
    const GlossaryTerm *other = NULL;
    for (const Glossary *glossary = glossaries; glossary->title; glossary++)
        for (const GlossaryTerm *term = glossary->term; term->term; term++) {
            if (is_word(term->term, typed)) return term;
            if (!other && is_word(term->words, typed)) other = term;
        }
    return other;
}

const char *glossary_name(const GlossaryTerm *term, Arena *arena) {
    if (strcmp(language_name(), "ko") != 0) return term->term;
    for (const char *word = term->words; word;
         word = strchr(word, '|') ? strchr(word, '|') + 1 : NULL)
        if ((unsigned char)*word >= 0xEA) /* first byte of Hangul */
            return arena_print(arena, "%.*s (%s)", (int)strcspn(word, "|"), word,
                               term->term);
    return term->term;
}

void glossary_offer(Nearest *nearest, Arena *arena) {
    for (const Glossary *glossary = glossaries; glossary->title; glossary++)
        for (const GlossaryTerm *term = glossary->term; term->term; term++) {
            nearest_offer(nearest, term->term);
            idea_offer(term->words, nearest, arena);
        }
}
