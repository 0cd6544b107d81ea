#!/usr/bin/python3
"""Losses of the first steps of a training, as computed by PyTorch.

    python3 tests/reference/train_reference.py [NAME ...]   write the folder training again

Each file names a model folder of cases, the options, the batches as ids, and the loss of each
step. A program that starts with the same weights must reproduce the losses.
"""

import json
import pathlib
import random
import sys

sys.dont_write_bytecode = True  # leave no __pycache__ in the source folder

import torch

import tensor_file
from decoding import forward
from families import FAMILIES, nothing_kept
from weights import read_model

HERE = pathlib.Path(__file__).parent
STEPS = 20
ROWS = 6

PLAIN = {
    "optimizer": "adam",
    "beta_1": 0.9,
    "beta_2": 0.98,
    "epsilon": 1e-9,
    "clip": 0.0,
    "smoothing": 0.0,
    "warmup": 8,
    "factor": 0.5,
}

# The name of the file, the model folder in cases, options that differ from PLAIN.
TRAININGS = [
    ("paper", "paper-layers-2-heads-4", {}),
    ("paper-smoothed", "paper-layers-2-heads-4", {"smoothing": 0.1, "clip": 0.5}),
    ("paper-rmsprop", "paper-layers-2-heads-4", {"optimizer": "rmsprop", "clip": 0.5}),
    ("prenorm", "prenorm-layers-2-heads-4", {}),
    ("kit", "kit-layers-2-heads-4", {}),
    ("classifier", "classifier-layers-2-heads-4", {}),
    ("classifier-binary", "classifier-binary-layers-2-heads-4", {}),
    ("classifier-rnn", "classifier-rnn", {}),
    ("seq2seq", "seq2seq", {}),
    ("seq2seq-as-written", "seq2seq-as-written", {}),
    ("today", "mixed-today", {"smoothing": 0.1}),
    ("llama", "../families/llama", {}),
    ("qwen2", "../families/qwen2", {"clip": 0.5}),
]


def rate(options, d_model, step):
    """Section 5.3, times a factor."""
    slowed = min(step**-0.5, step * options["warmup"] ** -1.5)
    return options["factor"] * d_model**-0.5 * slowed


def sentence(dice, config, side, length):
    """Random ids of words, without special ones; <end> at the end of a source."""
    words = range(4, config[f"{side}_vocabulary"])
    return [dice.choice(words) for _ in range(length)]


def texts(dice, config):
    """ROWS texts of one length, as targets without a source."""
    words = [id for id in range(config["vocab_size"]) if id not in ends(config)]
    length = dice.randint(3, 8)
    return [[[], dice.choices(words, k=length)] for _ in range(ROWS)]


def ends(config):
    """The ids before and after a text; of several, the first ends it."""
    end = config["eos_token_id"]
    return config["bos_token_id"], end[0] if isinstance(end, list) else end


def loss_of_texts(config, weights, pairs):
    """A decoder-only model predicts each token of a text from those before it."""
    start, end = ends(config)
    run = FAMILIES[config["model_type"]][1]
    logits = [run(config, weights, torch.tensor([start] + text), nothing_kept)
              for _, text in pairs]
    wanted = [torch.tensor(text + [end]) for _, text in pairs]
    return torch.nn.functional.cross_entropy(torch.cat(logits), torch.cat(wanted))


def batch(dice, config):
    """ROWS pairs [source, target]; an LSTM reads padding, so its pairs have equal lengths."""
    if config["model_type"] in FAMILIES:
        return texts(dice, config)
    pairs = []
    for _ in range(ROWS):
        even = config["model_type"] == "seq2seq"
        source = sentence(dice, config, "source", 5 if even else dice.randint(2, 6))
        source.append(config["end_id"])
        target = sentence(dice, config, "target", 4 if even else dice.randint(1, 7))
        if config["model_type"] == "classifier":
            target = [source[0] % label_count(config)]
        pairs.append([source, target])
    return pairs


def label_count(config):
    labels = config["labels"]
    return labels if isinstance(labels, int) else len(labels)


def loss_of(config, weights, pairs, smoothing):
    """The mean over all tokens of the batch that are not padding."""
    if config["model_type"] in FAMILIES:
        return loss_of_texts(config, weights, pairs)
    sources = [source for source, _ in pairs]
    targets = [target for _, target in pairs]
    if config["model_type"] == "classifier":
        logits = forward(config, weights, sources)["logits"]
        wanted = torch.tensor([target[0] for target in targets])
        if config["label_activation"] == "sigmoid":
            return torch.nn.functional.binary_cross_entropy_with_logits(
                logits[:, 0], wanted.to(logits.dtype)
            )
        return torch.nn.functional.cross_entropy(logits, wanted)
    given = [[config["start_id"]] + target for target in targets]
    logits = forward(config, weights, sources, given)["logits"]
    wanted = torch.full(logits.shape[:2], config["pad_id"])
    for row, target in enumerate(targets):
        ended = torch.tensor(target + [config["end_id"]])
        wanted[row, : len(ended)] = ended
    return torch.nn.functional.cross_entropy(
        logits.flatten(0, 1),
        wanted.flatten(),
        ignore_index=config["pad_id"],
        label_smoothing=smoothing,
    )


def make_optimizer(weights, options):
    if options["optimizer"] == "rmsprop":
        return torch.optim.RMSprop(
            weights.values(), alpha=options["beta_2"], eps=options["epsilon"]
        )
    return torch.optim.Adam(
        weights.values(),
        betas=(options["beta_1"], options["beta_2"]),
        eps=options["epsilon"],
    )


def train(config, weights, options, batches):
    for tensor in weights.values():
        tensor.requires_grad_(True)
    optimizer = make_optimizer(weights, options)
    losses = []
    for step, pairs in enumerate(batches, start=1):
        for group in optimizer.param_groups:
            group["lr"] = rate(options, config.get("d_model") or config["hidden_size"], step)
        loss = loss_of(config, weights, pairs, options["smoothing"])
        optimizer.zero_grad()
        loss.backward()
        if options["clip"] > 0:
            torch.nn.utils.clip_grad_norm_(weights.values(), options["clip"])
        optimizer.step()
        losses.append(loss.item())
    return losses


def open_case(folder):
    """A case of ours, or of another family with its own file."""
    if folder.parent.name != "families":
        return read_model(folder)
    numbers = tensor_file.read(folder / "model.safetensors")
    return (json.loads((folder / "config.json").read_text()),
            {name: torch.tensor(array) for name, array in numbers.items()})


def main():
    torch.set_num_threads(1)  # the same bits in each run
    folder = HERE / "training"
    folder.mkdir(exist_ok=True)
    for name, case, changes in TRAININGS:
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        config, weights = open_case(HERE / "cases" / case)
        options = PLAIN | changes
        dice = random.Random(name)
        batches = [batch(dice, config) for _ in range(STEPS)]
        losses = train(config, weights, options, batches)
        found = {"model": case} | options | {"batches": batches, "losses": losses}
        (folder / f"{name}.json").write_text(json.dumps(found) + "\n")
        print(f"{name}: {losses[0]:.5f} to {losses[-1]:.5f}")


if __name__ == "__main__":
    main()
