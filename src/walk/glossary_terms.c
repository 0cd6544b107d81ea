#include "base/language.h"
#include "walk/glossary.h"

static const GlossaryTerm glossary_sentence[] = {
    {"token", "tokens|토큰|piece|조각",
     N_("A word, a part of a word or a punctuation mark; in some models (microgpt), a "
        "single letter. A model reads and writes only tokens."),
     "token"},
    {"tokenizer", "토크나이저|tokenization|토큰화",
     N_("Splits text into tokens and gives each token its id. It also joins the tokens "
        "of an answer into text."),
     "token"},
    {"subword", "서브워드|word piece", N_("A part of a word that is one token."),
     "token"},
    {"byte pair encoding", "바이트 페어 인코딩|bpe",
     N_("Builds subwords: it starts with single bytes and repeatedly merges the pair "
        "that is most frequent in the training text. Frequent words become one token, "
        "rare words several. :merges shows the merges."),
     "token"},
    {"vocabulary", "단어 집합|vocab|어휘|어휘 집합",
     N_("The numbered list of all tokens that the model knows. Every token of its "
        "answer comes from this list."),
     "id"},
    {"out of vocabulary", "단어 집합에 없는 단어|oov|unknown token|<unk>",
     N_("A word that is not in the vocabulary. A tokenizer with subwords splits such a "
        "word into known pieces. Without them, it becomes the token <unk>."),
     "token"},
    {"id", "ids|번호|번호(id)|token id|index|정수 인코딩|아이디",
     N_("The number of a token in the vocabulary. It only selects a row of the "
        "embedding table; a larger id has no meaning."),
     "id"},
    {"special token", "특수 토큰|start|end|<start>|<end>|bos|eos|cls|sep",
     N_("A token that is not text. The decoder reads <start> first, <end> ends a "
        "sentence, and <pad> fills up short sentences in a batch."),
     "decoder"},
    {"padding", "패딩|pad|<pad>",
     N_("Tokens that fill the short sentences of a batch up to the length of the "
        "longest. A mask hides them from attention."),
     "padding"},
    {"padding_idx", "padding idx|mask_zero",
     N_("In PyTorch, the id whose embedding stays zero. In Keras, mask_zero also masks "
        "this token. Here, <pad> has a row like any other token, but the padding mask "
        "gives it no effect: :show "
        "model.encoder.embed_tokens.weight[vocabulary=<pad>]"),
     "padding"},
    {"batch", "배치|minibatch|미니배치",
     N_("Sentences that are computed together for speed. They should not affect each "
        "other. In seq2seq-as-written they do, by mistake."),
     NULL},
    {"embedding", "임베딩|embeddings|word embedding|embedding table|단어 임베딩",
     N_("The row of numbers that represents a token. Training tends to give similar "
        "rows to tokens that are used alike."),
     "embedding"},
    {"one-hot", "원-핫|원핫|원-핫 벡터|one hot vector|dense",
     N_("A row as long as the vocabulary that is 1 at the id and 0 elsewhere. "
        "Multiplied by the embedding table, it gives the row of that id: an embedding "
        "is a dense layer on one-hot rows, without the multiplications. \":toy "
        "tokens=0,1,0 W_Q=1,2|3,4|5,6 W_K=1,2|3,4|5,6 W_V=1,2|3,4|5,6\" selects row 1 "
        "of each matrix."),
     "embedding"},
    {"positional encoding",
     "위치 인코딩|위치|포지셔널 인코딩|position|positions|position embedding",
     N_("Numbers that depend only on the position in the sentence and are added to the "
        "embeddings. Without them, a query and a key would give the same score "
        "wherever their tokens are."),
     "position"},
    {"rotary position embeddings",
     "회전 위치 임베딩|회전 위치|rotary positions|rotary|rope|로터리",
     N_("RoPE: instead of adding positions to rows, pairs of numbers of each query and "
        "key are rotated by an angle that grows with the position. A score then "
        "depends on how far two tokens are apart. Llama and many other models use it."),
     "rotary positions"},
    {"d_model", "모델 차원|model dimension|hidden size|embedding size|차원",
     N_("How many numbers represent a token between the layers; 512 in the paper."),
     "embedding"},
    {"tensor", "텐서|array|matrix|vector|row|row, vector|행|벡터|행렬|행, 벡터",
     N_("A block of numbers with axes. A vector (such as a row) has one axis, a matrix "
        "two. All numbers of a run and of a model are in tensors."),
     NULL},
    {"axis", "축|axes|dimension|shape|모양|형태",
     N_("One dimension of a tensor, such as head, query or key. The shape of a tensor "
        "lists the lengths of its axes."),
     NULL},
    {"source", "소스|source sentence|input|입력 문장",
     N_("The sentence that you type and that the encoder reads."), "embedding"},
    {"target", "타깃|target sentence|label|expected output|정답",
     N_("The sentence that the decoder generates or is given, such as a translation. "
        "In training, it is the correct answer."),
     NULL},
    {"cosine similarity", "코사인 유사도|cosine|코사인",
     N_("How similar the directions of two rows are: 1 if they are the same, 0 if they "
        "are perpendicular, -1 if they are opposite."),
     "embedding"},
    {0},
};

