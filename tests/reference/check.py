"""Run a program on many random models and compare everything that it computes."""

import itertools
import pathlib
import random
import re
import subprocess
import tempfile

import tensor_file
from cases import case_ids
from compare import MISS, TOLERANCE, compare
from decoding import as_arrays, can_generate, forward, greedy
from presets import PRESETS, tiny
from weights import random_weights, write_model

SECONDS = 60  # for one call of the program
CLEAR_LEAD = 1e-4  # of a word over the second best
SHORTEST_LIMIT = 4  # a program that stops earlier without end_id has generated too little

# One option at a time, on every transformer preset.
CHANGES = {
    "activation": ["relu", "gelu", "none"],
    "attention_output_activation": ["relu", "gelu"],
    "feed_forward_output_activation": ["relu", "gelu"],
    "norm": ["post", "pre", "none"],
    "final_norm": [True],
    "residual": [False],
    "position": ["sinusoidal", "learned", "none"],
    "scale_embedding": [True, False],
    "scale_scores": [True, False],
    "causal": [False],
    "share_layers": [True],
    "share_embeddings": [True],
    "tie_embeddings": [True],
    "layer_norm_epsilon": [1e-3],
}
# More of these. Mixtures choose them with a separate random generator, so that older mixtures
# stay the same.
LATER_CHANGES = {
    "attention_output_projection": [False, True],
    "encoder_causal": [True, False],
    "norm_type": ["rms", "layer"],
    "feed_forward_gate": [True, False],
}
# And those that no mixture has.
LATEST_CHANGES = {"norm_type": ["rms_plain"], "embedding_norm": [True],
                  "token_types": [1, 2], "position_offset": [2],
                  "tie_embeddings": [False], "attention_window": [1, 2]}
NEED_DECODER = ("causal", "share_embeddings", "tie_embeddings")
MASKS = [(mode, value) for mode in ("fill", "add") for value in ("-inf", -1e4, -1e9)]
MIXTURES = 80


def rounding_decides(config):
    """Return true if rounding may change results. In a completely masked row, adding -1e4 leaves
    10 bits of the scores; -1e9 leaves none if the scores are small, which the norm ensures."""
    if "mask_hides_self" not in config["as_written"] or config["mask_mode"] == "fill":
        return False
    small = config["norm"] != "none" and config["mask_value"] == -1e9
    return config["mask_value"] != "-inf" and not small


def changed_presets(preset):
    """(name, config) for one change at a time in the larger shape."""
    base = tiny(preset, 2, 4)
    for option, values in itertools.chain(CHANGES.items(), LATER_CHANGES.items(),
                                          LATEST_CHANGES.items()):
        for value in values:
            has_use = base["decoder_layers"] > 0 or option not in NEED_DECODER
            if option == "tie_embeddings":
                has_use |= base["masked_words"]
            if base[option] != value and has_use:
                yield f"{option}={value}", tiny(preset, 2, 4, **{option: value})
    if not base["share_layers"]:
        yield "every other layer has a window", tiny(
            preset, 3, 4, attention_window=2, full_attention_every=2, full_attention_first=1)
    for mode, value in MASKS:
        config = tiny(preset, 2, 4, mask_mode=mode, mask_value=value)
        if config != base:
            yield f"mask {mode} {value}", config


def mixture(dice):
    """A consistent combination of changes to many options."""
    changes = {option: dice.choice(values) for option, values in CHANGES.items()}
    for option in ("final_norm", "share_layers", "share_embeddings", "tie_embeddings"):
        changes[option] = dice.random() < 0.5
    for option in ("residual", "causal"):
        changes[option] = dice.random() < 0.8
    changes["mask_mode"], changes["mask_value"] = dice.choice(MASKS)
    changes["encoder_layers"] = dice.choice((1, 2, 3))
    changes["decoder_layers"] = dice.choice((0, 1, 2, 3, 4))
    changes["d_ff"] = dice.choice((0, 12, 20, 28))
    if changes["decoder_layers"] == 0:
        changes["share_embeddings"] = changes["tie_embeddings"] = False
    possible = {
        "residual_from_norm": changes["norm"] == "pre" and changes["residual"],
        "activation_dropped": changes["d_ff"] > 0,
        "decoder_without_positions": changes["position"] != "none",
        "mask_hides_self": changes["causal"],
        "cross_query_from_encoder": changes["decoder_layers"] > 0,
    }
    bugs = [bug for bug in possible if dice.random() < 0.3 and possible[bug]]
    return {**changes, "as_written": bugs}


def mixtures():
    """(name, config) for many mixtures, the same in each run."""
    dice = random.Random(1)
    for number in range(MIXTURES):
        changes = mixture(dice)
        heads = dice.choice((1, 2, 4, 8))
        later = random.Random(number)
        changes |= {key: later.choice(values) for key, values in LATER_CHANGES.items()}
        yield f"mixture {number}", tiny("paper", 1, heads, **changes)


