#include "store/family_keys.h"

#include <assert.h>
#include <string.h>

#include "base/builder.h"
#include "base/language.h"

static const FamilyWord activations[] = {
    {"relu", "relu"},           {"gelu", "gelu"},
    {"gelu_python", "gelu"},    {"gelu_new", "gelu_tanh"},
    {"gelu_fast", "gelu_tanh"}, {"gelu_pytorch_tanh", "gelu_tanh"},
    {"silu", "silu"},           {"swish", "silu"},
    {"linear", "none"},         {0},
};

/* Classes without a head count as encoder-only models. */
static const FamilyWord bert_classes[] = {
    {"BertForMaskedLM", "true"},
    {"BertForPreTraining", "true"},
    {"BertModel", "false"},
    {0},
};
static const FamilyWord roberta_classes[] = {
    {"RobertaForMaskedLM", "true"},
    {"RobertaModel", "false"},
    {0},
};
static const FamilyWord distilbert_classes[] = {
    {"DistilBertForMaskedLM", "true"},
    {"DistilBertModel", "false"},
    {0},
};

/* Common to all families. */
static const FamilyKey any_rows[] = {
    {.name = "is_encoder_decoder", .needs = "false"},
    {.name = "add_cross_attention", .needs = "false"},
    {.name = "cross_attention_hidden_size", .needs = "null"},
    {.name = "tie_encoder_decoder", .needs = "false"},
    {.name = "chunk_size_feed_forward", .needs = "0"},
    {.name = "pruned_heads", .needs = "{}, null"},
    {.name = "quantization_config", .needs = "null"},
    {.name = "auto_map", .needs = "null"}, /* it refers to custom code */
    {0},
};

/* Notes, and settings of training, decoding, tasks and the library. */
static const char without_effect[] =
    "model_type transformers_version torch_dtype dtype use_bfloat16 torchscript "
    "_name_or_path name_or_path _commit_hash author license created_date "
    "tokenizer_class base_model_prefix xla_device unsloth_version unsloth_fixed "
    "transformers.js_config tf_legacy_loss attn_implementation _attn_implementation "
    "_attn_implementation_autoset _attn_implementation_internal "
    "use_cache output_past return_dict use_return_dict output_attentions "
    "output_hidden_states output_scores return_dict_in_generate "
    "initializer_range initializer_factor gradient_checkpointing "
    "finetuning_task task_specific_params problem_type num_labels _num_labels id2label "
    "label2id classifier_dropout "
    "is_decoder bos_token_id eos_token_id pad_token_id sep_token_id cls_token_id "
    "mask_token_id unk_token_id decoder_start_token_id "
    "max_length min_length max_new_tokens min_new_tokens do_sample early_stopping "
    "num_beams num_beam_groups diversity_penalty temperature top_k top_p typical_p "
    "repetition_penalty length_penalty no_repeat_ngram_size "
    "encoder_no_repeat_ngram_size bad_words_ids num_return_sequences prefix "
    "forced_bos_token_id forced_eos_token_id remove_invalid_values "
    "exponential_decay_length_penalty suppress_tokens begin_suppress_tokens";

static const FamilyKey gpt2_rows[] = {
    {.name = "architectures",
     .needs = "\"GPT2LMHeadModel\", \"GPT2Model\", null",
     .may_list = true},
    {.name = "n_embd", .sets = "d_model"},
    {.name = "n_layer", .sets = "decoder_layers"},
    {.name = "n_head", .sets = "attention_heads"},
    {.name = "n_inner", .sets = "d_ff", .may_be_null = true},
    {.name = "n_positions", .sets = "max_length"},
    {.name = "vocab_size", .sets = "source_vocabulary target_vocabulary"},
    {.name = "activation_function", .sets = "activation", .words = activations},
    {.name = "layer_norm_epsilon", .sets = "layer_norm_epsilon"},
    {.name = "embd_pdrop", .sets = "dropout"},
    {.name = "attn_pdrop", .sets = "attention_dropout"},
    {.name = "scale_attn_weights", .sets = "scale_scores"},
    {.name = "scale_attn_by_inverse_layer_idx", .needs = "false"},
    {.name = "reorder_and_upcast_attn", .needs = "false"},
    {.name = "tie_word_embeddings", .sets = "tie_embeddings"},
    {.name = "eos_token_id", .sets = "end_id", .may_be_null = true, .may_list = true},
    {0},
};

