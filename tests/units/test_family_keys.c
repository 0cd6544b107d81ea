/* config.json of other families, in the form of downloaded ones, and with one key
 * changed: each is opened with the options that it specifies, or rejected by name. */
#include "store/config.h"

#include "hazards/malformed.h"

/* A key and its value as in the file. */
typedef struct {
    const char *key, *value;
} Pair;

enum { PAIRS_MAX = 48 };

/* The contents of a file, and the expected options as typed, or part of the message
 * that rejects it. */
typedef struct {
    const char *name;
    const char *holds, *refused;
    Pair pair[PAIRS_MAX];
} Real;

#define TASKS                                                                          \
    {"id2label", "{\"0\": \"LABEL_0\"}"}, {"label2id", "{\"LABEL_0\": 0}"}, {          \
        "_num_labels", "1"                                                             \
    }
#define SUMMARY                                                                        \
    {"summary_activation", "null"}, {"summary_first_dropout", "0.1"},                  \
        {"summary_proj_to_labels", "true"}, {"summary_type", "\"cls_index\""}, {       \
        "summary_use_proj", "true"                                                     \
    }
#define POOLER                                                                         \
    {"directionality", "\"bidi\""}, {"pooler_fc_size", "768"},                         \
        {"pooler_num_attention_heads", "12"}, {"pooler_num_fc_layers", "3"},           \
        {"pooler_size_per_head", "128"}, {                                             \
        "pooler_type", "\"first_token_transform\""                                     \
    }

