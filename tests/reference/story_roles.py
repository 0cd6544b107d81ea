"""The roles of a head, by the measures in src/explain/role.h."""

import numpy

from story_trace import MARKS, SPACE

PARTICLES = "은 는 이 가 을 를 에 에서 에게 와 과 로 으로 의 도".split()
PRONOUNS = "he she his her him He She Her".split()
SPECIAL = ("<pad>", "<start>", "<end>", "<unk>", "<s>", "</s>", "<bos>", "<eos>")
NO_WORD = -1

# Keys of resting heads, which are not informative.
RESTS = ("the last token", "the full stop", "the token itself", "the first token")


class Sentence:
    """Tokens as pieces of words. A word starts at a space, and a full stop is a word."""

    def __init__(self, labels):
        self.labels, self.word, self.last = labels, [], NO_WORD
        word = NO_WORD
        for label in labels:
            if label in SPECIAL or label.startswith("<|"):
                self.word.append(NO_WORD)
                continue
            if word == NO_WORD or label.startswith(SPACE) or self.is_stop(label):
                word += 1
            self.word.append(word)
            if not self.is_stop(label):
                self.last = word

        self.names = self.find_names()
        self.quote = self.find_quotes()

    def find_names(self):
        """Tokens with a capital inside a sentence, and others with the same label."""
        names, begins = set(), True
        for label, word in zip(self.labels, self.word):
            text = label.removeprefix(SPACE)
            if not begins and len(text.encode()) > 1 and "A" <= text[0] <= "Z":
                names.add(text)
            begins = word == NO_WORD or text in (".", "?", "!") or '"' in text
        return names

    def find_quotes(self):
        """For each token the position of the opening quote before it; None outside of quotes."""
        quote, opened = [], None
        for i, label in enumerate(self.labels):
            quote.append(opened)
            if '"' in label:
                opened = i if opened is None else None
        return quote

    def word_at(self, t):
        """Return true if there is such a token, and it is a word or a piece of one."""
        return t < len(self.labels) and self.word[t] != NO_WORD \
            and not self.is_stop(self.labels[t]) and '"' not in self.labels[t]

    def is_name(self, t):
        return self.labels[t].removeprefix(SPACE) in self.names

    def is_person(self, t):
        return t < len(self.labels) and (
            self.is_name(t) or self.labels[t].removeprefix(SPACE) in PRONOUNS)

    def same(self, q, k):
        return 0 <= k < q and self.labels[q] == self.labels[k]

    @staticmethod
    def is_stop(label):
        return len(label.removeprefix(SPACE)) == 1 and label.removeprefix(SPACE) in MARKS

    def same_word(self, q, k):
        return q != k and NO_WORD not in (self.word[q], self.word[k]) \
            and self.word[q] == self.word[k]

    def word_ahead(self, q, k, by):
        return NO_WORD not in (self.word[q], self.word[k]) \
            and self.word[k] - self.word[q] == by

    def particle_of(self, q, k):
        """q is a particle, and k an earlier piece of its word."""
        return self.labels[q] in PARTICLES and k < q and self.same_word(q, k)


# Whether key k has the role for query q of sentence s; and whether the role depends only on the
# key, so that it also counts between two sentences.
ROLES = {
    "the noun that a particle belongs to": (lambda s, q, k: s.particle_of(q, k), False),
    "the particle of a noun": (lambda s, q, k: s.particle_of(k, q), False),
    "the other pieces of the last word":
        (lambda s, q, k: s.same_word(q, k) and s.word[k] == s.last, False),
    "the other pieces of the same word": (lambda s, q, k: s.same_word(q, k), False),
    "the previous token": (lambda s, q, k: k == q - 1, False),
    "the next token": (lambda s, q, k: k == q + 1, False),
    "the token itself": (lambda s, q, k: k == q, False),
    "the previous word": (lambda s, q, k: s.word_ahead(q, k, -1), False),
    "the next word": (lambda s, q, k: s.word_ahead(q, k, 1), False),
    "the last word":
        (lambda s, q, k: s.word[k] == s.last and s.word[q] != s.last, False),
    "what followed an earlier occurrence of this token and comes again (induction)":
        (lambda s, q, k: k <= q and s.word_at(q + 1) and s.same(q, k - 1)
         and s.labels[k] == s.labels[q + 1], False),
    "an earlier mention of the word that comes next":
        (lambda s, q, k: k <= q and s.word_at(q + 1) and s.labels[k] == s.labels[q + 1], False),
    "an earlier occurrence of this token": (lambda s, q, k: s.same(q, k), False),
    "the opening quote": (lambda s, q, k: k == s.quote[q], False),
    "a name, if a name or a pronoun comes next":
        (lambda s, q, k: s.is_name(k) and s.is_person(q + 1), False),
    "the full stop": (lambda s, q, k: s.is_stop(s.labels[k]), True),
    "the first token": (lambda s, q, k: k == 0, True),
    "the last token": (lambda s, q, k: k == len(s.labels) - 1, True),
}


def places(key_labels, queries, same):
    """By role, the keys that have it for each query, [query, key]."""
    keys = Sentence(key_labels)
    return {name: numpy.array([[bool(has(keys, q, k)) for k in range(len(key_labels))]
                               for q in range(queries)])
            for name, (has, of_key) in ROLES.items() if same or of_key}


class Measure:
    """Of one head and one role: the number of rows, of rows with their largest weight there, and
    the mean weight that it gets and would get if all were equal."""

    def __init__(self, weights, has):
        chooses = ((weights > 0).sum(-1) != 1) | (weights.shape[-1] == 1)
        rows = has.any(-1) & chooses
        largest = weights.argmax(-1)
        self.rows = int(rows.sum())
        self.queries = len(has)
        self.first = int((has[numpy.arange(len(has)), largest] & rows).sum())
        self.share = float((weights * has).sum(-1)[rows].mean()) if self.rows else 0.0
        seen = weights > 0
        even = (has & seen).sum(-1) / numpy.maximum(seen.sum(-1), 1)
        self.even = float(even[rows].mean()) if self.rows else 0.0

    def stands_out(self):
        return self.rows >= 5 and 20 * self.rows >= self.queries and 2 * self.first > self.rows \
            and self.share >= 2 * self.even


def best_role(measured):
    """The name of the clearest role with the largest weight, the more specific one if equal; or
    None."""
    names = [name for name in measured if measured[name].stands_out()]
    return max(names, key=lambda name: measured[name].share, default=None)
