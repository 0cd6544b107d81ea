#!/usr/bin/python3
"""Open a model folder in PyTorch, using only its files, and compare its results for one
sentence with a trace of the program.

    python3 tests/reference/open_model.py build/glassbox assets/models/ko-en \\
        --source-ids 5,7,9,2
"""

import argparse
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True  # leave no __pycache__ in the source folder

import torch

import tensor_file
from check import as_text, call
from compare import TOLERANCE, clash, distance
from decoding import as_arrays, can_generate, forward, greedy, has_decoder
from weights import read_model

SPOKEN = 20  # tokens of a target that is not given


def one_row(text):
    return [int(number) for number in text.split(",")]


def command_line():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program")
    parser.add_argument("model", help="a folder with config.json and model.safetensors")
    parser.add_argument("--source-ids", type=one_row, required=True)
    parser.add_argument("--target-ids", type=one_row,
                        help="begins with start_id; without it, what is decoded here")
    return parser


def target_of(config, weights, arguments):
    """The ids that the decoder reads; nothing without a decoder."""
    if not has_decoder(config):
        return None
    if arguments.target_ids:
        return arguments.target_ids
    if not can_generate(config):
        raise ValueError("this model cannot decode by itself; give it --target-ids")
    said, _ = greedy(config, weights, arguments.source_ids, SPOKEN)
    return [config["start_id"], *said]


def trace_of_program(arguments, target):
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "trace.safetensors"
        words = ["trace", "--model", pathlib.Path(arguments.model).resolve(),
                 "--source-ids", as_text([arguments.source_ids])]
        if target:
            words += ["--target-ids", as_text([target])]
        call(arguments.program, *words, "-o", output)
        return tensor_file.read(output)


def main():
    torch.set_num_threads(1)  # the same bits in each run
    arguments = command_line().parse_args()
    config, weights = read_model(arguments.model)
    target = target_of(config, weights, arguments)
    ours = as_arrays(config, forward(config, weights, [arguments.source_ids],
                                     [target] if target else None))
    last = "logits" if "logits" in ours else "encoder.output"
    found = trace_of_program(arguments, target)
    if last not in found:
        raise ValueError(f"the trace has no '{last}'")
    remark = clash(found[last], ours[last])
    if remark:
        raise ValueError(f"'{last}' of the trace {remark}")
    gap = distance(found[last], ours[last])
    if target:
        print("target ids:", *target)
    print(f"{last} {list(ours[last].shape)}: distance {gap:.2e}, "
          f"at most {TOLERANCE:.0e} is allowed")
    return gap <= TOLERANCE


if __name__ == "__main__":
    try:
        sys.exit(0 if main() else 1)
    except (ValueError, OSError, RuntimeError) as problem:
        sys.exit(f"open_model.py: {problem}")
