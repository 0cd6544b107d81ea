"""Small models of other families, with their names, layouts and quirks, and their results.

Written from the papers and the configuration and modeling files of the transformers library,
without reading the C sources. A folder of tests/reference/families contains config.json and
model.safetensors as in such a checkpoint, and expected.safetensors: the ids of a prompt, the
result of greedy decoding, and every tensor of both together, by its address in src/README.md.
"""

import json
import math
import pathlib

import numpy
import torch

import tensor_file

FOLDER = pathlib.Path(__file__).parent / "families"
PROMPT = [5, 7, 9, 11, 3]
PAIR = [5, 7, 4, 11, 3, 9, 20, 3]  # for encoder-only models, with 3 after each sentence
LIMIT = 12

GPT2 = {
    "model_type": "gpt2", "n_embd": 24, "n_layer": 2, "n_head": 3, "n_positions": 32,
    "vocab_size": 40, "n_inner": None, "activation_function": "gelu_new",
    "layer_norm_epsilon": 1e-5, "eos_token_id": 39, "bos_token_id": 39,
}
NEO = {
    "model_type": "gpt_neo", "hidden_size": 24, "num_layers": 3, "num_heads": 3,
    "intermediate_size": None, "max_position_embeddings": 32, "vocab_size": 40,
    "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5, "window_size": 4,
    "attention_types": [[["global", "local"], 1], [["global"], 1]], "eos_token_id": 39, "bos_token_id": 39,
}
LLAMA = {
    "model_type": "llama", "hidden_size": 32, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 40,
    "vocab_size": 40, "max_position_embeddings": 64, "rms_norm_eps": 1e-5,
    "hidden_act": "silu", "rope_theta": 500.0, "tie_word_embeddings": False,
    "bos_token_id": 1, "eos_token_id": [38], "rope_scaling": None,
}
BERT = {
    "model_type": "bert", "architectures": ["BertForMaskedLM"], "hidden_size": 24,
    "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 40,
    "vocab_size": 40, "max_position_embeddings": 32, "type_vocab_size": 2,
    "hidden_act": "gelu", "layer_norm_eps": 1e-12, "pad_token_id": 0, "cls_token_id": 5,
    "sep_token_id": 3,
}
DISTILBERT = {
    "model_type": "distilbert", "architectures": ["DistilBertForMaskedLM"], "dim": 24,
    "n_layers": 2, "n_heads": 4, "hidden_dim": 40, "vocab_size": 40, "activation": "gelu",
    "max_position_embeddings": 32, "pad_token_id": 0,
}
CASES = {
    "gpt2": GPT2,
    "gpt2-prefixed-untied": {**GPT2, "n_inner": 30, "tie_word_embeddings": False},
    "llama": LLAMA,
    "llama-with-biases": {**LLAMA, "attention_bias": True, "mlp_bias": True,
                          "num_key_value_heads": 4},
    "qwen2": {**LLAMA, "model_type": "qwen2", "tie_word_embeddings": True,
              "num_key_value_heads": 1},
    "gpt2-f16": GPT2,
    "gpt-neo": {**NEO, "attention_layers": ["global", "local", "global"]},
    "gpt-neo-types": {**NEO, "intermediate_size": 30, "tie_word_embeddings": False},
    "llama-f16-in-parts": {**LLAMA, "rope_theta": 10000.0},
    "bert": BERT,
    "bert-early-names": {**BERT, "architectures": ["BertForPreTraining"]},
    "bert-without-head-f16": {**BERT, "architectures": ["BertModel"]},
    "roberta": {**BERT, "model_type": "roberta", "architectures": ["RobertaForMaskedLM"],
                "type_vocab_size": 1, "pad_token_id": 1, "layer_norm_eps": 1e-5},
    "distilbert-bf16": DISTILBERT,
    "qwen2-bf16": {**LLAMA, "model_type": "qwen2", "tie_word_embeddings": True},
}


def random_tensors(shapes, seed):
    generator = torch.Generator().manual_seed(seed)
    weights = {}
    for name, shape in shapes.items():
        weights[name] = 0.3 * torch.randn(shape, generator=generator)
        if len(shape) == 1 and name.endswith("weight"):
            weights[name] += 1
    return weights