/* clang-format off */
static const Real reals[] = {
    {"gpt2", "d_model=768 decoder_layers=12 encoder_layers=0 attention_heads=12 d_ff=3072 "
             "max_length=1024 source_vocabulary=50257 target_vocabulary=50257 "
             "activation=gelu_tanh tie_embeddings=true end_id=50256 start_id=-1 norm=pre", NULL, {
        {"activation_function", "\"gelu_new\""}, {"architectures", "[\"GPT2LMHeadModel\"]"},
        {"attn_pdrop", "0.1"}, {"bos_token_id", "50256"}, {"embd_pdrop", "0.1"},
        {"eos_token_id", "50256"}, {"initializer_range", "0.02"},
        {"layer_norm_epsilon", "1e-05"}, {"model_type", "\"gpt2\""}, {"n_ctx", "1024"},
        {"n_embd", "768"}, {"n_head", "12"}, {"n_layer", "12"}, {"n_positions", "1024"},
        {"resid_pdrop", "0.1"}, SUMMARY, {"vocab_size", "50257"},
        {"task_specific_params",
         "{\"text-generation\": {\"do_sample\": true, \"max_length\": 50}}"}}},
    {"kogpt2", "d_model=768 d_ff=3072 end_id=1 source_vocabulary=51200 scale_scores=true", NULL, {
        {"_name_or_path", "\"skt/kogpt2-base-v2\""}, {"_num_labels", "1"},
        {"activation_function", "\"gelu_new\""}, {"architectures", "[\"GPT2LMHeadModel\"]"},
        {"attn_pdrop", "0.1"}, {"author", "\"a\""}, {"bos_token_id", "0"},
        {"created_date", "\"2021-04-28\""}, {"embd_pdrop", "0.1"}, {"eos_token_id", "1"},
        {"gradient_checkpointing", "false"}, {"id2label", "{\"0\": \"LABEL_0\"}"},
        {"initializer_range", "0.02"}, {"label2id", "{\"LABEL_0\": 0}"},
        {"layer_norm_epsilon", "1e-05"}, {"license", "\"CC-BY-NC-SA 4.0\""},
        {"model_type", "\"gpt2\""}, {"n_ctx", "1024"}, {"n_embd", "768"}, {"n_head", "12"},
        {"n_inner", "null"}, {"n_layer", "12"}, {"n_positions", "1024"},
        {"pad_token_id", "3"}, {"resid_pdrop", "0.1"}, {"scale_attn_weights", "true"},
        SUMMARY, {"task_specific_params", "{}"}, {"transformers_version", "\"4.5.1\""},
        {"use_cache", "true"}, {"vocab_size", "51200"}}},
    {"distilgpt2", "decoder_layers=6 d_ff=3072", NULL, {
        {"_num_labels", "1"}, {"activation_function", "\"gelu_new\""},
        {"architectures", "[\"GPT2LMHeadModel\"]"}, {"attn_pdrop", "0.1"},
        {"bos_token_id", "50256"}, {"embd_pdrop", "0.1"}, {"eos_token_id", "50256"},
        {"id2label", "{\"0\": \"LABEL_0\"}"}, {"initializer_range", "0.02"},
        {"label2id", "{\"LABEL_0\": 0}"}, {"layer_norm_epsilon", "1e-05"},
        {"model_type", "\"gpt2\""}, {"n_ctx", "1024"}, {"n_embd", "768"}, {"n_head", "12"},
        {"n_layer", "6"}, {"n_positions", "1024"}, {"resid_pdrop", "0.1"}, SUMMARY,
        {"task_specific_params", "{\"text-generation\": {\"do_sample\": true}}"},
        {"vocab_size", "50257"}}},
    {"TinyStories-1M", "d_model=64 decoder_layers=8 attention_heads=16 d_ff=256 "
                       "attention_window=256 full_attention_first=0 full_attention_every=2 "
                       "max_length=2048 scale_scores=false query_key_value_bias=false", NULL, {
        {"_name_or_path", "\"EleutherAI/gpt-neo-125M\""},
        {"activation_function", "\"gelu_new\""}, {"architectures", "[\"GPTNeoForCausalLM\"]"},
        {"attention_dropout", "0"},
        {"attention_layers", "[\"global\", \"local\", \"global\", \"local\", \"global\", "
                             "\"local\", \"global\", \"local\"]"},
        {"attention_types", "[[[\"global\", \"local\"], 4]]"}, {"bos_token_id", "50256"},
        {"embed_dropout", "0"}, {"eos_token_id", "50256"}, {"gradient_checkpointing", "false"},
        {"hidden_size", "64"}, {"initializer_range", "0.02"}, {"intermediate_size", "null"},
        {"layer_norm_epsilon", "1e-05"}, {"max_position_embeddings", "2048"},
        {"model_type", "\"gpt_neo\""}, {"num_heads", "16"}, {"num_layers", "8"},
        {"resid_dropout", "0"}, SUMMARY, {"torch_dtype", "\"float32\""},
        {"transformers_version", "\"4.28.1\""}, {"use_cache", "true"},
        {"vocab_size", "50257"}, {"window_size", "256"}}},
    {"TinyLlama", "d_model=2048 decoder_layers=22 attention_heads=32 key_value_heads=4 "
                  "d_ff=5632 rotary_base=10000 layer_norm_epsilon=1e-05 start_id=1 end_id=2 "
                  "tie_embeddings=false query_key_value_bias=false activation=silu "
                  "position=rotary norm_type=rms feed_forward_gate=true", NULL, {
        {"architectures", "[\"LlamaForCausalLM\"]"}, {"attention_bias", "false"},
        {"bos_token_id", "1"}, {"eos_token_id", "2"}, {"hidden_act", "\"silu\""},
        {"hidden_size", "2048"}, {"initializer_range", "0.02"}, {"intermediate_size", "5632"},
        {"max_position_embeddings", "2048"}, {"model_type", "\"llama\""},
        {"num_attention_heads", "32"}, {"num_hidden_layers", "22"},
        {"num_key_value_heads", "4"}, {"pretraining_tp", "1"}, {"rms_norm_eps", "1e-05"},
        {"rope_scaling", "null"}, {"rope_theta", "10000.0"}, {"tie_word_embeddings", "false"},
        {"torch_dtype", "\"bfloat16\""}, {"transformers_version", "\"4.35.0\""},
        {"use_cache", "true"}, {"vocab_size", "32000"}}},
    {"Llama 1", "attention_heads=32 key_value_heads=0 d_ff=11008 layer_norm_epsilon=1e-06", NULL, {
        {"architectures", "[\"LLaMAForCausalLM\"]"}, {"bos_token_id", "0"},
        {"eos_token_id", "1"}, {"hidden_act", "\"silu\""}, {"hidden_size", "4096"},
        {"intermediate_size", "11008"}, {"initializer_range", "0.02"},
        {"max_sequence_length", "2048"}, {"model_type", "\"llama\""},
        {"num_attention_heads", "32"}, {"num_hidden_layers", "32"}, {"pad_token_id", "-1"},
        {"rms_norm_eps", "1e-06"}, {"torch_dtype", "\"float16\""},
        {"transformers_version", "\"4.27.0.dev0\""}, {"use_cache", "true"},
        {"vocab_size", "32000"}}},
    {"SmolLM2-135M", "start_id=0 end_id=0 rotary_base=100000 tie_embeddings=true "
                     "max_length=8192 key_value_heads=3 attention_heads=9", NULL, {
        {"architectures", "[\"LlamaForCausalLM\"]"}, {"attention_bias", "false"},
        {"attention_dropout", "0.0"}, {"bos_token_id", "0"}, {"eos_token_id", "0"},
        {"hidden_act", "\"silu\""}, {"hidden_size", "576"}, {"initializer_range", "0.041666"},
        {"intermediate_size", "1536"}, {"is_llama_config", "true"},
        {"max_position_embeddings", "8192"}, {"mlp_bias", "false"},
        {"model_type", "\"llama\""}, {"num_attention_heads", "9"}, {"num_hidden_layers", "30"},
        {"num_key_value_heads", "3"}, {"pretraining_tp", "1"}, {"rms_norm_eps", "1e-05"},
        {"rope_interleaved", "false"}, {"rope_scaling", "null"}, {"rope_theta", "100000"},
        {"tie_word_embeddings", "true"}, {"torch_dtype", "\"bfloat16\""},
        {"transformers.js_config", "{\"kv_cache_dtype\": {\"fp16\": \"float16\"}}"},
        {"transformers_version", "\"4.40.1\""}, {"use_cache", "true"},
        {"vocab_size", "49152"}}},
    {"a Llama of version 5", "rotary_base=100000 d_model=576", NULL, {
        {"architectures", "[\"LlamaForCausalLM\"]"}, {"attention_bias", "false"},
        {"attention_dropout", "0.0"}, {"bos_token_id", "1"}, {"dtype", "\"bfloat16\""},
        {"eos_token_id", "2"}, {"head_dim", "64"}, {"hidden_act", "\"silu\""},
        {"hidden_size", "576"}, {"initializer_range", "0.02"}, {"intermediate_size", "1536"},
        {"max_position_embeddings", "8192"}, {"mlp_bias", "false"},
        {"model_type", "\"llama\""}, {"num_attention_heads", "9"}, {"num_hidden_layers", "30"},
        {"num_key_value_heads", "3"}, {"pad_token_id", "null"}, {"pretraining_tp", "1"},
        {"rms_norm_eps", "1e-05"},
        {"rope_parameters", "{\"rope_theta\": 100000, \"rope_type\": \"default\"}"},
        {"tie_word_embeddings", "true"}, {"transformers_version", "\"5.0.0\""},
        {"use_cache", "true"}, {"vocab_size", "49152"}}},
    {"Llama 3.2", NULL, "\"rope_scaling.rope_type\" is \"llama3\", but only \"default\" is", {
        {"architectures", "[\"LlamaForCausalLM\"]"}, {"attention_bias", "false"},
        {"attention_dropout", "0.0"}, {"bos_token_id", "128000"}, {"eos_token_id", "128001"},
        {"head_dim", "64"}, {"hidden_act", "\"silu\""}, {"hidden_size", "2048"},
        {"initializer_range", "0.02"}, {"intermediate_size", "8192"},
        {"max_position_embeddings", "8192"}, {"mlp_bias", "false"},
        {"model_type", "\"llama\""}, {"num_attention_heads", "32"},
        {"num_hidden_layers", "16"}, {"num_key_value_heads", "8"}, {"pretraining_tp", "1"},
        {"rms_norm_eps", "1e-05"},
        {"rope_scaling", "{\"factor\": 32.0, \"high_freq_factor\": 4.0, \"low_freq_factor\": 1.0, "
                         "\"original_max_position_embeddings\": 8192, \"rope_type\": \"llama3\"}"},
        {"rope_theta", "500000.0"}, {"tie_word_embeddings", "true"},
        {"torch_dtype", "\"bfloat16\""}, {"transformers_version", "\"4.45.0.dev0\""},
        {"use_cache", "true"}, {"vocab_size", "128256"}}},
    {"Mistral", NULL, "\"model_type\" is \"mistral\", which cannot be opened", {
        {"architectures", "[\"MistralForCausalLM\"]"}, {"bos_token_id", "1"},
        {"eos_token_id", "2"}, {"hidden_act", "\"silu\""}, {"hidden_size", "4096"},
        {"model_type", "\"mistral\""}, {"sliding_window", "4096"}, {"vocab_size", "32000"}}},
    {"Qwen2.5-0.5B", "start_id=151643 end_id=151643 rotary_base=1000000 "
                     "query_key_value_bias=true attention_output_bias=false "
                     "attention_window=0 max_length=32768 key_value_heads=2", NULL, {
        {"architectures", "[\"Qwen2ForCausalLM\"]"}, {"attention_dropout", "0.0"},
        {"bos_token_id", "151643"}, {"eos_token_id", "151643"}, {"hidden_act", "\"silu\""},
        {"hidden_size", "896"}, {"initializer_range", "0.02"}, {"intermediate_size", "4864"},
        {"max_position_embeddings", "32768"}, {"max_window_layers", "24"},
        {"model_type", "\"qwen2\""}, {"num_attention_heads", "14"},
        {"num_hidden_layers", "24"}, {"num_key_value_heads", "2"}, {"rms_norm_eps", "1e-06"},
        {"rope_theta", "1000000.0"}, {"sliding_window", "32768"},
        {"tie_word_embeddings", "true"}, {"torch_dtype", "\"bfloat16\""},
        {"transformers_version", "\"4.40.1\""}, {"use_cache", "true"}, {"use_mrope", "false"},
        {"use_sliding_window", "false"}, {"vocab_size", "151936"}}},
    {"bert-base-uncased", "d_model=768 encoder_layers=12 decoder_layers=0 masked_words=true "
                          "token_types=2 pad_id=0 activation=gelu layer_norm_epsilon=1e-12 "
                          "max_length=512 dropout=0.1 attention_dropout=0.1", NULL, {
        {"architectures", "[\"BertForMaskedLM\"]"}, {"attention_probs_dropout_prob", "0.1"},
        {"gradient_checkpointing", "false"}, {"hidden_act", "\"gelu\""},
        {"hidden_dropout_prob", "0.1"}, {"hidden_size", "768"}, {"initializer_range", "0.02"},
        {"intermediate_size", "3072"}, {"layer_norm_eps", "1e-12"},
        {"max_position_embeddings", "512"}, {"model_type", "\"bert\""},
        {"num_attention_heads", "12"}, {"num_hidden_layers", "12"}, {"pad_token_id", "0"},
        {"position_embedding_type", "\"absolute\""}, {"transformers_version", "\"4.6.0.dev0\""},
        {"type_vocab_size", "2"}, {"use_cache", "true"}, {"vocab_size", "30522"}}},
    {"klue/bert-base", "source_vocabulary=32000 masked_words=true", NULL, {
        {"architectures", "[\"BertForMaskedLM\"]"}, {"attention_probs_dropout_prob", "0.1"},
        POOLER, TASKS, {"classifier_dropout", "null"}, {"hidden_act", "\"gelu\""},
        {"hidden_dropout_prob", "0.1"}, {"hidden_size", "768"}, {"initializer_range", "0.02"},
        {"intermediate_size", "3072"}, {"layer_norm_eps", "1e-12"},
        {"max_position_embeddings", "512"}, {"model_type", "\"bert\""},
        {"num_attention_heads", "12"}, {"num_hidden_layers", "12"}, {"output_past", "true"},
        {"pad_token_id", "0"}, {"position_embedding_type", "\"absolute\""},
        {"torch_dtype", "\"float32\""}, {"transformers_version", "\"4.7.0\""},
        {"type_vocab_size", "2"}, {"use_cache", "true"}, {"vocab_size", "32000"}}},
    {"roberta-base", "max_length=512 position_offset=2 pad_id=1 start_id=0 end_id=2 "
                     "token_types=1 layer_norm_epsilon=1e-05 source_vocabulary=50265", NULL, {
        {"architectures", "[\"RobertaForMaskedLM\"]"}, {"attention_probs_dropout_prob", "0.1"},
        {"bos_token_id", "0"}, {"eos_token_id", "2"}, {"hidden_act", "\"gelu\""},
        {"hidden_dropout_prob", "0.1"}, {"hidden_size", "768"}, {"initializer_range", "0.02"},
        {"intermediate_size", "3072"}, {"layer_norm_eps", "1e-05"},
        {"max_position_embeddings", "514"}, {"model_type", "\"roberta\""},
        {"num_attention_heads", "12"}, {"num_hidden_layers", "12"}, {"pad_token_id", "1"},
        {"tokenizer_class", "\"BertTokenizer\""}, {"type_vocab_size", "1"},
        {"vocab_size", "50265"}}},
    {"distilbert-base-uncased", "d_model=768 encoder_layers=6 attention_heads=12 d_ff=3072 "
                                "masked_words=true token_types=0 max_length=512", NULL, {
        {"activation", "\"gelu\""}, {"architectures", "[\"DistilBertForMaskedLM\"]"},
        {"attention_dropout", "0.1"}, {"dim", "768"}, {"dropout", "0.1"},
        {"hidden_dim", "3072"}, {"initializer_range", "0.02"},
        {"max_position_embeddings", "512"}, {"model_type", "\"distilbert\""},
        {"n_heads", "12"}, {"n_layers", "6"}, {"output_past", "true"}, {"pad_token_id", "0"},
        {"qa_dropout", "0.1"}, {"seq_classif_dropout", "0.2"},
        {"sinusoidal_pos_embds", "false"}, {"tie_weights_", "true"},
        {"transformers_version", "\"4.10.0.dev0\""}, {"vocab_size", "30522"}}},
};

