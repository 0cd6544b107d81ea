"""Random sequences of commands that branch, change, keep and learn: in any order, the
program keeps running, and prints a sentence for everything it rejects.

    SESSIONS=2000 tests/run.sh tests/hazards/test_branches.py
"""

import os
import random
import unittest

from program import CHECKS_ALL, ProgramTest, prompt

SESSIONS = int(os.environ.get("SESSIONS", "200" if CHECKS_ALL else "20"))
TOGETHER = 20  # sessions per process

SENTENCES = {
    "ko-en": ("나는 어제 학교에 갔다.", "나는 어제 부산에서 친구를 만났다.", "나는 | 친구를 만났다."),
    "seq2seq-ko-en": ("나는 어제 학교에 갔다.", "친구를 만났다."),
    "stories": ("Once upon a time", "Lily had a red ball."),
    "chatbot": ("안녕", "배가 고파요"),
    "classifier": ("기분이 좋다", "너무 슬프다"),
}
BOXES = ("encoder.output", "encoder.0.norm_1", "decoder.0.self_attention.output",
         "decoder.0.self_attention.context[head=1]", "decoder.output[target=1]", "logits",
         "encoder.embedding[source=0]", "decoder.1.cross_attention.weights[head=0]", "nothing")
LINES = (
    (4, (":branches", ":branches 0", ":branches 1", ":branches 2", ":branches 9")),
    (5, (":pick 0 2", ":pick 1 2", ":pick 1 went", ":pick 2 a", ":pick 3 3", ":pick id=5",
         ":pick 1 id=7", ":pick 20 2")),
    (3, [f":zero {box}" for box in BOXES]),
    (2, (":mask key 0", ":mask encoder.0 head 1", ":mask decoder.0 head 0",
         ":mask layer decoder.1")),
    (1, (":no mask", ":no position")),
    (3, (":undo", ":redo", ":reset")),
    (1, [f":patch {box} from 나는 어제 서울에서 친구를 만났다." for box in BOXES[:3]] +
     [":patch decoder.output[target=1] from Anna had a red kite.",
      ":patch encoder.output[source=0] from a", ":patch logits[target=0] from b"]),
    (2, (":swap 0 1", ":swap 1 2", ":swap 나는 어제", ":swap a ball")),
    (1, (":learn", ":learn a b", ":learn undo", ":learn I met a friend.")),
    (2, (":keep a", ":keep b", ":compare a", ":compare a b", ":compare", ":compare b logits")),
    (1, (":decode", ":decode 1", ":because", ":force", ":target a friend", ":target",
         ":batch 1", "", ":option d_ff 8", ":option reset", ":beam 2")),
)


def session(chance):
    model = chance.choice(list(SENTENCES))
    weights, choices = zip(*LINES)
    lines = [f":model {model}", chance.choice(SENTENCES[model])]
    for _ in range(chance.randint(3, 12)):
        line = chance.choice(chance.choices(choices, weights)[0])
        lines.append(chance.choice(SENTENCES[model]) if chance.random() < 0.04 else line)
    return lines + [":reset", ":learn undo"]


class Branches(ProgramTest):
    def test_whatever_comes_first(self):
        for seed in range(0, SESSIONS, TOGETHER):
            chance = random.Random(seed)
            lines = [line for _ in range(TOGETHER) for line in session(chance)]
            found = prompt(*lines, folder=self.folder)
            with self.subTest(seed=seed):
                self.assertIn(found.status, (0, 1), found.err[-3000:])


if __name__ == "__main__":
    unittest.main()
