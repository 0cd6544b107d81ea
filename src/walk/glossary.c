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
        char expected;
        char letter;
        do {
            expected = next_letter(&word, end);
            letter = next_letter(&at, typed + strlen(typed));
        } while (expected == letter && letter);
        if (!expected && !letter) return true;
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