/* One key of a real file with a different value, or an additional key. `holds` "": no
 * option changes. */
static const struct {
    const char *real, *key, *value; /* NULL: without that key */
    const char *holds, *refused;
} changes[] = {
    /* Rotary position embeddings. */
    {"TinyLlama", "rope_scaling", "{\"type\": \"linear\", \"factor\": 2.0}", NULL,
     "\"rope_scaling.type\" is \"linear\", but only \"default\" is supported; open another model"},
    {"TinyLlama", "rope_scaling", "{\"type\": \"dynamic\", \"factor\": 2.0}", NULL, "\"rope_scaling.type\" is \"dynamic\""},
    {"TinyLlama", "rope_scaling", "{\"factor\": 4.0, \"type\": \"yarn\", \"original_max_position_embeddings\": 32768}", NULL,
     "\"rope_scaling.type\" is \"yarn\""},
    {"TinyLlama", "rope_scaling", "{\"rope_type\": \"longrope\"}", NULL, "\"rope_scaling.rope_type\" is \"longrope\""},
    {"TinyLlama", "rope_scaling", "{\"factor\": 2.0}", NULL, "\"rope_scaling.factor\" is 2.0, but this key is unknown"},
    {"TinyLlama", "rope_scaling", "{\"rope_type\": \"default\"}", "", NULL},
    {"TinyLlama", "rope_scaling", "{\"rope_type\": \"default\", \"factor\": 8}", NULL, "\"rope_scaling.factor\" is 8"},
    {"TinyLlama", "rope_scaling", "{}", "", NULL},
    {"TinyLlama", "rope_scaling", NULL, "", NULL},
    {"TinyLlama", "rope_scaling", "\"yarn\"", NULL, "\"rope_scaling\" is \"yarn\", but only an object is supported"},
    {"TinyLlama", "rope_scaling", "[]", NULL, "\"rope_scaling\" is [], but only an object"},
    {"TinyLlama", "rope_scaling", "false", NULL, "\"rope_scaling\" is false, but only an object"},
    {"TinyLlama", "rope_theta", "500", "rotary_base=500", NULL},
    {"TinyLlama", "rope_theta", "null", NULL, "\"rope_theta\" is null, but only a number from 1"},
    {"TinyLlama", "rope_theta", "\"10000\"", NULL, "\"rope_theta\" is \"10000\", but only a number"},
    {"TinyLlama", "rope_theta", "[10000]", NULL, "\"rope_theta\" is [10000], but only a number"},
    {"TinyLlama", "rope_theta", NULL, "rotary_base=10000", NULL},
    {"TinyLlama", "rope_parameters", "{\"rope_theta\": 10000.0}", "", NULL},
    {"TinyLlama", "rope_parameters", "{\"rope_theta\": 500}", NULL, "\"rope_parameters.rope_theta\" is 500, but \"rope_theta\", which means the same here, has another value"},
    {"TinyLlama", "rope_parameters", "null", "", NULL},
    {"a Llama of version 5", "rope_parameters", "{\"rope_type\": \"default\", \"rope_theta\": 7}", "rotary_base=7", NULL},
    {"a Llama of version 5", "rope_parameters", "{\"rope_type\": \"yarn\", \"rope_theta\": 7}", NULL, "\"rope_parameters.rope_type\" is \"yarn\""},
    {"a Llama of version 5", "rope_parameters", "{\"full_attention\": {\"rope_type\": \"default\"}}", NULL, "\"rope_parameters.full_attention\" is {\"rope_type\": \"default\"}, but this key is unknown"},
    {"a Llama of version 5", "rope_parameters", "{\"rope_theta\": 7, \"partial_rotary_factor\": 0.5}", NULL, "\"rope_parameters.partial_rotary_factor\" is 0.5, but only 1 is"},
    {"a Llama of version 5", "rope_parameters", "{\"rope_theta\": 7, \"partial_rotary_factor\": 1.0}", "rotary_base=7", NULL},
    {"TinyLlama", "partial_rotary_factor", "0.25", NULL, "\"partial_rotary_factor\" is 0.25"},
    {"SmolLM2-135M", "rope_interleaved", "true", NULL, "\"rope_interleaved\" is true, but only false is"},
    {"Qwen2.5-0.5B", "use_mrope", "true", NULL, "\"use_mrope\" is true"},
    {"Qwen2.5-0.5B", "rope_scaling", "{\"type\": \"yarn\", \"factor\": 4.0}", NULL, "\"rope_scaling.type\" is \"yarn\""},
    /* Windows. */
    {"TinyLlama", "sliding_window", "null", "", NULL},
    {"TinyLlama", "sliding_window", "2048", "", NULL},
    {"TinyLlama", "sliding_window", "4096", "", NULL},
    {"TinyLlama", "sliding_window", "2047", NULL, "\"sliding_window\" is 2047, but only one of null, 2048 or more is"},
    {"TinyLlama", "sliding_window", "4096.0", NULL, "\"sliding_window\" is 4096.0, but only"},
    {"TinyLlama", "use_sliding_window", "true", NULL, "\"use_sliding_window\" is true"},
    {"TinyLlama", "layer_types", "[\"full_attention\", \"full_attention\"]", "", NULL},
    {"TinyLlama", "layer_types", "null", "", NULL},
    {"TinyLlama", "layer_types", "[\"sliding_attention\", \"sliding_attention\"]", NULL, "\"layer_types\" is \"sliding_attention\", but only one of \"full_attention\", null is"},
    {"TinyLlama", "layer_types", "[\"full_attention\", \"sliding_attention\"]", NULL, "\"layer_types\" is [\"full_attention\", \"sliding_attention\"], but only one of \"full_attention\", null is"},
    {"TinyLlama", "layer_types", "[\"full_attention\", \"sliding_attention\", \"full_attention\"]", NULL, "\"layer_types\" is [\"full_attention\", \"sliding_attention\", \"full_attention\"]"},
    {"TinyLlama", "layer_types", "[]", NULL, "\"layer_types\" is []"},
    {"TinyLlama", "layer_types", "{}", NULL, "\"layer_types\" is {}"},
    {"Qwen2.5-0.5B", "use_sliding_window", "true", NULL, "\"use_sliding_window\" is true, but only false is"},
    {"Qwen2.5-0.5B", "use_sliding_window", NULL, "", NULL},
    {"Qwen2.5-0.5B", "sliding_window", "4", "", NULL},
    {"Qwen2.5-0.5B", "sliding_window", "null", "", NULL},
    {"Qwen2.5-0.5B", "max_window_layers", "0", "", NULL},
    {"Qwen2.5-0.5B", "layer_types", "[\"full_attention\"]", "", NULL},
    {"TinyStories-1M", "window_size", "4", "attention_window=4", NULL},
    {"TinyStories-1M", "attention_layers", NULL, "", NULL},
    {"TinyStories-1M", "attention_types", NULL, "", NULL},
    {"TinyStories-1M", "attention_types", "[[[\"global\"], 8]]", NULL, "\"attention_layers\" and \"attention_types\" must agree on each of 8 layers"},
    {"TinyStories-1M", "attention_types", "[[[], 9223372036854775807]]", NULL, "must agree on each of 8 layers"},
    {"TinyStories-1M", "attention_types", "[[[\"global\", \"local\"], 9223372036854775807]]", NULL, "must agree on each of 8 layers"},
    {"TinyStories-1M", "attention_types", "[[[\"global\", \"local\"], 1], [[\"global\", \"local\"], 3]]", "", NULL},
    {"TinyStories-1M", "attention_types", "{}", NULL, "must agree on each of 8 layers"},
    {"TinyStories-1M", "attention_layers", "[\"global\"]", NULL, "must agree on each of 8 layers: \"global\" or \"local\""},
    {"TinyStories-1M", "attention_layers", "[\"global\", \"lokal\", \"global\", \"local\", \"global\", \"local\", \"global\", \"local\"]", NULL, "must agree on each of 8 layers"},
    {"TinyStories-1M", "num_layers", "4", NULL, "must agree on each of 4 layers"},
    /* Sizes. */
    {"TinyLlama", "head_dim", "64", "", NULL},
    {"TinyLlama", "head_dim", "null", "", NULL},
    {"TinyLlama", "head_dim", "128", NULL, "\"head_dim\" is 128, but only one of null, 64 is"},
    {"TinyLlama", "head_dim", "\"64\"", NULL, "\"head_dim\" is \"64\""},
    {"TinyLlama", "num_key_value_heads", "null", "key_value_heads=0", NULL},
    {"TinyLlama", "num_key_value_heads", "3", NULL, "32; expected a multiple of key_value_heads (3)"},
    {"TinyLlama", "num_key_value_heads", "[4]", NULL, "\"num_key_value_heads\" is [4], but only a whole number"},
    {"TinyLlama", "hidden_size", "null", NULL, "\"hidden_size\" is null, but only a whole number from 1"},
    {"TinyLlama", "hidden_size", "{\"a\": [1, 2]}", NULL, "\"hidden_size\" is {\"a\": [1, 2]}, but only a whole number"},
    {"TinyLlama", "rms_norm_eps", "null", NULL, "\"rms_norm_eps\" is null"},
    {"TinyLlama", "max_position_embeddings", "131072", NULL, "\"max_position_embeddings\" is 131072, but only a whole number from 1 to 65536"},
    {"gpt2", "n_head", NULL, "attention_heads=12", NULL},
    {"gpt2", "n_head", "8.0", NULL, "\"n_head\" is 8.0, but only a whole number"},
    {"gpt2", "n_embd", "\"768\"", NULL, "\"n_embd\" is \"768\""},
    {"gpt2", "n_inner", "1000", "d_ff=1000", NULL},
    {"gpt2", "n_inner", "null", "d_ff=3072", NULL},
    {"gpt2", "n_ctx", "512", "", NULL},
    {"distilbert-base-uncased", "n_heads", NULL, "attention_heads=12", NULL},
    {"roberta-base", "pad_token_id", "0", NULL, "\"pad_token_id\" is 0, but only 1 is"},
    {"roberta-base", "type_vocab_size", NULL, "token_types=2", NULL},
    /* Options of the computation. */
    {"gpt2", "scale_attn_weights", "false", "scale_scores=false", NULL},
    {"gpt2", "scale_attn_by_inverse_layer_idx", "true", NULL, "\"scale_attn_by_inverse_layer_idx\" is true, but only false is"},
    {"gpt2", "reorder_and_upcast_attn", "true", NULL, "\"reorder_and_upcast_attn\" is true"},
    {"gpt2", "add_cross_attention", "true", NULL, "\"add_cross_attention\" is true"},
    {"gpt2", "activation_function", "\"relu\"", "activation=relu", NULL},
    {"gpt2", "activation_function", "\"quick_gelu\"", NULL, "\"activation_function\" is \"quick_gelu\", but only one of \"relu\""},
    {"gpt2", "activation_function", "\"gelu_tanh\"", NULL, "\"activation_function\" is \"gelu_tanh\""},
    {"gpt2", "activation_function", "[\"gelu_new\"]", NULL, "\"activation_function\" is [\"gelu_new\"]"},
    {"gpt2", "tie_word_embeddings", "false", "tie_embeddings=false", NULL},
    {"gpt2", "tie_word_embeddings", "null", NULL, "\"tie_word_embeddings\" is null"},
    {"gpt2", "is_encoder_decoder", "true", NULL, "\"is_encoder_decoder\" is true"},
    {"gpt2", "pruned_heads", "{}", "", NULL},
    {"gpt2", "pruned_heads", "{\"0\": [1]}", NULL, "\"pruned_heads\" is {\"0\": [1]}"},
    {"gpt2", "chunk_size_feed_forward", "0", "", NULL},
    {"gpt2", "chunk_size_feed_forward", "8", NULL, "\"chunk_size_feed_forward\" is 8"},
    {"gpt2", "quantization_config", "{\"bits\": 4}", NULL, "\"quantization_config\" is {\"bits\": 4}, but only null"},
    {"gpt2", "auto_map", "{\"AutoModel\": \"a.B\"}", NULL, "\"auto_map\" is"},
    {"TinyLlama", "attention_bias", "true", "query_key_value_bias=true attention_output_bias=true", NULL},
    {"TinyLlama", "mlp_bias", "true", "feed_forward_bias=true", NULL},
    {"TinyLlama", "pretraining_tp", "2", NULL, "\"pretraining_tp\" is 2, but only 1 is"},
    {"TinyLlama", "hidden_act", "\"gelu_pytorch_tanh\"", "activation=gelu_tanh", NULL},
    {"bert-base-uncased", "position_embedding_type", "\"relative_key\"", NULL, "\"position_embedding_type\" is \"relative_key\", but only \"absolute\""},
    {"bert-base-uncased", "is_decoder", "true", NULL, "\"is_decoder\" is true"},
    {"gpt2", "is_decoder", "true", "", NULL},
    {"roberta-base", "hidden_act", "\"relu\"", NULL, "\"hidden_act\" is \"relu\", but only \"gelu\""},
    {"distilbert-base-uncased", "sinusoidal_pos_embds", "true", "", NULL},
    /* Classes. */
    {"bert-base-uncased", "architectures", "[\"BertModel\"]", "masked_words=false", NULL},
    {"bert-base-uncased", "architectures", "[\"BertForPreTraining\"]", "", NULL},
    {"bert-base-uncased", "architectures", "null", "", NULL},
    {"bert-base-uncased", "architectures", "[\"BertForSequenceClassification\"]", NULL, "\"architectures\" is \"BertForSequenceClassification\", but only one of \"BertForMaskedLM\", \"BertForPreTraining\", \"BertModel\" is supported"},
    {"distilbert-base-uncased", "architectures", "[\"DistilBertForQuestionAnswering\"]", NULL, "but only one of \"DistilBertForMaskedLM\", \"DistilBertModel\""},
    {"roberta-base", "architectures", "[\"RobertaModel\", \"RobertaForMaskedLM\"]", NULL, "\"architectures\" is [\"RobertaModel\", \"RobertaForMaskedLM\"], but only one value is used here"},
    {"gpt2", "architectures", "[\"GPT2ForSequenceClassification\"]", NULL, "\"architectures\" is \"GPT2ForSequenceClassification\", but only one of \"GPT2LMHeadModel\""},
    {"TinyLlama", "architectures", "[\"MistralForCausalLM\"]", NULL, "\"architectures\" is \"MistralForCausalLM\""},
    /* Ids. */
    {"TinyLlama", "eos_token_id", "[2, 36]", NULL, "\"eos_token_id\" is [2, 36], but only one value is used here; keep one"},
    {"TinyLlama", "eos_token_id", "[36]", "end_id=36", NULL},
    {"TinyLlama", "eos_token_id", "null", "end_id=-1", NULL},
    {"TinyLlama", "eos_token_id", "\"2\"", NULL, "\"eos_token_id\" is \"2\""},
    {"TinyLlama", "bos_token_id", "5", "start_id=5", NULL},
    {"TinyLlama", "eos_token_id", "40000", NULL, "end_id is 40000, but the vocabulary has only 32000 words"},
    {"TinyLlama", "pad_token_id", "2", "", NULL},
    {"gpt2", "bos_token_id", "[1, 2]", "", NULL},
    {"bert-base-uncased", "cls_token_id", "5", "start_id=5", NULL},
    {"roberta-base", "sep_token_id", "3", NULL, "\"sep_token_id\" is 3, but \"eos_token_id\", which means the same here, has another value"},
    {"roberta-base", "sep_token_id", "2", "", NULL},
    /* Keys without effect, whatever their value; and unknown keys. */
    {"gpt2", "temperature", "0.7", "", NULL},
    {"gpt2", "id2label", "{\"0\": \"a\", \"1\": \"b\"}", "", NULL},
    {"gpt2", "dtype", "\"float16\"", "", NULL},
    {"gpt2", "use_cache", "null", "", NULL},
    {"bert-base-uncased", "classifier_dropout", "0.3", "", NULL},
    {"gpt2", "foo", "3", NULL, "\"foo\" is 3, but this key is unknown; if it does not change the numbers, remove it from the file"},
    {"gpt2", "foo", "null", NULL, "\"foo\" is null, but this key is unknown"},
    {"gpt2", "foo", "{\"a\": {\"b\": [true, \"c\", -0.5]}}", NULL, "\"foo\" is {\"a\": {\"b\": [true, \"c\", -0.5]}}, but"},
    {"gpt2", "top_k top_p", "1", NULL, "\"top_k top_p\" is 1, but this key"},
    {"gpt2", "", "1", NULL, "\"\" is 1, but this key"},
    {"gpt2", "max", "1", NULL, "\"max\" is 1, but this key"},
    {"gpt2", "d_model", "768", NULL, "\"d_model\" is 768, but this key"},
    {"gpt2", "attention_multiplier", "0.1", NULL, "\"attention_multiplier\" is 0.1"},
    {"TinyLlama", "logits_scaling", "8.0", NULL, "\"logits_scaling\" is 8"},
    {"TinyLlama", "n_ctx", "8", NULL, "\"n_ctx\" is 8"},
    {"Qwen2.5-0.5B", "attention_bias", "false", NULL, "\"attention_bias\" is false, but this key"},
    {"distilbert-base-uncased", "layer_norm_eps", "1e-5", NULL, "\"layer_norm_eps\" is 1e-05, but this key"},
};
/* clang-format on */

