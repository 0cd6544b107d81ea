"""The weights of a model folder: their names and shapes, and random ones for tests.

Names and shapes are those of src/README.md. A linear layer stores [out, in].
"""

import json
import pathlib

import torch

import tensor_file
from presets import PRESETS, configuration


def linear_shapes(name, outputs, inputs):
    return {f"{name}.weight": [outputs, inputs], f"{name}.bias": [outputs]}


def norm_shapes(name, config):
    """Scale of a norm, and bias of a layer norm; nothing without a norm."""
    return {} if config["norm"] == "none" else gains(name, config)


def gains(name, config):
    parts = {"layer": ("weight", "bias"), "rms": ("weight",), "rms_plain": ()}[config["norm_type"]]
    return {f"{name}.{part}": [config["d_model"]] for part in parts}


def key_value_heads(config):
    return config["key_value_heads"] or config["attention_heads"]


def attention_shapes(name, config):
    width = config["d_model"]
    shapes = {}
    parts = ["q", "k", "v"]
    if config["attention_output_projection"]:
        parts.append("out")
    shared = width // config["attention_heads"] * key_value_heads(config)
    for part in parts:
        rows = shared if part in "kv" else width
        shapes |= linear_shapes(f"{name}.{part}_proj", rows, width)
    return shapes | norm_shapes(f"{name}_layer_norm", config)


def layer_shapes(name, config, with_cross):
    shapes = attention_shapes(f"{name}.self_attn", config)
    if with_cross:
        shapes |= attention_shapes(f"{name}.encoder_attn", config)
    if config["d_ff"] > 0:
        for part in ("fc1", "fc_gate") if config["feed_forward_gate"] else ("fc1",):
            shapes |= linear_shapes(f"{name}.{part}", config["d_ff"], config["d_model"])
        shapes |= linear_shapes(f"{name}.fc2", config["d_model"], config["d_ff"])
        shapes |= norm_shapes(f"{name}.final_layer_norm", config)
    return shapes


def has_positions(config, side):
    if side == "decoder" and "decoder_without_positions" in config["as_written"]:
        return False
    return config["position"] in ("sinusoidal", "learned")


def has_embedding_norm(config, side):
    without = side == "decoder" and "decoder_without_positions" in config["as_written"]
    return config["embedding_norm"] and not without


def stack_shapes(config, side):
    """The encoder or the decoder without its word embedding."""
    shapes = {}
    if config["position"] == "learned" and has_positions(config, side):
        table = [config["max_length"] + config["position_offset"], config["d_model"]]
        shapes[f"model.{side}.embed_positions.weight"] = table
    if side == "encoder" and config["token_types"]:
        shapes["model.encoder.embed_token_types.weight"] = [config["token_types"],
                                                            config["d_model"]]
    if has_embedding_norm(config, side):
        shapes |= gains(f"model.{side}.layernorm_embedding", config)
    stored = config[f"{side}_layers"]
    if config["share_layers"]:
        stored = min(stored, 1)
    for layer in range(stored):
        name = f"model.{side}.layers.{layer}"
        shapes |= layer_shapes(name, config, with_cross=side == "decoder")
    if config["final_norm"]:
        shapes |= gains(f"model.{side}.layer_norm", config)
    return shapes


def embedding_shapes(config, has_decoder):
    width = config["d_model"]
    if config["share_embeddings"]:
        return {"model.shared.weight": [config["source_vocabulary"], width]}
    shapes = {"model.encoder.embed_tokens.weight": [config["source_vocabulary"], width]}
    if has_decoder:
        table = [config["target_vocabulary"], width]
        shapes["model.decoder.embed_tokens.weight"] = table
    return shapes


def lstm_shapes(name, config):
    hidden = config["hidden_size"]
    return {
        f"{name}.weight_ih_l0": [4 * hidden, config["d_model"]],
        f"{name}.weight_hh_l0": [4 * hidden, hidden],
        f"{name}.bias_ih_l0": [4 * hidden],
        f"{name}.bias_hh_l0": [4 * hidden],
    }


def label_shapes(config, width):
    rows = 1 if config["label_activation"] == "sigmoid" else config["labels"]
    return linear_shapes("classification_head", rows, width)


def rnn_shapes(name, config):
    hidden = config["hidden_size"]
    return {
        f"{name}.weight_ih_l0": [hidden, config["d_model"]],
        f"{name}.weight_hh_l0": [hidden, hidden],
        f"{name}.bias_ih_l0": [hidden],
        f"{name}.bias_hh_l0": [hidden],
    }


def weight_shapes(config):
    """Every tensor of model.safetensors: a dict of name -> shape."""
    words = config["target_vocabulary"]
    if config["model_type"] == "seq2seq":
        shapes = embedding_shapes(config, has_decoder=True)
        shapes |= lstm_shapes("model.encoder.lstm", config)
        shapes |= lstm_shapes("model.decoder.lstm", config)
        return shapes | linear_shapes("lm_head", words, 2 * config["hidden_size"])
    if config["encoder_type"] == "rnn":
        shapes = embedding_shapes(config, has_decoder=False)
        shapes |= rnn_shapes("model.encoder.rnn", config)
        return shapes | label_shapes(config, config["hidden_size"])
    has_decoder = config["decoder_layers"] > 0
    shapes = embedding_shapes(config, has_decoder)
    shapes |= stack_shapes(config, "encoder")
    if config["model_type"] == "classifier":
        return shapes | label_shapes(config, config["d_model"])
    if config["masked_words"]:
        shapes |= linear_shapes("lm_head.dense", config["d_model"], config["d_model"])
        shapes |= gains("lm_head.layer_norm", config)
    if has_decoder:
        shapes |= stack_shapes(config, "decoder")
    if has_decoder or config["masked_words"]:
        head = linear_shapes("lm_head", words, config["d_model"])
        if config["tie_embeddings"]:
            del head["lm_head.weight"]
        shapes |= head
    return shapes


def random_weights(config, seed):
    """Weights with deviation 0.3, so that activations vary; scales are around 1."""
    generator = torch.Generator().manual_seed(seed)
    weights = {}
    for name, shape in weight_shapes(config).items():
        weights[name] = 0.3 * torch.randn(shape, generator=generator)
        if name.endswith("layer_norm.weight"):
            weights[name] += 1
    return weights


def write_model(folder, config, weights):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    arrays = {name: tensor.numpy() for name, tensor in weights.items()}
    tensor_file.write(folder / "model.safetensors", arrays)


def read_model(folder):
    """The configuration and the weights of a folder, checked against each other."""
    folder = pathlib.Path(folder)
    config = json.loads((folder / "config.json").read_text())
    known = config["preset"] if config.get("preset") in PRESETS else "paper"
    config = {**configuration(known), **config}  # with the omitted keys
    if isinstance(config["labels"], list):  # their names; here only their number counts
        config["labels"] = len(config["labels"])
    arrays = tensor_file.read(folder / "model.safetensors")
    weights = {name: torch.tensor(array) for name, array in arrays.items()}
    shapes = weight_shapes(config)
    for name in sorted(set(shapes) | set(weights)):
        found = list(weights[name].shape) if name in weights else "no such tensor"
        wanted = shapes.get(name, "no such tensor")
        if found != wanted:
            raise ValueError(f"{folder}: {name} is {found}, expected {wanted}")
    return config, weights
