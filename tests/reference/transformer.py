"""The Transformer and its relatives, step by step, with every step recorded by its address.

"The paper" is Attention Is All You Need, https://arxiv.org/abs/1706.03762. Numbers are float32,
since a mask as large as -1e9 behaves differently in float than on paper. In shapes, `token` is
source or target; `query` is the side of the queries.
"""

import dataclasses
import math

import torch

from weights import has_embedding_norm, has_positions, key_value_heads

INFINITY = float("inf")

ACTIVATIONS = {
    "none": lambda x: x,
    "relu": lambda x: torch.clamp(x, min=0),
    "gelu": lambda x: x * 0.5 * (1 + torch.erf(x / math.sqrt(2))),
    "gelu_tanh": lambda x: torch.nn.functional.gelu(x, approximate="tanh"),
    "silu": lambda x: x * torch.sigmoid(x),
}


@dataclasses.dataclass
class Run:
    """A run of a model: its options, its weights by name, its tensors by address."""

    config: dict
    weights: dict
    trace: dict = dataclasses.field(default_factory=dict)

    def keep(self, address, tensor):
        assert address not in self.trace
        self.trace[address] = tensor
        return tensor

    def has_bug(self, name):
        return name in self.config["as_written"]


def linear(run, name, x):
    """y = x W^T + b: [..., in] -> [..., out]."""
    return x @ run.weights[f"{name}.weight"].T + run.weights[f"{name}.bias"]


def layer_norm(run, name, x):
    """Normalize each row to mean 0 and variance 1, times a scale, plus a bias; with norm_type rms
    divide by its root mean square, times a scale; with rms_plain without a scale."""
    if run.config["norm_type"] in ("rms", "rms_plain"):
        square = (x**2).mean(-1, keepdim=True) + run.config["layer_norm_epsilon"]
        normed = x * torch.rsqrt(square)
        return normed if run.config["norm_type"] == "rms_plain" \
            else normed * run.weights[f"{name}.weight"]
    mean = x.mean(-1, keepdim=True)
    variance = ((x - mean) ** 2).mean(-1, keepdim=True)
    normed = (x - mean) / torch.sqrt(variance + run.config["layer_norm_epsilon"])
    return normed * run.weights[f"{name}.weight"] + run.weights[f"{name}.bias"]


def softmax(scores):
    """Rows to weights with sum 1; a row of only -inf to weights of 0."""
    looks_nowhere = (scores == -INFINITY).all(-1, keepdim=True)
    safe = torch.where(looks_nowhere, torch.zeros_like(scores), scores)
    raised = torch.exp(safe - safe.max(-1, keepdim=True).values)
    shares = raised / raised.sum(-1, keepdim=True)
    return torch.where(looks_nowhere, torch.zeros_like(shares), shares)


def sinusoids(length, width):
    """Section 3.5: sin in the even columns, cos in the odd ones -> [length, width]."""
    table = torch.zeros(length, width, dtype=torch.float64)
    for position in range(length):
        for column in range(width):
            angle = position / 10000 ** ((column - column % 2) / width)
            table[position, column] = math.cos(angle) if column % 2 else math.sin(angle)
    return table


def word_table(run, side):
    if run.config["share_embeddings"]:
        return run.weights["model.shared.weight"]
    return run.weights[f"model.{side}.embed_tokens.weight"]


