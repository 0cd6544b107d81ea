"""Whether a text is one that the grammar of the stories could have written.

It reads the same files as src/grammar, and goes the other way: it takes a text and looks
for a derivation. What was chosen once (a name) decides what follows from it (a pronoun).
The groups of names, by which the grammar keeps people from meeting themselves, cannot be
seen in a text: here two people of a story have different names."""

import json
import pathlib
import re

GRAMMAR = pathlib.Path(__file__).resolve().parents[2] / "assets/grammar/stories.json"
PEOPLE = ("P", "Q")  # the slots of those that a story is about
PART = re.compile(r"\{([^}]*)\}|([^{]+)")


class Rule:
    """An alternative, and what its slots are filled with so far, by name."""

    def __init__(self, alternative, around):
        self.fields = alternative
        self.slots = alternative.get("slots", {})
        self.around = around
        self.filled = {}

    def of(self, slot):
        """The rule that has the slot: this one, or one around it."""
        return self if slot in self.slots else self.around.of(slot)


class Grammar:
    """The categories of a grammar: lists of alternatives, dicts of their fields."""

    def __init__(self, path=GRAMMAR):
        head = json.loads(path.read_text())
        self.categories = {}
        for name in head["files"]:
            for category, content in json.loads((path.parent / name).read_text()).items():
                words = [dict(zip(content["fields"], row)) for row in content.get("words", [])]
                self.categories.setdefault(category, []).extend(
                    words + content.get("rules", []))

    def has(self, text):
        """Is it a whole text of the grammar?"""
        # The articles are fitted behind the derivation.
        if re.search(r"\ba [aeiou]|\ban [^aeiou]", text):
            return False
        text = re.sub(r"\ban ", "a ", text)
        for alternative in self.categories["sentence"]:
            rule = Rule(alternative, None)
            for end in self.ends(rule, alternative["text"], text, 0):
                if end == len(text) and self.names_differ(rule):
                    return True
        return False

    def names_differ(self, rule):
        names = [self.written(rule.filled[slot]) for slot in PEOPLE if slot in rule.filled]
        return len(set(names)) == len(names)

    def written(self, person):
        """The name, put together where it is one of syllables."""
        return PART.sub(lambda part: part[2] or person.filled[part[1].split(".")[0]]
                        .fields[part[1].split(".")[1]], person.fields["name"])

    def asked(self, rule, slot):
        """What may fill the slot; what its demand depends on is filled first, in each way."""
        category, _, kinds = rule.slots[slot].partition(":")
        if slot in PEOPLE:
            kinds = ""
        inside = re.search(r"\{(\w+)\.(\w+)\}", kinds)
        if not inside:
            yield [a for a in self.categories[category] if fits(a.get("kinds", "*"), kinds)]
            return
        for filling in self.fillings(rule, inside[1]):
            asked = kinds.replace(inside[0], filling.fields[inside[2]])
            yield [a for a in self.categories[category] if fits(a.get("kinds", "*"), asked)]

    def fillings(self, rule, slot):
        """What fills the slot; where nothing does yet, each way to fill it in turn."""
        rule = rule.of(slot)
        if slot in rule.filled:
            yield rule.filled[slot]
            return
        for alternatives in self.asked(rule, slot):
            for alternative in alternatives:
                rule.filled[slot] = Rule(alternative, rule)
                yield rule.filled[slot]
                del rule.filled[slot]

    def ends(self, rule, template, text, start):
        """Where the template can end, if it begins at `start` of the text."""
        part = PART.match(template)
        if not part:
            yield start
            return
        rest = template[part.end():]
        if part[2]:
            written = re.sub(r"\ban ", "a ", part[2])
            # The first letter of a text is large, however its rule has it.
            same = text.startswith(written, start) or (
                start == 0 and text.startswith(written[0].upper() + written[1:]))
            if same:
                yield from self.ends(rule, rest, text, start + len(written))
            return
        slot, _, field = part[1].partition(".")
        for filling in self.fillings(rule, slot):
            for name in self.field(rule, field):
                for end in self.ends(filling, filling.fields[name], text, start):
                    yield from self.ends(rule, rest, text, end)

    def field(self, rule, field):
        """Its name: of $N.form the one that field form of slot N says."""
        if not field.startswith("$"):
            yield field
            return
        slot, _, form = field[1:].partition(".")
        for filling in self.fillings(rule, slot):
            yield filling.fields[form]


def fits(kinds, asked):
    """Has it one kind of each part of what is asked, which has & between?"""
    have = kinds.split()
    return kinds == "*" or not asked.strip() or all(
        set(part.split()) & set(have) for part in asked.split("&"))