def gpt2_shapes(c):
    d, inner = c["n_embd"], c["n_inner"] or 4 * c["n_embd"]
    shapes = {"wte.weight": [c["vocab_size"], d], "wpe.weight": [c["n_positions"], d]}
    for n in range(c["n_layer"]):
        for part, size in (("ln_1", [d]), ("attn.c_attn", [d, 3 * d]),
                           ("attn.c_proj", [d, d]), ("ln_2", [d]),
                           ("mlp.c_fc", [d, inner]), ("mlp.c_proj", [inner, d])):
            shapes[f"h.{n}.{part}.weight"] = size
            shapes[f"h.{n}.{part}.bias"] = size[-1:]
    shapes |= {"ln_f.weight": [d], "ln_f.bias": [d]}
    if not c.get("tie_word_embeddings", True):
        shapes["lm_head.weight"] = [c["vocab_size"], d]
    return shapes


def llama_shapes(c):
    d, inner = c["hidden_size"], c["intermediate_size"]
    shared = d // c["num_attention_heads"] * c["num_key_value_heads"]
    shapes = {"model.embed_tokens.weight": [c["vocab_size"], d]}
    qkv_bias = c["model_type"] == "qwen2" or c.get("attention_bias")
    for n in range(c["num_hidden_layers"]):
        name = f"model.layers.{n}"
        for part, size, has_bias in (
            ("self_attn.q_proj", [d, d], qkv_bias),
            ("self_attn.k_proj", [shared, d], qkv_bias),
            ("self_attn.v_proj", [shared, d], qkv_bias),
            ("self_attn.o_proj", [d, d], c.get("attention_bias")),
            ("mlp.gate_proj", [inner, d], c.get("mlp_bias")),
            ("mlp.up_proj", [inner, d], c.get("mlp_bias")),
            ("mlp.down_proj", [d, inner], c.get("mlp_bias")),
        ):
            shapes[f"{name}.{part}.weight"] = size
            if has_bias:
                shapes[f"{name}.{part}.bias"] = size[:1]
        shapes[f"{name}.input_layernorm.weight"] = [d]
        shapes[f"{name}.post_attention_layernorm.weight"] = [d]
    shapes["model.norm.weight"] = [d]
    if not c["tie_word_embeddings"]:
        shapes["lm_head.weight"] = [c["vocab_size"], d]
    return shapes


def split(x, heads):
    """[token, heads x d_head] -> [head, token, d_head]."""
    return x.unflatten(-1, (heads, -1)).transpose(0, 1)


def attend(keep, at, q, k, v, looks_ahead=False, divides=True, window=0):
    """The core of an attention, the same in every family."""
    length = q.shape[1]
    scores = keep(f"{at}.scores", q @ k.transpose(1, 2))
    scaled = keep(f"{at}.scaled", scores / math.sqrt(q.shape[2])) if divides else scores
    later = torch.ones(length, length, dtype=torch.bool).triu(1) & (not looks_ahead)
    if window:
        later |= torch.ones(length, length, dtype=torch.bool).tril(-window)
    masked = keep(f"{at}.masked", scaled.masked_fill(later, -math.inf))
    weights = keep(f"{at}.weights", torch.softmax(masked, -1))
    context = keep(f"{at}.context", weights @ v)
    return keep(f"{at}.concat", context.transpose(0, 1).flatten(1))


