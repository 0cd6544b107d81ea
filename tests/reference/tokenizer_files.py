"""Tokenizer files of different model families, and lines that are hard to split.

Everything is generated from a seed: our own words, learned merges, lengths, scores. As a script,
it writes FAMILY.json and lines.txt into a folder, where tokenizers.js (Hugging Face's library
tokenizers, as a package for node) computes the expected tokens.
"""

import collections
import copy
import functools
import heapq
import json
import pathlib
import random
import sys

ENGLISH = """the a one two her his and but then not of in to with lost found little green kite
boat lantern river mountain kitchen window garden Anna Ben Carla wonderful unhappily playing
played plays rebuild building builder cat cats dog dogs quickly slowly morning evening because
under over between I you they we don't can't it's we'll they've I'm he'd school teacher letter
write wrote written reading reader careful carelessness answer question number""".split()
KOREAN = """나는 우리는 친구가 선생님이 어제 오늘 내일 학교에 부산에서 서울까지 바다를 책을 편지를
읽었다 읽는다 썼다 만났다 걸었다 마셨다 좋아한다 작은 푸른 조용한 아침에 저녁에 연을 등불을 창문을
열었다 닫았다 물었다 대답했다 천천히 빨리 그리고 그런데 왜냐하면 값을 넓은 괜찮아 ㅋㅋㅋ ㅠㅠ""".split()
CODE = ["for(i=0;i<10;i++){", "x += 1;", "def f(a, b):", "    return a*b", "\treturn None",
        "<p class=\"x\">", "https://example.org/a?b=c", "a->b[3]", "/* note */", "\\n", "#!/bin/sh",
        "if (x != y && !z)", "0x1F", "3.14159", "1e-5", "foo_bar", "CamelCaseName", "$HOME"]
EMOJI = ["😀", "👍🏽", "👩‍👩‍👧", "🇰🇷", "❤️", "1️⃣", "🙂🙃", "🏳️‍🌈", "☂", "✓"]
ODD = ["é", "e\u0301", "ﬁ", "①", "Ａ", "½", "²", "ǅ", "İ", "ẞ", "Σ", "σς", "ｶﾞ", "が", "ガ",
       "한", "\u1112\u1161\u11ab", "\u1112\u1161", "中文", "日本語", "𠀀", "กำ", "नमस्ते", "привет",
       "שָׁלוֹם", "مرحبا", "١٢٣", "Ⅷ", "ⓐ", "·", "…", "“q”", "‘s", "’s", "'S", "'LL", "'ſ", "«»",
       "\u00a0", "\u3000", "\u2003", "\u200b", "\u200d", "\ufeff", "\u202e", "\u0085", "\x01",
       "\x7f", "\x1b[0m", "\ufffd", "\u00ad", "▁", "▁▁", "Ġ", "##", "##ing", "[MASK]", "<s>", "</s>",
       "<unk>", "<0x41>", "<|endoftext|>", "<|im_start|>", "[UNK]", "_", "__", "---", "!!!", "??",
       "...", "´", "ą̊̀", "a\u0323\u0302", "\u0344", "𝔸", "㎏", "ﷺ", "ǆ", "K", "Å"]
SPACES = [" ", " ", " ", " ", "  ", "   ", "\t", "\n", "\n\n", "\r\n", " \n ", "\n  ", ""]


def words(generator, count, odd):
    for _ in range(count):
        kind = generator.random()
        if kind < odd:
            yield generator.choice(generator.choice((EMOJI, ODD, ODD, CODE)))
        elif kind < odd + 0.1:
            yield str(generator.randrange(10 ** generator.randrange(1, 8)))
        elif kind < odd + 0.5:
            word = generator.choice(ENGLISH)
            yield word.upper() if generator.random() < 0.05 else \
                word.capitalize() if generator.random() < 0.1 else word
        else:
            yield generator.choice(KOREAN)
        if generator.random() < 0.1:
            yield generator.choice(".,?!:;")


def lines(seed=23, count=10000):
    """Texts, some with line ends inside."""
    generator = random.Random(seed)
    for _ in range(count):
        odd = generator.choice((0, 0.05, 0.3, 0.9))
        text = ""
        for word in words(generator, generator.randrange(1, 14), odd):
            text += word + (generator.choice(SPACES) if generator.random() < 0.3 or odd == 0.9
                            else " ")
        if generator.random() < 0.5:
            text = text.strip()
        if generator.random() < 0.1:
            text = generator.choice(SPACES) + text
        yield text or "a"


