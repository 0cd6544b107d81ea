#include "store/family.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"

#define TENSOR(ours_, ...)                                                             \
    { .ours = (ours_), .theirs = __VA_ARGS__ }

static const FamilyTensor gpt2_tensors[] = {
    TENSOR("model.decoder.embed_tokens.weight", "wte.weight"),
    TENSOR("model.decoder.embed_positions.weight", "wpe.weight"),
    TENSOR("model.decoder.layers.N.self_attn_layer_norm.*", "h.N.ln_1.*"),
    TENSOR("model.decoder.layers.N.self_attn.q_proj.*", "h.N.attn.c_attn.*",
           .transposed = true, .parts = 3),
    TENSOR("model.decoder.layers.N.self_attn.k_proj.*", "h.N.attn.c_attn.*",
           .transposed = true, .part = 1, .parts = 3),
    TENSOR("model.decoder.layers.N.self_attn.v_proj.*", "h.N.attn.c_attn.*",
           .transposed = true, .part = 2, .parts = 3),
    TENSOR("model.decoder.layers.N.self_attn.out_proj.*", "h.N.attn.c_proj.*",
           .transposed = true),
    TENSOR("model.decoder.layers.N.final_layer_norm.*", "h.N.ln_2.*"),
    TENSOR("model.decoder.layers.N.fc1.*", "h.N.mlp.c_fc.*", .transposed = true),
    TENSOR("model.decoder.layers.N.fc2.*", "h.N.mlp.c_proj.*", .transposed = true),
    TENSOR("model.decoder.layer_norm.*", "ln_f.*"),
    TENSOR("lm_head.weight", "lm_head.weight"),
    {0},
};

/* Masks, and a second copy of the table as output layer. */
static const char *const gpt2_unused[] = {"h.N.attn.bias", "h.N.attn.masked_bias",
                                          "lm_head.weight", NULL};

static const FamilyTensor gpt_neo_tensors[] = {
    TENSOR("model.decoder.embed_tokens.weight", "wte.weight"),
    TENSOR("model.decoder.embed_positions.weight", "wpe.weight"),
    TENSOR("model.decoder.layers.N.self_attn_layer_norm.*", "h.N.ln_1.*"),
    TENSOR("model.decoder.layers.N.self_attn.q_proj.*", "h.N.attn.attention.q_proj.*"),
    TENSOR("model.decoder.layers.N.self_attn.k_proj.*", "h.N.attn.attention.k_proj.*"),
    TENSOR("model.decoder.layers.N.self_attn.v_proj.*", "h.N.attn.attention.v_proj.*"),
    TENSOR("model.decoder.layers.N.self_attn.out_proj.*",
           "h.N.attn.attention.out_proj.*"),
    TENSOR("model.decoder.layers.N.final_layer_norm.*", "h.N.ln_2.*"),
    TENSOR("model.decoder.layers.N.fc1.*", "h.N.mlp.c_fc.*"),
    TENSOR("model.decoder.layers.N.fc2.*", "h.N.mlp.c_proj.*"),
    TENSOR("model.decoder.layer_norm.*", "ln_f.*"),
    TENSOR("lm_head.weight", "lm_head.weight"),
    {0},
};

static const char *const gpt_neo_unused[] = {"h.N.attn.attention.bias",
                                             "h.N.attn.attention.masked_bias",
                                             "lm_head.weight", NULL};

static const FamilyTensor llama_tensors[] = {
    TENSOR("model.decoder.embed_tokens.weight", "embed_tokens.weight"),
    TENSOR("model.decoder.layers.N.self_attn_layer_norm.*",
           "layers.N.input_layernorm.*"),
    TENSOR("model.decoder.layers.N.self_attn.q_proj.*", "layers.N.self_attn.q_proj.*"),
    TENSOR("model.decoder.layers.N.self_attn.k_proj.*", "layers.N.self_attn.k_proj.*"),
    TENSOR("model.decoder.layers.N.self_attn.v_proj.*", "layers.N.self_attn.v_proj.*"),
    TENSOR("model.decoder.layers.N.self_attn.out_proj.*",
           "layers.N.self_attn.o_proj.*"),
    TENSOR("model.decoder.layers.N.final_layer_norm.*",
           "layers.N.post_attention_layernorm.*"),
    TENSOR("model.decoder.layers.N.fc_gate.*", "layers.N.mlp.gate_proj.*"),
    TENSOR("model.decoder.layers.N.fc1.*", "layers.N.mlp.up_proj.*"),
    TENSOR("model.decoder.layers.N.fc2.*", "layers.N.mlp.down_proj.*"),
    TENSOR("model.decoder.layer_norm.*", "norm.*"),
    TENSOR("lm_head.weight", "lm_head.weight"),
    {0},
};

