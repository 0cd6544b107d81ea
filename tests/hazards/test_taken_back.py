"""All changes to a model and its run at the prompt can be undone bit for bit: random
sequences of manual changes, options, presets, learning, picks and models. At the end
`:reset`, `:learn undo` and `:option reset` restore the results of a fresh program."""

import os
import random
import unittest
import zipfile

from program import CHECKS_ALL, SENTENCE, ProgramTest, run

SEQUENCES = int(os.environ.get("SEQUENCES", "200" if CHECKS_ALL else "16"))
TOGETHER = 20 if CHECKS_ALL else 8  # sequences per session: leftovers of one would affect the next

MODELS = ("ko-en", "ko-en", "ko-en", "seq2seq-ko-en", "classifier", "chatbot")
CHANGES = (
    ":set encoder.0.self_attention.scaled[head=0, query=0, key=1] = 5",
    ":set logits[target=2, vocabulary=7] = 40", ":zero decoder.0.norm_1[target=1]",
    ":zero encoder.0.norm_1", ":mask key 부산", ":mask encoder.0 head 1",
    ":mask layer encoder.1", ":no position", ":no mask", ":swap 0 1", ":swap 1 4",
    ":patch encoder.output[source=2] from 나는 어제 서울에서 친구를 만났다.",
    ":edit lm_head.bias[7] = 30", ":edit model.encoder.layers.0.fc1.weight[0, 0] = 4",
    ":edit model.encoder.layers.0.fc1.weight[0, 0] = -inf --force",
)
OPTIONS = (
    "norm pre", "norm post", "d_model 48", "d_model 96", "d_ff 64", "encoder_layers 1",
    "encoder_layers 3", "scale_scores false", "share_layers true", "share_layers false",
    "tie_embeddings true", "tie_embeddings false", "share_embeddings false", "activation gelu",
    "position learned", "final_norm true", "attention_heads 2", "hidden_size 24",
)
PRESETS = ("kit", "prenorm", "pytorch", "keras", "paper", "seq2seq")
TARGETS = {"classifier": ("기쁨", "슬픔")}
LINES = (
    (5, CHANGES), (2, (":undo", ":redo")), (3, (":reset",)),
    (5, [":option " + option for option in OPTIONS]), (1, (":option reset",)),
    (1, [":preset " + preset for preset in PRESETS]), (1, (":learn undo",)),
    (2, (":pick 1 2", ":pick 3 3", ":branches", ":branches 0", ":branches 1")),
    (1, (SENTENCE, ":target")),
)


def learns(chance, model):
    target = chance.choice(TARGETS.get(model, ("I met a friend.", "We went home yesterday.")))
    return f":learn {target} --rate {chance.choice((0.001, 0.1, 0.5))}"


def sequence(chance, model):
    """Return its lines, followed by those that undo everything, and the final model."""
    lines = []
    learned = False
    for _ in range(chance.randint(3, 12)):
        kind = chance.random()
        if kind < 0.25:
            # Learning is not possible while a change is active.
            lines += [":reset"] * chance.randint(0, 1) + [learns(chance, model)]
            learned = True
        elif kind < 0.28:
            model = chance.choice(MODELS)
            lines.append(f":model {model}")
            learned = False
        else:
            weights, choices = zip(*LINES)
            lines.append(chance.choice(chance.choices(choices, weights)[0]))
    back = [":learn undo", ":option reset"]
    chance.shuffle(back)
    # The sentence that was learned from is still given as the target.
    return lines + [":reset", *back] + [":target"] * learned, model


def numbers(path):
    with zipfile.ZipFile(path) as trace:
        return {name: trace.read(name) for name in trace.namelist()}


class TakenBack(ProgramTest):
    def fresh(self, model):
        path = self.path(model + ".npz")
        self.assert_done(run("trace", "--model", model, "--source", SENTENCE, "-o", path))
        return numbers(path)

    def test_the_first_numbers_come_back(self):
        first = {model: self.fresh(model) for model in set(MODELS)}
        for start in range(0, SEQUENCES, TOGETHER):
            text, left, model = f"{SENTENCE}\n", [], "ko-en"
            for seed in range(start, min(start + TOGETHER, SEQUENCES)):
                lines, model = sequence(random.Random(seed), model)
                path = self.path(f"{seed}.npz")
                left.append((seed, model, path, lines))
                text += "\n".join(lines + [f":trace -o {path} --force", ""])
            outcome = run(text=text)
            self.assertIn(outcome.status, (0, 1), outcome.err[-3000:])
            for seed, model, path, lines in left:
                with self.subTest(seed=seed, model=model, lines=lines):
                    found = numbers(path)
                    os.remove(path)
                    other = [name for name in first[model] if found.get(name) != first[model][name]]
                    self.assertEqual((other[:3], set(found) - set(first[model])), ([], set()))


if __name__ == "__main__":
    unittest.main()