def embed(run, side, ids):
    """Words and positions to vectors: [batch, token] -> [batch, token, d_model]."""
    config = run.config
    run.keep(f"{side}.ids", ids)
    x = run.keep(f"{side}.embedding", word_table(run, side)[ids])
    if config["scale_embedding"]:
        scaled = x * math.sqrt(config["d_model"])
        x = run.keep(f"{side}.embedding_scaled", scaled)
    if side == "encoder" and config["token_types"]:
        ends = (ids == config["end_id"]).cumsum(1)
        before = torch.cat([torch.zeros_like(ends[:, :1]), ends[:, :-1]], 1)
        types = before.clamp(max=config["token_types"] - 1)
        run.keep(f"{side}.token_types", types)
        rows = run.weights["model.encoder.embed_token_types.weight"][types]
        x = run.keep(f"{side}.embedding_typed",
                     x + run.keep(f"{side}.token_type_embedding", rows))
    if has_positions(config, side):
        length = ids.shape[1]
        if config["position"] == "learned":
            first = config["position_offset"]
            table = run.weights[f"model.{side}.embed_positions.weight"]
            position = table[first:first + length]
        else:
            position = sinusoids(length, config["d_model"]).to(x.dtype)
        x = x + run.keep(f"{side}.position", position)
    return run.keep(f"{side}.input", x)


def padding_hidden(config, ids):
    """True where a key is padding -> [batch, head 1, query 1, key]."""
    return (ids == config["pad_id"])[:, None, None, :]


def future_hidden(config, length):
    """True where a key comes after the query -> [query, key]."""
    first_hidden = 0 if "mask_hides_self" in config["as_written"] else 1
    return torch.ones(length, length, dtype=torch.bool).triu(first_hidden)


def far_hidden(config, number, length):
    """True where a key is outside of the layer's window for a query -> [query, key]."""
    every, window = config["full_attention_every"], config["attention_window"]
    if not window or (every and number % every == config["full_attention_first"]):
        return torch.zeros(length, length, dtype=torch.bool)
    place = torch.arange(length)
    return (place[:, None] - place[None, :]).abs() >= window


def source_hidden_from_itself(config, ids):
    """True where a key of the encoder is masked for a query of the encoder."""
    hidden = padding_hidden(config, ids)
    if not config["encoder_causal"]:
        return hidden
    length = ids.shape[1]
    return hidden | torch.ones(length, length, dtype=torch.bool).triu(1)


def apply_mask(config, scores, hidden):
    """Set the masked scores to the mask's value, or add it to them, once."""
    value = float(config["mask_value"])
    if config["mask_mode"] == "fill":
        return scores.masked_fill(hidden, value)
    return torch.where(hidden, scores + value, scores)