def all_checks():
    """(name, config) for everything to check."""
    for preset, options in PRESETS.items():
        if options.get("hidden_size"):
            yield preset, tiny(preset, 1, 1)
            continue
        for layers in (1, 2):
            for heads in (1, 4):
                name = f"{preset}, layers {layers}, heads {heads}"
                yield name, tiny(preset, layers, heads)
        if "model_type" in options:
            continue
        for change, config in changed_presets(preset):
            if not rounding_decides(config):
                yield f"{preset}, {change}", config
    for name, config in mixtures():
        if not rounding_decides(config):
            yield name, config


def as_text(rows):
    return "|".join(",".join(map(str, row)) for row in rows)


def call(program, *arguments):
    """Return the program's standard output; a failure is a RuntimeError with its message."""
    done = subprocess.run(
        [program, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode != 0:
        message = done.stderr.strip().splitlines() or ["no message"]
        raise RuntimeError(f"exit status {done.returncode}: {message[-1]}")
    return done.stdout


def check_trace(program, folder, config, weights):
    """Compare a trace; also return the addresses that only the program has."""
    source, target = case_ids(config)
    output = folder / "out.safetensors"
    arguments = ["trace", "--model", folder, "--source-ids", as_text(source)]
    if target:
        arguments += ["--target-ids", as_text(target)]
    call(program, *arguments, "-o", output)
    found = tensor_file.read(output)
    wanted = as_arrays(config, forward(config, weights, source, target))
    return compare(found, wanted), set(found) - set(wanted)


def without_markers(config, ids):
    """The words between start_id and end_id, and whether the end was reached."""
    if ids[:1] == [config["start_id"]]:
        ids = ids[1:]
    is_over = ids[-1:] == [config["end_id"]]
    return (ids[:-1] if is_over else ids), is_over


def said_the_same(config, found, wanted):
    """Return true if two greedy sequences agree. The program may have a different limit, and may
    omit the markers."""
    found, _ = without_markers(config, found)
    wanted, is_over = without_markers(config, wanted)
    if is_over and len(found) > len(wanted):
        return False
    shared = min(len(found), len(wanted))
    least = min(len(wanted), SHORTEST_LIMIT)
    return shared >= least and found[:shared] == wanted[:shared]


def check_generate(program, folder, config, weights):
    """A list of errors in the decoded rows."""
    source, _ = case_ids(config)
    arguments = ("--model", folder, "--source-ids", as_text(source))
    lines = call(program, "generate", *arguments).splitlines()
    if len(lines) != len(source):
        return [f"generate printed {len(lines)} lines for {len(source)} rows"]
    complaints = []
    for row, line in zip(source, lines):
        found = [int(number) for number in re.findall(r"\d+", line)]
        wanted, lead = greedy(config, weights, row, config["max_length"])
        if lead < CLEAR_LEAD:
            continue  # rounding may decide
        if not said_the_same(config, found, wanted):
            complaints.append(f"generate said {found}, expected {wanted}")
    return complaints


def check_one(program, folder, config, seed):
    """(largest distance, its address, errors, addresses that only the program has)."""
    weights = random_weights(config, seed)
    write_model(folder, config, weights)
    try:
        results, own = check_trace(program, folder, config, weights)
    except (RuntimeError, ValueError, OSError, subprocess.TimeoutExpired) as problem:
        return MISS, "trace", [str(problem)], set()
    missed = [result for result in results if result[0] > TOLERANCE]
    complaints = [f"{address} {far:.1e} {remark}" for far, address, remark in missed]
    if can_generate(config):
        try:
            complaints += check_generate(program, folder, config, weights)
        except (RuntimeError, OSError, subprocess.TimeoutExpired) as problem:
            complaints.append(f"generate: {problem}")
    return results[0][0], results[0][1], complaints, own


def check(program, only="", skip=None, complaints_shown=3):
    """Print a row for each model and return whether all of them agree."""
    program = str(pathlib.Path(program).resolve())
    counted = 0
    failed = 0
    own_addresses = set()
    for seed, (name, config) in enumerate(all_checks(), start=1):
        if only not in name or (skip and skip in name):
            continue
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder)
            far, address, complaints, own = check_one(program, model, config, seed)
        counted += 1
        failed += bool(complaints)
        own_addresses |= {re.sub(r"\.\d+\.", ".N.", address) for address in own}
        verdict = "MISS" if complaints else "ok"
        print(f"{verdict:4}  {far:8.1e}  {name:52}  {address}", flush=True)
        for complaint in complaints[:complaints_shown]:
            print(f"          {complaint}")
        if len(complaints) > complaints_shown:
            print(f"          and {len(complaints) - complaints_shown} more")
    if own_addresses:
        print("addresses that only the program has:", *sorted(own_addresses))
    print(f"{counted - failed} of {counted} models agree within {TOLERANCE}")
    return failed == 0 and counted > 0