static const GlossaryTerm glossary_attention[] = {
    {"attention", "어텐션|scaled dot product attention",
     N_("Lets a token collect information from other tokens: it computes a weight for "
        "each of them and adds up their values by weight."),
     "attention"},
    {"self-attention", "셀프 어텐션|intra attention",
     N_("Attention among the tokens of one sentence: queries, keys and values come "
        "from the same rows."),
     "attention"},
    {"masked self-attention", "마스크드 셀프 어텐션|causal attention|masked attention",
     N_("The decoder's self-attention. A look-ahead mask hides later tokens, which do "
        "not exist yet when the model generates text."),
     "masked self attention"},
    {"cross-attention", "크로스 어텐션|encoder decoder attention|인코더 디코더 어텐션",
     N_("Attention with queries from the target, keys and values from the encoder."),
     "cross attention"},
    {"query", "쿼리|queries|q",
     N_("What a token looks for: a row of numbers that is compared with each key."),
     "query"},
    {"key", "키|keys|k",
     N_("What a token is found by: a row of numbers that queries are compared with."),
     "key"},
    {"value", "값|values|v|밸류",
     N_("What a token passes on: a row of numbers. Attention adds values by weight."),
     "value"},
    {"projection",
     "투영|선형층|사영|선형 변환|linear layer|linear|dense layer|W_Q|W_K|W_V|W_O",
     N_("Multiplication by a learned matrix. In self-attention, three of them turn the "
        "same row into query, key and value."),
     "query"},
    {"dot product", "내적|inner product",
     N_("Multiplies two rows number by number and adds the products. It is large if "
        "both rows are long and their directions are similar."),
     "score"},
    {"attention score", "어텐션 스코어|스코어|score|scores|점수",
     N_("The dot product of a query and a key. The softmax turns scores into weights. "
        "The score of a token as the next one is its logit."),
     "score"},
    {"scaling", "스케일링|scaled|division by √d_k|나누기",
     N_("Scores are divided by √d_head. Otherwise the scores would spread more widely "
        "the larger d_head is, and the softmax would give one token nearly all "
        "weight."),
     "scaling"},
    {"d_head", "헤드 차원|d_k|head dimension",
     N_("How many numbers a query or a key has in one head; d_k = 64 in the paper."),
     "heads"},
    {"mask", "마스크|attention mask|masking|마스킹",
     N_("Marks tokens that a query may not attend to: their scores become so low that "
        "their weight is 0."),
     "mask"},
    {"padding mask", "패딩 마스크|key padding mask",
     N_("Hides the padding of a batch from every query. \":show mask.padding\" shows "
        "it. With --as keep, it is also shown as in most tutorials: 1 = keep, one row "
        "per query."),
     "padding"},
    {"look-ahead mask", "룩어헤드 마스크|causal mask|subsequent mask|tril|look ahead",
     N_("Hides from each token the tokens that come after it. They do not exist yet "
        "when the model generates text."),
     "mask"},
    {"softmax", "소프트맥스",
     N_("Turns numbers into weights: e to the power of each, divided by the sum of all "
        "these powers. The weights are between 0 and 1 and sum to 1."),
     "softmax"},
    {"attention weight",
     "어텐션 가중치|비율|어텐션 분포|weights|attention weights|attention "
     "distribution|alignment weight",
     N_("How strongly a query attends to a key, from 0 to 1. A row of weights sums to "
        "1. It is computed for each sentence, not learned."),
     "softmax"},
    {"weighted sum",
     "가중합|컨텍스트 벡터|컨텍스트|context|context vector|attention value",
     N_("Each value times its weight, added up. In attention, the result is called the "
        "context vector."),
     "weighted sum"},
    {"head", "헤드|heads|attention head",
     N_("One of several attention computations that run in parallel in a layer. Each "
        "head has its own query projection and, unless heads share them, its own key "
        "and value projections. So it computes its own weights."),
     "heads"},
    {"contiguous", "메모리 순서|view|reshape|transpose",
     N_("In PyTorch, transpose does not move numbers in memory, and view needs numbers "
        "in order. So heads are joined by transpose, contiguous (a copy in order) and "
        "view; reshape, which :code prints for concat, does the last two in one. A "
        "view with the length of the source fails if the target has another length."),
     "heads"},
    {"multi-head attention", "멀티 헤드 어텐션|멀티헤드 어텐션|multihead",
     N_("Several heads in parallel: queries, keys and values are split among them, "
        "their outputs are concatenated, and one more projection combines them."),
     "heads"},
    {"grouped-query attention",
     "그룹 쿼리 어텐션|gqa|shared heads|shared key/value heads",
     N_("Several query heads share the keys and values of one head, so the KV cache is "
        "smaller. If all share one, it is called multi-query attention."),
     "grouped query attention"},
    {"KV cache", "KV 캐시|key/value cache",
     N_("The keys and values of earlier tokens, which are kept during decoding, so "
        "that each step computes only those of the new token."),
     "key"},
    {"alignment", "정렬|word alignment",
     N_("Which source words belong to which target words. The weights of "
        "cross-attention often show it."),
     "softmax"},
    {"induction head", "인덕션 헤드",
     N_("A head that finds an earlier occurrence of the current token and attends to "
        "the token after it, so the model can repeat a pattern."),
     "heads"},
    {0},
};