const FamilyKeys gpt2_keys = {
    .rows = {gpt2_rows, any_rows},
    .without_effect =
        "n_ctx resid_pdrop predict_special_tokens summary_type summary_use_proj "
        "summary_activation summary_proj_to_labels summary_first_dropout",
};

/* read_layers() in config.c reads attention_layers and attention_types. */
static const FamilyKey gpt_neo_rows[] = {
    {.name = "architectures",
     .needs = "\"GPTNeoForCausalLM\", \"GPTNeoModel\", null",
     .may_list = true},
    {.name = "hidden_size", .sets = "d_model"},
    {.name = "num_layers", .sets = "decoder_layers"},
    {.name = "num_heads", .sets = "attention_heads"},
    {.name = "intermediate_size", .sets = "d_ff", .may_be_null = true},
    {.name = "max_position_embeddings", .sets = "max_length"},
    {.name = "vocab_size", .sets = "source_vocabulary target_vocabulary"},
    {.name = "activation_function", .sets = "activation", .words = activations},
    {.name = "layer_norm_epsilon", .sets = "layer_norm_epsilon"},
    {.name = "embed_dropout", .sets = "dropout"},
    {.name = "attention_dropout", .sets = "attention_dropout"},
    {.name = "window_size", .sets = "attention_window"},
    {.name = "tie_word_embeddings", .sets = "tie_embeddings"},
    {.name = "eos_token_id", .sets = "end_id", .may_be_null = true, .may_list = true},
    {0},
};

const FamilyKeys gpt_neo_keys = {
    .rows = {gpt_neo_rows, any_rows},
    .without_effect =
        "attention_layers attention_types resid_dropout summary_type summary_use_proj "
        "summary_activation summary_proj_to_labels summary_first_dropout",
};

/* rope_scaling has type in earlier versions and rope_type in later ones; since version
 * 5 rope_parameters also has rope_theta. */
static const FamilyKey rotary_rows[] = {
    {.name = "rope_type", .needs = "\"default\""},
    {.name = "type", .needs = "\"default\""},
    {.name = "rope_theta", .sets = "rotary_base"},
    {.name = "partial_rotary_factor", .needs = "1"},
    {0},
};

/* Common to Llama and Qwen2. */
static const FamilyKey like_llama_rows[] = {
    {.name = "hidden_size", .sets = "d_model"},
    {.name = "num_hidden_layers", .sets = "decoder_layers"},
    {.name = "num_attention_heads", .sets = "attention_heads"},
    {.name = "num_key_value_heads", .sets = "key_value_heads", .may_be_null = true},
    {.name = "head_dim", .needs = "null", .equals = "d_model/attention_heads"},
    {.name = "intermediate_size", .sets = "d_ff"},
    {.name = "max_position_embeddings", .sets = "max_length"},
    {.name = "vocab_size", .sets = "source_vocabulary target_vocabulary"},
    {.name = "hidden_act", .sets = "activation", .words = activations},
    {.name = "rms_norm_eps", .sets = "layer_norm_epsilon"},
    {.name = "attention_dropout", .sets = "attention_dropout"},
    {.name = "rope_theta", .sets = "rotary_base"},
    {.name = "rope_scaling", .inside = rotary_rows},
    {.name = "rope_parameters", .inside = rotary_rows},
    {.name = "partial_rotary_factor", .needs = "1"},
    {.name = "layer_types", .needs = "\"full_attention\", null", .may_list = true},
    {.name = "tie_word_embeddings", .sets = "tie_embeddings"},
    {.name = "bos_token_id", .sets = "start_id", .may_be_null = true},
    {.name = "eos_token_id", .sets = "end_id", .may_be_null = true, .may_list = true},
    {0},
};

static const FamilyKey llama_rows[] = {
    {.name = "architectures",
     .needs = "\"LlamaForCausalLM\", \"LLaMAForCausalLM\", \"LlamaModel\", null",
     .may_list = true},
    {.name = "attention_bias", .sets = "query_key_value_bias attention_output_bias"},
    {.name = "mlp_bias", .sets = "feed_forward_bias"},
    {.name = "pretraining_tp", .needs = "1"},
    {.name = "rope_interleaved", .needs = "false"},
    {.name = "use_sliding_window", .needs = "false"},
    {.name = "sliding_window", .needs = "null", .at_least = "max_length"},
    {0},
};

