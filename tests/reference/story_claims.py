"""Recompute the remarks on all stages except attention from the trace.

Each form of a sentence has a function that is given the reported values, the stage and the data
to compute from; see told() in stories.py."""

import functools
import itertools

import numpy

from story_attention import Followed, attention_of
from story_roles import SPECIAL
from story_told import TIE, best_of, cosine
from story_trace import MARKS, bare, is_called, is_mark

SUBLAYERS = {"encoder": ["self_attention", "feed_forward"],
             "decoder": ["self_attention", "cross_attention", "feed_forward"]}


def lengths(x):
    return numpy.sqrt((x * x).sum(-1))


def followed(stage, given, names):
    """The tokens that the walk may follow through rows: one for each tie. Without a
    self-attention or a pair, the longest."""
    stack, layer = (*stage.place.split("."), "0")[:2]
    attention = f"{stack}.{layer if layer.isdigit() else 0}.self_attention"
    pairs = Followed(given.trace, attention, given.own).pairs \
        if f"{attention}.weights" in given.trace else []
    found = sorted({query for _, query, _ in pairs if query < len(names)})
    return found or [longest(names)]


def longest(names):
    sizes = [0 if is_mark(name.split("#")[0] or name) else len(bare(name).encode()) for name in names]
    return sizes.index(max(sizes))


def told_of_followed(told, stage, given, names, name="token"):
    """The reported row, which belongs to a followed token."""
    tokens = followed(stage, given, names)
    found = [token for token in tokens if is_called(names[token], told[name])]
    told.claim(found, f"followed is {[names[token] for token in tokens]}")
    return (found or tokens)[0]


BESIDE = 2  # maximum distance of a word from the followed token


def told_beside_followed(told, stage, given, names):
    """The row of the longest token next to a followed one."""
    words = []
    for token in followed(stage, given, names):
        first = max(0, token - BESIDE)
        words.append(first + longest(names[first:token + BESIDE + 1]))
    found = [word for word in words if is_called(names[word], told["token"])]
    told.claim(found, f"the longest beside is {[names[word] for word in words]}")
    return (found or words)[0]


def apart(told, *names):
    """Two words with the same label cannot be distinguished."""
    said = [told[name] for name in names]
    told.claim(len(set(said)) == len(said), "two words are called alike")


def words_of(labels):
    """The tokens of each word, without its marks: a leading · starts a word."""
    words = []
    for label in labels:
        if label.startswith("·") or not words:
            words.append([])
        words[-1].append(label)
    for word in words:
        while word and len(bare(word[-1])) == 1 and bare(word[-1]) in MARKS:
            word.pop()
    return [word for word in words if word]


def pieces(told, stage, given):
    view = given.trace.view("decoder.ids" if given.is_prompted else "encoder.ids")
    read = view.labels[0][:given.prompt] if given.is_prompted else view.labels[0]
    labels = [label for label in read if label not in SPECIAL and not label.startswith("<|")]
    spaced = " " not in given.typed or any(label.startswith("·") for label in labels)
    words = words_of(labels if spaced else [f"·{label}" if label not in MARKS else label
                                            for label in labels])
    told.claim(("words" in told.said) == (len(words) > 1), f"there are {len(words)} words")
    if "words" in told.said:
        told.number("words", len(words))
    if "tokens" not in told.said:
        told.claim(all(len(word) == 1 for word in words), "a word is cut")
        return
    most = max(map(len, words))
    told.number("tokens", len(labels))
    if "most" not in told.said:
        return
    told.number("most", most)
    texts = ["".join(label.removeprefix("·") for label in word) for word in words
             if len(word) == most]
    told.claim(told["word"] in texts or any("<" in text for text in texts),
               "another word is cut most")


def embedding(told, stage, given):
    view = given.trace.view(f"{stage.place}.embedding")
    ids = given.trace.view(f"{stage.place}.ids").x.astype(int)
    table, names = given.model.table(stage.place)
    token = told_beside_followed(told, stage, given, view.names(0))
    apart(told, "token", "first", "second")
    row = ids[token]
    told.claim(numpy.allclose(view.x[token], table[row], atol=1e-6),
               "the embedding is not the row of the table")
    near = cosine(table, table[row])
    near[row] = -numpy.inf
    first = best_of(told, "first", names, near, near > -numpy.inf, "the nearest row")
    told.number("cosine", near[first])
    near[first] = -numpy.inf
    second = best_of(told, "second", names, near, near > -numpy.inf, "the next row")
    told.number("other", near[second])


