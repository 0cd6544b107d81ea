"""Recompute the remarks on the stages of attention."""

import re

import numpy

from story_roles import RESTS, Measure, best_role, places
from story_told import TIE, cosine
from story_trace import is_called, shown

HIDDEN = 1e3  # a mask lowers a score by more than that


def attention_of(stage, trace):
    """The address before "scores" and similar names."""
    if stage.place.endswith("cross_attention"):
        return stage.place
    own = f"{stage.place}.self_attention"
    return own if f"{own}.output" in trace else f"{stage.place}.attention"


class Heads:
    """One tensor [head, query, key] of an attention; an LSTM's has one head. `allowed` are the
    unmasked pairs of two different tokens that are not marks."""

    def __init__(self, trace, attention, name):
        view = trace.view(f"{attention}.{name}")
        self.x = view.x if view.x.ndim == 3 else view.x[None]
        self.count, queries, keys = self.x.shape
        self.query_labels, self.key_labels = view.labels[-2:]
        self.queries, self.keys = map(shown, view.labels[-2:])
        self.labelled = None not in view.lists[-2:]
        self.same = view.lists[-2] == view.lists[-1]
        self.places = None
        self.hidden = self.read_hidden(trace, attention, name)
        self.allowed = ~self.hidden & view.meaning(-2)[:, None] & view.meaning(-1)
        if self.same:
            self.allowed &= ~numpy.eye(queries, keys, dtype=bool)

    def read_hidden(self, trace, attention, name):
        if f"{attention}.masked" not in trace:
            return numpy.zeros(self.x.shape, bool)
        masked = trace.view(f"{attention}.masked").x
        before = f"{attention}.scaled"
        if before not in trace:
            before = f"{attention}.scores"
        hidden = masked < trace.view(before).x - HIDDEN
        if name == "weights":  # a completely masked row attends to all keys equally
            hidden &= self.x == 0
        return hidden

    def roles(self, head):
        """The measures of a head, by role."""
        if self.places is None:
            self.places = places(self.key_labels, len(self.queries), self.same) \
                if self.labelled else {}
        return {name: Measure(self.x[head], has) for name, has in self.places.items()}


class Followed:
    """The pair that a walk follows through an attention, as defined in README: `pairs` are all
    correct ones, several only if there are ties."""

    def __init__(self, trace, attention, own):
        """`own`: number of queries that are the user's own text; None: all."""
        self.heads = heads = Heads(trace, attention, "weights")
        seen = (~heads.hidden).sum(-1, keepdims=True)
        self.out = heads.x * seen >= 2  # twice the uniform weight over the visible keys
        for queries in (own, None):
            self.choose(queries)
            self.stands_out = self.two_words
            if self.two_words:
                return
        every = [(h, *pair) for h in range(heads.count)
                 for pair in self.best(~heads.hidden[h] & (seen[h] > 1), h)]
        self.stands_out = any(self.out[pair] for pair in every)
        if self.stands_out:
            every = [pair for pair in every if self.out[pair]]
            most = max(heads.x[pair] for pair in every)
            self.pairs = [pair for pair in every if heads.x[pair] >= most - TIE]

    def choose(self, queries):
        """The pairs of the most informative head, among the first queries."""
        heads = self.heads
        allowed = heads.allowed.copy()
        allowed[:, queries if queries is not None else allowed.shape[1]:] = False
        best = [self.best(allowed[h], h) for h in range(heads.count)]
        tells = [self.tells(h, pairs) for h, pairs in enumerate(best)]
        chosen = [h for h, tell in enumerate(tells) if tell >= max(tells) - TIE]
        self.pairs = [(h, q, k) for h in chosen for q, k in best[h]]
        self.two_words = any(self.out[pair] for pair in self.pairs)

    def best(self, allowed, head):
        """The largest of the allowed pairs, preferring those that stand out."""
        x = self.heads.x[head]
        wanted = allowed & self.out[head] if (allowed & self.out[head]).any() else allowed
        if not wanted.any():
            return []
        most = x[wanted].max()
        return [tuple(pair) for pair in numpy.argwhere(wanted & (x >= most - TIE))]

    def tells(self, head, pairs):
        """Prefer the clearest role that is not a resting role, then pairs that stand out, then
        the largest."""
        if not pairs:
            return 0.0
        most = float(self.heads.x[head][pairs[0]])
        if not self.out[head][pairs[0]]:
            return most
        measured = self.heads.roles(head)
        role = best_role(measured)
        return 1 + most if not role or role in RESTS else 2 + measured[role].share

    def told(self, told, query="query", key="key", head="head", score=None):
        """The pair in the sentence, which must be this one. Of ties with the same labels, the one
        with the reported score."""
        said = told.count(head) if head in told.said else None
        heads = self.heads
        found = [(h, q, k) for h, q, k in self.pairs
                 if said in (None, h) and is_called(heads.queries[q], told[query])
                 and (key not in told.said or is_called(heads.keys[k], told[key]))]
        told.claim(found, f"followed is {self.named()}")
        told.claim(heads.count == 1 or said is not None or not found
                   or head not in told.kinds, "which head it is is not said")
        if score is not None and found:
            return min(found, key=lambda pair: abs(score[pair] - float(told["score"])))
        return (found or self.pairs or [None])[0]

    def named(self):
        return [(h, self.heads.queries[q], self.heads.keys[k]) for h, q, k in self.pairs]


