"""What stands out at the stages of attention, recomputed."""

import re

import numpy

from story_roles import RESTS, Measure, best_role, places
from story_told import TIE, cosine
from story_trace import is_mark, shown

HIDDEN = 1e3  # a mask lowers a score by more than that


def attention_of(stage, trace):
    """The address in front of "scores" and the like."""
    if stage.place.endswith("cross_attention"):
        return stage.place
    own = f"{stage.place}.self_attention"
    return own if f"{own}.output" in trace else f"{stage.place}.attention"


class Heads:
    """One tensor [head, query, key] of an attention; an LSTM's has one head. `allowed`
    are the pairs of two tokens that are no marks, not the same, and not hidden."""

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
        if name == "weights":  # a row that is hidden whole looks at all alike
            hidden &= self.x == 0
        return hidden

    def pairs(self, head, but=None):
        """The allowed pairs of a head; -inf elsewhere, and in the rows of query `but`."""
        x = numpy.where(self.allowed[head], self.x[head], -numpy.inf)
        if but is not None:
            x[but] = -numpy.inf
        return x

    def called(self, told, query, key):
        """All pairs that are called so."""
        return [(q, k) for q in told.called(query, self.queries)
                for k in told.called(key, self.keys)]

    def roles(self, head):
        """The measures of a head, by role."""
        if self.places is None:
            self.places = places(self.key_labels, len(self.queries), self.same) \
                if self.labelled else {}
        return {name: Measure(self.x[head], has) for name, has in self.places.items()}


def the_pair(told, heads, head, names, but=None):
    """The pair that is told; of those that are called so the one with most."""
    x = heads.pairs(head, but)
    found = [pair for pair in heads.called(told, *names) if x[pair] > -numpy.inf]
    if not found:
        told.claim(False, f"{' and '.join(told[n] for n in names)}: no pair to be told")
        return None
    return max(found, key=lambda pair: x[pair])


def head_of(told, heads, name="head"):
    """The head that is told of; the only one has no number."""
    head = told.count(name) if name in told.said else 0
    told.claim(head < heads.count, f"there is no head {head}")
    return min(head, heads.count - 1)


def projections(told, stage, given):
    attention = attention_of(stage, given.trace)
    for name in ("query", "key", "value"):
        told.number(name, given.trace.view(f"{attention}.{name}_projection").x.std())


def left_out(told, heads):
    """What is not looked at is named; in its own sentence a token is not paired with itself."""
    told.left.discard("aside")
    told.claim((told["aside"] == ASIDE_SAME) == heads.same, f"left out are {told['aside']}")


def scores(told, stage, given):
    heads = Heads(given.trace, attention_of(stage, given.trace), "scores")
    head = head_of(told, heads)
    pair = the_pair(told, heads, head, ("query", "key"))
    if pair is None:
        return
    most = max(heads.pairs(h).max() for h in range(heads.count))
    left_out(told, heads)
    told.claim(heads.x[head][pair] >= most - TIE, f"the largest score is {most:.6f}")
    told.number("score", heads.x[head][pair])


def undivided(scores_seen):
    powers = numpy.exp(scores_seen - scores_seen.max())
    return powers / powers.sum()


def scaled(told, stage, given):
    attention = attention_of(stage, given.trace)
    before = Heads(given.trace, attention, "scores")
    after = Heads(given.trace, attention, "scaled")
    weights = Heads(given.trace, attention, "weights")
    top = numpy.zeros(weights.x.shape[:2], int)
    gap = numpy.zeros(weights.x.shape[:2])
    without = numpy.zeros(weights.x.shape[:2])
    for place in numpy.ndindex(top.shape):
        seen = ~weights.hidden[place]
        top[place] = numpy.argmax(weights.x[place])
        row = numpy.zeros(len(seen))
        row[seen] = undivided(before.x[place][seen])
        without[place] = row[top[place]]
        gap[place] = abs(without[place] - weights.x[place][top[place]])
    head = head_of(told, weights)
    spoken = [q for q, label in enumerate(weights.query_labels) if not is_mark(label)]
    found = [q for q in told.called("query", weights.queries) if q in spoken or not spoken]
    if not found:
        told.claim(False, f"{told['query']} is none that is spoken of")
        return
    query = max(found, key=lambda q: gap[head, q])
    most = gap[:, spoken].max() if spoken else gap[head, query]
    told.claim(gap[head, query] >= most - TIE,
               f"the division changes another row more: {most:.6f}")
    row = weights.x[head, query]
    if "key" in told.said:
        told.claim(any(row[k] >= row.max() - TIE
                       for k in told.called("key", weights.keys)),
                   f"{told['key']} does not get most")
        told.number("without", without[head, query])
        told.number("with", row[top[head, query]])
    else:
        told.claim(most < 0.01 + TIE, f"the division changes a share by {most:.6f}")
    seen = ~weights.hidden[head, query]
    told.number("wide", before.x[head, query][seen].std())
    told.number("narrow", after.x[head, query][seen].std())