def position(told, stage, given):
    x = given.trace.view(f"{stage.place}.position").x
    x = x[:given.trace.tokens(stage.place)]
    told.number("beside", cosine(x[:-1], x[1:]).mean())
    told.number("ends", cosine(x[0], x[-1]))


def entered(told, stage, given, typed=False):
    trace, stack = given.trace, stage.place
    name = next(made for made in (f"{stack}.embedding_typed", f"{stack}.embedding_scaled",
                                  f"{stack}.embedding") if made in trace)
    told.claim(name.endswith("typed") == typed, "a type is added, or not")
    word = trace.view(name)
    place = trace.view(f"{stack}.position").x[:len(word.x)]
    told.claim(numpy.allclose(word.x + place, trace.view(f"{stack}.input").x, atol=1e-4),
               "the input is not the sum of word and place")
    told.number("times", (lengths(place) / lengths(word.x)).mean())


def sublayers(trace, place):
    """The sublayers of the layer, in the order in which add_1, add_2 are counted."""
    return [name for name in SUBLAYERS[place.partition(".")[0]]
            if f"{place}.{name}.output" in trace]


def residual(told, trace, added, found):
    """The tensor that `found` was added to: the other term of the sum."""
    total, part = trace.view(added), trace.view(found)
    for name in trace.axes:
        if name == added or trace.arrays[name].shape != trace.arrays[added].shape:
            continue
        base = trace.view(name).x
        if base.shape == part.x.shape and \
                numpy.allclose(base + part.x, total.x, atol=1e-4):
            return base, part, total
    told.claim(False, f"{added} is no sum of {found} and another tensor")
    return total.x - part.x, part, total


def relative(base, part):
    size = lengths(base)
    return lengths(part) / numpy.where(size > 0, size, 1)


def added_next(told, stage, given):
    """The output of attention or the feed-forward that is added next."""
    inner = attention_of(stage, given.trace) if stage.kind == "output" \
        else f"{stage.place}.feed_forward"
    layer, _, name = inner.rpartition(".")
    number = sublayers(given.trace, layer).index(name) + 1
    base, part, _ = residual(told, given.trace, f"{layer}.add_{number}",
                             f"{inner}.output")
    token = told_of_followed(told, stage, given, part.names(0))
    told.number("times", relative(base, part.x)[token])


def changed(told, stage, given):
    number = int(stage.kind[-1])
    name = sublayers(given.trace, stage.place)[number - 1]
    base, _, total = residual(told, given.trace, f"{stage.place}.add_{number}",
                              f"{stage.place}.{name}.output")
    token = told_of_followed(told, stage, given, total.names(0))
    told.number("cosine", cosine(base[token], total.x[token]))
    return token


def read_by_norm(stage, given):
    """The address of the tensor that the stage's layer norm reads."""
    number = int(stage.kind[-1])
    if not stage.kind.startswith("norm"):
        return f"{stage.place}.add_{number}"
    if number > 1:
        return f"{stage.place}.add_{number - 1}"
    stack, _, layer = stage.place.partition(".")
    last = len(sublayers(given.trace, stage.place))
    if int(layer):
        return f"{stack}.{int(layer) - 1}.add_{last}"
    normed = f"{stack}.input_normed"
    return normed if normed in given.trace else f"{stack}.input"


def count_normed(told, stage, given, token):
    before = given.trace.view(read_by_norm(stage, given)).x[token]
    after = given.trace.view(f"{stage.place}.norm_{stage.kind[-1]}")
    told.claim(is_called(after.names(0)[token], told["row"]), "it is another row")
    if "size" in told.said:
        told.number("size", numpy.sqrt((before * before).mean()))
        told.number("new_size", numpy.sqrt((after.x[token] ** 2).mean()))
        return
    told.number("mean", before.mean())
    told.number("deviation", before.std())
    told.number("new_mean", after.x[token].mean())
    told.number("new_deviation", after.x[token].std())


