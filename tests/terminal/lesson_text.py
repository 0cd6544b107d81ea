"""A small lesson with a block of each kind, for tests of the lesson player."""

LESSON = """---
title: A small lesson
language: en
minutes: 5
needs: none
model: ko-en
depth: steps
---

# A small lesson

First words.

```glassbox
> 나는 어제 부산에서 친구를 만났다.
...
```

## Heads

```predict
ask: Are there heads?
right: yes
wrong: no -- look at the map
hint: Look.
why: There are.
```

```glassbox
> :show encoder.0.self_attention.weights[query=0]
...
```

```question
ask: How many heads are there?
number: = count head encoder.0.self_attention.weights
hint: The axis is called head.
hint: It is less than five.
why: d_model is divided among them.
```

```question
ask: Let row 0 of the decoder see the future.
true: decoder.0.self_attention.weights[head=0, query=0, key=1] > 0
answer: :no mask
hint: `:no` takes something away.
why: Nothing is hidden now.
```

```glassbox
> :reset
...
> :changes
  1  :no mask   (undone)
```

```figure heads.png
:draw encoder.0.self_attention.weights
```

The last words.
"""
