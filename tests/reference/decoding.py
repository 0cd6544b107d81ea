"""Run a model of any type on ids, and decode greedily by recomputing everything at each step."""

import numpy
import torch

from recurrent import reference_rnn, reference_seq2seq
from transformer import reference_classifier, reference_transformer

MODELS = {
    "transformer": reference_transformer,
    "classifier": reference_classifier,
    "seq2seq": reference_seq2seq,
}


def has_decoder(config):
    return config["model_type"] != "classifier" and config["decoder_layers"] > 0


def can_generate(config):
    """Return true if this model can decode a single sentence."""
    impossible = {"cross_query_from_encoder", "keys_are_last_state"}
    return has_decoder(config) and not impossible & set(config["as_written"])


def padded(config, rows):
    """Pad rows of ids to one tensor [batch, token]."""
    length = max(len(row) for row in rows)
    pad = [config["pad_id"]]
    return torch.tensor([row + pad * (length - len(row)) for row in rows])


def forward(config, weights, source_rows, target_rows=None):
    """The trace of a batch, given as lists of ids: a dict of address -> tensor."""
    source = padded(config, source_rows)
    target = padded(config, target_rows) if has_decoder(config) else None
    reference = MODELS[config["model_type"]]
    if config["encoder_type"] == "rnn":
        reference = reference_rnn
    return reference(config, weights, source, target)


def as_arrays(config, trace):
    """The trace in numpy, ids as int32. A projection without an activation after it is left out:
    it is the `output` itself, and the list of addresses has only that name."""
    after_attention = config["attention_output_activation"]
    after_feed_forward = config["feed_forward_output_activation"]
    arrays = {}
    for address, tensor in trace.items():
        if address.endswith(".output_projection"):
            thinks = address.endswith("feed_forward.output_projection")
            if (after_feed_forward if thinks else after_attention) == "none":
                continue
        is_ids = address.endswith((".ids", ".token_types"))
        arrays[address] = tensor.numpy().astype(numpy.int32 if is_ids else "f4")
    return arrays


def greedy(config, weights, source_row, limit):
    """The ids after start_id, up to end_id (included) or `limit` of them, and the smallest lead
    of a winner over the second. If logits are equal, the lowest id wins."""
    target = [config["start_id"]]
    smallest_lead = float("inf")
    while len(target) <= limit and target[-1] != config["end_id"]:
        last = forward(config, weights, [source_row], [target])["logits"][0, -1]
        best, second = last.topk(2).values.tolist()
        smallest_lead = min(smallest_lead, best - second)
        target.append((last == last.max()).nonzero()[0].item())
    return target[1:], smallest_lead


def length_penalty(tokens, alpha):
    """lp(Y) of Wu et al. 2016, equation 14."""
    return (5 + tokens) ** alpha / (5 + 1) ** alpha


def continuations(config, weights, source_row, hypothesis):
    """(log P, ids) of a hypothesis followed by each token."""
    before, ids = hypothesis
    target = [config["start_id"], *ids]
    last = forward(config, weights, [source_row], [target])["logits"][0, -1]
    after = torch.log_softmax(last.double(), dim=-1).tolist()
    return [(before + more, [*ids, token]) for token, more in enumerate(after)]


def beam(config, weights, source_row, limit, width, alpha):
    """The ids of the best finished hypothesis (or, if none finished, the most probable one), its
    log P, and the smallest distance in any decision. Each step keeps the `width` best; the search
    ends when no unfinished one could get a better score even with certain continuations."""
    live, finished, closest = [(0.0, [])], [], float("inf")
    for _ in range(limit):
        candidates = [candidate for hypothesis in live
                      for candidate in continuations(config, weights, source_row, hypothesis)]
        candidates.sort(key=lambda candidate: -candidate[0])
        kept = candidates[:width]
        if len(candidates) > width:
            closest = min(closest, kept[-1][0] - candidates[width][0])
        live = [one for one in kept if one[1][-1] != config["end_id"]]
        finished += [one for one in kept if one[1][-1] == config["end_id"]]
        finished.sort(key=lambda one: -one[0] / length_penalty(len(one[1]), alpha))
        if finished and live:
            best = finished[0][0] / length_penalty(len(finished[0][1]), alpha)
            bound = live[0][0] / length_penalty(limit, alpha)
            closest = min(closest, abs(bound - best))
            if bound <= best:
                break
        if not live:
            break
    scores = [log_p / length_penalty(len(ids), alpha) for log_p, ids in finished[:2]]
    if len(scores) > 1:
        closest = min(closest, scores[0] - scores[1])
    log_p, ids = finished[0] if finished else live[0]
    return ids, log_p, closest