const FamilyKeys llama_keys = {
    .rows = {llama_rows, like_llama_rows, any_rows},
    .without_effect = "is_llama_config max_sequence_length",
};

/* Without use_sliding_window, the window and its layers are ignored. */
static const FamilyKey qwen2_rows[] = {
    {.name = "architectures",
     .needs = "\"Qwen2ForCausalLM\", \"Qwen2Model\", null",
     .may_list = true},
    {.name = "use_sliding_window", .needs = "false"},
    {.name = "use_mrope", .needs = "false"},
    {0},
};

const FamilyKeys qwen2_keys = {
    .rows = {qwen2_rows, like_llama_rows, any_rows},
    .without_effect = "sliding_window max_window_layers",
};

/* Common to BERT and RoBERTa. */
static const FamilyKey like_bert_rows[] = {
    {.name = "hidden_size", .sets = "d_model"},
    {.name = "num_hidden_layers", .sets = "encoder_layers"},
    {.name = "num_attention_heads", .sets = "attention_heads"},
    {.name = "intermediate_size", .sets = "d_ff"},
    {.name = "hidden_act", .sets = "activation", .words = activations},
    {.name = "hidden_dropout_prob", .sets = "dropout"},
    {.name = "attention_probs_dropout_prob", .sets = "attention_dropout"},
    {.name = "max_position_embeddings", .sets = "max_length"},
    {.name = "type_vocab_size", .sets = "token_types"},
    {.name = "layer_norm_eps", .sets = "layer_norm_epsilon"},
    {.name = "vocab_size", .sets = "source_vocabulary target_vocabulary"},
    {.name = "pad_token_id", .sets = "pad_id", .may_be_null = true},
    {.name = "bos_token_id", .sets = "start_id", .may_be_null = true},
    {.name = "cls_token_id", .sets = "start_id", .may_be_null = true},
    {.name = "eos_token_id", .sets = "end_id", .may_be_null = true, .may_list = true},
    {.name = "sep_token_id", .sets = "end_id", .may_be_null = true},
    {.name = "tie_word_embeddings", .sets = "tie_embeddings"},
    {.name = "position_embedding_type", .needs = "\"absolute\""},
    {.name = "is_decoder", .needs = "false"},
    {0},
};

static const FamilyKey bert_rows[] = {
    {.name = "architectures",
     .sets = "masked_words",
     .words = bert_classes,
     .may_be_null = true,
     .may_list = true},
    {0},
};

const FamilyKeys bert_keys = {
    .rows = {bert_rows, like_bert_rows, any_rows},
    .without_effect = "directionality pooler_fc_size pooler_num_attention_heads "
                      "pooler_num_fc_layers pooler_size_per_head pooler_type",
};

/* Positions start after the padding's position, so pad_token_id is position_offset - 1;
 * the activation of its head is always GELU. */
static const FamilyKey roberta_rows[] = {
    {.name = "architectures",
     .sets = "masked_words",
     .words = roberta_classes,
     .may_be_null = true,
     .may_list = true},
    {.name = "pad_token_id", .sets = "pad_id", .needs = "1"},
    {.name = "hidden_act", .sets = "activation", .needs = "\"gelu\""},
    {0},
};

const FamilyKeys roberta_keys = {
    .rows = {roberta_rows, like_bert_rows, any_rows},
    .without_effect = "",
};

static const FamilyKey distilbert_rows[] = {
    {.name = "architectures",
     .sets = "masked_words",
     .words = distilbert_classes,
     .may_be_null = true,
     .may_list = true},
    {.name = "dim", .sets = "d_model"},
    {.name = "n_layers", .sets = "encoder_layers"},
    {.name = "n_heads", .sets = "attention_heads"},
    {.name = "hidden_dim", .sets = "d_ff"},
    {.name = "activation", .sets = "activation", .words = activations},
    {.name = "dropout", .sets = "dropout"},
    {.name = "attention_dropout", .sets = "attention_dropout"},
    {.name = "max_position_embeddings", .sets = "max_length"},
    {.name = "vocab_size", .sets = "source_vocabulary target_vocabulary"},
    {.name = "pad_token_id", .sets = "pad_id", .may_be_null = true},
    {.name = "tie_word_embeddings", .sets = "tie_embeddings"},
    {0},
};