def split_heads(config, x):
    """[batch, token, heads x d_head] -> [batch, head, token, d_head]."""
    batch, length, width = x.shape
    d_head = config["d_model"] // config["attention_heads"]
    return x.reshape(batch, length, width // d_head, d_head).transpose(1, 2)


def rotated(x, base):
    """Rotary positions: rotate the pair (i, i + d/2), as a complex number, by position / base^(2i
    / d). [batch, head, token, d_head] -> the same."""
    length, width = x.shape[-2:]
    speed = base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    angle = torch.arange(length, dtype=torch.float64)[:, None] * speed
    pair = torch.complex(x[..., : width // 2], x[..., width // 2 :]).to(torch.complex128)
    turned = pair * torch.polar(torch.ones_like(angle), angle)
    return torch.cat([turned.real, turned.imag], -1).to(x.dtype)


def is_rotary(run, name):
    """Only self-attention rotates positions."""
    bug = run.has_bug("decoder_without_positions") and name.startswith("decoder")
    return run.config["position"] == "rotary" and "self" in name and not bug


def attention(run, name, source, inputs, hidden):
    """Section 3.2: queries attend to keys and average values -> [batch, query, d_model].

    `name` is the address and `source` the name of the weights. `inputs` are the inputs of query,
    key and value, each [batch, token, d_model]. `hidden` [batch, 1, query or 1, key] is true
    where a key is masked for a query.
    """
    config = run.config
    parts = {}
    for part, x in zip(("query", "key", "value"), inputs):
        projected = linear(run, f"{source}.{part[0]}_proj", x)
        run.keep(f"{name}.{part}_projection", projected)
        parts[part] = run.keep(f"{name}.{part}", split_heads(config, projected))
        if part != "value" and is_rotary(run, name):
            turned = rotated(parts[part], config["rotary_base"])
            parts[part] = run.keep(f"{name}.{part}_rotated", turned)
    share = config["attention_heads"] // key_value_heads(config)
    if share > 1:
        for part in ("key", "value"):
            shared = torch.stack([parts[part]] * share, 2).flatten(1, 2)
            parts[part] = run.keep(f"{name}.{part}_shared", shared)

    scores = parts["query"] @ parts["key"].transpose(-2, -1)
    run.keep(f"{name}.scores", scores)
    if config["scale_scores"]:
        d_head = config["d_model"] // config["attention_heads"]
        scores = run.keep(f"{name}.scaled", scores / math.sqrt(d_head))
    masked = scores
    if not run.has_bug("padding_not_hidden"):
        masked = apply_mask(config, scores, hidden.expand(scores.shape))
        run.keep(f"{name}.masked", masked)
    weights = run.keep(f"{name}.weights", softmax(masked))

    context = run.keep(f"{name}.context", weights @ parts["value"])
    concat = run.keep(f"{name}.concat", context.transpose(1, 2).flatten(2))
    projected = concat
    if config["attention_output_projection"]:
        projected = linear(run, f"{source}.out_proj", concat)
        run.keep(f"{name}.output_projection", projected)
    activation = ACTIVATIONS[config["attention_output_activation"]]
    return run.keep(f"{name}.output", activation(projected))


def feed_forward(run, name, source, x):
    """Section 3.3: two linear layers with an activation between them."""
    hidden = run.keep(f"{name}.hidden", linear(run, f"{source}.fc1", x))
    bend = ACTIVATIONS[run.config["activation"]]
    if run.config["feed_forward_gate"]:
        gate = run.keep(f"{name}.gate", linear(run, f"{source}.fc_gate", x))
        gate = run.keep(f"{name}.activated", bend(gate))
        activated = run.keep(f"{name}.gated", gate * hidden)
    else:
        activated = run.keep(f"{name}.activated", bend(hidden))
    if run.has_bug("activation_dropped"):
        activated = hidden
    projected = linear(run, f"{source}.fc2", activated)
    run.keep(f"{name}.output_projection", projected)
    activation = ACTIVATIONS[run.config["feed_forward_output_activation"]]
    return run.keep(f"{name}.output", activation(projected))


def sublayer(run, name, number, norm_weights, x, step, adds_to_normed):
    """One step with its residual connection and its norm, section 3.1.

    `step` maps [batch, token, d_model] to the same shape. `adds_to_normed` is the mistake
    residual_from_norm, which exists only with pre-norm.
    """

    def norm(values):
        if run.config["norm"] != "none":
            values = layer_norm(run, norm_weights, values)
        return run.keep(f"{name}.norm_{number}", values)

    def add(base, output):
        added = base + output if run.config["residual"] else output
        return run.keep(f"{name}.add_{number}", added)

    if run.config["norm"] == "pre":
        normed = norm(x)
        return add(normed if adds_to_normed else x, step(normed))
    return norm(add(x, step(x)))


def layer(run, side, number, x, hidden, memory, memory_hidden):
    """One layer of either stack; `memory` is the encoder's output, for a decoder."""
    name = f"{side}.{number}"
    source = f"model.{side}.layers.{0 if run.config['share_layers'] else number}"

    def look_at_own_side(x):
        own = f"{name}.self_attention"
        return attention(run, own, f"{source}.self_attn", (x, x, x), hidden)

    def look_at_source(x):
        inputs = (x, memory, memory)
        if run.has_bug("cross_query_from_encoder"):
            inputs = (memory, memory, x)
        cross = f"{name}.cross_attention"
        return attention(run, cross, f"{source}.encoder_attn", inputs, memory_hidden)

    def think(x):
        return feed_forward(run, f"{name}.feed_forward", source, x)

    bug = run.has_bug("residual_from_norm")
    steps = [("self_attn_layer_norm", look_at_own_side, bug and side == "decoder")]
    if side == "decoder":
        steps.append(("encoder_attn_layer_norm", look_at_source, bug))
    if run.config["d_ff"] > 0:
        steps.append(("final_layer_norm", think, bug))
    for count, (norm, step, adds_to_normed) in enumerate(steps, start=1):
        x = sublayer(run, name, count, f"{source}.{norm}", x, step, adds_to_normed)
    return x


def stack(run, side, ids, hidden, memory=None, memory_hidden=None):
    """Embedding and all layers of one side -> [batch, token, d_model]."""
    x = embed(run, side, ids)
    if has_embedding_norm(run.config, side):
        x = run.keep(f"{side}.input_normed",
                     layer_norm(run, f"model.{side}.layernorm_embedding", x))
    for number in range(run.config[f"{side}_layers"]):
        own = hidden | far_hidden(run.config, number, ids.shape[1])
        x = layer(run, side, number, x, own, memory, memory_hidden)
    if run.config["final_norm"]:
        x = layer_norm(run, f"model.{side}.layer_norm", x)
    return run.keep(f"{side}.output", x)


def reference_transformer(config, weights, source_ids, target_ids=None):
    """Teacher forcing: ids [batch, source] and [batch, target] -> trace.

    The last tensors are logits and probabilities, [batch, target, vocabulary].
    """
    run = Run(config, weights)
    source_hidden = padding_hidden(config, source_ids)
    own_hidden = source_hidden_from_itself(config, source_ids)
    memory = stack(run, "encoder", source_ids, own_hidden)
    if config["masked_words"]:
        say_words(run, memory)
    if config["decoder_layers"] == 0:
        return run.trace
    hidden = padding_hidden(config, target_ids)
    if config["causal"]:
        hidden = hidden | future_hidden(config, target_ids.shape[1])
    x = stack(run, "decoder", target_ids, hidden, memory, source_hidden)
    table = weights.get("lm_head.weight")
    if config["tie_embeddings"]:
        table = word_table(run, "decoder")
    logits = run.keep("logits", x @ table.T + weights["lm_head.bias"])
    run.keep("probabilities", softmax(logits))
    return run.trace


def say_words(run, x):
    """The word at each position: Devlin et al. 2018."""
    x = run.keep("word_projection", linear(run, "lm_head.dense", x))
    x = run.keep("word_activated", ACTIVATIONS[run.config["activation"]](x))
    x = run.keep("word_normed", layer_norm(run, "lm_head.layer_norm", x))
    table = run.weights.get("lm_head.weight")
    if run.config["tie_embeddings"]:
        table = word_table(run, "encoder")
    logits = run.keep("logits", x @ table.T + run.weights["lm_head.bias"])
    run.keep("probabilities", softmax(logits))


def say_label(run, sentence):
    """One row for the whole sentence [batch, width] -> logits [batch, label]."""
    logits = run.keep("logits", linear(run, "classification_head", sentence))
    if run.config["label_activation"] == "sigmoid":
        yes = torch.sigmoid(logits)
        run.keep("probabilities", torch.cat([1 - yes, yes], -1))
    else:
        run.keep("probabilities", softmax(logits))


def reference_classifier(config, weights, source_ids, target_ids=None):
    """The encoder, the mean of its tokens, one linear layer: logits [batch, label]."""
    run = Run(config, weights)
    x = stack(run, "encoder", source_ids, source_hidden_from_itself(config, source_ids))
    counted = (source_ids != config["pad_id"]).to(x.dtype)
    if run.has_bug("mean_with_padding"):
        counted = torch.ones_like(counted)
    total = (x * counted[:, :, None]).sum(1)
    mean = run.keep("encoder.mean", total / counted.sum(1, keepdim=True))
    say_label(run, mean)
    return run.trace