static const char *const llama_unused[] = {"layers.N.self_attn.rotary_emb.inv_freq",
                                           "lm_head.weight", NULL};

/* Common to BERT and RoBERTa. */
#define BERT_ENCODER                                                                   \
    TENSOR("model.encoder.embed_tokens.weight", "embeddings.word_embeddings.weight"),  \
        TENSOR("model.encoder.embed_positions.weight",                                 \
               "embeddings.position_embeddings.weight"),                               \
        TENSOR("model.encoder.embed_token_types.weight",                               \
               "embeddings.token_type_embeddings.weight"),                             \
        TENSOR("model.encoder.layernorm_embedding.*", "embeddings.LayerNorm.*"),       \
        TENSOR("model.encoder.layers.N.self_attn.q_proj.*",                            \
               "encoder.layer.N.attention.self.query.*"),                              \
        TENSOR("model.encoder.layers.N.self_attn.k_proj.*",                            \
               "encoder.layer.N.attention.self.key.*"),                                \
        TENSOR("model.encoder.layers.N.self_attn.v_proj.*",                            \
               "encoder.layer.N.attention.self.value.*"),                              \
        TENSOR("model.encoder.layers.N.self_attn.out_proj.*",                          \
               "encoder.layer.N.attention.output.dense.*"),                            \
        TENSOR("model.encoder.layers.N.self_attn_layer_norm.*",                        \
               "encoder.layer.N.attention.output.LayerNorm.*"),                        \
        TENSOR("model.encoder.layers.N.fc1.*",                                         \
               "encoder.layer.N.intermediate.dense.*"),                                \
        TENSOR("model.encoder.layers.N.fc2.*", "encoder.layer.N.output.dense.*"),      \
        TENSOR("model.encoder.layers.N.final_layer_norm.*",                            \
               "encoder.layer.N.output.LayerNorm.*")

static const FamilyTensor bert_tensors[] = {
    BERT_ENCODER,
    TENSOR("lm_head.dense.*", "cls.predictions.transform.dense.*"),
    TENSOR("lm_head.layer_norm.*", "cls.predictions.transform.LayerNorm.*"),
    TENSOR("lm_head.weight", "cls.predictions.decoder.weight"),
    TENSOR("lm_head.bias", "cls.predictions.bias"),
    {0},
};

/* The pooler and the head for sentence pairs are for other tasks. */
static const char *const bert_unused[] = {"embeddings.position_ids",
                                          "pooler.dense.*",
                                          "cls.seq_relationship.*",
                                          "cls.predictions.decoder.*",
                                          "cls.predictions.bias",
                                          "cls.predictions.transform.dense.*",
                                          "cls.predictions.transform.LayerNorm.*",
                                          NULL};

static const FamilyTensor roberta_tensors[] = {
    BERT_ENCODER,
    TENSOR("lm_head.dense.*", "lm_head.dense.*"),
    TENSOR("lm_head.layer_norm.*", "lm_head.layer_norm.*"),
    TENSOR("lm_head.weight", "lm_head.decoder.weight"),
    TENSOR("lm_head.bias", "lm_head.bias"),
    {0},
};

static const char *const roberta_unused[] = {"embeddings.position_ids",
                                             "pooler.dense.*",
                                             "lm_head.decoder.*",
                                             "lm_head.bias",
                                             "lm_head.dense.*",
                                             "lm_head.layer_norm.*",
                                             NULL};