def learning_text():
    generator = random.Random(7)
    return [word for word in words(generator, 6000, 0.03)]


def byte_characters():
    """GPT-2's table of printable characters."""
    kept = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in kept]
    return {byte: chr(byte) for byte in kept} | \
        {byte: chr(0x100 + i) for i, byte in enumerate(others)}


def learned_merges(counts, count):
    """The most frequent pairs of adjacent tokens, repeatedly."""
    parts = {word: list(word) for word in counts}
    pairs = collections.Counter()
    for word, times in counts.items():
        for pair in zip(parts[word], parts[word][1:]):
            pairs[pair] += times
    merges = []
    ranked = [(-times, pair) for pair, times in pairs.items()]
    heapq.heapify(ranked)
    while len(merges) < count and ranked:
        times, best = heapq.heappop(ranked)
        if times == 0 or -times != pairs[best]:
            continue  # its count has changed, and it is later in the queue
        merges.append(best)
        joined = "".join(best)
        touched = set()
        for word, old in parts.items():
            if joined not in word:
                continue
            new, i = [], 0
            while i < len(old):
                joins = tuple(old[i:i + 2]) == best
                new.append(joined if joins else old[i])
                i += 1 + joins
            for changed, times in ((old, -counts[word]), (new, counts[word])):
                for pair in zip(changed, changed[1:]):
                    pairs[pair] += times
                    touched.add(pair)
            parts[word] = new
        for pair in touched:
            heapq.heappush(ranked, (-pairs[pair], pair))
    return merges


def added(token_id, content, **flags):
    return {"id": token_id, "content": content, "single_word": False, "lstrip": False,
            "rstrip": False, "normalized": False, "special": True, **flags}


def pattern(digits):
    return ("(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|" + digits +
            "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+")


def byte_level(prefix=False, regex=True, offsets=True):
    return {"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": offsets,
            "use_regex": regex}


def sequence(kind, *steps):
    return {"type": "Sequence", kind: list(steps)}


def template(before, behind, ids):
    def special(name):
        return {"SpecialToken": {"id": name, "type_id": 0}}
    single = [*map(special, before), {"Sequence": {"id": "A", "type_id": 0}},
              *map(special, behind)]
    return {"type": "TemplateProcessing", "single": single,
            "pair": single + [{"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {name: {"id": name, "ids": [ids[name]], "tokens": [name]}
                               for name in {*before, *behind}}}


def tokenizer(model, **parts):
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [],
            "normalizer": None, "pre_tokenizer": None, "post_processor": None, "decoder": None,
            **parts, "model": model}


def byte_model(**keys):
    table = byte_characters()
    counts = collections.Counter(
        "".join(table[byte] for byte in (" " + word).encode()) for word in learning_text())
    merges = learned_merges(counts, 900)
    vocabulary = {}
    for word in [*table.values(), *(left + right for left, right in merges)]:
        vocabulary.setdefault(word, len(vocabulary))
    return {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": "",
            "end_of_word_suffix": "", "fuse_unk": False, "byte_fallback": False,
            "vocab": vocabulary, "merges": [" ".join(pair) for pair in merges], **keys}


@functools.cache
def pieces_learned():
    counts = collections.Counter("▁" + word for word in learning_text())
    return counts, learned_merges(counts, 900)


def piece_model(byte_words=256, **keys):
    """The form of SentencePiece's pairs: ranks by token, and each way to make it."""
    counts, merges = pieces_learned()
    letters = sorted({letter for word in counts for letter in word})
    names = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(byte_words)), "▁▁",
             *(left + right for left, right in merges), *letters]
    vocabulary = {}
    for name in names:
        vocabulary.setdefault(name, len(vocabulary))
    ways = [(word[:i], word[i:]) for word in vocabulary for i in range(1, len(word))
            if word[:i] in vocabulary and word[i:] in vocabulary
            and not word.startswith("<0x") and word not in ("<unk>", "<s>", "</s>")]
    return {"type": "BPE", "dropout": None, "unk_token": "<unk>",
            "continuing_subword_prefix": None, "end_of_word_suffix": None, "fuse_unk": True,
            "byte_fallback": True, "ignore_merges": False, "vocab": vocabulary,
            "merges": [list(pair) for pair in ways], **keys}