static const GlossaryTerm glossary_layer[] = {
    {"Transformer", "트랜스포머",
     N_("A model of layers of attention and feed-forward networks, without recurrence "
        "(Vaswani and others 2017). The paper has an encoder and a decoder."),
     NULL},
    {"layer", "층|레이어|layers|block",
     N_("Attention and a feed-forward network, usually with their own weights. Its "
        "output is the input of the next layer."),
     "layer"},
    {"sublayer", "서브층|서브 레이어",
     N_("A part of a layer: attention or the feed-forward network, with its residual "
        "connection and norm."),
     "residual"},
    {"encoder", "인코더",
     N_("The part that reads the source. In the paper, each of its tokens attends to "
        "all tokens of the sentence; a window or encoder_causal limits that."),
     "encoder"},
    {"decoder", "디코더",
     N_("The part that generates the answer, token by token. It attends to earlier "
        "tokens and, if there is an encoder, to the encoder's output."),
     "decoder"},
    {"encoder-only", "인코더만 있는 모델|bert style",
     N_("A model without a decoder, such as BERT. It does not generate text."),
     "encoder"},
    {"decoder-only", "디코더만 있는 모델|gpt style|causal language model",
     N_("A model without an encoder, such as GPT. It continues a text."), "decoder"},
    {"autoregressive", "자기회귀|causal",
     N_("Each token is predicted from the tokens before it and is then read to predict "
        "the next one."),
     "decoder"},
    {"masked language model", "마스크드 언어 모델|mlm|masked words",
     N_("A model that predicts masked tokens of a text from the tokens on both sides, "
        "such as BERT. :hide masks words."),
     "probability"},
    {"feed-forward network",
     "피드 포워드 신경망|피드 포워드|피드포워드|feed forward|ffn|mlp|position wise "
     "feed forward",
     N_("Two projections with an activation between them, applied to each token "
        "separately. It transforms the information that attention moves between "
        "tokens."),
     "ffn"},
    {"gated feed-forward", "게이트 피드 포워드|게이트 피드포워드|swiglu|geglu|glu",
     N_("A feed-forward network with a second projection beside the first. One of "
        "them, after the activation, controls how much of the other passes. With SiLU "
        "it is called SwiGLU, with GELU GEGLU."),
     "gated feed forward"},
    {"d_ff", "inner dimension|feed forward dimension",
     N_("How many numbers a token has between the two projections of the feed-forward "
        "network; 2048 in the paper."),
     "ffn"},
    {"unit", "유닛|뉴런|neuron",
     N_("One of the d_ff numbers in the feed-forward network. After ReLU, it is active "
        "if it is above 0."),
     "ffn"},
    {"activation function", "활성화 함수|활성화|activation|nonlinearity|silu",
     N_("A nonlinear function between two projections, such as ReLU, GELU or SiLU. "
        "Without it, two projections could do no more than one."),
     "activation"},
    {"ReLU", "렐루|relu",
     N_("The simplest activation function: negative numbers become 0."), "activation"},
    {"GELU", "젤루|gelu",
     N_("Like ReLU, but smooth: small negative numbers pass a little."), "activation"},
    {"residual connection",
     "잔차 연결|잔차|스킵 연결|residual|skip connection|shortcut|add",
     N_("The input of a sublayer is added to its output. So the sublayer only has to "
        "compute a change, and gradients have a short path back."),
     "residual"},
    {"layer norm",
     "층 정규화|정규화|레이어 정규화|norm|layer normalization|layernorm|normalization",
     N_("Subtracts the mean of a token's row and divides by its standard deviation, so "
        "that the row has mean 0 and deviation 1. Then learned numbers scale (gain) "
        "and shift (bias) each column."),
     "norm"},
    {"RMSNorm", "root mean square norm|rms norm",
     N_("A layer norm that does not subtract the mean: each row is divided by its root "
        "mean square and multiplied by a learned gain."),
     "norm"},
    {"pre-norm", "norm before the sublayer",
     N_("The input of a sublayer is normalized; the residual connection adds the input "
        "from before the norm. Most newer models do this."),
     "norm"},
    {"post-norm", "norm after the sublayer",
     N_("The sum of a sublayer's input and output is normalized, as in the paper."),
     "norm"},
    {"batch norm", "배치 정규화|batch normalization|batchnorm",
     N_("Normalizes each column over all examples of a batch; layer norm normalizes "
        "each token's row. Because sentences differ in length and batches can be "
        "small, Transformers use layer norm. :show encoder.0.add_1[source=mean] shows "
        "the means of the columns, [d_model=mean] those of the rows."),
     "norm"},
    {"gain", "스케일|스케일(γ)|scale|gamma|weight of a norm|이득",
     N_("The learned number by which a norm multiplies a column. Papers call it γ."),
     "layer norm"},
    {"bias", "편향|바이어스|offset|beta|beta (of a norm)",
     N_("A learned number that is added after a projection or in a norm (there called "
        "β). It does not depend on the input."),
     NULL},
    {"mean", "평균|average",
     N_("The sum of the numbers, divided by how many there are."), "norm"},
    {"standard deviation", "표준편차|편차|deviation",
     N_("How far numbers typically are from their mean: the square root of the mean "
        "squared distance."),
     "norm"},
    {"dropout", "드롭아웃",
     N_("In training, random numbers are set to 0, so that the model does not rely on "
        "any single one. After training, nothing is dropped."),
     NULL},
    {"hidden state", "은닉 상태|상태|state",
     N_("A row of numbers in which a recurrent network summarizes the tokens so far. "
        "Each token updates it."),
     "state"},
    {"RNN", "순환 신경망|순환 신경망(RNN)|recurrent network|recurrent neural network",
     N_("A recurrent neural network reads token by token, and each token updates its "
        "state. A plain RNN has no gates; an LSTM has."),
     "state"},
    {"LSTM", "long short term memory|gate|gates|게이트",
     N_("A recurrent network with gates, which control what its cell forgets, adds and "
        "outputs. It was common before the Transformer."),
     "lstm"},
    {"seq2seq", "시퀀스 투 시퀀스|sequence to sequence",
     N_("A model that turns one sequence into another, such as a translator. Here it "
        "means two LSTMs with attention between them."),
     "state"},
    {"classifier", "분류기|레이블|labels",
     N_("A model that gives a sentence one of a few labels, such as good or bad, "
        "instead of generating a sentence."),
     "probability"},
    {0},
};