static const FamilyTensor distilbert_tensors[] = {
    TENSOR("model.encoder.embed_tokens.weight", "embeddings.word_embeddings.weight"),
    TENSOR("model.encoder.embed_positions.weight",
           "embeddings.position_embeddings.weight"),
    TENSOR("model.encoder.layernorm_embedding.*", "embeddings.LayerNorm.*"),
    TENSOR("model.encoder.layers.N.self_attn.q_proj.*",
           "transformer.layer.N.attention.q_lin.*"),
    TENSOR("model.encoder.layers.N.self_attn.k_proj.*",
           "transformer.layer.N.attention.k_lin.*"),
    TENSOR("model.encoder.layers.N.self_attn.v_proj.*",
           "transformer.layer.N.attention.v_lin.*"),
    TENSOR("model.encoder.layers.N.self_attn.out_proj.*",
           "transformer.layer.N.attention.out_lin.*"),
    TENSOR("model.encoder.layers.N.self_attn_layer_norm.*",
           "transformer.layer.N.sa_layer_norm.*"),
    TENSOR("model.encoder.layers.N.fc1.*", "transformer.layer.N.ffn.lin1.*"),
    TENSOR("model.encoder.layers.N.fc2.*", "transformer.layer.N.ffn.lin2.*"),
    TENSOR("model.encoder.layers.N.final_layer_norm.*",
           "transformer.layer.N.output_layer_norm.*"),
    TENSOR("lm_head.dense.*", "vocab_transform.*"),
    TENSOR("lm_head.layer_norm.*", "vocab_layer_norm.*"),
    TENSOR("lm_head.weight", "vocab_projector.weight"),
    TENSOR("lm_head.bias", "vocab_projector.bias"),
    {0},
};

static const char *const distilbert_unused[] = {
    "embeddings.position_ids", "vocab_transform.*", "vocab_layer_norm.*",
    "vocab_projector.*", NULL};

/* The library's defaults, for keys that a file omits. */
#define SIZES(d_model, layers, heads, d_ff, length, words)                             \
    "d_model=" d_model " " layers " attention_heads=" heads " d_ff=" d_ff              \
    " max_length=" length " source_vocabulary=" words " target_vocabulary=" words " "

#define ENCODER_ALONE                                                                  \
    "decoder_layers=0 norm=post embedding_norm=true position=learned "                 \
    "scale_embedding=false activation=gelu tie_embeddings=true masked_words=true "     \
    "layer_norm_epsilon=1e-12 pad_id=0 start_id=-1 end_id=-1 unknown_id=-1 "

#define DECODER_ALONE                                                                  \
    "encoder_layers=0 norm=pre final_norm=true scale_embedding=false dropout=0 "       \
    "logits_bias=false pad_id=-1 start_id=-1 end_id=-1 unknown_id=-1 "

#define LIKE_LLAMA                                                                     \
    DECODER_ALONE "norm_type=rms position=rotary activation=silu "                     \
                  "feed_forward_gate=true attention_output_bias=false "                \
                  "feed_forward_bias=false layer_norm_epsilon=1e-6 "

static const Family families[] = {
    {
        .model_type = "gpt2",
        .name = "GPT-2",
        .prefix = "transformer.",
        .options = DECODER_ALONE SIZES(
            "768", "decoder_layers=12", "12", "0", "1024",
            "50257") "position=learned activation=gelu_tanh tie_embeddings=true",
        .keys = &gpt2_keys,
        .tensor = gpt2_tensors,
        .unused = gpt2_unused,
    },
    {
        .model_type = "gpt_neo",
        .name = "GPT-Neo",
        .prefix = "transformer.",
        .options = DECODER_ALONE SIZES(
            "2048", "decoder_layers=24", "16", "0", "2048",
            "50257") "position=learned activation=gelu_tanh tie_embeddings=true "
                     "scale_scores=false query_key_value_bias=false "
                     "attention_window=256",
        .layers = "attention_layers",
        .full = "global",
        .window = "local",
        .keys = &gpt_neo_keys,
        .tensor = gpt_neo_tensors,
        .unused = gpt_neo_unused,
    },
    {
        .model_type = "llama",
        .name = "Llama",
        .prefix = "model.",
        .options = LIKE_LLAMA SIZES("4096", "decoder_layers=32", "32", "11008", "2048",
                                    "32000") "query_key_value_bias=false",
        .keys = &llama_keys,
        .tensor = llama_tensors,
        .unused = llama_unused,
    },
    {
        .model_type = "qwen2",
        .name = "Qwen2",
        .prefix = "model.",
        .options = LIKE_LLAMA SIZES("4096", "decoder_layers=32", "32", "22016", "32768",
                                    "151936") "query_key_value_bias=true",
        .keys = &qwen2_keys,
        .tensor = llama_tensors,
        .unused = llama_unused,
    },
    {
        .model_type = "bert",
        .name = "BERT",
        .prefix = "bert.",
        .options = ENCODER_ALONE SIZES("768", "encoder_layers=12", "12", "3072", "512",
                                       "30522") "token_types=2",
        .keys = &bert_keys,
        .tensor = bert_tensors,
        .unused = bert_unused,
    },
    {
        .model_type = "roberta",
        .name = "RoBERTa",
        .prefix = "roberta.",
        .counts_offset = true,
        .options =
            ENCODER_ALONE SIZES("768", "encoder_layers=12", "12", "3072", "512",
                                "50265") "token_types=2 position_offset=2 pad_id=1",
        .keys = &roberta_keys,
        .tensor = roberta_tensors,
        .unused = roberta_unused,
    },
    {
        .model_type = "distilbert",
        .name = "DistilBERT",
        .prefix = "distilbert.",
        .options = ENCODER_ALONE SIZES("768", "encoder_layers=6", "12", "3072", "512",
                                       "30522"),
        .keys = &distilbert_keys,
        .tensor = distilbert_tensors,
        .unused = distilbert_unused,
    },
};