def word_pieces(lower):
    counts = collections.Counter()
    for word in learning_text():
        counts[word.lower() if lower else word] += 1
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *".,?!'\"#()<>[]-+=*/;:&_$\\"]
    names += sorted({word[:4] for word in counts} | {word[0] for word in counts})
    names += sorted({"##" + word[i:i + n] for word in counts for i in range(1, len(word))
                     for n in (1, 3)})
    names += [word for word, times in counts.most_common(60) if len(word) > 4]
    vocabulary = {}
    for name in names:
        vocabulary.setdefault(name, len(vocabulary))
    return {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocabulary}


def scored_pieces(**keys):
    generator = random.Random(11)
    pieces = {}
    for word in ("▁" + word for word in learning_text()):
        for start in range(len(word)):
            for end in range(start + 1, min(start + 6, len(word)) + 1):
                if end - start == 1 or generator.random() < 0.2:
                    pieces.setdefault(word[start:end], -generator.uniform(2, 14))
    vocabulary = [["<pad>", 0.0], ["</s>", 0.0], ["<unk>", 0.0]]
    vocabulary += sorted(([piece, round(score, 5)] for piece, score in pieces.items()),
                         key=lambda entry: -entry[1])
    return {"type": "Unigram", "unk_id": 2, "vocab": vocabulary, "byte_fallback": False, **keys}