def normed(told, stage, given):
    """Nothing was added."""
    after = given.trace.view(f"{stage.place}.norm_{stage.kind[-1]}")
    count_normed(told, stage, given,
                 told_of_followed(told, stage, given, after.names(0), "row"))


def changed_and_normed(told, stage, given):
    count_normed(told, stage, given, changed(told, stage, given))


def gated(told, stage, given):
    """The unit that contributes most to what is added for the followed token."""
    inner = f"{stage.place}.feed_forward"
    view, output = given.trace.view(f"{inner}.gated"), given.trace.view(f"{inner}.output").x
    stack, layer = stage.place.split(".")
    weight = given.model.weight(f"model.{stack}.layers.{layer}.fc2.weight")
    token = told_of_followed(told, stage, given, view.names(0))
    share = view.x[token] * (weight.T @ output[token]) / (output[token] ** 2).sum()
    unit = told.count("unit")
    told.claim(share[unit] >= share.max() - TIE, f"unit {share.argmax()} brings more")
    told.number("share", 100 * share[unit])
    told.number("activated", given.trace.view(f"{inner}.activated").x[token, unit])
    told.number("hidden", given.trace.view(f"{inner}.hidden").x[token, unit])
    told.number("value", view.x[token, unit])
    return share


def gated_by_many(told, stage, given):
    share = gated(told, stage, given)
    half = numpy.searchsorted(numpy.cumsum(-numpy.sort(-share)), 0.5) + 1
    told.claim(abs(told.count("half") - half) <= 1, f"{half} units bring half")
    told.number("units", len(share))


def awake(told, stage, given):
    activated = f"{stage.place}.feed_forward.activated"
    view = given.trace.view(activated if activated in given.trace
                            else f"{stage.place}.feed_forward.hidden")
    active = (view.x > 0).sum(-1)
    token = told_of_followed(told, stage, given, view.names(0))
    told.number("awake", active[token])
    told.number("units", view.x.shape[1])
    told.number("average", active.mean())


def alike(told, stage, given):
    view = given.trace.view(f"{stage.place}.output")
    spoken = numpy.flatnonzero(view.meaning(0))
    names = view.names(0)
    pairs = {(a, b): cosine(view.x[a], view.x[b])
             for a, b in itertools.combinations(spoken, 2)
             if view.labels[0][a] != view.labels[0][b]}
    found = [(a, b) for a in told.called("a", names) for b in told.called("b", names)
             if (a, b) in pairs]
    told.claim(found, f"{told['a']} and {told['b']} are no pair that is spoken of")
    if not found:
        return
    pair = max(found, key=pairs.get)
    most = max(pairs, key=pairs.get)
    told.claim(pairs[pair] >= pairs[most] - TIE,
               f"more alike are {names[most[0]]} and {names[most[1]]}")
    told.number("now", pairs[pair])
    if "before" in told.said:
        rows = given.trace.view(f"{stage.place}.embedding").x
        told.number("before", cosine(rows[pair[0]], rows[pair[1]]))


def gates(told, stage, given):
    forget, taken, fresh, cell = (
        given.trace.view(f"{stage.place}.{name}").x
        for name in ("forget_gate", "input_gate", "cell_gate", "cell"))
    if "kept" in told.said:
        told.number("kept", 100 * forget.mean())
    told.number("taken", 100 * taken.mean())
    told.claim(numpy.allclose(cell, taken * fresh, atol=1e-6) == ("kept" not in told.said),
               "whether the cell held anything")


def state(told, stage, given):
    told.number("deviation", given.trace.view(f"{stage.place}.state").x.std())


