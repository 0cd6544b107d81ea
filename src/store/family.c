#include "store/family.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const FamilyKey gpt2_keys[] = {
    {"n_embd", "d_model"},
    {"n_layer", "decoder_layers"},
    {"n_head", "attention_heads"},
    {"n_inner", "d_ff"},
    {"n_positions", "max_length"},
    {"vocab_size", "source_vocabulary"},
    {"vocab_size", "target_vocabulary"},
    {"activation_function", "activation"},
    {"layer_norm_epsilon", "layer_norm_epsilon"},
    {"embd_pdrop", "dropout"},
    {"attn_pdrop", "attention_dropout"},
    {"scale_attn_weights", "scale_scores"},
    {"tie_word_embeddings", "tie_embeddings"},
    {"eos_token_id", "end_id"},
    {0},
};

static const FamilyNeed gpt2_needs[] = {
    {"scale_attn_by_inverse_layer_idx", "false"},
    {"reorder_and_upcast_attn", "false"},
    {"add_cross_attention", "false"},
    {0},
};

static const FamilyTensor gpt2_tensors[] = {
    {"model.decoder.embed_tokens.weight", "wte.weight", .parts = 0},
    {"model.decoder.embed_positions.weight", "wpe.weight", .parts = 0},
    {"model.decoder.layers.N.self_attn_layer_norm.*", "h.N.ln_1.*", .parts = 0},
    {"model.decoder.layers.N.self_attn.q_proj.*", "h.N.attn.c_attn.*", true, 0, 3},
    {"model.decoder.layers.N.self_attn.k_proj.*", "h.N.attn.c_attn.*", true, 1, 3},
    {"model.decoder.layers.N.self_attn.v_proj.*", "h.N.attn.c_attn.*", true, 2, 3},
    {"model.decoder.layers.N.self_attn.out_proj.*", "h.N.attn.c_proj.*", true, 0, 0},
    {"model.decoder.layers.N.final_layer_norm.*", "h.N.ln_2.*", .parts = 0},
    {"model.decoder.layers.N.fc1.*", "h.N.mlp.c_fc.*", true, 0, 0},
    {"model.decoder.layers.N.fc2.*", "h.N.mlp.c_proj.*", true, 0, 0},
    {"model.decoder.layer_norm.*", "ln_f.*", .parts = 0},
    {"lm_head.weight", "lm_head.weight", .parts = 0},
    {0},
};

/* Masks, and the table once more where the output layer is tied to it. */
static const char *const gpt2_unused[] = {"h.N.attn.bias", "h.N.attn.masked_bias",
                                          "lm_head.weight", NULL};

static const FamilyKey llama_keys[] = {
    {"hidden_size", "d_model"},
    {"num_hidden_layers", "decoder_layers"},
    {"num_attention_heads", "attention_heads"},
    {"num_key_value_heads", "key_value_heads"},
    {"intermediate_size", "d_ff"},
    {"max_position_embeddings", "max_length"},
    {"vocab_size", "source_vocabulary"},
    {"vocab_size", "target_vocabulary"},
    {"hidden_act", "activation"},
    {"rms_norm_eps", "layer_norm_epsilon"},
    {"rope_theta", "rotary_base"},
    {"attention_bias", "query_key_value_bias"},
    {"attention_bias", "attention_output_bias"},
    {"mlp_bias", "feed_forward_bias"},
    {"tie_word_embeddings", "tie_embeddings"},
    {"bos_token_id", "start_id"},
    {"eos_token_id", "end_id"},
    {0},
};

static const FamilyNeed llama_needs[] = {
    {"rope_scaling", "null"},
    {"rope_type", "default"},
    {"pretraining_tp", "1"},
    {"use_sliding_window", "false"},
    {0},
};

static const FamilyTensor llama_tensors[] = {
    {"model.decoder.embed_tokens.weight", "embed_tokens.weight", .parts = 0},
    {"model.decoder.layers.N.self_attn_layer_norm.*", "layers.N.input_layernorm.*",
     .parts = 0},
    {"model.decoder.layers.N.self_attn.q_proj.*", "layers.N.self_attn.q_proj.*",
     .parts = 0},
    {"model.decoder.layers.N.self_attn.k_proj.*", "layers.N.self_attn.k_proj.*",
     .parts = 0},
    {"model.decoder.layers.N.self_attn.v_proj.*", "layers.N.self_attn.v_proj.*",
     .parts = 0},
    {"model.decoder.layers.N.self_attn.out_proj.*", "layers.N.self_attn.o_proj.*",
     .parts = 0},
    {"model.decoder.layers.N.final_layer_norm.*", "layers.N.post_attention_layernorm.*",
     .parts = 0},
    {"model.decoder.layers.N.fc_gate.*", "layers.N.mlp.gate_proj.*", .parts = 0},
    {"model.decoder.layers.N.fc1.*", "layers.N.mlp.up_proj.*", .parts = 0},
    {"model.decoder.layers.N.fc2.*", "layers.N.mlp.down_proj.*", .parts = 0},
    {"model.decoder.layer_norm.*", "norm.*", .parts = 0},
    {"lm_head.weight", "lm_head.weight", .parts = 0},
    {0},
};

static const char *const llama_unused[] = {"layers.N.self_attn.rotary_emb.inv_freq",
                                           "lm_head.weight", NULL};

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
        .options = DECODER_ALONE
        "position=learned activation=gelu_tanh tie_embeddings=true d_ff=0",
        .key = gpt2_keys,
        .need = gpt2_needs,
        .tensor = gpt2_tensors,
        .unused = gpt2_unused,
    },
    {
        .model_type = "llama",
        .name = "Llama",
        .prefix = "model.",
        .options = LIKE_LLAMA "query_key_value_bias=false",
        .key = llama_keys,
        .need = llama_needs,
        .tensor = llama_tensors,
        .unused = llama_unused,
    },
    {
        .model_type = "qwen2",
        .name = "Qwen2",
        .prefix = "model.",
        .options = LIKE_LLAMA "query_key_value_bias=true",
        .key = llama_keys,
        .need = llama_needs,
        .tensor = llama_tensors,
        .unused = llama_unused,
    },
};

const Family *family_find(const char *model_type) {
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        if (strcmp(families[f].model_type, model_type) == 0) return &families[f];
    return NULL;
}

const char *family_list(Arena *arena) {
    const char *list = "";
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        list = arena_print(arena, "%s%s%s (%s)", list, f ? ", " : "", families[f].name,
                           families[f].model_type);
    return list;
}

/* Is `name` made by the pattern? `layer` is what stands for N, `kind` what for *. */
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
        text = *pattern == 'N'   ? arena_print(arena, "%s%d", text, layer)
               : *pattern == '*' ? arena_print(arena, "%s%s", text, kind)
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
        source.stored = safetensors_find(file, source.name);
        if (source.stored) return source;
        const char *longer = arena_print(arena, "%s%s", family->prefix, source.name);
        source.stored = safetensors_find(file, longer);
        if (source.stored) source.name = longer;
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