/* The sinusoids are stored in the file's position table, like learned positions. */
const FamilyKeys distilbert_keys = {
    .rows = {distilbert_rows, any_rows},
    .without_effect = "sinusoidal_pos_embds tie_weights_ qa_dropout "
                      "seq_classif_dropout",
};

/* Return the next word of `*rest`, which is separated by blanks; NULL after the last
 * one or without a list. */
static const char *next_word(const char **rest, Arena *arena) {
    if (!*rest) return NULL;
    *rest += strspn(*rest, " ");
    size_t length = strcspn(*rest, " ");
    const char *word = length ? arena_copy(arena, *rest, length) : NULL;
    *rest += length;
    return word;
}

static bool lists(const char *words, const char *word) {
    return *word && option_listed(words, ' ', word, strlen(word));
}

static const FamilyKey *find_row(const FamilyKey *row, const char *name) {
    while (row->name && strcmp(row->name, name) != 0) row++;
    return row->name ? row : NULL;
}

/* Return the option that a row names. */
static const Option *named(const FamilyConfig *config, const char *name) {
    const Option *option = option_find(config->options, name);
    assert(option);
    return option;
}

/* Compute "d_model/attention_heads" from the options that are set. */
static long long number_of(const FamilyConfig *config, const char *quotient) {
    long long number[] = {0, 1};
    size_t length = strcspn(quotient, "/");
    const char *part[] = {arena_copy(config->arena, quotient, length),
                          quotient[length] ? quotient + length + 1 : NULL};
    for (int p = 0; p < 2 && part[p]; p++)
        option_whole(option_print(named(config, part[p]), config->owner, config->arena),
                     &number[p]);
    return number[0] / number[1];
}

/* Return "needs" of a row as a list. */
static const Json *needed(const FamilyKey *row, Arena *arena) {
    const Json *list = NULL;
    Error error;
    const char *text = arena_print(arena, "[%s]", row->needs ? row->needs : "");
    json_read((Bytes){text, strlen(text)}, row->name, arena, &list, &error);
    assert(list);
    return list;
}

static bool refuse(const FamilyConfig *config, const FamilyKey *row, const char *name,
                   const Json *value, Error *error) {
    if (row->sets && row->may_list && value->type == JSON_LIST && value->count > 1)
        return fail(error,
                    "%s: \"%s\" is %s, but only one value is used here; keep one",
                    config->path, name, json_brief(value, config->arena));
    /* The accepted values of the key. */
    Arena *arena = config->arena;
    Builder list = {.arena = arena};
    const Json *needs = needed(row, arena);
    int count = needs->count + (row->equals || row->at_least);
    for (int n = 0; n < needs->count; n++)
        build_item(&list, ", ", "%s", json_brief(&needs->child[n], arena));
    for (const FamilyWord *word = row->words; word && word->theirs; word++, count++)
        build_item(&list, ", ", "%s", json_quote(word->theirs, arena));
    if (row->equals) build_item(&list, ", ", "%lld", number_of(config, row->equals));
    if (row->at_least)
        build_item(&list, ", ", "%s",
                   trf(arena, "%lld or more", number_of(config, row->at_least)));
    const char *rest = row->sets;
    const char *text = builder_text(&list);
    const char *accepted =
        count > 1     ? trf(arena, "one of %s", text)
        : count       ? text
        : row->inside ? json_type_name(&(Json){.type = JSON_MAP})
                      : option_range(named(config, next_word(&rest, arena)), arena);
    return fail(error, "%s: \"%s\" is %s, but only %s is supported; open another model",
                config->path, name, json_brief(value, arena), accepted);
}

/* Is it one of the values, or the number, that the row requires? */
static bool fits(const FamilyConfig *config, const FamilyKey *row, const Json *value) {
    const Json *needs = needed(row, config->arena);
    for (int n = 0; n < needs->count; n++)
        if (json_same(&needs->child[n], value)) return true;
    if (row->equals || row->at_least) {
        bool is_whole = value->type == JSON_WHOLE;
        return is_whole &&
               (row->equals ? value->whole == number_of(config, row->equals)
                            : value->whole >= number_of(config, row->at_least));
    }
    return !row->needs;
}