def llama_decoder():
    return sequence("decoders", {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
                    {"type": "ByteFallback"}, {"type": "Fuse"},
                    {"type": "Strip", "content": " ", "start": 1, "stop": 0})


def metaspace(scheme, **keys):
    return {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": True,
            **keys}


@functools.cache
def families():
    """name -> tokenizer.json"""
    bytes_, pieces, scores = byte_model(), piece_model(), scored_pieces()
    end = len(bytes_["vocab"])
    around = [added(0, "<unk>"), added(1, "<s>"), added(2, "</s>")]
    bos = template(["<s>"], [], {"<s>": 1})
    cased, uncased = word_pieces(False), word_pieces(True)
    marks = [added(i, name) for i, name in
             enumerate(("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"))]
    bert = template(["[CLS]"], ["[SEP]"], {"[CLS]": 2, "[SEP]": 3})
    t5_end = [added(0, "<pad>"), added(1, "</s>"), added(2, "<unk>")]

    def bert_normalizer(lowercase, accents=None):
        return {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                "strip_accents": accents, "lowercase": lowercase}

    def split(digits, behavior="Isolated", invert=False):
        return {"type": "Split", "pattern": {"Regex": pattern(digits)}, "behavior": behavior,
                "invert": invert}

    return {
        "gpt2": tokenizer({key: value for key, value in bytes_.items() if key != "type"},
                          added_tokens=[added(end, "<|endoftext|>", normalized=True)],
                          pre_tokenizer=byte_level(), post_processor=byte_level(True, True, False),
                          decoder=byte_level(True)),
        "roberta": tokenizer(bytes_, added_tokens=[added(end, "<s>"), added(end + 1, "</s>"),
                                                   added(end + 2, "[MASK]", lstrip=True)],
                             pre_tokenizer=byte_level(True), decoder=byte_level(True),
                             post_processor={"type": "RobertaProcessing", "sep": ["</s>", end + 1],
                                             "cls": ["<s>", end], "trim_offsets": True,
                                             "add_prefix_space": True}),
        "qwen2": tokenizer(bytes_, normalizer={"type": "NFC"},
                           added_tokens=[added(end, "<|endoftext|>"), added(end + 1, "<|im_start|>"),
                                         added(end + 2, "<s>", special=False)],
                           pre_tokenizer=sequence("pretokenizers", split("\\p{N}"),
                                                  byte_level(False, False, False)),
                           post_processor=byte_level(False, False, False),
                           decoder=byte_level(False, False, False)),
        "llama3": tokenizer({**bytes_, "ignore_merges": True,
                             "vocab": {**bytes_["vocab"], "Ġteacherly": end, "Ġwonderf": end + 1}},
                            added_tokens=[added(end + 2, "<|im_start|>")],
                            pre_tokenizer=sequence("pretokenizers",
                                                   split("\\p{N}{1,3}", "Removed", True),
                                                   byte_level(False, False)),
                            post_processor=sequence(
                                "processors", byte_level(True, True, False),
                                template(["<|im_start|>"], [], {"<|im_start|>": end + 2})),
                            decoder=byte_level()),
        "smollm2": tokenizer(bytes_, added_tokens=[added(end, "<|endoftext|>"),
                                                   added(end + 1, "</s>", rstrip=True),
                                                   added(bytes_["vocab"]["one"], "one", special=False,
                                                         single_word=True)],
                             pre_tokenizer=sequence("pretokenizers",
                                                    {"type": "Digits", "individual_digits": True},
                                                    byte_level()), decoder=byte_level()),
        "stories": tokenizer(pieces, added_tokens=around, post_processor=bos,
                             normalizer=sequence(
                                 "normalizers", {"type": "Prepend", "prepend": "▁"},
                                 {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}),
                             decoder=llama_decoder()),
        "mistral": tokenizer(pieces, added_tokens=around, post_processor=bos,
                             pre_tokenizer=metaspace("first", split=False),
                             decoder=llama_decoder()),
        "gemma": tokenizer(piece_model(byte_words=0), added_tokens=around, post_processor=bos,
                           normalizer={"type": "Replace", "pattern": {"String": " "},
                                       "content": "▁"},
                           pre_tokenizer={"type": "Split", "pattern": {"String": " "},
                                          "behavior": "MergedWithPrevious", "invert": False},
                           decoder=sequence("decoders",
                                            {"type": "Replace", "pattern": {"String": "▁"},
                                             "content": " "}, {"type": "ByteFallback"},
                                            {"type": "Fuse"})),
        "bert": tokenizer(cased, added_tokens=marks, normalizer=bert_normalizer(False),
                          pre_tokenizer={"type": "BertPreTokenizer"}, post_processor=bert,
                          decoder={"type": "WordPiece", "prefix": "##", "cleanup": True}),
        "distilbert": tokenizer(uncased, added_tokens=marks, normalizer=bert_normalizer(True),
                                pre_tokenizer={"type": "BertPreTokenizer"},
                                post_processor={"type": "BertProcessing", "sep": ["[SEP]", 3],
                                                "cls": ["[CLS]", 2]},
                                decoder={"type": "WordPiece", "prefix": "##", "cleanup": False}),
        "t5": tokenizer(scores, added_tokens=t5_end,
                        normalizer=sequence("normalizers", {"type": "NFKC"},
                                            {"type": "Replace", "pattern": {"Regex": " {2,}"},
                                             "content": " "}),
                        pre_tokenizer=sequence("pretokenizers", {"type": "WhitespaceSplit"},
                                               metaspace("always")),
                        post_processor=template([], ["</s>"], {"</s>": 1}),
                        decoder=metaspace("always")),
        "unigram": tokenizer(scores, added_tokens=t5_end,
                             normalizer=sequence("normalizers", {"type": "NFKD"},
                                                 {"type": "StripAccents"}, {"type": "Lowercase"},
                                                 {"type": "NFC"}, {"type": "Strip",
                                                                   "strip_left": True,
                                                                   "strip_right": True}),
                             pre_tokenizer=sequence("pretokenizers",
                                                    {"type": "Punctuation",
                                                     "behavior": "Contiguous"},
                                                    metaspace("never")),
                             decoder=metaspace("never")),
    }


@functools.cache
def small(name):
    """A byte-pair tokenizer with twelve tokens and its template."""
    contents = copy.deepcopy(families()[name])
    space = "▁" if "▁▁" in contents["model"]["vocab"] else "Ġ"
    names = ["<unk>", "<s>", "</s>", space, *"abcde", space + "a", "ab"]
    pairs = [[space, "a"], ["a", "b"]]
    vocabulary = {name: i for i, name in enumerate(names)}
    is_text = isinstance(contents["model"]["merges"][0], str)
    contents["model"]["vocab"] = vocabulary
    contents["model"]["merges"] = [" ".join(pair) for pair in pairs] if is_text else pairs
    for token in contents["added_tokens"]:
        token["id"] = vocabulary.setdefault(token["content"], len(vocabulary))
    contents["model"]["vocab"] = {name: i for name, i in vocabulary.items() if name in names}
    return json.dumps(contents)


def write(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(exist_ok=True)
    for name, contents in families().items():
        (folder / f"{name}.json").write_text(json.dumps(contents, ensure_ascii=False))
    escaped = (line.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
               for line in lines())
    with open(folder / "lines.txt", "w", newline="\n") as file:
        file.writelines(line + "\n" for line in escaped)


if __name__ == "__main__":
    write(sys.argv[1])
