"""The cases of tests/reference/cases: small models with everything that they must compute.

A case is a model folder plus expected.safetensors: every address of src/README.md, the input ids,
greedy.ROW, the result of greedy decoding for each row, and beam.WIDTH.ROW, that of beam search.
"""

import pathlib
import shutil

import numpy

import tensor_file
from decoding import as_arrays, beam, can_generate, forward, greedy, has_decoder
from presets import PRESETS, tiny
from weights import random_weights, read_model, write_model

FOLDER = pathlib.Path(__file__).parent / "cases"
GREEDY_LIMIT = 12
BEAMS = ((2, 0.0), (3, 0.6), (5, 1.0))  # width and alpha of the length penalty
SEEDS = 5000  # maximum number of tries for a case
CLEAR_LEAD = 1e-3  # of the winner over the second, so that rounding does not matter

SOURCE = [[5, 7, 9, 4, 2], [6, 10, 2]]
TARGET = [[1, 8, 4, 11], [1, 6]]
TARGET_LIKE_SOURCE = [[1, 8, 4, 11, 7], [1, 6, 9, 3]]

# Combinations that no preset has. The numbers are layers and heads.
MIXED = {
    "mixed-prenorm-tied": (
        ("prenorm", 2, 2),
        {
            "final_norm": True,
            "share_embeddings": True,
            "tie_embeddings": True,
            "scale_embedding": True,
            "mask_mode": "add",
            "mask_value": -1e4,
        },
    ),
    "mixed-no-norm": (
        ("paper", 2, 4),
        {
            "norm": "none",
            "activation": "gelu",
            "position": "none",
            "decoder_layers": 1,
            "share_layers": True,
            "scale_scores": False,
            "mask_value": -1e9,
        },
    ),
    "mixed-looks-nowhere": (
        ("keras", 1, 2),
        {
            "final_norm": True,
            "attention_output_activation": "gelu",
            "decoder_layers": 2,
            "tie_embeddings": True,
            "mask_mode": "fill",
            "mask_value": "-inf",
            "as_written": ["mask_hides_self"],
        },
    ),
    "mixed-today": (
        ("paper", 2, 4),
        {
            "norm": "pre",
            "norm_type": "rms",
            "final_norm": True,
            "position": "rotary",
            "activation": "silu",
            "feed_forward_gate": True,
            "key_value_heads": 2,
            "scale_embedding": False,
        },
    ),
    "mixed-rotary-one-key-head": (
        ("prenorm", 2, 2),
        {
            "position": "rotary",
            "rotary_base": 500.0,
            "activation": "gelu_tanh",
            "key_value_heads": 1,
            "encoder_causal": True,
            "share_layers": True,
        },
    ),
    "mixed-encoder-causal": (("minimal", 2, 4), {"encoder_causal": True}),
    "mixed-encoder-causal-translates": (
        ("kit", 2, 2),
        {"encoder_causal": True, "share_layers": False},
    ),
    "mixed-prenorm-bugs": (
        ("prenorm", 1, 2),
        {
            "position": "sinusoidal",
            "feed_forward_output_activation": "gelu",
            "mask_mode": "add",
            "as_written": [
                "residual_from_norm",
                "activation_dropped",
                "decoder_without_positions",
            ],
        },
    ),
}


def all_cases():
    """A dict of case name -> config."""
    cases = {}
    for preset, options in PRESETS.items():
        if options.get("hidden_size"):
            cases[preset] = tiny(preset, 1, 1)
            continue
        is_classifier = options.get("model_type") == "classifier"
        for layers, heads in ((2, 4),) if is_classifier else ((1, 1), (2, 4)):
            name = f"{preset}-layers-{layers}-heads-{heads}"
            cases[name] = tiny(preset, layers, heads)
    for name, (shape, changes) in MIXED.items():
        cases[name] = tiny(*shape, **changes)
    return cases


def case_ids(config):
    """The batch of a case: lists of source ids and of target ids."""
    if config["model_type"] == "seq2seq":  # it has no mask, so no padding here
        return [SOURCE[0][:3], SOURCE[1]], [TARGET[0][:2], TARGET[1]]
    if not has_decoder(config):
        return SOURCE, None
    if "cross_query_from_encoder" in config["as_written"]:
        return SOURCE, TARGET_LIKE_SOURCE
    return SOURCE, TARGET


def is_lively(config, ids, lead):
    """Return true if there are several different words, no padding, and no close decisions."""
    varied = len(ids) >= 5 and len(set(ids)) >= 3
    return varied and config["pad_id"] not in ids and lead > CLEAR_LEAD


def speak(config, weights):
    """The result of greedy decoding for each row, or None if it is not interesting: at least one
    sentence must reach its end, and the rows must differ."""
    sequences = []
    for row in case_ids(config)[0]:
        ids, lead = greedy(config, weights, row, GREEDY_LIMIT)
        if not is_lively(config, ids, lead):
            return None
        sequences.append(ids)
    one_ends = any(ids[-1] == config["end_id"] for ids in sequences)
    return sequences if one_ends and sequences[0] != sequences[1] else None


def choose_weights(config):
    """The weights of the first seed whose greedy decoding is interesting."""
    if not can_generate(config):
        return random_weights(config, seed=1), []
    for seed in range(1, SEEDS):
        weights = random_weights(config, seed)
        sequences = speak(config, weights)
        if sequences:
            return weights, sequences
    raise ValueError(f"no seed makes {config} speak")


def beams(config, weights):
    """beam.WIDTH.ROW and its log P for each row and width without close decisions."""
    tensors = {}
    for row, source in enumerate(case_ids(config)[0]):
        for width, alpha in BEAMS:
            ids, log_p, closest = beam(config, weights, source, GREEDY_LIMIT, width, alpha)
            if closest > CLEAR_LEAD:
                tensors[f"beam.{width}.{row}"] = numpy.array(ids, dtype=numpy.int32)
                tensors[f"beam_log.{width}.{row}"] = numpy.array([log_p], dtype="f4")
    return tensors


def write_beams(only=""):
    """Add the results of beam search to the existing cases."""
    for name, config in all_cases().items():
        if only not in name or not can_generate(config):
            continue
        path = FOLDER / name / "expected.safetensors"
        _, weights = read_model(FOLDER / name)
        tensors = {key: array for key, array in tensor_file.read(path).items()
                   if not key.startswith("beam")}
        added = beams(config, weights)
        tensor_file.write(path, {**tensors, **added})
        print(f"{name:36} {len(added) // 2} beams")


def expected(config, weights, sequences):
    source, target = case_ids(config)
    tensors = as_arrays(config, forward(config, weights, source, target))
    for row, ids in enumerate(sequences):
        tensors[f"greedy.{row}"] = numpy.array(ids, dtype=numpy.int32)
    if sequences:
        tensors.update(beams(config, weights))
    return tensors


def write_cases(only=""):
    """Write the cases whose name contains `only` again; without it, also remove cases that no
    longer exist. Print the result of each row of each case."""
    if not only:
        shutil.rmtree(FOLDER, ignore_errors=True)
    for name, config in all_cases().items():
        if only not in name:
            continue
        weights, sequences = choose_weights(config)
        write_model(FOLDER / name, config, weights)
        tensors = expected(config, weights, sequences)
        tensor_file.write(FOLDER / name / "expected.safetensors", tensors)
        spoken = " | ".join(" ".join(map(str, ids)) for ids in sequences)
        print(f"{name:36} {len(tensors):4} tensors  {spoken}")
