"""Is the reference correct? Compare its steps with torch.nn, and its files with a new
computation."""

import pathlib
import tempfile

import numpy
import torch
from torch import nn

import tensor_file
from cases import FOLDER, GREEDY_LIMIT, SOURCE, TARGET, case_ids, expected
from check import all_checks
from compare import compare, distance
from decoding import as_arrays, can_generate, forward, greedy, padded
from presets import tiny
from recurrent import reference_rnn, reference_seq2seq
from transformer import future_hidden, reference_transformer
from weights import random_weights, read_model

TOLERANCE = 2e-6


def copy_linear(module, weights, name):
    module.weight.data = weights[f"{name}.weight"].clone()
    module.bias.data = weights[f"{name}.bias"].clone()


def copy_attention(module, weights, name):
    """torch stores query, key and value in one table."""
    for part in ("weight", "bias"):
        rows = [weights[f"{name}.{letter}_proj.{part}"] for letter in "qkv"]
        getattr(module, f"in_proj_{part}").data = torch.cat(rows)
    copy_linear(module.out_proj, weights, f"{name}.out_proj")


def copy_layer(module, weights, name, has_cross):
    copy_attention(module.self_attn, weights, f"{name}.self_attn")
    copy_linear(module.norm1, weights, f"{name}.self_attn_layer_norm")
    copy_linear(module.linear1, weights, f"{name}.fc1")
    copy_linear(module.linear2, weights, f"{name}.fc2")
    last = module.norm2
    if has_cross:
        copy_attention(module.multihead_attn, weights, f"{name}.encoder_attn")
        copy_linear(module.norm2, weights, f"{name}.encoder_attn_layer_norm")
        last = module.norm3
    copy_linear(last, weights, f"{name}.final_layer_norm")


def torch_stack(config, weights, side):
    """nn.TransformerEncoder or nn.TransformerDecoder with our weights."""
    kinds = {
        "encoder": (nn.TransformerEncoderLayer, nn.TransformerEncoder),
        "decoder": (nn.TransformerDecoderLayer, nn.TransformerDecoder),
    }
    make_layer, make_stack = kinds[side]
    module = make_layer(
        config["d_model"],
        config["attention_heads"],
        config["d_ff"],
        dropout=0.0,
        activation=config["activation"],
        layer_norm_eps=config["layer_norm_epsilon"],
        batch_first=True,
        norm_first=config["norm"] == "pre",
    )
    norm = None
    if config["final_norm"]:
        norm = nn.LayerNorm(config["d_model"], config["layer_norm_epsilon"])
        copy_linear(norm, weights, f"model.{side}.layer_norm")
    stack = make_stack(module, config[f"{side}_layers"], norm)
    for number, one in enumerate(stack.layers):
        copy_layer(one, weights, f"model.{side}.layers.{number}", side == "decoder")
    return stack.train()  # with no dropout; evaluation would zero the padded rows


def stacks_agree(config, seed):
    """(name, distance) of both stacks and torch's."""
    weights = random_weights(config, seed)
    source, target = padded(config, SOURCE), padded(config, TARGET)
    trace = reference_transformer(config, weights, source, target)
    source_padding, target_padding = source == 0, target == 0
    encoder = torch_stack(config, weights, "encoder")
    memory = encoder(trace["encoder.input"], src_key_padding_mask=source_padding)
    decoder = torch_stack(config, weights, "decoder")
    output = decoder(
        trace["decoder.input"],
        memory,
        tgt_mask=future_hidden(config, target.shape[1]),
        tgt_key_padding_mask=target_padding,
        memory_key_padding_mask=source_padding,
    )
    for side, theirs in (("encoder", memory), ("decoder", output)):
        yield side, distance(trace[f"{side}.output"].numpy(), theirs.detach().numpy())


def attention_agrees(config, seed):
    """(name, distance) of an attention and its weights, and nn.MultiheadAttention."""
    weights = random_weights(config, seed)
    source, target = padded(config, SOURCE), padded(config, TARGET)
    trace = reference_transformer(config, weights, source, target)
    theirs = nn.MultiheadAttention(
        config["d_model"], config["attention_heads"], batch_first=True
    )
    copy_attention(theirs, weights, "model.decoder.layers.0.encoder_attn")
    memory = trace["encoder.output"]
    output, shares = theirs(
        trace["decoder.0.norm_1"],
        memory,
        memory,
        key_padding_mask=source == 0,
        average_attn_weights=False,
    )
    name = "decoder.0.cross_attention"
    for part, tensor in (("output", output), ("weights", shares)):
        yield part, distance(trace[f"{name}.{part}"].numpy(), tensor.detach().numpy())