static const GlossaryTerm glossary_output[] = {
    {"logit", "로짓|logits|score of a token",
     N_("A score for a token of the vocabulary; it can be any number. The softmax "
        "turns the logits into probabilities."),
     "logit"},
    {"probability", "확률|probabilities",
     N_("How likely the model considers a token as the next one, from 0 to 1. The "
        "probabilities of all tokens in the vocabulary sum to 1."),
     "probability"},
    {"confidence", "확신도|확신|mean probability per token|sure|sureness",
     N_("The mean probability of the chosen tokens. They may still be wrong."),
     "probabilities"},
    {"greedy decoding", "탐욕적 디코딩|그리디|디코딩|greedy|greedy search|decoding",
     N_("The answer is generated token by token. Each step takes the most probable "
        "token and does not revise earlier ones."),
     "decoding"},
    {"beam search", "빔 서치|빔|beam",
     N_("Keeps several partial answers at each step and returns the best of them by "
        "log probability and length. Greedy decoding keeps only one."),
     "decoding"},
    {"length penalty", "길이 페널티",
     N_("In beam search, the log probability of an answer is divided by a power of its "
        "length, so that short answers have no advantage."),
     "decoding"},
    {"sampling", "샘플링",
     N_("The next token is drawn at random by its probability, instead of taking the "
        "most probable one. :sample does it."),
     "decoding"},
    {"temperature", "온도",
     N_("In sampling, the logits are divided by the temperature before the softmax. "
        "Below 1, likely tokens become more likely; above 1, less likely."),
     "logit"},
    {"top-k", "topk", N_("In sampling, only the k most probable tokens can be drawn."),
     "logit"},
    {"top-p", "topp|nucleus sampling",
     N_("In sampling, only the most probable tokens can be drawn: as few as have a "
        "total probability of at least p."),
     "logit"},
    {"seed", "시드|random seed",
     N_("The number from which random numbers are computed. The same seed gives the "
        "same random numbers."),
     NULL},
    {"BLEU", "bleu score",
     N_("A score for translations from 0 to 100: how many sequences of 1 to 4 words of "
        "the answer also occur in the reference, with a penalty for short answers. "
        "`evaluate` computes it."),
     NULL},
    {"perplexity", "퍼플렉시티|혼란도",
     N_("e to the power of the cross-entropy: the number of equally likely tokens that "
        "would give the same loss."),
     "probability"},
    {"exact match", "정확히 일치",
     N_("The fraction of answers that are equal to the expected ones. `evaluate` "
        "computes it."),
     NULL},
    {0},
};