/* The file with one value changed, added, or removed. */
static const char *with_change(const Real *real, const char *key, const char *value,
                               Arena *arena) {
    const char *text = "{";
    bool found = false;
    for (const Pair *pair = real->pair; pair->key; pair++) {
        bool is_key = key && strcmp(pair->key, key) == 0;
        found = found || is_key;
        if (is_key && !value) continue;
        text = arena_print(arena, "%s%s\"%s\": %s", text, text[1] ? ", " : "",
                           pair->key, is_key ? value : pair->value);
    }
    if (key && !found && value)
        text = arena_print(arena, "%s, \"%s\": %s", text, key, value);
    return arena_print(arena, "%s}\n", text);
}

static void check(const char *name, const char *text, const char *holds,
                  const char *refused, const char *before, Arena *arena) {
    Config config;
    Error error = {0};
    const char *path = write_file("file", (Bytes){text, strlen(text)}, arena);
    bool done = config_read(&config, path, arena, &error);
    check_verdict(name, done, refused, path, &error);
    if (!done) return;
    if (!*holds) assert_string_equal(config_print(&config, arena), before);
    /* Setting an option again does not change it. */
    const char *found = config_print(&config, arena);
    char *rest = arena_print(arena, "%s", holds);
    for (char *option; (option = strtok_r(rest, " ", &rest));) {
        char *value = strchr(option, '=');
        *value++ = '\0';
        assert_true(config_set(&config, option, value, arena, &error));
        if (strcmp(config_print(&config, arena), found) != 0)
            fail_msg("%s is not %s in %.900s of %.900s", option, value, found, text);
    }
}

