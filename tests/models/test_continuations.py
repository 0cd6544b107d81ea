"""The story model continues texts that it was not trained on as its grammar would."""

import json
import math
import random
import re
import sys
import tempfile
import unittest

from program import CHECKS_ALL, ProgramTest, run, sample, write
from story_grammar import GRAMMAR, Grammar

MODEL = GRAMMAR.parents[1] / "models/stories"
HELD_OUT = MODEL / "held-out.tsv"
STORIES = HELD_OUT.read_text().splitlines()
PROMPTS = 100
TAKEN_AT_LEAST = 0.95
PERPLEXITY_MOST = 1.15  # relative to that of the grammar

# A mistake that a reader would notice, and how often it can be made in a story.
MISTAKES = ((" she ", " he "), (" he ", " she "), (" her ", " his "), (" his ", " her "),
            (" it was ", " it it was "), (" said ", " saided "))


def beginning(story, generator):
    """Return the story up to the end of a word in its first two thirds."""
    spaces = [place.start() for place in re.finditer(" ", story)]
    return story[:spaces[generator.randrange(3, max(4, 2 * len(spaces) // 3))]]


class Continuations(ProgramTest):
    @classmethod
    def setUpClass(cls):
        cls.grammar = Grammar()

    def test_the_checker_takes_stories_and_refuses_mistakes(self):
        some = sample(STORIES, 3)
        self.assertEqual([story for story in some if not self.grammar.has(story)], [])
        made = 0
        for right, wrong in MISTAKES:
            for story in some[::5]:
                if right in story:
                    made += 1
                    mistaken = story.replace(right, wrong, 1)
                    self.assertFalse(self.grammar.has(mistaken), mistaken)
        for story in some[::5]:
            names = [*dict.fromkeys(re.findall(r"(?<=[a-z] )(?!Sunday)[A-Z][a-z]{2,}", story))]
            if len(names) > 1:
                made += 1
                alone = story.replace(names[0], names[1])
                self.assertFalse(self.grammar.has(alone), alone)
        self.assertGreater(made, 0.3 * len(some))

    def test_nearly_all_continuations_are_stories(self):
        generator = random.Random(1)
        chosen = sample(STORIES[::len(STORIES) // PROMPTS][:PROMPTS], 3)
        prompts = [beginning(story, generator) for story in chosen]
        said = run("generate", "--model", MODEL, "--limit", "150",
                   text="".join(f"{prompt}\n" for prompt in prompts))
        self.assert_done(said)
        went_on = said.out.splitlines()
        self.assertEqual(len(went_on), len(prompts))
        wrong = [f"{prompt} | {more}" for prompt, more in zip(prompts, went_on)
                 if not self.grammar.has(f"{prompt} {more.strip()}")]
        taken = len(prompts) - len(wrong)
        print(f"{taken} of {len(prompts)} are stories", *wrong, sep="\n  ", file=sys.stderr)
        self.assertGreaterEqual(taken, int(TAKEN_AT_LEAST * len(prompts)))

    def test_it_loses_little_more_than_the_grammar_itself(self):
        with tempfile.TemporaryDirectory() as folder:
            said = run("grammar", str(GRAMMAR), "-o", folder)
            self.assert_done(said)
            nats = float(re.search(r"says ([\d.]+) nats", said.out)[1])
        found = run("evaluate", MODEL, HELD_OUT, "--json")
        self.assert_done(found)
        figures = json.loads(found.out)
        self.assertEqual(figures["pairs"], len(STORIES))
        of_grammar = nats * figures["pairs"] / figures["tokens"]
        ratio = math.exp(figures["loss"] - of_grammar)
        print(f"loss {figures['loss']:.4f}, of the grammar {of_grammar:.4f} a token: "
              f"perplexity {ratio:.3f} times its own", file=sys.stderr)
        self.assertLess(ratio, PERPLEXITY_MOST)
        self.assertGreater(ratio, 0.95)  # no model knows more than the grammar


if __name__ == "__main__":
    unittest.main()
