"""Check whether the grammar of the stories could have written a text.

It reads the same files as src/grammar and parses: given a text, it searches for a
derivation. A choice (a name) decides what follows (a pronoun). The grammar has groups
of names to keep people from meeting themselves; a text does not show them, so here two
people of a story must have different names."""

import json
import pathlib
import re

GRAMMAR = pathlib.Path(__file__).resolve().parents[2] / "assets/grammar/stories.json"
PEOPLE = ("P", "Q")  # the slots of the main characters
PART = re.compile(r"\{([^}]*)\}|([^{]+)")


class Rule:
    """An alternative, and what its slots are filled with so far, by name."""

    def __init__(self, alternative, around):
        self.fields = alternative
        self.slots = alternative.get("slots", {})
        self.around = around
        self.filled = {}

    def of(self, slot):
        """Return the rule that has the slot: this one, or an enclosing one."""
        return self if slot in self.slots else self.around.of(slot)


class Grammar:
    """The categories of a grammar: lists of alternatives, which are dicts of fields."""

    def __init__(self, path=GRAMMAR):
        head = json.loads(path.read_text())
        self.categories = {}
        for name in head["files"]:
            for category, content in json.loads((path.parent / name).read_text()).items():
                words = [dict(zip(content["fields"], row)) for row in content.get("words", [])]
                self.categories.setdefault(category, []).extend(
                    words + content.get("rules", []))

    def has(self, text):
        """Is it a complete text of the grammar?"""
        # Articles are adjusted after the derivation.
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
        """Return the name; some are composed of syllables."""
        return PART.sub(lambda part: part[2] or person.filled[part[1].split(".")[0]]
                        .fields[part[1].split(".")[1]], person.fields["name"])

    def asked(self, rule, slot):
        """Yield everything that can fill the slot; slots that its request refers to are
        filled first, in every way."""
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
        """Yield what fills the slot; if it is empty, yield every way to fill it."""
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
        """Yield all positions where the template can end if it starts at `start` of the
        text."""
        part = PART.match(template)
        if not part:
            yield start
            return
        rest = template[part.end():]
        if part[2]:
            written = re.sub(r"\ban ", "a ", part[2])
            # A text starts with a capital letter, whatever its rule has.
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
        """Yield its name: for $N.form, the name in field form of slot N."""
        if not field.startswith("$"):
            yield field
            return
        slot, _, form = field[1:].partition(".")
        for filling in self.fillings(rule, slot):
            yield filling.fields[form]


def fits(kinds, asked):
    """Does it have one kind of each part of the request, which is separated by &?"""
    have = kinds.split()
    return kinds == "*" or not asked.strip() or all(
        set(part.split()) & set(have) for part in asked.split("&"))