static const GlossaryTerm glossary_learning[] = {
    {"weight", "가중치|파라미터|매개변수|parameter|parameters|model weight",
     N_("A number in the model that is set by training and then stays fixed. An "
        "attention weight is something else."),
     NULL},
    {"hyperparameter", "하이퍼파라미터|option of a model or recipe",
     N_("A value that you choose before training, such as d_model (see :option) or the "
        "learning rate (in the recipe)."),
     NULL},
    {"training", "학습|훈련|train",
     N_("The model answers examples, the loss measures the error, and each weight is "
        "changed a little to reduce it. This is one step; a training has thousands."),
     NULL},
    {"untrained model", "학습하지 않은 모델|random initial weights",
     N_("A model with random initial weights. Its answers have no meaning yet."), NULL},
    {"loss", "손실|손실 함수|cost|objective",
     N_("A number that measures how wrong the model is on its examples. Training "
        "reduces it."),
     NULL},
    {"cross-entropy",
     "교차 엔트로피|크로스 엔트로피|cross entropy loss|negative log likelihood",
     N_("The usual loss: minus the logarithm of the correct token's probability. It is "
        "0 if that probability is 1."),
     "probability"},
    {"label smoothing", "레이블 스무딩|smoothing",
     N_("In training, the target probability of the correct token is a little below 1, "
        "and the other tokens share the rest. So a prediction of nearly 1 does not "
        "reduce the loss further."),
     "probability"},
    {"teacher forcing", "교사 강요|티처 포싱",
     N_("In training, the decoder reads the correct target so far instead of its own "
        "output. :target does the same."),
     "decoder"},
    {"gradient", "기울기|그레이디언트",
     N_("How fast one number changes with another. In training, it is the change of "
        "the loss with each weight; :because shows it for the number that is "
        "followed."),
     NULL},
    {"backpropagation", "역전파|backward pass",
     N_("Computes all gradients in one pass from the loss back to the weights, by the "
        "chain rule. :learn shows it."),
     NULL},
    {"gradient descent", "경사 하강법|sgd",
     N_("Changes each weight against its gradient, by the learning rate times the "
        "gradient, so that the loss becomes smaller."),
     NULL},
    {"vanishing gradient",
     "기울기 소실|기울기 폭주|vanishing gradients|exploding gradient",
     N_("On its way back through many steps, a gradient is multiplied again and again. "
        "Factors below 1 shrink it until early steps learn nothing; factors above 1 "
        "make it explode. LSTM, residual connections and attention give it a short "
        "path back. After :learn, the .grad of each step shows it."),
     NULL},
    {"learning rate", "학습률|warm up|warmup|웜업|rate|step size",
     N_("How far each step moves the weights against the gradient. The paper first "
        "increases it (warm-up) and then decreases it; `draw schedule` shows this."),
     NULL},
    {"optimizer", "옵티마이저|adam|rmsprop",
     N_("Computes from the gradients of this step and earlier ones how each weight "
        "changes. Adam is the usual one."),
     NULL},
    {"step", "스텝|update|iteration",
     N_("In training, one batch and the change of the weights that it causes. In "
        "decoding, the choice of one token."),
     NULL},
    {"epoch", "에포크",
     N_("One pass through all training examples; each batch is one step."), NULL},
    {"overfitting", "과적합",
     N_("The model learns its examples by heart and fails on new ones: the training "
        "loss continues to fall while the loss on unseen sentences rises."),
     NULL},
    {"weight tying", "가중치 공유|tied embeddings",
     N_("The embedding table also computes the logits (tie_embeddings)."), "logit"},
    {0},
};

