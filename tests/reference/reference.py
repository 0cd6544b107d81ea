#!/usr/bin/python3
"""The command line of the reference; see README.md for its purpose."""

import argparse
import sys

sys.dont_write_bytecode = True  # leave no __pycache__ in the source folder

import torch

import tensor_file
from cases import GREEDY_LIMIT, write_beams, write_cases
from check import check
from decoding import as_arrays, can_generate, forward, greedy, has_decoder
from families import write_families
from selftest import selftest
from weights import read_model


def parse_ids(text):
    """'5,7,9,2|5,2' to [[5, 7, 9, 2], [5, 2]]."""
    return [[int(number) for number in row.split(",")] for row in text.split("|")]


def run(arguments):
    """Write the trace of a model folder and the result of greedy decoding to a file."""
    config, weights = read_model(arguments.model)
    if has_decoder(config) and not arguments.target_ids:
        raise ValueError("this model has a decoder; give it --target-ids")
    trace = forward(config, weights, arguments.source_ids, arguments.target_ids)
    tensors = as_arrays(config, trace)
    if can_generate(config):
        for row, source in enumerate(arguments.source_ids):
            ids, _ = greedy(config, weights, source, arguments.limit)
            tensors[f"greedy.{row}"] = torch.tensor(ids, dtype=torch.int32).numpy()
            print(*ids)
    tensor_file.write(arguments.output, tensors)
    return True


def command_line():
    parser = argparse.ArgumentParser(description="the reference of every model preset")
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("run", help="the trace of one model folder")
    one.add_argument("model")
    one.add_argument("--source-ids", type=parse_ids, required=True)
    one.add_argument("--target-ids", type=parse_ids)
    one.add_argument("--limit", type=int, default=GREEDY_LIMIT)
    one.add_argument("-o", "--output", required=True)
    written = commands.add_parser("cases", help="write tests/reference/cases anew")
    written.add_argument("--only", default="", help="cases whose name has this in it")
    added = commands.add_parser("beams", help="add the beams to the cases as they are")
    added.add_argument("--only", default="", help="cases whose name has this in it")
    commands.add_parser("families", help="write tests/reference/families anew")
    commands.add_parser("selftest", help="compare the reference with torch.nn")
    many = commands.add_parser("check", help="compare a program with the reference")
    many.add_argument("program")
    many.add_argument("--only", default="", help="models whose name has this in it")
    many.add_argument("--skip", help="not the models whose name has this in it")
    return parser


def main():
    torch.set_num_threads(1)  # the same bits in each run
    arguments = command_line().parse_args()
    if arguments.command == "run":
        return run(arguments)
    if arguments.command == "check":
        return check(arguments.program, arguments.only, arguments.skip)
    if arguments.command == "selftest":
        return selftest()
    if arguments.command == "families":
        write_families()
    elif arguments.command == "beams":
        write_beams(arguments.only)
    else:
        write_cases(arguments.only)
    return True


if __name__ == "__main__":
    try:
        sys.exit(0 if main() else 1)
    except (ValueError, OSError) as problem:
        sys.exit(f"reference.py: {problem}")