def followed_in(stage, given):
    return Followed(given.trace, attention_of(stage, given.trace), given.own)


def head_of(told, heads, name="head"):
    """The head in the sentence; a single head has no number."""
    head = told.count(name) if name in told.said else 0
    told.claim(head < heads.count, f"there is no head {head}")
    return min(head, heads.count - 1)


def columns(told, stage, given, pair):
    """The columns of a head in a row with all heads."""
    attention = attention_of(stage, given.trace)
    size = given.trace.view(f"{attention}.context").x.shape[-1]
    told.number("first", pair[0] * size)
    told.number("last", pair[0] * size + size - 1)


def projections(told, stage, given):
    pair = followed_in(stage, given).told(told)
    if "head" in told.said:
        columns(told, stage, given, pair)


def split(told, stage, given):
    attention = attention_of(stage, given.trace)
    head, query, key = followed_in(stage, given).told(told)
    q = given.trace.view(f"{attention}.query").x
    k = given.trace.view(f"{attention}.key").x
    shared = len(q) // len(k)
    for i in range(3):
        told.number(f"q{i}", q[head, query, i])
        told.number(f"k{i}", k[head // shared, key, i])
    told.number("size", q.shape[-1])


def rotated(told, stage, given):
    attention = attention_of(stage, given.trace)
    head, query, _ = followed_in(stage, given).told(told, key=None)
    before = given.trace.view(f"{attention}.query").x[head, query]
    after = given.trace.view(f"{attention}.query_rotated").x[head, query]
    half, angle = len(before) // 2, told.count("position")
    told.claim(angle == query and told.count("again") == angle, f"the position is {query}")
    told.number("half", half)
    told.number("a", before[0])
    told.number("b", before[half])
    told.number("c", after[0])
    told.number("d", after[half])
    x, y = before[0], before[half]
    told.claim(numpy.allclose((after[0], after[half]),
                              (x * numpy.cos(angle) - y * numpy.sin(angle),
                               x * numpy.sin(angle) + y * numpy.cos(angle)), atol=1e-4),
               "it turns by another angle")


def left_out(told, heads):
    """Excluded tokens are named; within a sentence, a token is not paired with itself."""
    told.left.discard("aside")
    told.claim((told["aside"] == ASIDE_SAME) == heads.same, f"left out are {told['aside']}")


def scores(told, stage, given):
    heads = Heads(given.trace, attention_of(stage, given.trace), "scores")
    pair = followed_in(stage, given).told(told, score=heads.x)
    told.number("score", heads.x[pair])
    row = heads.x[pair[:2]]
    larger = int((row > heads.x[pair]).sum())
    if "all" not in told.said:
        told.claim(len(row) == 1, "there are others in its row")
        return
    told.number("all", len(row))
    if "rank" in told.said:
        told.number("rank", larger + 1)
        told.claim(larger > 0, "it is the largest")
    else:
        told.claim(larger == 0 or row.max() - heads.x[pair] < TIE, f"{larger} are larger")


def undivided(scores_seen):
    powers = numpy.exp(scores_seen - scores_seen.max())
    return powers / powers.sum()


def scaled(told, stage, given):
    attention = attention_of(stage, given.trace)
    before = Heads(given.trace, attention, "scores")
    after = Heads(given.trace, attention, "scaled")
    followed = followed_in(stage, given)
    weights = followed.heads
    called = [pair for pair in followed.pairs if "key" not in told.said or
              (is_called(weights.queries[pair[1]], told["query"]) and
               is_called(weights.keys[pair[2]], told["key"]))]
    pair = min(called or followed.pairs,
               key=lambda pair: abs(before.x[pair] - float(told["before"])))
    told.claim(abs(after.x[pair]) >= 0.005 - TIE, "a score that rounds to 0.00 is told")
    told.number("before", before.x[pair])
    told.number("after", after.x[pair])
    told.number("d", round(float((before.x**2).sum() / (after.x**2).sum()), 3))
    seen = ~weights.hidden[pair[:2]]
    row = numpy.zeros(len(seen))
    row[seen] = undivided(before.x[pair[:2]][seen])
    gap = abs(row[pair[2]] - weights.x[pair]) if seen[pair[2]] else 0.0
    if "key" not in told.said:
        told.claim(gap < 0.01 + TIE, f"the division changes its share by {gap:.6f}")
        return
    told.claim(gap >= 0.01 - TIE, f"the division changes its share by {gap:.6f}")
    told.claim(is_called(weights.queries[pair[1]], told["query"])
               and is_called(weights.keys[pair[2]], told["key"]),
               f"followed is {followed.named()}")
    told.number("without", row[pair[2]])
    told.number("with", weights.x[pair])


def masked(told, stage, given):
    attention = attention_of(stage, given.trace)
    heads = Heads(given.trace, attention, "masked")
    hidden = heads.hidden[0]
    told.number("pairs", hidden.size)
    if "hidden" in told.said:
        told.number("hidden", hidden.sum())
        told.claim(hidden.any(), "nothing is hidden")
    else:
        told.claim(not hidden.any(), f"{hidden.sum()} pairs are hidden")
    followed = followed_in(stage, given)
    if "query" not in told.said:
        told.claim(not followed.pairs, "of what is followed nothing is said")
        return
    scaled_too = f"{attention}.scaled" in given.trace
    before = Heads(given.trace, attention, "scaled" if scaled_too else "scores")
    pair = followed.told(told, score=before.x)
    told.claim(heads.hidden[pair] == ("may_not" in told.said), "it says otherwise")
    told.number("score", before.x[pair])


def only_padding(told, stage, given):
    attention = attention_of(stage, given.trace)
    shown = given.trace.view(f"{attention}.masked").x.shape[-1]
    stored = given.trace.arrays[f"{attention}.masked"].shape[-1]
    told.claim(stored > shown, "there is no padding")
    masked(told, stage, given)


def taken(told, followed):
    """X gives this weight to Y."""
    pair = followed.told(told)
    told.number("weight", followed.heads.x[pair])
    return pair


def weights_of(told, stage, given, fits=True):
    followed = followed_in(stage, given)
    heads = followed.heads
    told.claim(followed.two_words, "nothing stands out of two words")
    head, query, key = taken(told, followed)
    measured = heads.roles(head)
    role = best_role(measured)
    if "role" not in told.said:
        told.claim(role is None, f"head {head} attends to {role}")
        return
    told.claim(told.count("role_head") == head, "it speaks of two heads")
    told.left.discard("role")
    mine = measured.get(told["role"])
    told.claim(mine and mine.stands_out() and mine.share >= measured[role].share - TIE,
               f"head {head} attends to {role}")
    if mine:
        told.number("first", mine.first)
        told.number("rows", mine.rows)
        told.claim(heads.places[told["role"]][query, key] == fits, "whether the pair fits")


def exception(told, stage, given):
    weights_of(told, stage, given, fits=False)


def nothing_stands_out(told, stage, given):
    followed = followed_in(stage, given)
    heads = followed.heads
    told.claim(not followed.two_words, "something stands out")
    allowed = heads.x[heads.allowed]
    told.number("most", allowed.max() if allowed.size else 0.0)
    left_out(told, heads)
    told.claim(followed.stands_out == ("weight" in told.said),
               "a mark or a token itself stands out, or does not")
    if "weight" in told.said:
        taken(told, followed)


def context(told, stage, given):
    attention = attention_of(stage, given.trace)
    followed = followed_in(stage, given)
    head, query, key = followed.told(told)
    found = given.trace.view(f"{attention}.context").x[head, query]
    values = given.trace.view(f"{attention}.value").x
    value = values[head // (followed.heads.count // len(values)), key]
    told.number("cosine", cosine(found, value))
    told.number("weight", followed.heads.x[head, query, key])


def dropped(told, stage, given):
    attention = attention_of(stage, given.trace)
    before = given.trace.view(f"{attention}.weights").x
    after = Heads(given.trace, attention, "weights_dropped")
    head = head_of(told, after)
    kept, lost = after.x != 0, (before != 0) & (after.x == 0)
    in_part = kept.any(-1) & lost.any(-1)
    away = numpy.where(in_part, abs(after.x.sum(-1) - 1), -1)
    query = max(told.called("query", after.queries), key=lambda q: away[head, q], default=0)
    told.claim(away[head, query] >= away.max() - TIE,
               f"another row is {away.max():.6f} away from 1")
    row = head, query
    told.number("sum", after.x[row].sum())
    told.number("dropped", lost[row].sum())
    told.number("all", (before[row] != 0).sum())
    told.number("divisor", before[row][kept[row]].sum() / after.x[row].sum())


FOLLOWED = ('The context of "{query}" in head {head:d} is now in columns {first:d} to '
            '{last:d} of its row.')
ROLE_TOLD = ("Head {head:d} attends to {role:r} (largest weight in {firsts:d} of {rows:d} "
             "rows, {share:f} on average).")
ROLES_MAX = 4  # maximum number of heads in a report


def roles_told(text):
    """The report on heads, one by one: a form for each number of heads."""
    pieces = [ROLE_TOLD.replace("{head", f"{{head{i}").replace("{role", f"{{role{i}")
              .replace("{share", f"{{share{i}")
              .replace("{firsts", f"{{firsts{i}").replace("{rows", f"{{rows{i}")
              for i in range(len(re.findall(r"Head \d+ attends to", text)))]
    return " ".join([*pieces, *([FOLLOWED] if "is now in columns" in text else [])])


def concat(told, stage, given):
    followed = followed_in(stage, given)
    wanted = followed.heads.count > 1 and followed.pairs
    told.claim(("query" in told.said) == bool(wanted), "where the followed one is")
    if "query" in told.said:
        columns(told, stage, given, followed.told(told, key=None))
    heads = Heads(given.trace, attention_of(stage, given.trace), "weights")
    best = {head: best_role(heads.roles(head)) for head in range(heads.count)}
    named = [head for head in best if best[head] is not None]
    if not {*told.said} - {"query", "head", "first", "last"}:
        told.claim(heads.count == 1 and not named, f"the heads {named} have a role")
        return
    if "heads" in told.said:
        told.claim(heads.count > 1, "one head is told of in the plural")
        told.number("heads", heads.count)
        told.claim(not named, f"the heads {named} have a role")
        return
    count = sum(bool(re.fullmatch(r"head\d", name)) for name in told.said)
    spoken = [head_of(told, heads, f"head{i}") for i in range(count)]
    told.claim(spoken == named[:ROLES_MAX], f"those with a role are {named}")
    for i, head in enumerate(spoken):
        measured = heads.roles(head)
        mine = measured.get(told[f"role{i}"])
        told.left.discard(f"role{i}")
        told.claim(mine and best[head] and mine.stands_out() and
                   mine.share >= measured[best[head]].share - TIE,
                   f"head {head} attends to {best[head]}")
        if mine:
            told.number(f"share{i}", mine.share)
            told.number(f"firsts{i}", mine.first)
            told.number(f"rows{i}", mine.rows)


ROLE = ("Head {role_head:d} attends to {role:r}: it has the largest weight in {first:d} of the "
        "{rows:d} rows that can see such a token and others. ")
PAIRS = ['To predict the token after "{query}", head {head:d} puts the weight {weight:f} on "{key}".',
         'To predict the token after "{query}", the model puts the weight {weight:f} on "{key}".',
         'In head {head:d}, "{query}" puts the weight {weight:f} on "{key}".',
         '"{query}" puts the weight {weight:f} on "{key}".']
SCORES = [f'{which} query of "{{query}}" and the key of "{{key}}" have the score '
          f'{{score:f}}.{place}' for which in ("In head {head:d}, the", "The")
          for place in (" It is the largest of the {all:d} in its row.",
                        " It ranks {rank:d} of the {all:d} in its row.", "")]
SCALED = "{before:f} / √{d:d} = {after:f}."
ASIDE_SAME = "apart from punctuation, tokens in < > and each token itself"

MASKED = [("Of the {pairs:d} query-key pairs of this sentence, {hidden:d} are masked (hatched).", masked),
          ("Only padding is masked: all {pairs:d} query-key pairs of the sentence itself "
           "stay.", only_padding),
          ("Nothing is masked: all {pairs:d} query-key pairs stay.", masked)]
MAY_SEE = ["", ' "{query}" may attend to "{key}": {score:f} does not change.',
           ' "{query}" {may_not:n} attend to "{key}": {score:f} is masked.']

FORMS = {
    "projections": [('The walk now follows the query of "{query}" and the key of "{key}" in '
                     "head {head:d}: columns {first:d} to {last:d} of Q.", projections),
                    ('The walk now follows the query of "{query}" and the key of "{key}".',
                     projections)],
    "heads": [('In head {head:d}, the query of "{query}" starts with {q0:f}, {q1:f}, {q2:f} '
               'and the key of "{key}" with {k0:f}, {k1:f}, {k2:f}; each has {size:d} '
               "numbers.", split)],
    "rotated": [('"{query}" is at position {position:d}. So numbers 0 and {half:d} of its '
                 "query, as a point in a plane, are rotated by {again:d} radians: from ({a:f}, {b:f}) "
                 "to ({c:f}, {d:f}).", rotated)],
    "scores": [(form, scores) for form in SCORES],
    "scaled": [(f'{SCALED} After the softmax, "{{key}}" gets the weight {{with:f}} from '
                '"{query}"; without the division, it would get {without:f}.', scaled),
               (SCALED, scaled)],
    "masked": [(form + may, recompute) for form, recompute in MASKED for may in MAY_SEE],
    "weights": [("Nothing stands out: {aside:a}, no weight exceeds {most:f}.",
                 nothing_stands_out),
                *((f"{pair} However, {{aside:a}}, no weight exceeds "
                   "{most:f}.", nothing_stands_out) for pair in PAIRS),
                *((ROLE + pair, weights_of) for pair in PAIRS),
                (ROLE + '"{query}" is an exception: it puts the weight {weight:f} on "{key}".',
                 exception),
                *((pair, weights_of) for pair in PAIRS)],
    "weights-dropped": [("In head {head:d}, the weights of \"{query}\" sum to {sum:f}: "
                         "{dropped:d} of {all:d} were dropped and the others divided by "
                         "{divisor:f}.", dropped)],
    "context": [('The context of "{query}" in head {head:d} has a cosine of {cosine:f} with '
                 'the value of "{key}", whose weight is {weight:f}.', context)],
    "concat": [("The head has no recognized role.", concat),
               ("None of the {heads:d} heads has a recognized role.", concat),
               ("None of the {heads:d} heads has a recognized role. " + FOLLOWED, concat),
               (roles_told, concat)],
}