static const GlossaryTerm glossary_program[] = {
    {"stage", "단계",
     N_("One stop of the walk: number, name and title. :stages lists them."), NULL},
    {"address", "주소",
     N_("The name of a tensor, such as encoder.0.self_attention.weights; square "
        "brackets select its cells."),
     NULL},
    {"run", "실행", N_("All numbers that the model computed for a sentence."), NULL},
    {"preset", "프리셋",
     N_("The options of a known model, such as paper. :models lists them."), NULL},
    {"recipe", "레시피",
     N_("A JSON file that says which model to train, on which data and how."), NULL},
    {"lens", "렌즈", N_("An analysis of a run: logits, rollout, entropy or gradient."),
     NULL},
    {"heatmap", "히트맵", N_("A table whose cells are shaded by their numbers."), NULL},
    {"lesson", "수업",
     N_("A Markdown file whose lines run at the prompt and which asks questions."),
     NULL},
    {0},
};

const Glossary glossaries[] = {
    {N_("From the sentence to numbers"), glossary_sentence},
    {N_("Attention"), glossary_attention},
    {N_("A layer"), glossary_layer},
    {N_("From numbers to the answer"), glossary_output},
    {N_("Learning"), glossary_learning},
    {N_("This program"), glossary_program},
    {0},
};
