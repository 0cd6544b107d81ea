"""Recompute the remarks on the decoding as a whole."""

import numpy

from story_attention import Heads
from story_told import TIE
from story_trace import is_mark


def decoded(told, stage, given):
    """The decoding of the sentence without its batch; at each step it reads the same as the run,
    so the rows are equal."""
    trace = given.alone
    view = trace.view("probabilities")
    read = trace.view("decoder.ids").x.astype(int)
    first = given.prompt - 1  # the row that predicts the first token
    rows = view.x[first:]
    chosen = [*read[first + 1:], int(numpy.argmax(view.x[-1]))]
    labels = [view.labels[1][i] for i in chosen]
    sure = numpy.array([row[i] for row, i in zip(rows, chosen)])
    told.claim(all(row[i] >= row.max() - TIE for row, i in zip(rows, chosen)),
               "what was chosen is not the most probable")
    if "unsure" in told.said:
        least = [step for step in told.called("unsure", labels)
                 if sure[step] <= sure.min() + TIE]
        told.claim(least, f"it was least sure of {labels[int(numpy.argmin(sure))]}")
        told.claim(sure.min() < 0.995 + TIE, "a share that rounds to 1.00 is told")
        told.number("share", sure[least[0]] if least else sure.min())
    else:
        told.claim(sure.min() >= 0.995 - TIE, f"one token has {sure.min():.6f}")
    if "key" not in told.said:
        return
    heads = Heads(trace, given.looks(), "weights")
    said = numpy.array([not is_mark(label) for label in labels])
    meant = numpy.array([not is_mark(label) for label in heads.key_labels])
    x = numpy.where(said[:, None] & meant, heads.x[:, first:], -numpy.inf)
    weights = trace.view(given.looks() + ".weights").x
    told.claim(("head" in told.said) == (weights.ndim == 3), "head and layer")
    of = slice(None)
    if "head" in told.said:
        of = [told.count("head")]
        told.claim(f".{told.count('layer')}." in given.looks(), "the layer is another")
    found = [x[of, step, key].max() for step in told.called("word", labels)
             for key in told.called("key", heads.keys)]
    told.claim(found and max(found) >= x.max() - TIE, f"the largest look is {x.max():.6f}")
    told.number("weight", max(found, default=x.max()))


SURE = "The model is confident about every token: none has a probability below 0.99."
UNSURE = 'It was least confident about "{unsure}": {share:f}.'
LOOKED = 'To choose "{word}", it attended to "{key}" with the weight {weight:f}'
FORMS = {
    "decoding": [(f"{LOOKED}{place}. {sure}", decoded)
                 for place in (" (layer {layer:d}, head {head:d})", "")
                 for sure in (UNSURE, SURE)] + [(UNSURE, decoded), (SURE, decoded)],
}
