#include "walk/idea.h"

#include <ctype.h>
#include <string.h>

#include "tensor/address.h"

const Idea ideas[] = {
    {.words = "token|tokens|tokenizer|subword|byte pair encoding|bpe|토큰|토크나이저|"
              "서브워드",
     .stop = "tokens"},
    {.words = "id|ids|vocabulary|단어 집합|어휘|아이디", .part = {"ids"}},
    {.words = "padding|padding mask|패딩|패딩 마스크", .part = {"padding_mask"}},
    {.words = "embedding|embeddings|임베딩", .part = {"embedding"}},
    {.words = "position|positional encoding|positions|위치|위치 인코딩|"
              "포지셔널 인코딩",
     .part = {"position"}},
    {.words = "attention|self attention|multi head attention|어텐션|셀프 어텐션|"
              "멀티 헤드 어텐션",
     .part = {"query_projection", "weights"}},
    {.words = "cross attention|크로스 어텐션|인코더 디코더 어텐션",
     .part = {"cross_attention.weights", "cross_attention.query_projection"},
     .stack = "decoder"},
    /* The attention of an LSTM has no projections. */
    {.words = "attention|cross attention|어텐션|크로스 어텐션", .part = {"scores"}},
    {.words = "q|k|v|qkv|query|key|value|queries|keys|values|쿼리|키|값|밸류",
     .part = {"query_projection", "query"}},
    {.words = "head|heads|헤드", .part = {"query", "rows"}},
    {.words = "score|dot product|attention score|스코어|점수|내적|어텐션 스코어",
     .part = {"scores"}},
    {.words = "scaling|scale|스케일링|나누기", .part = {"scaled"}},
    {.words = "mask|masking|look ahead mask|look ahead|causal mask|마스크|마스킹|"
              "룩어헤드 마스크",
     .part = {"masked", "padding_mask"}},
    {.words = "softmax|attention weight|attention weights|소프트맥스|어텐션 가중치|"
              "가중치",
     .part = {"weights"}},
    {.words = "weighted sum|weighted values|가중합", .part = {"context"}},
    {.words = "concatenate|concat|이어 붙이기", .part = {"concat"}},
    {.words = "residual|residual connection|skip connection|skip|add|잔차|잔차 연결",
     .part = {"add_1", "add_2", "add_3"}},
    {.words = "norm|layer norm|layernorm|layer normalization|normalization|mean|"
              "standard deviation|정규화|층 정규화|평균|표준편차",
     .part = {"norm_1", "norm_2", "norm_3"}},
    {.words = "ffn|feed forward|feedforward|feed forward network|mlp|피드 포워드|"
              "피드 포워드 신경망|피드포워드",
     .part = {"feed_forward.hidden", "feed_forward.activated"}},
    {.words = "activation|activation function|relu|gelu|활성화|활성화 함수|렐루",
     .part = {"feed_forward.activated", "hidden"}},
    {.words = "encoder|인코더", .part = {"ids", "embedding"}, .stack = "encoder"},
    {.words = "decoder|디코더", .part = {"ids", "embedding"}, .stack = "decoder"},
    {.words = "layer|layers|층|레이어",
     .part = {"self_attention.query_projection", "self_attention.weights"}},
    {.words = "logit|로짓", .part = {"logits"}},
    {.words = "probability|probabilities|prediction|확률|예측",
     .part = {"probabilities"}},
    {.words = "decoding|greedy decoding|greedy|generation|디코딩|탐욕적 디코딩|그리디|"
              "생성",
     .stop = "decoding"},
    {.words = "lstm|rnn|hidden state|state|gate|gates|은닉 상태|상태|게이트",
     .part = {"cell", "state"}},
    {0},
};

/* Letters as they are compared. */
static char plain(char c) {
    return c == '-' || c == '_' ? ' ' : (char)tolower((unsigned char)c);
}

static bool is_same(const char *word, size_t length, const char *typed) {
    for (size_t i = 0; i < length; i++, typed++)
        if (!*typed || plain(word[i]) != plain(*typed)) return false;
    return !*typed;
}

bool idea_is_word(const char *words, const char *typed) {
    for (const char *word = words; *word; word += strspn(word, "|")) {
        size_t length = strcspn(word, "|");
        if (is_same(word, length, typed)) return true;
        word += length;
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
        if (idea_is_word(idea->words, word)) return idea;
    return NULL;
}

bool idea_is_shown(const Idea *idea, const Stage *stage) {
    if (idea->stack && strcmp(idea->stack, stage->stack) != 0) return false;
    for (int p = 0; p < IDEA_PARTS && idea->part[p]; p++)
        for (int t = 0; t < stage->tensors; t++)
            if (address_ends(stage->part[t], idea->part[p])) return true;
    return false;
}
