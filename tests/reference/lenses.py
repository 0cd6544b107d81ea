"""The lenses of `:lens` in NumPy, from a trace and the weights, without the program.

Each function returns a dict of address -> array, with the addresses of the program.
"""

import json
import os

import numpy


def load(folder):
    """The options and the weights of a model folder."""
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
        config = json.load(file)
    with open(os.path.join(folder, "model.safetensors"), "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    weights = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        if entry["dtype"] != "F32":
            raise ValueError(f"{name} is {entry['dtype']}, not F32")
        weights[name] = numpy.frombuffer(data[begin:end], "<f4").reshape(entry["shape"])
    return config, weights


def softmax(x):
    e = numpy.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def layer_norm(x, gain, bias, epsilon):
    x = x.astype(numpy.float64)
    centred = x - x.mean(-1, keepdims=True)
    variance = (centred ** 2).mean(-1, keepdims=True)
    return centred / numpy.sqrt(variance + epsilon) * gain + bias


def states(trace, config, stack):
    """The residual stream after each sublayer, by the name of its row."""
    boxes = {"encoder": ["self_attention", "feed_forward"],
             "decoder": ["self_attention", "cross_attention", "feed_forward"]}[stack]
    kind = "add" if config["norm"] == "pre" else "norm"
    found = {f"{stack}.input": trace[f"{stack}.input"]}
    for layer in range(config[f"{stack}_layers"]):
        for number, box in enumerate(boxes, 1):
            address = f"{stack}.{layer}.{kind}_{number}"
            if address in trace:
                found[f"{stack}.{layer}.{box}"] = trace[address]
    return found


def logit(trace, config, weights):
    """nostalgebraist 2020: apply the modules after the last layer to each row."""
    classifies = config["model_type"] == "classifier"
    stack = "encoder" if classifies else "decoder"
    found = {}
    for name, x in states(trace, config, stack).items():
        if config["final_norm"]:
            place = f"model.{stack}.layer_norm"
            x = layer_norm(x, weights[f"{place}.weight"], weights[f"{place}.bias"],
                           config["layer_norm_epsilon"])
        if classifies:
            counts = 1 - trace["encoder.padding_mask"]
            x = (x * counts[..., None]).sum(1) / counts.sum(1, keepdims=True)
            head, bias = "classification_head.weight", "classification_head.bias"
        else:
            tables = ["lm_head.weight", "model.decoder.embed_tokens.weight",
                      "model.shared.weight"]
            head = next(t for t in tables if t in weights)
            bias = "lm_head.bias"
        logits = x @ weights[head].T + weights[bias]
        found[f"lens.logit.{name}.logits"] = logits
        found[f"lens.logit.{name}.probabilities"] = softmax(logits)
    return found


def rollout(trace, config):
    """Abnar and Zuidema 2020: the product over layers of half mean, half identity."""
    found = {}
    for stack in ("encoder", "decoder"):
        product = None
        for layer in range(config[f"{stack}_layers"]):
            address = f"{stack}.{layer}.self_attention.weights"
            if address not in trace:
                continue
            mean = trace[address].astype(numpy.float64).mean(1)
            mixed = 0.5 * mean + 0.5 * numpy.eye(mean.shape[-1])
            mixed /= mixed.sum(-1, keepdims=True)
            product = mixed if product is None else mixed @ product
            found[f"lens.rollout.{stack}.{layer}.rollout"] = product
    return found


def one_hot(keys, size):
    return numpy.eye(size)[numpy.clip(keys, 0, size - 1)]


def patterns(visible, across, ahead):
    """Simple patterns of a sentence without padding: name -> [query, key]."""
    queries, keys = visible.shape
    query = numpy.arange(queries)
    seen = numpy.where(visible.any(-1, keepdims=True), visible, True)
    found = {"first": one_hot(query * 0, keys), "uniform": seen / seen.sum(-1, keepdims=True)}
    if not across:
        found["previous"] = one_hot(query - 1, keys)
        found["itself"] = one_hot(query, keys)
    if ahead:
        found["last"] = one_hot(query * 0 + keys - 1, keys)
        found["stop"] = one_hot(query * 0 + keys - 2, keys)
    return found


def entropy(trace, config):
    """Entropy of each head in bits, its maximum, and the distance from each pattern, for one
    sentence: means over the queries."""
    found = {}
    for address in trace:
        if not address.endswith("_attention.weights"):
            continue
        box = address[:-len(".weights")]
        p = trace[address][0].astype(numpy.float64)
        scores = trace.get(f"{box}.scaled", trace[f"{box}.scores"])[0, 0]
        visible = trace[f"{box}.masked"][0, 0] == scores
        with numpy.errstate(divide="ignore", invalid="ignore"):
            bits = numpy.where(p > 0, -p * numpy.log2(p), 0).sum(-1)
        count = visible.sum(-1)
        place = f"lens.entropy.{box}"
        found[f"{place}.entropy"] = bits.mean(-1)[None]
        found[f"{place}.entropy_max"] = numpy.log2(
            numpy.where(count > 0, count, visible.shape[-1])).mean()[None, None]
        across = not box.endswith("self_attention")
        decodes = box.startswith("decoder")
        causal = config.get("causal" if decodes else "encoder_causal", decodes)
        for name, pattern in patterns(visible, across, across or not causal).items():
            distance = numpy.abs(p - pattern).sum(-1) / 2
            found[f"{place}.distance_{name}"] = distance.mean(-1)[None]
    return found


def all_lenses(trace, config, weights):
    """Those that the model has."""
    found = {}
    if config["model_type"] != "seq2seq" and config.get("encoder_type") != "rnn":
        if config["decoder_layers"] or config["model_type"] == "classifier":
            found.update(logit(trace, config, weights))
        found.update(rollout(trace, config))
        found.update(entropy(trace, config))
    return found