const Family *family_find(const char *model_type) {
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        if (strcmp(families[f].model_type, model_type) == 0) return &families[f];
    return NULL;
}

const char *family_list(Arena *arena) {
    Builder list = {.arena = arena};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        build_item(&list, ", ", "%s (%s)", families[f].name, families[f].model_type);
    return builder_text(&list);
}

/* Does `name` match the pattern? `layer` is the number for N, `kind` the text for *. */
static bool matches(const char *pattern, const char *name, int *layer,
                    const char **kind) {
    for (; *pattern; pattern++) {
        if (*pattern == 'N' && isdigit((unsigned char)*name)) {
            char *end;
            *layer = (int)strtol(name, &end, 10);
            name = end;
        } else if (*pattern == '*') {
            *kind = name;
            return strcmp(name, "weight") == 0 || strcmp(name, "bias") == 0;
        } else if (*pattern != *name++) {
            return false;
        }
    }
    return !*name;
}

static const char *fill(const char *pattern, int layer, const char *kind,
                        Arena *arena) {
    const char *text = "";
    for (; *pattern; pattern++)
        text = strncmp(pattern, "N.", 2) == 0 ? arena_print(arena, "%s%d", text, layer)
               : *pattern == '*'              ? arena_print(arena, "%s%s", text, kind)
                                 : arena_print(arena, "%s%c", text, *pattern);
    return text;
}

FamilySource family_source(const Family *family, const SafeTensors *file,
                           const char *ours, Arena *arena) {
    for (const FamilyTensor *row = family->tensor; row->ours; row++) {
        int layer = 0;
        const char *kind = "";
        if (!matches(row->ours, ours, &layer, &kind)) continue;
        FamilySource source = {
            .name = fill(row->theirs, layer, kind, arena),
            .transposed = row->transposed,
            .part = row->part,
            .parts = row->parts ? row->parts : 1,
        };
        /* In early files norms are named after their formula, gamma and beta. */
        const char *early = strcmp(kind, "weight") == 0 ? "gamma" : "beta";
        const char *names[] = {source.name,
                               arena_print(arena, "%s%s", family->prefix, source.name),
                               fill(row->theirs, layer, early, arena), ""};
        names[3] = arena_print(arena, "%s%s", family->prefix, names[2]);
        for (int n = 0; n < 4 && !source.stored; n++) {
            source.stored = safetensors_find(file, names[n]);
            if (source.stored) source.name = names[n];
        }
        return source;
    }
    return (FamilySource){.name = ours};
}

bool family_ignores(const Family *family, const char *theirs) {
    size_t length = strlen(family->prefix);
    const char *name =
        strncmp(theirs, family->prefix, length) == 0 ? theirs + length : theirs;
    int layer;
    const char *kind;
    for (const char *const *unused = family->unused; *unused; unused++)
        if (matches(*unused, name, &layer, &kind)) return true;
    return false;
}