static const char *printed(const Real *real, Arena *arena) {
    Config config;
    Error error;
    const char *text = with_change(real, NULL, NULL, arena);
    const char *path = write_file("file", (Bytes){text, strlen(text)}, arena);
    if (!config_read(&config, path, arena, &error)) fail_msg("%s", error.message);
    return config_print(&config, arena);
}

static void every_real_file_opens_or_is_refused_by_name(void **state) {
    (void)state;
    for (int r = 0; r < ROWS(reals); r++) {
        Arena arena = {0};
        const char *text = with_change(&reals[r], NULL, NULL, &arena);
        check(reals[r].name, text, reals[r].holds, reals[r].refused, "", &arena);
        arena_free(&arena);
    }
}

static void every_change_is_obeyed_or_refused_by_name(void **state) {
    (void)state;
    for (int c = 0; c < ROWS(changes); c++) {
        Arena arena = {0};
        const Real *real = reals;
        while (strcmp(real->name, changes[c].real) != 0) real++;
        const char *text = with_change(real, changes[c].key, changes[c].value, &arena);
        check(text, text, changes[c].holds, changes[c].refused, printed(real, &arena),
              &arena);
        arena_free(&arena);
    }
}

/* Each key of a real file must be known: under another name it is not. */
static void every_key_of_a_real_file_counts(void **state) {
    (void)state;
    for (int r = 0; r < ROWS(reals); r++)
        for (const Pair *pair = reals[r].pair; pair->key && reals[r].holds; pair++) {
            if (strcmp(pair->key, "model_type") == 0) continue;
            Arena arena = {0};
            const char *name = arena_print(&arena, "x_%s", pair->key);
            const char *text = with_change(&reals[r], name, pair->value, &arena);
            const char *refused = arena_print(&arena, "\"%s\" is", name);
            check(name, text, "", refused, "", &arena);
            arena_free(&arena);
        }
}