def gpt2(c, w, ids, keep):
    """Radford et al. 2019. Conv1D stores [in, out]."""
    def conv(name, x):
        return x @ w[f"{name}.weight"] + w[f"{name}.bias"]

    def norm(name, x):
        return torch.nn.functional.layer_norm(
            x, x.shape[-1:], w[f"{name}.weight"], w[f"{name}.bias"],
            c["layer_norm_epsilon"])

    embedding = keep("decoder.embedding", w["wte.weight"][ids])
    position = keep("decoder.position", w["wpe.weight"][: len(ids)], is_batched=False)
    x = keep("decoder.input", embedding + position)
    for n in range(c["n_layer"]):
        name, at = f"h.{n}", f"decoder.{n}"
        normed = keep(f"{at}.norm_1", norm(f"{name}.ln_1", x))
        parts = conv(f"{name}.attn.c_attn", normed).chunk(3, -1)
        for part, made in zip(("query", "key", "value"), parts):
            keep(f"{at}.self_attention.{part}_projection", made)
        q, k, v = (split(made, c["n_head"]) for made in parts)
        concat = attend(keep, f"{at}.self_attention", q, k, v)
        x = keep(f"{at}.add_1", x + keep(f"{at}.self_attention.output",
                                         conv(f"{name}.attn.c_proj", concat)))
        normed = keep(f"{at}.norm_2", norm(f"{name}.ln_2", x))
        hidden = keep(f"{at}.feed_forward.hidden", conv(f"{name}.mlp.c_fc", normed))
        bent = hidden / 2 * (1 + torch.tanh(
            math.sqrt(2 / math.pi) * (hidden + 0.044715 * hidden**3)))
        keep(f"{at}.feed_forward.activated", bent)
        x = keep(f"{at}.add_2", x + keep(f"{at}.feed_forward.output",
                                         conv(f"{name}.mlp.c_proj", bent)))
    x = keep("decoder.output", norm("ln_f", x))
    table = w.get("lm_head.weight", w["wte.weight"])
    return keep("logits", x @ table.T)


