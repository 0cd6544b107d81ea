"""The presets of the program: rows of options that differ from the paper's.

A configuration is a dict with every key of config.json (src/README.md).
"""

PAPER = {
    "model_type": "transformer",
    "encoder_type": "transformer",
    "preset": "paper",
    "d_model": 512,
    "encoder_layers": 6,
    "decoder_layers": 6,
    "attention_heads": 8,
    "key_value_heads": 0,
    "d_ff": 2048,
    "activation": "relu",
    "attention_output_projection": True,
    "attention_output_activation": "none",
    "feed_forward_output_activation": "none",
    "feed_forward_gate": False,
    "norm": "post",
    "norm_type": "layer",
    "embedding_norm": False,
    "token_types": 0,
    "position_offset": 0,
    "masked_words": False,
    "attention_window": 0,
    "full_attention_every": 0,
    "full_attention_first": 0,
    "mask_id": -1,
    "final_norm": False,
    "residual": True,
    "position": "sinusoidal",
    "rotary_base": 10000.0,
    "scale_embedding": True,
    "scale_scores": True,
    "mask_mode": "fill",
    "mask_value": "-inf",
    "causal": True,
    "encoder_causal": False,
    "share_layers": False,
    "share_embeddings": False,
    "tie_embeddings": False,
    "layer_norm_epsilon": 1e-5,
    "dropout": 0.1,
    "attention_dropout": 0.0,
    "activation_dropout": 0.0,
    "max_length": 512,
    "source_vocabulary": 8000,
    "target_vocabulary": 8000,
    "pad_id": 0,
    "start_id": 1,
    "end_id": 2,
    "unknown_id": 3,
    "tokenizer": "none",
    "labels": 0,
    "label_activation": "softmax",
    "hidden_size": 0,
    "as_written": [],
}

KERAS = {
    "attention_output_activation": "relu",
    "feed_forward_output_activation": "relu",
    "scale_embedding": False,
    "mask_mode": "add",
    "mask_value": -1e9,
    "layer_norm_epsilon": 1e-6,
    "dropout": 0.2,
}

PRENORM = {
    "norm": "pre",
    "activation": "gelu",
    "position": "learned",
    "scale_embedding": False,
}

PYTORCH = {
    "position": "learned",
    "scale_embedding": False,
    "scale_scores": False,
    "mask_mode": "fill",
    "mask_value": -1e4,
    "d_model": 256,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "d_ff": 512,
    "attention_dropout": 0.1,
    "activation_dropout": 0.1,
}

KIT = {
    "activation": "none",
    "share_layers": True,
    "share_embeddings": True,
    "mask_mode": "add",
    "mask_value": -1e9,
    "layer_norm_epsilon": 1e-6,
}

MINIMAL = {
    "position": "none",
    "scale_embedding": False,
    "residual": False,
    "norm": "none",
    "d_ff": 0,
    "decoder_layers": 0,
}

SINGLE_HEAD = {
    **MINIMAL,
    "attention_heads": 1,
    "attention_output_projection": False,
}

CLASSIFIER = {
    **KIT,
    "model_type": "classifier",
    "share_embeddings": False,  # there is only one side
    "decoder_layers": 0,
    "labels": 2,
}

CLASSIFIER_BINARY = {**CLASSIFIER, "label_activation": "sigmoid"}

CLASSIFIER_RNN = {
    **CLASSIFIER,
    "encoder_type": "rnn",
    "d_model": 256,
    "hidden_size": 256,
    "encoder_layers": 1,
    "attention_heads": 1,
    "d_ff": 0,
    "norm": "none",
    "residual": False,
    "position": "none",
    "scale_embedding": False,
    "share_layers": False,
}

SEQ2SEQ = {
    "model_type": "seq2seq",
    "d_model": 256,
    "hidden_size": 256,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "attention_heads": 1,
    "d_ff": 0,
    "norm": "none",
    "residual": False,
    "position": "none",
    "scale_embedding": False,
}

SEQ2SEQ_BUGS = ["keys_are_last_state", "lstm_restarts", "cell_for_state"]

BERT = {
    "encoder_layers": 12,
    "decoder_layers": 0,
    "d_model": 768,
    "attention_heads": 12,
    "d_ff": 3072,
    "activation": "gelu",
    "position": "learned",
    "embedding_norm": True,
    "token_types": 2,
    "masked_words": True,
    "scale_embedding": False,
    "tie_embeddings": True,
    "layer_norm_epsilon": 1e-12,
    "mask_id": 4,
    "attention_dropout": 0.1,
}

PRESETS = {
    "paper": {},
    "keras": KERAS,
    "keras-as-written": {**KERAS, "as_written": ["cross_query_from_encoder"]},
    "prenorm": PRENORM,
    "prenorm-as-written": {**PRENORM, "as_written": ["residual_from_norm"]},
    "pytorch": PYTORCH,
    "pytorch-as-written": {
        **PYTORCH,
        "as_written": ["activation_dropped", "decoder_without_positions"],
    },
    "kit": KIT,
    "kit-as-written": {**KIT, "as_written": ["mask_hides_self"]},
    "minimal": MINIMAL,
    "single-head": SINGLE_HEAD,
    "classifier": CLASSIFIER,
    "classifier-as-written": {**CLASSIFIER, "as_written": ["mean_with_padding", "padding_not_hidden"]},
    "classifier-binary": CLASSIFIER_BINARY,
    "classifier-rnn": CLASSIFIER_RNN,
    "bert": BERT,
    "seq2seq": SEQ2SEQ,
    "seq2seq-as-written": {**SEQ2SEQ, "as_written": SEQ2SEQ_BUGS},
}


def configuration(preset, **changes):
    """Every key of config.json: the paper's values, then the preset's, then the changes."""
    unknown = set(changes) - set(PAPER)
    if unknown:
        raise ValueError(f"no option called {sorted(unknown)}")
    return {**PAPER, **PRESETS[preset], "preset": preset, **changes}


def tiny(preset, layers, heads, **changes):
    """The preset in a size for tests, with other options changed."""
    base = PRESETS[preset]
    size = {
        "d_model": 8,
        "encoder_layers": layers,
        "decoder_layers": 0 if base.get("decoder_layers") == 0 else layers,
        "attention_heads": heads,
        "d_ff": 0 if base.get("d_ff") == 0 else 12,
        "max_length": 16,
        "source_vocabulary": 11,
        "target_vocabulary": 13,
    }
    if base.get("labels"):
        size["labels"] = 2 if base.get("label_activation") == "sigmoid" else 3
    if base.get("hidden_size"):
        size["hidden_size"] = 6
    config = configuration(preset, **{**size, **changes})
    if config["share_embeddings"] or config["masked_words"]:  # one table needs one vocabulary
        config["source_vocabulary"] = config["target_vocabulary"]
    return config
