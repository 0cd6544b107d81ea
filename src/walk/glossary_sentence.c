/* From a sentence to numbers. */
#include "base/language.h"
#include "walk/glossary.h"

const GlossaryTerm glossary_sentence[] = {
    {"token", "tokens|토큰|piece|조각",
     N_("A piece of the sentence: a word, a part of a word or a sign. The model reads "
        "and writes tokens, never letters."),
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
     N_("All tokens that the model knows, each with a number. It chooses every word of "
        "its answer from this list."),
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
    {"batch", "배치|minibatch",
     N_("Several sentences that go through the model together. They do not see each "
        "other; it is only faster."),
     NULL},
    {"embedding", "embeddings|임베딩",
     N_("The row of learned numbers that stands for a token. Tokens that are used "
        "alike come to have rows that are alike."),
     "embedding"},
    {"positional encoding", "position|positions|위치|위치 인코딩|포지셔널 인코딩",
     N_("Numbers that are added to each embedding and depend only on the place in the "
        "sentence. Without them attention could not tell the order of the words."),
     "position"},
    {"d_model", "model dimension|차원|모델 차원",
     N_("How many numbers stand for one token on the whole way through the model; 512 "
        "in the paper."),
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
