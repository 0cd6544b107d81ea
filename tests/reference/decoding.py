"""Runs of a model of any type on ids, and greedy decoding by computing all again."""

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
    """Whether decoding one sentence by itself means anything for this model."""
    impossible = {"cross_query_from_encoder", "keys_are_last_state"}
    return has_decoder(config) and not impossible & set(config["as_written"])


def padded(config, rows):
    """Rows of ids of different lengths to one tensor [batch, token]."""
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
    """The trace in numpy, ids as int32. A projection that no activation follows is left
    out: it is the `output` itself, and the list of addresses knows only that name."""
    after_attention = config["attention_output_activation"]
    after_feed_forward = config["feed_forward_output_activation"]
    arrays = {}
    for address, tensor in trace.items():
        if address.endswith(".output_projection"):
            thinks = address.endswith("feed_forward.output_projection")
            if (after_feed_forward if thinks else after_attention) == "none":
                continue
        is_ids = address.endswith(".ids")
        arrays[address] = tensor.numpy().astype(numpy.int32 if is_ids else "f4")
    return arrays


def greedy(config, weights, source_row, limit):
    """The ids after start_id, up to end_id (included) or `limit` of them, and the
    smallest lead of a winner over the second. Equal logits: the lowest id wins."""
    target = [config["start_id"]]
    smallest_lead = float("inf")
    while len(target) <= limit and target[-1] != config["end_id"]:
        last = forward(config, weights, [source_row], [target])["logits"][0, -1]
        best, second = last.topk(2).values.tolist()
        smallest_lead = min(smallest_lead, best - second)
        target.append((last == last.max()).nonzero()[0].item())
    return target[1:], smallest_lead