def masked(told, stage, given):
    hidden = Heads(given.trace, attention_of(stage, given.trace), "masked").hidden[0]
    told.number("pairs", hidden.size)
    if "hidden" in told.said:
        told.number("hidden", hidden.sum())
        told.claim(hidden.any(), "nothing is hidden")
    else:
        told.claim(not hidden.any(), f"{hidden.sum()} pairs are hidden")


def only_padding(told, stage, given):
    attention = attention_of(stage, given.trace)
    shown = given.trace.view(f"{attention}.masked").x.shape[-1]
    stored = given.trace.arrays[f"{attention}.masked"].shape[-1]
    told.claim(stored > shown, "there is no padding")
    masked(told, stage, given)


def standing_out(heads):
    """A share is told of if it is twice what all keys would get alike."""
    return 2 / len(heads.keys)


def telling(heads):
    """How much each head tells: one with a role that is no rest comes first, the
    clearest of them, if it has a pair to be told; else the largest pair counts."""
    tells = []
    for head in range(heads.count):
        measured = heads.roles(head)
        role = best_role(measured)
        most = max(0.0, heads.pairs(head).max())
        is_told = role and role not in RESTS and most >= standing_out(heads)
        tells.append(1 + measured[role].share if is_told else most)
    return tells


def claim_head(told, heads, head):
    tells = telling(heads)
    told.claim(tells[head] >= max(tells) - TIE,
               f"head {int(numpy.argmax(tells))} tells more than head {head}")


def taken(told, heads, head):
    """X takes so much from Y, and perhaps Z so much from W."""
    pair = the_pair(told, heads, head, ("query", "key"))
    if pair is None:
        return
    most = heads.pairs(head).max()
    told.claim(heads.x[head][pair] >= most - TIE, f"the largest weight is {most:.6f}")
    told.claim(most >= standing_out(heads) - TIE, "nothing stands out")
    told.number("weight", heads.x[head][pair])
    rest = heads.pairs(head, but=pair[0])
    if "query2" not in told.said:
        told.claim(rest.max() == -numpy.inf, "there is a second pair to be told")
        return
    second = the_pair(told, heads, head, ("query2", "key2"), but=pair[0])
    if second is None:
        return
    told.claim(heads.x[head][second] >= rest.max() - TIE,
               f"the largest weight of another query is {rest.max():.6f}")
    told.number("weight2", heads.x[head][second])
    if "head2" in told.said:
        told.claim(told.count("head2") == head, "it speaks of two heads")


def weights_of(told, stage, given):
    heads = Heads(given.trace, attention_of(stage, given.trace), "weights")
    head = head_of(told, heads)
    claim_head(told, heads, head)
    taken(told, heads, head)
    measured = heads.roles(head)
    role = best_role(measured)
    if "role" not in told.said:
        told.claim(role is None, f"head {head} looks at {role}")
        return
    told.claim(told.count("role_head") == head, "it speaks of two heads")
    told.left.discard("role")
    mine = measured.get(told["role"])
    told.claim(mine and mine.stands_out() and mine.share >= measured[role].share - TIE,
               f"head {head} looks at {role}")
    if mine:
        told.number("first", mine.first)
        told.number("rows", mine.rows)


def nothing_stands_out(told, stage, given):
    heads = Heads(given.trace, attention_of(stage, given.trace), "weights")
    most = max(heads.pairs(head).max() for head in range(heads.count))
    told.claim(most <= standing_out(heads) + TIE, "something stands out")
    told.number("most", most)
    left_out(told, heads)
    seen = ~heads.hidden
    x = numpy.where(seen & (seen.sum(-1, keepdims=True) > 1), heads.x, -numpy.inf)
    if "weight" not in told.said:
        told.claim(x.max() <= standing_out(heads) + TIE, "a mark or a token itself stands out")
        return
    head = head_of(told, heads)
    found = heads.called(told, "query", "key")
    told.claim(x.max() >= standing_out(heads) - TIE, "nothing stands out")
    told.claim(any(x[head][pair] >= x.max() - TIE for pair in found),
               f"the largest weight is {x.max():.6f}")
    told.number("weight", x.max())


def context(told, stage, given):
    attention = attention_of(stage, given.trace)
    heads = Heads(given.trace, attention, "weights")
    head = head_of(told, heads)
    claim_head(told, heads, head)
    pair = the_pair(told, heads, head, ("query", "key"))
    if pair is None:
        return
    most = heads.pairs(head).max()
    told.claim(heads.x[head][pair] >= most - TIE, f"the largest weight is {most:.6f}")
    found = given.trace.view(f"{attention}.context").x[head, pair[0]]
    value = given.trace.view(f"{attention}.value").x[head, pair[1]]
    told.number("cosine", cosine(found, value))
    told.number("weight", heads.x[head][pair])


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