def lstm_agrees(seed):
    """(name, distance) of both LSTMs and nn.LSTM."""
    config = tiny("seq2seq", 1, 1)
    weights = random_weights(config, seed)
    source, target = padded(config, SOURCE), padded(config, TARGET)
    trace = reference_seq2seq(config, weights, source, target)
    carried = None
    for side in ("encoder", "decoder"):
        theirs = nn.LSTM(config["d_model"], config["hidden_size"], batch_first=True)
        for name, parameter in theirs.named_parameters():
            parameter.data = weights[f"model.{side}.lstm.{name}"].clone()
        states, carried = theirs(trace[f"{side}.input"], carried)
        steps = range(states.shape[1])
        ours = torch.stack([trace[f"{side}.lstm.{step}.state"] for step in steps], 1)
        yield side, distance(ours.numpy(), states.detach().numpy())


def rnn_agrees(seed):
    """(name, distance) of the RNN and nn.RNN."""
    config = tiny("classifier-rnn", 1, 1)
    weights = random_weights(config, seed)
    trace = reference_rnn(config, weights, padded(config, SOURCE))
    theirs = nn.RNN(config["d_model"], config["hidden_size"], batch_first=True)
    for name, parameter in theirs.named_parameters():
        parameter.data = weights[f"model.encoder.rnn.{name}"].clone()
    states, _ = theirs(trace["encoder.input"])
    yield "states", distance(trace["encoder.output"].numpy(), states.detach().numpy())
    lasts = [len(row) - 1 for row in SOURCE]
    last = torch.stack([states[row, at] for row, at in enumerate(lasts)])
    found = trace["encoder.last_state"].numpy()
    yield "last state", distance(found, last.detach().numpy())


def rounding():
    """The largest difference of any address of any check between float32 and float64: the part of
    the tolerance that is due to rounding."""
    worst = 0.0
    for seed, (_, config) in enumerate(all_checks(), start=1):
        adds = config["mask_mode"] == "add" and config["mask_value"] != "-inf"
        if "mask_hides_self" in config["as_written"] and adds:
            continue  # there, float is expected to differ
        weights = random_weights(config, seed)
        sharp = {name: tensor.double() for name, tensor in weights.items()}
        source, target = case_ids(config)
        ours = as_arrays(config, forward(config, weights, source, target))
        wanted = as_arrays(config, forward(config, sharp, source, target))
        worst = max(worst, compare(ours, wanted)[0][0])
    return worst


def stored_cases():
    """(name, distance) of each stored case and a new computation."""
    for folder in sorted(FOLDER.iterdir()):
        config, weights = read_model(folder)
        stored = tensor_file.read(folder / "expected.safetensors")
        sequences = []
        if can_generate(config):
            source, _ = case_ids(config)
            sequences = [greedy(config, weights, r, GREEDY_LIMIT)[0] for r in source]
        again = expected(config, weights, sequences)
        same_names = list(again) == list(stored)
        yield folder.name, compare(again, stored)[0][0] if same_names else float("inf")


def file_keeps_numbers():
    tensors = {
        "나는": numpy.array([[1.5, -numpy.inf, 0]], dtype=numpy.float32),
        "ids": numpy.array([1, -2], dtype=numpy.int32),
        "empty": numpy.zeros((0, 3), dtype=numpy.float32),
    }
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "x.safetensors"
        tensor_file.write(path, tensors)
        read = tensor_file.read(path)
    same = all(numpy.array_equal(read[name], tensors[name]) for name in tensors)
    return 0.0 if same and list(read) == list(tensors) else float("inf")


def all_comparisons():
    """(name, distance, tolerance) of all comparisons."""
    for preset in ("paper", "prenorm"):
        for layers, heads in ((1, 1), (2, 4)):
            for final_norm in (False, True):
                config = tiny(preset, layers, heads, final_norm=final_norm)
                name = f"torch.nn, {preset}, layers {layers}, heads {heads}"
                name += ", final norm" if final_norm else ""
                for side, far in stacks_agree(config, seed=layers):
                    yield f"{name}: {side}", far, TOLERANCE
    for heads in (1, 2, 4, 8):
        for part, far in attention_agrees(tiny("paper", 1, heads), seed=heads):
            yield f"nn.MultiheadAttention, heads {heads}: {part}", far, TOLERANCE
    for side, far in lstm_agrees(seed=1):
        yield f"nn.LSTM: {side}", far, TOLERANCE
    for part, far in rnn_agrees(seed=1):
        yield f"nn.RNN: {part}", far, TOLERANCE
    yield "a file keeps its numbers", file_keeps_numbers(), 0
    yield "float32 beside float64, worst of all checks", rounding(), 5e-6
    for name, far in stored_cases():
        yield f"stored case {name}", far, 1e-5


def selftest():
    """Print a row for each comparison and return whether all are close enough."""
    failed = 0
    for name, far, tolerance in all_comparisons():
        verdict = "ok" if far <= tolerance else "MISS"
        failed += verdict != "ok"
        print(f"{verdict:4}  {far:8.1e}  {name}", flush=True)
    print("the reference agrees" if failed == 0 else f"{failed} comparisons failed")
    return failed == 0