/* Whatever the value of a key is: the options that its row names exist, its values are
 * JSON, and rejections name the key. Rows are unique in a table. */
static void every_row_of_the_tables_can_be_read(void **state) {
    (void)state;
    static const char *const types[] = {"gpt2", "gpt_neo", "llama",     "qwen2",
                                        "bert", "roberta", "distilbert"};
    static const char *const values[] = {
        "null", "true", "1", "0.5", "\"x\"", "[1, 1]", "[1, 2]", "{}", "{\"type\": 1}"};
    int refused = 0;
    for (int t = 0; t < ROWS(types); t++)
        for (const FamilyKey *const *table = family_find(types[t])->keys->rows; *table;
             table++)
            for (const FamilyKey *row = *table; row->name; row++) {
                for (const FamilyKey *other = *table; other < row; other++)
                    assert_string_not_equal(other->name, row->name);
                for (int v = 0; v < ROWS(values); v++) {
                    Arena arena = {0};
                    Config config;
                    Error error = {0};
                    const char *text =
                        arena_print(&arena, "{\"model_type\": \"%s\", \"%s\": %s}",
                                    types[t], row->name, values[v]);
                    const char *path =
                        write_file("file", (Bytes){text, strlen(text)}, &arena);
                    bool done = config_read(&config, path, &arena, &error);
                    /* Options that are not consistent are reported with our names. */
                    bool is_named =
                        strstr(error.message, arena_print(&arena, "\"%s", row->name));
                    if (strstr(error.message, " here: ") && !is_named)
                        fail_msg("%s: %s", text, error.message);
                    refused += !done && is_named;
                    arena_free(&arena);
                }
            }
    assert_true(refused > 1000);
}

static int run_all(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_real_file_opens_or_is_refused_by_name),
        cmocka_unit_test(every_change_is_obeyed_or_refused_by_name),
        cmocka_unit_test(every_key_of_a_real_file_counts),
        cmocka_unit_test(every_row_of_the_tables_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int count, char **argument) {
    return malformed_main(count, argument, NULL, 0, run_all);
}