ROLE_TOLD = ("Head {head:d} looks at {role:r} ({share:f} on average, in {some:d} of "
             "{queries:d} rows).")
ROLES_MOST = 4  # so many heads are told of


def roles_told(text):
    """What is told of the heads, one by one: a form for exactly so many."""
    pieces = [ROLE_TOLD.replace("{head", f"{{head{i}").replace("{role", f"{{role{i}")
              .replace("{share", f"{{share{i}")
              .replace("{some", f"{{some{i}").replace("{queries", f"{{queries{i}")
              for i in range(len(re.findall(r"Head \d+ looks at", text)))]
    return " ".join(pieces)


def concat(told, stage, given):
    heads = Heads(given.trace, attention_of(stage, given.trace), "weights")
    best = {head: best_role(heads.roles(head)) for head in range(heads.count)}
    named = [head for head in best if best[head] is not None]
    if not told.said:
        told.claim(heads.count == 1 and not named, f"the heads {named} have a role")
        return
    if "heads" in told.said:
        told.claim(heads.count > 1, "one head is told of in the plural")
        told.number("heads", heads.count)
        told.claim(not named, f"the heads {named} have a role")
        return
    count = sum(name.startswith("head") for name in told.said)
    spoken = [head_of(told, heads, f"head{i}") for i in range(count)]
    told.claim(spoken == named[:ROLES_MOST], f"those with a role are {named}")
    for i, head in enumerate(spoken):
        measured = heads.roles(head)
        mine = measured.get(told[f"role{i}"])
        told.left.discard(f"role{i}")
        told.claim(mine and best[head] and mine.stands_out() and
                   mine.share >= measured[best[head]].share - TIE,
                   f"head {head} looks at {best[head]}")
        if mine:
            told.number(f"share{i}", mine.share)
            told.number(f"some{i}", mine.rows)
        told.number(f"queries{i}", len(heads.queries))


PAIR = "{query} takes {weight:f} from {key}"
PAIR2 = "{query2} takes {weight2:f} from {key2}"
ROLE = ("Head {role_head:d} looks at {role:r}: there stands its largest weight in "
        "{first:d} of the {rows:d} rows that have one. ")
NARROWED = "the scores of {query} deviated by {wide:f}, now by {narrow:f}."
SPREAD = (f"{NARROWED} Without the "
          "division {key} would get {without:f} of its attention instead of {with:f}.")
PAIRS = [f"In head {{head:d}} {PAIR}, {PAIR2}.", f"In head {{head:d}} {PAIR}.",
         f"{PAIR}, {PAIR2}.", f"{PAIR}."]
for onward in ("To go on after {query}, head {head:d} takes {weight:f} from {key}.",
               "To go on after {query}, {weight:f} comes from {key}."):
    again = re.sub(r"{(query|weight|key|head)", r"{\g<1>2", onward)
    PAIRS = [f"{onward} {again}", onward, *PAIRS]

ASIDE_SAME = "marks and each token itself aside"
ONE_PAIR = [pair for pair in PAIRS if "{query2" not in pair]

FORMS = {
    "projections": [("The standard deviation of the queries is {query:f}, that of the keys "
                     "{key:f}, that of the values {value:f}.", projections)],
    "scores": [("The pair that fits best, {aside:a}: {query} asks and {key} answers, with "
                "{score:f} in head {head:d}.", scores),
               ("The pair that fits best, {aside:a}: {query} asks and {key} answers, with "
                "{score:f}.", scores)],
    "scaled": [(f"In head {{head:d}} {SPREAD}", scaled), (f"T{SPREAD[1:]}", scaled),
               (f"In head {{head:d}} {NARROWED}", scaled), (f"T{NARROWED[1:]}", scaled)],
    "masked": [("Of the {pairs:d} pairs of this sentence {hidden:d} are hidden "
                "(hatched).", masked),
               ("Only the padding is hidden: all {pairs:d} pairs of the sentence itself "
                "can be seen.", only_padding),
               ("Nothing is hidden: all {pairs:d} pairs can be seen.", masked)],
    "weights": [("Nothing stands out here: {aside:a}, no token takes more than {most:f}.",
                 nothing_stands_out),
                *((f"{pair} Yet, {{aside:a}}, no token takes more than "
                   "{most:f}.", nothing_stands_out) for pair in ONE_PAIR),
                *((ROLE + pairs, weights_of) for pairs in PAIRS),
                *((pairs, weights_of) for pairs in PAIRS)],
    "weights-dropped": [("In head {head:d} the weights of {query} add up to {sum:f}: "
                         "{dropped:d} of {all:d} were dropped, and the others divided by "
                         "{divisor:f}.", dropped)],
    "context": [("What {query} found in head {head:d} has a cosine of {cosine:f} with "
                 "the value of {key}, of which it took {weight:f}.", context)],
    "concat": [("The head does nothing that has a name here.", concat),
               ("None of the {heads:d} heads does what has a name here.", concat),
               (roles_told, concat)],
}