def mean(told, stage, given):
    logits = given.trace.view("logits")
    best, second = numpy.argsort(-logits.x, kind="stable")[:2]
    names = logits.names(0)
    told.claim(best in told.called("first", names) and
               second in told.called("second", names),
               f"the best two are {names[best]} and {names[second]}")
    rows, read = given.trace.view("encoder.output"), given.trace.view("encoder.mean")
    weight = given.model.weight("classification_head.weight")
    between = weight[best] - weight[second]
    if not numpy.allclose(rows.x.mean(0), read.x, atol=1e-5):
        rows = given.trace.view("encoder.output", padded=True)
    told.claim(numpy.allclose(rows.x.mean(0), read.x, atol=1e-5), "it is no mean of rows")
    share = rows.x @ between / len(rows.x)
    token = best_of(told, "token", rows.names(0), share, share == share,
                    "what speaks most")
    told.number("brought", share[token])
    told.number("all", read.x @ between)


VANISHES = 0.005  # a number, or a difference, that is printed as 0.00


def best_two(told, view, row, names):
    """The best two of a row, as reported."""
    order = numpy.sort(row)[::-1]
    if "second" in told.said:
        apart(told, "first", "second")
    for name, value in (("first", order[0]), ("second", order[1])):
        if name not in told.said:
            continue
        found = [i for i in told.called(name, names) if abs(row[i] - value) <= TIE]
        told.claim(found, f"{told[name]} is not the {name} of {view}")
    told.number("most", order[0])
    if "next" in told.said:
        told.number("next", order[1])
    told.claim("next" not in told.said or order[1] >= VANISHES - TIE or view == "logits",
               "a share that rounds to 0.00 is told")
    return order


def decided(told, stage, given):
    view = given.trace.view(stage.kind)
    order = best_two(told, stage.kind, view.x, view.names(0))
    if stage.kind == "logits":
        told.claim((order[0] - order[1] >= VANISHES - TIE) == ("next" in told.said),
                   "the two are nearly the same, or not")
    elif "next" not in told.said:
        told.claim(order[1] < VANISHES + TIE, "the second has a share worth telling")


def spoken_of(view):
    """The masked positions, or all if there are none."""
    hidden = numpy.array([name.split("#")[0] in ("<mask>", "[MASK]")
                          for name in view.names(0)])
    return hidden if hidden.any() else ~hidden


def closest(told, stage, given):
    view = given.trace.view("logits")
    order = numpy.sort(view.x, axis=-1)
    ahead = order[:, -1] - order[:, -2]
    place = best_of(told, "token", view.names(0), -ahead, spoken_of(view),
                    "the closest call")
    best_two(told, "logits", view.x[place], given.names(view))
    told.claim((ahead[place] >= VANISHES - TIE) == ("next" in told.said),
               "the two are nearly the same, or not")


def least_sure(told, stage, given):
    view = given.trace.view("probabilities")
    sure = view.x.max(-1)
    place = best_of(told, "token", view.names(0), -sure, spoken_of(view),
                    "the least sure place")
    row = view.x[place]
    if "most" not in told.said:
        told.claim(row.max() < VANISHES + TIE, f"a word gets {row.max():.6f}")
        return
    order = best_two(told, "probabilities", row, given.names(view))
    named = 2 if "next" in told.said else 1
    told.claim(named == 2 or order[1] < VANISHES + TIE, f"the second gets {order[1]:.6f}")
    told.number("others", len(row) - named)
    told.number("share", order[named:].sum())


# By the name of the stage: the forms, and the function that recomputes them.
ADD = "After the addition, the row of \"{token}\" has a cosine of {cosine:f} with the row before it."
NORM = ("The norm changes the row of \"{row}\" from mean {mean:f} and standard deviation "
        "{deviation:f} to {new_mean:f} and {new_deviation:f}.")
SIZE = ("The norm changes the row of \"{row}\" from the root mean square {size:f} to "
        "{new_size:f}.")
NEXT = ("For \"{token}\", this row is {times:f} times as long (√Σx²) as the row that it "
        "is added to.")
AWAKE = ("For \"{token}\", {awake:d} of the {units:d} units are active (above 0); the average over "
         "all tokens is {average:f}.")
GATED = ("For \"{token}\", unit {unit:d} contributes most to the feed-forward's output: "
         "{share:p}%, with {activated:f} (its gate, activated) × {hidden:f} = {value:f}.")
ALIKE = "Apart from punctuation and tokens in < >, the most similar different tokens are \"{a}\" and \"{b}\" (cosine {now:f})"

