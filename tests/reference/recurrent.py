"""Models that read token by token: sequence to sequence with two LSTMs and attention between
them, and a classifier with a plain RNN.

The attention is that of Luong et al., https://arxiv.org/abs/1508.04025, with plain dot products.
An LSTM reads padding like any other token, and attention also sees it.
"""

import math

import torch

from transformer import Run, embed, linear, say_label, softmax

GATES = ("input_gate", "forget_gate", "cell_gate", "output_gate")


def lstm_step(run, side, step, x, state, cell):
    """One step: x [batch, d_model], state and cell [batch, hidden] -> state, cell."""
    weight = {
        part: run.weights[f"model.{side}.lstm.{part}_l0"]
        for part in ("weight_ih", "bias_ih", "weight_hh", "bias_hh")
    }
    from_input = x @ weight["weight_ih"].T + weight["bias_ih"]
    from_state = state @ weight["weight_hh"].T + weight["bias_hh"]
    gate = {}
    for name, total in zip(GATES, (from_input + from_state).chunk(4, dim=-1)):
        squash = torch.tanh if name == "cell_gate" else torch.sigmoid
        gate[name] = run.keep(f"{side}.lstm.{step}.{name}", squash(total))
    cell = gate["forget_gate"] * cell + gate["input_gate"] * gate["cell_gate"]
    run.keep(f"{side}.lstm.{step}.cell", cell)
    state = gate["output_gate"] * torch.tanh(cell)
    return run.keep(f"{side}.lstm.{step}.state", state), cell


def lstm(run, side, x, state, cell, restarts=False):
    """All steps of one side -> states and cells, each [batch, token, hidden]."""
    states = []
    cells = []
    zero = torch.zeros_like(state)
    for step in range(x.shape[1]):
        if restarts:
            state, cell = zero, zero
        state, cell = lstm_step(run, side, step, x[:, step], state, cell)
        states.append(state)
        cells.append(cell)
    return torch.stack(states, 1), torch.stack(cells, 1)


def attend(run, name, query, keys):
    """Queries attend to keys, which are also the values -> the context."""
    scores = run.keep(f"{name}.scores", query @ keys.transpose(-2, -1))
    if run.config["scale_scores"]:
        root = math.sqrt(run.config["hidden_size"])
        scores = run.keep(f"{name}.scaled", scores / root)
    return run.keep(f"{name}.weights", softmax(scores)) @ keys


def attend_across_batch(run, query, last_state):
    """The tutorial's loop: `predictions, dec_hidden, _ = decoder(dec_input, dec_hidden)`.

    The decoder receives [batch, hidden] as keys and values: first the encoder's last state, then
    the state that it returned in the previous step. Without a token axis, the keys of a sentence
    are the sentences of the batch.
    """
    contexts = []
    dec_hidden = last_state
    for step in range(query.shape[1]):
        name = f"decoder.attention.{step}"
        context = attend(run, name, query[:, step], dec_hidden)
        contexts.append(run.keep(f"{name}.context", context))
        dec_hidden = query[:, step]
    return run.keep("decoder.attention.context", torch.stack(contexts, 1))


def reference_seq2seq(config, weights, source_ids, target_ids):
    """Teacher forcing: ids [batch, source] and [batch, target] -> trace."""
    run = Run(config, weights)
    x = embed(run, "encoder", source_ids)
    zero = x.new_zeros(x.shape[0], config["hidden_size"])
    states, cells = lstm(run, "encoder", x, zero, zero)
    last_state, last_cell = states[:, -1], cells[:, -1]

    x = embed(run, "decoder", target_ids)
    restarts = run.has_bug("lstm_restarts")
    query, query_cells = lstm(run, "decoder", x, last_state, last_cell, restarts)
    if run.has_bug("keys_are_last_state"):
        context = attend_across_batch(run, query, last_state)
    else:
        context = attend(run, "decoder.attention", query, states)
        run.keep("decoder.attention.context", context)
    beside = query_cells if run.has_bug("cell_for_state") else query
    concat = run.keep("decoder.attention.concat", torch.cat([context, beside], -1))
    logits = run.keep("logits", linear(run, "lm_head", concat))
    run.keep("probabilities", softmax(logits))
    return run.trace


def reference_rnn(config, weights, source_ids, target_ids=None):
    """A plain RNN reads the sentence; the label is predicted from the state after its last word."""
    run = Run(config, weights)
    x = embed(run, "encoder", source_ids)
    weight = {
        part: weights[f"model.encoder.rnn.{part}_l0"]
        for part in ("weight_ih", "bias_ih", "weight_hh", "bias_hh")
    }
    from_input = x @ weight["weight_ih"].T + weight["bias_ih"]
    run.keep("encoder.rnn.from_input", from_input)
    state = x.new_zeros(x.shape[0], config["hidden_size"])
    states = []
    for step in range(x.shape[1]):
        from_state = state @ weight["weight_hh"].T + weight["bias_hh"]
        run.keep(f"encoder.rnn.{step}.from_state", from_state)
        state = torch.tanh(from_input[:, step] + from_state)
        states.append(run.keep(f"encoder.rnn.{step}.state", state))
    output = run.keep("encoder.output", torch.stack(states, 1))
    last = (source_ids != config["pad_id"]).sum(1) - 1  # padding comes after it
    rows = torch.arange(len(last))
    say_label(run, run.keep("encoder.last_state", output[rows, last]))
    return run.trace