/* Which key of the file set each option, by the option's index. */
typedef struct {
    const FamilyConfig *config;
    const char **setter;
} Reading;

static bool set(const Reading *reading, const FamilyKey *row, const char *name,
                const Json *value, Error *error) {
    const FamilyConfig *config = reading->config;
    const FamilyWord *word = row->words;
    while (word && word->theirs &&
           (value->type != JSON_TEXT || strcmp(word->theirs, value->text) != 0))
        word++;
    if (word && !word->theirs) return refuse(config, row, name, value, error);
    const char *rest = row->sets;
    for (const char *set; (set = next_word(&rest, config->arena));) {
        const Option *option = named(config, set);
        const char **setter = &reading->setter[option - config->options];
        const char *before = option_print(option, config->owner, config->arena);
        if (!(word ? option_set(option, config->owner, word->ours, config->arena)
                   : option_read(option, config->owner, value, config->arena)))
            return refuse(config, row, name, value, error);
        if (*setter &&
            strcmp(before, option_print(option, config->owner, config->arena)) != 0)
            return fail(error,
                        "%s: \"%s\" is %s, but \"%s\", which means the same here, "
                        "has another value; remove the wrong one",
                        config->path, name, json_brief(value, config->arena), *setter);
        *setter = name;
    }
    return true;
}

static bool fail_unknown(const FamilyConfig *config, const char *name,
                         const Json *value, Error *error) {
    const Json key = {.type = JSON_TEXT, .text = name};
    return fail(error,
                "%s: %s is %s, but this key is unknown; if it does not change the "
                "numbers, remove it from the file",
                config->path, json_brief(&key, config->arena),
                json_brief(value, config->arena));
}

static bool read_key(const Reading *reading, const FamilyKey *row, const char *name,
                     const Json *value, Error *error);

/* Read the known keys first: an error in them is the better reason to reject a file. */
static bool read_inside(const Reading *reading, const FamilyKey *rows,
                        const char *parent, const Json *json, Error *error) {
    Arena *arena = reading->config->arena;
    for (int known = 1; known >= 0; known--)
        for (int i = 0; i < json->count; i++) {
            const Json *value = &json->child[i];
            const FamilyKey *row = find_row(rows, value->name);
            if (known != (row != NULL)) continue;
            const char *name = arena_print(arena, "%s.%s", parent, value->name);
            if (!(row ? read_key(reading, row, name, value, error)
                      : fail_unknown(reading->config, name, value, error)))
                return false;
        }
    return true;
}

static bool read_key(const Reading *reading, const FamilyKey *row, const char *name,
                     const Json *value, Error *error) {
    const FamilyConfig *config = reading->config;
    const Json *item = value;
    if (row->may_list && value->type == JSON_LIST && value->count) {
        item = &value->child[0];
        for (int i = 1; i < value->count; i++)
            if (!json_same(item, &value->child[i]))
                return refuse(config, row, name, value, error);
    }
    if (item->type == JSON_NOTHING && (row->may_be_null || row->inside)) return true;
    if (row->inside)
        return item->type == JSON_MAP
                   ? read_inside(reading, row->inside, name, item, error)
                   : refuse(config, row, name, value, error);
    if (!fits(config, row, item)) return refuse(config, row, name, item, error);
    return !row->sets || set(reading, row, name, item, error);
}

bool family_keys_read(const FamilyConfig *config, Error *error) {
    int options = 0;
    while (config->options[options].name) options++;
    const Reading reading = {config, ARENA_ARRAY(config->arena, const char *, options)};
    const Json *json = config->json;
    /* Compare numbers of ours when all are set. Report unknown keys last: an error in a
     * known key is the better reason to reject a file. */
    for (int pass = 0; pass < 3; pass++)
        for (int i = 0; i < json->count; i++) {
            const Json *value = &json->child[i];
            const FamilyKey *row = NULL;
            for (int t = 0; config->keys->rows[t] && !row; t++)
                row = find_row(config->keys->rows[t], value->name);
            bool compares = row && (row->equals || row->at_least);
            if (pass != (!row ? 2 : compares)) continue;
            bool known = row || lists(config->keys->without_effect, value->name) ||
                         lists(without_effect, value->name);
            if (row && !read_key(&reading, row, value->name, value, error))
                return false;
            if (!known) return fail_unknown(config, value->name, value, error);
        }
    return true;
}