ADDED = [(f"{ADD} {NORM}", changed_and_normed), (f"{ADD} {SIZE}", changed_and_normed),
         (ADD, changed), (NORM, normed), (SIZE, normed)]
ROWS = [(f"{ALIKE}; their embeddings had {{before:f}}.", alike), (f"{ALIKE}.", alike)]

FORMS = {
    "tokens": [*((f"{{words:d}} words became {{tokens:d}} tokens{beside}; \"{{word}}\" "
                  "became {most:d}.", pieces)
                 for beside in (", and <start>", ", and <s>", ", and <end>", "")),
               *((f"One word became {{tokens:d}} tokens{beside}.", pieces)
                 for beside in (", and <start>", ", and <s>", ", and <end>", "")),
               ("Each of the {words:d} words is one token.", pieces),
               ("The word is one token.", pieces)],
    "embedding": [("The row of \"{token}\" is most similar to those of \"{first}\" (cosine "
                   "{cosine:f}) and \"{second}\" ({other:f}).", embedding)],
    "position": [("Neighboring positions have a cosine of {beside:f} on average, the first "
                  "and the last of {ends:f}.", position)],
    "input": [("On average, the row of a position is {times:f} times as long as the row of "
               "its token.", entered),
              ("On average, the row of a position is {times:f} times as long as the row of "
               "its token and type.", functools.partial(entered, typed=True))],
    "output": [(NEXT, added_next)],
    "feed-forward-output": [(NEXT, added_next)],
    **{f"{what}-{k}": ADDED for what in ("add", "norm", "add-norm") for k in (1, 2, 3)},
    "feed-forward": [(AWAKE, awake), (GATED, gated),
                     (f"{GATED} The {{half:d}} strongest of the {{units:d}} units contribute at "
                      "least half of it.", gated_by_many)],
    "encoder-output": ROWS,
    "decoder-output": ROWS,
    "step": [("The cell was still zero; on average, it adds {taken:p}% of the new value "
              "(input gate).", gates),
             ("On average, the cell keeps {kept:p}% of its value (forget gate) and adds "
              "{taken:p}% of the new one (input gate).", gates),
             ("The numbers of the state have a standard deviation of {deviation:f}.", state)],
    "mean": [("The strongest evidence for \"{first}\" over \"{second}\" is \"{token}\": it "
              "contributes {brought:f} of the {all:f} that all tokens contribute.", mean)],
    "logits": [('The closest decision is after "{token}": "{first}" has the logit {most:f}, '
                '"{second}" {next:f}.', closest),
               ('The closest decision is after "{token}": "{first}" and "{second}" have nearly '
                "the same logit, {most:f}.", closest),
               ('The closest decision is at "{token}": "{first}" has the logit {most:f}, '
                '"{second}" {next:f}.', closest),
               ('The closest decision is at "{token}": "{first}" and "{second}" have '
                "nearly the same logit, {most:f}.", closest),
               ('"{first}" and "{second}" have nearly the same logit, {most:f}.', decided),
               ('"{first}" has the highest logit, {most:f}, followed by "{second}" with {next:f}.',
                decided)],
    "probabilities": [('The model is least confident after "{token}": no token gets 0.01 or more.',
                       least_sure),
                      ('The model is least confident after "{token}": "{first}" gets {most:f}, and the '
                       "other {others:d} tokens share {share:f}.", least_sure),
                      ('The model is least confident after "{token}": "{first}" gets {most:f}, '
                       '"{second}" {next:f}, and the other {others:d} tokens share '
                       "{share:f}.", least_sure),
                      ('The model is least confident at "{token}": no token gets 0.01 or more.',
                       least_sure),
                      ('The model is least confident at "{token}": "{first}" gets {most:f}, and '
                       "the other {others:d} tokens share {share:f}.", least_sure),
                      ('The model is least confident at "{token}": "{first}" gets {most:f}, '
                       '"{second}" {next:f}, and the other {others:d} tokens share '
                       "{share:f}.", least_sure),
                      ('"{first}" gets {most:f}, and no other label gets 0.01 or more.', decided),
                      ('"{first}" gets {most:f}, followed by "{second}" with {next:f}.',
                       decided)],
}