def llama(c, w, ids, keep):
    """Touvron et al. 2023; rotate_half rotates the halves of a head."""
    def linear(name, x):
        y = x @ w[f"{name}.weight"].T
        return y + w[f"{name}.bias"] if f"{name}.bias" in w else y

    def norm(name, x):
        square = (x * x).mean(-1, keepdim=True)
        return x / torch.sqrt(square + c["rms_norm_eps"]) * w[f"{name}.weight"]

    def turn(x):
        half = x.shape[-1] // 2
        speed = c["rope_theta"] ** -(torch.arange(half, dtype=torch.float64) / half)
        angle = torch.arange(len(ids), dtype=torch.float64)[:, None] * speed
        cosine, sine = torch.cos(angle).to(x.dtype), torch.sin(angle).to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cosine - b * sine, b * cosine + a * sine], -1)

    heads, shared = c["num_attention_heads"], c["num_key_value_heads"]
    x = keep("decoder.input", keep("decoder.embedding", w["model.embed_tokens.weight"][ids]))
    for n in range(c["num_hidden_layers"]):
        name, at = f"model.layers.{n}", f"decoder.{n}"
        own = f"{at}.self_attention"
        normed = keep(f"{at}.norm_1", norm(f"{name}.input_layernorm", x))
        q = split(linear(f"{name}.self_attn.q_proj", normed), heads)
        k = split(linear(f"{name}.self_attn.k_proj", normed), shared)
        v = split(linear(f"{name}.self_attn.v_proj", normed), shared)
        keep(f"{own}.query", q), keep(f"{own}.key", k), keep(f"{own}.value", v)
        q = keep(f"{own}.query_rotated", turn(q))
        k = keep(f"{own}.key_rotated", turn(k))
        if shared != heads:
            k = keep(f"{own}.key_shared", k.repeat_interleave(heads // shared, 0))
            v = keep(f"{own}.value_shared", v.repeat_interleave(heads // shared, 0))
        concat = attend(keep, own, q, k, v)
        made = keep(f"{own}.output", linear(f"{name}.self_attn.o_proj", concat))
        x = keep(f"{at}.add_1", x + made)
        normed = keep(f"{at}.norm_2", norm(f"{name}.post_attention_layernorm", x))
        gate = keep(f"{at}.feed_forward.gate", linear(f"{name}.mlp.gate_proj", normed))
        bent = keep(f"{at}.feed_forward.activated", gate * torch.sigmoid(gate))
        hidden = keep(f"{at}.feed_forward.hidden", linear(f"{name}.mlp.up_proj", normed))
        gated = keep(f"{at}.feed_forward.gated", bent * hidden)
        made = keep(f"{at}.feed_forward.output", linear(f"{name}.mlp.down_proj", gated))
        x = keep(f"{at}.add_2", x + made)
    x = keep("decoder.output", norm("model.norm", x))
    return keep("logits", x @ w.get("lm_head.weight", w["model.embed_tokens.weight"]).T)


# For each kind of encoder-only model: config keys, and the names of its parts in order: layer,
# query, key, value, output, first norm, wide, narrow, second norm, and of the head.
BERT_PARTS = {
    "bert": ("encoder.layer.{}", "attention.self.query", "attention.self.key",
             "attention.self.value", "attention.output.dense", "attention.output.LayerNorm",
             "intermediate.dense", "output.dense", "output.LayerNorm",
             "cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm",
             "cls.predictions.bias"),
    "distilbert": ("transformer.layer.{}", "attention.q_lin", "attention.k_lin",
                   "attention.v_lin", "attention.out_lin", "sa_layer_norm", "ffn.lin1",
                   "ffn.lin2", "output_layer_norm", "vocab_transform", "vocab_layer_norm",
                   "vocab_projector.bias"),
}
BERT_PARTS["roberta"] = BERT_PARTS["bert"][:9] + (
    "lm_head.dense", "lm_head.layer_norm", "lm_head.bias")


def bert_sizes(c):
    """d_model, layers, heads, d_ff."""
    keys = (("dim", "n_layers", "n_heads", "hidden_dim") if "dim" in c else
            ("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size"))
    return [c[key] for key in keys]


def bert_shapes(c):
    d, layers, _, inner = bert_sizes(c)
    layer, *parts, dense, head_norm, bias = BERT_PARTS[c["model_type"]]
    prefix = f"{c['model_type']}." if has_words(c) else ""
    shapes = {f"{prefix}embeddings.word_embeddings.weight": [c["vocab_size"], d],
              f"{prefix}embeddings.position_embeddings.weight":
                  [c["max_position_embeddings"], d]}
    if "type_vocab_size" in c:
        shapes[f"{prefix}embeddings.token_type_embeddings.weight"] = [c["type_vocab_size"], d]
    named = [(f"{prefix}embeddings.LayerNorm", [d])]
    sizes = [[d, d]] * 4 + [[d], [inner, d], [d, inner], [d]]
    for n in range(layers):
        named += [(f"{prefix}{layer.format(n)}.{part}", size)
                  for part, size in zip(parts, sizes)]
    if has_words(c):
        named += [(dense, [d, d]), (head_norm, [d])]
        shapes[bias] = [c["vocab_size"]]
    else:
        named.append(("pooler.dense", [d, d]))
    for part, size in named:
        shapes[f"{part}.weight"] = size
        shapes[f"{part}.bias"] = size[:1]
    return shapes


def has_words(c):
    return not c["architectures"][0].endswith("Model")


def bert(c, w, ids, keep):
    """Devlin et al. 2018; Sanh et al. 2019, without token types; Liu et al. 2019, where positions
    start after the padding id."""
    d, layers, heads, _ = bert_sizes(c)
    layer, q, k, v, out, norm_1, wide, narrow, norm_2, dense, head_norm, bias = \
        BERT_PARTS[c["model_type"]]
    epsilon = c.get("layer_norm_eps", 1e-12)
    prefix = f"{c['model_type']}." if has_words(c) else ""

    def linear(name, x):
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    def norm(name, x):
        centred = x - x.mean(-1, keepdim=True)
        deviation = torch.sqrt((centred * centred).mean(-1, keepdim=True) + epsilon)
        return centred / deviation * w[f"{name}.weight"] + w[f"{name}.bias"]

    table = w[f"{prefix}embeddings.word_embeddings.weight"]
    x = keep("encoder.embedding", table[ids])
    if "type_vocab_size" in c:
        second = ids.tolist().index(c["sep_token_id"]) + 1
        types = torch.zeros_like(ids)
        if c["type_vocab_size"] > 1:
            types[second:] = 1
        keep("encoder.token_types", types.float())
        rows = w[f"{prefix}embeddings.token_type_embeddings.weight"][types]
        x = keep("encoder.embedding_typed", x + keep("encoder.token_type_embedding", rows))
    first = c["pad_token_id"] + 1 if c["model_type"] == "roberta" else 0
    position = w[f"{prefix}embeddings.position_embeddings.weight"][first:first + len(ids)]
    x = keep("encoder.input", x + keep("encoder.position", position, is_batched=False))
    x = keep("encoder.input_normed", norm(f"{prefix}embeddings.LayerNorm", x))
    for n in range(layers):
        name, at = prefix + layer.format(n), f"encoder.{n}"
        own = f"{at}.self_attention"
        parts = [split(keep(f"{own}.{part}_projection", linear(f"{name}.{key}", x)), heads)
                 for part, key in (("query", q), ("key", k), ("value", v))]
        concat = attend(keep, own, *parts, looks_ahead=True)
        made = keep(f"{own}.output", linear(f"{name}.{out}", concat))
        x = keep(f"{at}.norm_1", norm(f"{name}.{norm_1}", keep(f"{at}.add_1", x + made)))
        hidden = keep(f"{at}.feed_forward.hidden", linear(f"{name}.{wide}", x))
        bent = keep(f"{at}.feed_forward.activated",
                    hidden * 0.5 * (1 + torch.erf(hidden / math.sqrt(2))))
        made = keep(f"{at}.feed_forward.output", linear(f"{name}.{narrow}", bent))
        x = keep(f"{at}.norm_2", norm(f"{name}.{norm_2}", keep(f"{at}.add_2", x + made)))
    keep("encoder.output", x)
    if not has_words(c):
        return x
    x = keep("word_projection", linear(dense, x))
    x = keep("word_activated", x * 0.5 * (1 + torch.erf(x / math.sqrt(2))))
    x = keep("word_normed", norm(head_norm, x))
    logits = keep("logits", x @ table.T + w[bias])
    keep("probabilities", torch.softmax(logits, -1))
    return logits


def neo_shapes(c):
    d, inner = c["hidden_size"], c["intermediate_size"] or 4 * c["hidden_size"]
    shapes = {"wte.weight": [c["vocab_size"], d],
              "wpe.weight": [c["max_position_embeddings"], d]}
    for n in range(c["num_layers"]):
        for part in "qkv":
            shapes[f"h.{n}.attn.attention.{part}_proj.weight"] = [d, d]
        for part, size in (("ln_1", [d]), ("attn.attention.out_proj", [d, d]), ("ln_2", [d]),
                           ("mlp.c_fc", [inner, d]), ("mlp.c_proj", [d, inner])):
            shapes[f"h.{n}.{part}.weight"] = size
            shapes[f"h.{n}.{part}.bias"] = size[:1]
    shapes |= {"ln_f.weight": [d], "ln_f.bias": [d]}
    if not c.get("tie_word_embeddings", True):
        shapes["lm_head.weight"] = [c["vocab_size"], d]
    return shapes


def neo(c, w, ids, keep):
    """Black et al. 2021: every other layer has an attention window; scores are not divided."""
    def linear(name, x):
        y = x @ w[f"{name}.weight"].T
        return y + w[f"{name}.bias"] if f"{name}.bias" in w else y

    def norm(name, x):
        return torch.nn.functional.layer_norm(
            x, x.shape[-1:], w[f"{name}.weight"], w[f"{name}.bias"],
            c["layer_norm_epsilon"])

    position = keep("decoder.position", w["wpe.weight"][: len(ids)], is_batched=False)
    x = keep("decoder.input", keep("decoder.embedding", w["wte.weight"][ids]) + position)
    for n in range(c["num_layers"]):
        name, at = f"h.{n}", f"decoder.{n}"
        own = f"{at}.self_attention"
        normed = keep(f"{at}.norm_1", norm(f"{name}.ln_1", x))
        q, k, v = (split(linear(f"{name}.attn.attention.{part}_proj", normed),
                         c["num_heads"]) for part in "qkv")
        window = c["window_size"] if n % 2 else 0
        concat = attend(keep, own, q, k, v, divides=False, window=window)
        made = keep(f"{own}.output", linear(f"{name}.attn.attention.out_proj", concat))
        x = keep(f"{at}.add_1", x + made)
        normed = keep(f"{at}.norm_2", norm(f"{name}.ln_2", x))
        hidden = keep(f"{at}.feed_forward.hidden", linear(f"{name}.mlp.c_fc", normed))
        bent = keep(f"{at}.feed_forward.activated", hidden / 2 * (1 + torch.tanh(
            math.sqrt(2 / math.pi) * (hidden + 0.044715 * hidden**3))))
        made = keep(f"{at}.feed_forward.output", linear(f"{name}.mlp.c_proj", bent))
        x = keep(f"{at}.add_2", x + made)
    x = keep("decoder.output", norm("ln_f", x))
    return keep("logits", x @ w.get("lm_head.weight", w["wte.weight"]).T)


FAMILIES = {"gpt_neo": (neo_shapes, neo), "bert": (bert_shapes, bert), "roberta": (bert_shapes, bert),
            "distilbert": (bert_shapes, bert), "gpt2": (gpt2_shapes, gpt2), "llama": (llama_shapes, llama),
            "qwen2": (llama_shapes, llama)}


def nothing_kept(address, tensor, is_batched=True):
    return tensor


def greedy(config, weights, run):
    """Greedy decoding of the prompt, up to eos_token_id."""
    end = config["eos_token_id"]
    end = end[0] if isinstance(end, list) else end  # a list of one
    said = []
    while len(said) < LIMIT and end not in said:
        last = run(config, weights, torch.tensor(PROMPT + said), nothing_kept)[-1]
        said.append(int(last.argmax()))
    return said


def stored_as(name, tensor):
    """The bits of a file; its name gives the number type."""
    if "bf16" in name:
        return (tensor.bfloat16().view(torch.int16).numpy()).view(numpy.uint16)
    return tensor.half().numpy() if "f16" in name else tensor.numpy()


def rounded(name, tensor):
    """The numbers that such a file contains."""
    wide = tensor.bfloat16() if "bf16" in name else tensor.half() if "f16" in name else tensor
    return wide.float()


def write_weights(folder, stored):
    """As one file, or as two with an index."""
    if "in-parts" not in folder.name:
        tensor_file.write(folder / "model.safetensors", stored)
        return
    names = list(stored)
    parts = {f"model-{n + 1:05}-of-00002.safetensors": names[n::2] for n in range(2)}
    for part, some in parts.items():
        tensor_file.write(folder / part, {key: stored[key] for key in some})
    index = {"metadata": {"total_size": sum(array.nbytes for array in stored.values())},
             "weight_map": {key: part for part, some in parts.items() for key in some}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=2) + "\n")


def write_family(name, config):
    shapes, run = FAMILIES[config["model_type"]]
    alone = run is bert
    for seed in range(1, 200):
        weights = {key: rounded(name, tensor)
                   for key, tensor in random_tensors(shapes(config), seed).items()}
        said = [] if alone else greedy(config, weights, run)
        if alone or len(said) == LIMIT and len(set(said)) >= 4:
            break
    trace = {}

    def keep(address, tensor, is_batched=True):
        trace[address] = (tensor[None] if is_batched else tensor).numpy()
        return tensor

    ids = torch.tensor(PAIR if alone else PROMPT + said[:-1])
    run(config, weights, ids, keep)
    trace[f"{'encoder' if alone else 'decoder'}.ids"] = ids[None].numpy().astype(numpy.int32)
    if not alone:
        trace["prompt.0"] = numpy.array(PROMPT, dtype=numpy.int32)
        trace["greedy.0"] = numpy.array(said, dtype=numpy.int32)
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    prefix = "transformer." if "prefixed" in name else ""
    stored = {f"{prefix}{key}" if key != "lm_head.weight" else key: stored_as(name, tensor)
              for key, tensor in weights.items()}
    if config["model_type"] == "gpt_neo":
        stored[f"{prefix}h.0.attn.attention.bias"] = stored_as(
            name, torch.ones(1, 1, 32, 32).tril())
    if config["model_type"] == "gpt2":  # a mask that such files contain besides the weights
        length = config["n_positions"]
        for n in range(config["n_layer"]):
            mask = torch.ones(1, 1, length, length).tril()
            stored[f"{prefix}h.{n}.attn.bias"] = stored_as(name, mask)
    if "early-names" in name:  # as in the first checkpoints
        early = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
        for theirs, first in early.items():
            stored = {key.replace(theirs, first): array for key, array in stored.items()}
        stored["bert.pooler.dense.weight"] = stored_as(name, torch.zeros(24, 24))
    write_weights(folder, stored)
    tensor_file.write(folder / "expected.safetensors", trace)
    print(f"{name:24} {len(trace):3} tensors  {' '.join(map(str, said))}")


def write_families():
    """Write the folders of tests/reference/families again."""
    for name, config in CASES.items():
        write_family(name, config)
